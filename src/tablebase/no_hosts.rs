//! In place of `hosts` without the feature `remote`: there are none.

use super::layers::LayerTables;
use super::tables::Tablebase;
use crate::rules::{Board, Ruleset};
use crate::table::TableError;

impl Tablebase {
    /// Does nothing: tables on hosts take the feature `remote`.
    #[allow(clippy::unused_self)] // as in `hosts`
    pub fn fetch_ahead(&self, _: &Board) {}
}

#[derive(Debug, Default)]
pub(super) struct Hosts;

impl Hosts {
    pub fn leave_out_silent(&mut self) -> Vec<TableError> {
        Vec::new()
    }

    #[allow(clippy::unnecessary_wraps)] // as in `hosts`
    pub fn add_to(
        &self,
        _: &mut [LayerTables],
        _: Ruleset,
        _: bool,
    ) -> Result<Vec<TableError>, TableError> {
        Ok(Vec::new())
    }
}
