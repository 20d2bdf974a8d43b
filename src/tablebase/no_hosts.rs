//! In place of `hosts` and `on_hosts` without the feature `remote`: there are none.

// The functions have the form of those that they stand for.
#![allow(clippy::unnecessary_wraps, clippy::unused_self)]

use super::layers::LayerTables;
use super::tables::Tablebase;
use crate::rules::{Board, Ruleset};
use crate::table::TableError;

impl Tablebase {
    /// Does nothing: tables on hosts take the feature `remote`.
    pub fn fetch_ahead(&self, _: &Board, _: usize) {}
}

#[derive(Debug, Default)]
pub(super) struct Hosts(());

impl Hosts {
    pub fn leave_out_silent(&mut self) -> Vec<TableError> {
        Vec::new()
    }

    pub fn add_to(
        &self,
        _: &mut [LayerTables],
        _: Ruleset,
        _: bool,
    ) -> Result<Vec<TableError>, TableError> {
        Ok(Vec::new())
    }
}
