//! Tables on web hosts, which complete those of folders.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};
use std::thread;

use super::builder::TablebaseBuilder;
use super::fetching::{NEVER, fetching};
use super::layers::LayerTables;
use super::ranged::add_ranged;
use super::tables::Tablebase;
use crate::remote::Host;
use crate::rules::{Board, Next, Ruleset};
use crate::table::TableError;

/// The hosts of a tablebase, in their order.
#[derive(Debug, Default)]
pub(super) struct Hosts(Vec<Host>);

impl TablebaseBuilder {
    /// Adds the tables in a folder on a web host, after those in folders of this machine.
    /// A probe then waits until the host has sent the ranges that it reads.
    pub fn url(mut self, host: impl Into<Host>) -> TablebaseBuilder {
        self.hosts.0.push(host.into());
        self
    }
}

impl Tablebase {
    /// Fetches in the background what the answer to each move of a board will read from hosts:
    /// for programs whose user thinks meanwhile. The next call ends it. Without tables on hosts it
    /// does nothing.
    pub fn fetch_ahead(&self, board: &Board) {
        if !(0..=board.seeds()).any(|seeds| self.is_remote(seeds)) {
            return;
        }
        let stop = Arc::new(AtomicBool::new(false));
        let mut current = self.ahead.lock().unwrap_or_else(PoisonError::into_inner);
        let last = std::mem::replace(&mut *current, stop.clone());
        drop(current);
        last.store(true, Ordering::Relaxed);
        let (tables, board) = (self.until(stop), *board);
        let fetch = move || {
            for step in tables.rules().moves(&board).legal() {
                // What fails now is told when it is asked for.
                if step.next != Next::Over && tables.moves(&step.board).is_err() {
                    return;
                }
            }
        };
        // Without a thread everything is fetched when it is asked for.
        let _ = thread::Builder::new()
            .name("krou-ahead".to_owned())
            .spawn(fetch);
    }
}

impl Hosts {
    /// Leaves out the hosts that send no index, and says why.
    pub fn leave_out_silent(&mut self) -> Vec<TableError> {
        let mut errors = Vec::new();
        self.0.retain(|host| match host.index() {
            Ok(_) => true,
            Err(error) => {
                errors.push(error);
                false
            }
        });
        errors
    }

    /// Fills empty slots with the tables of the hosts. Returns why hosts send no index; that is
    /// an error only where there are no folders beside them. A wrong address is one anywhere.
    pub fn add_to(
        &self,
        layers: &mut [LayerTables],
        rules: Ruleset,
        beside_folders: bool,
    ) -> Result<Vec<TableError>, TableError> {
        let mut silent = Vec::new();
        for host in &self.0 {
            host.check_address()?;
            match add_host(layers, rules, host) {
                Err(error) if beside_folders => silent.push(error),
                added => added?,
            }
        }
        Ok(silent)
    }
}

/// Fills empty slots with the tables of a host.
fn add_host(layers: &mut [LayerTables], rules: Ruleset, host: &Host) -> Result<(), TableError> {
    let remote = host.open()?;
    // Headers that the index lacks are fetched.
    fetching(&NEVER, || add_ranged(layers, rules, |id| remote.table(id)))
}
