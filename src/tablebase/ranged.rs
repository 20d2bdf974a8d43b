//! Tables with only some of their ranges here: on a host, or fetched by the program itself.

use std::sync::Arc;

use super::layers::LayerTables;
use super::tables::Tablebase;
use crate::ranges::{Lacked, Ranges};
use crate::rules::Ruleset;
use crate::table::{Table, TableError, TableId, TableIndex};

impl Tablebase {
    /// Adds the tables of an index where there are none yet. The program fetches their bytes
    /// itself: a probe that lacks some fails with their ranges
    /// ([`TableError::lacking_ranges`]), the program inserts them, and probes again.
    ///
    /// # Errors
    /// If headers that the index lacks have to be fetched first.
    pub fn with_ranges(
        &self,
        index: &TableIndex,
        ranges: &Arc<dyn Ranges>,
    ) -> Result<Tablebase, TableError> {
        let (rules, mut layers) = (self.rules(), self.layers.to_vec());
        add_ranged(&mut layers, rules, |id| index.open(id, "", ranges))?;
        Ok(Tablebase::new(rules, layers))
    }
}

/// Fills empty slots with tables read by ranges, which `find` opens, and keeps the errors of
/// those that cannot be opened. Some headers may have to be fetched first.
pub(super) fn add_ranged(
    layers: &mut [LayerTables],
    rules: Ruleset,
    find: impl Fn(TableId) -> Option<Result<Table, TableError>>,
) -> Result<(), TableError> {
    let mut lacked = Lacked::default();
    for (seeds, layer) in (0..).zip(layers) {
        let mut errors = Vec::new();
        layer.fill_with(rules, seeds, |id| {
            let found = lacked.skip(find(id)?);
            found.unwrap_or_else(|error| {
                errors.push((id.kind, error));
                None
            })
        });
        for (kind, error) in errors {
            layer.add_error(kind, error);
        }
    }
    lacked.end()
}
