//! Tables on web hosts, which complete those of folders.

use super::fetching::{NEVER, fetching};
use super::layers::LayerTables;
use super::ranged::add_ranged;
use crate::remote::Host;
use crate::rules::Ruleset;
use crate::table::TableError;

/// The hosts of a tablebase, in their order.
#[derive(Debug, Default)]
pub(super) struct Hosts(Vec<Host>);

impl Hosts {
    pub fn add(&mut self, host: Host) {
        self.0.push(host);
    }

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
