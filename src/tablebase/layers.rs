//! The open tables of each layer, by kind.

use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;

use crate::rules::{MAX_SEEDS, Ruleset};
use crate::table::{Kind, Table, TableError, TableId};

/// The tables of one layer.
#[derive(Debug, Default)]
pub(super) struct LayerTables {
    pub value: Option<Table>,
    pub distance: Option<Table>,
    pub bounds: Option<Table>,
    /// Why tables that exist could not be opened.
    pub damaged: Vec<(Kind, Arc<TableError>)>,
}

impl LayerTables {
    /// The table of a kind.
    pub fn of(&self, kind: Kind) -> Option<&Table> {
        match kind {
            Kind::Value => self.value.as_ref(),
            Kind::Distance => self.distance.as_ref(),
            Kind::Bounds => self.bounds.as_ref(),
        }
    }

    /// Whether there is a table of a kind that could be opened.
    pub fn is_open(&self, kind: Kind) -> bool {
        self.of(kind).is_some()
    }

    /// Whether there is a table of a kind, damaged or not.
    pub fn has(&self, kind: Kind) -> bool {
        let mut damaged = self.damaged.iter();
        self.is_open(kind) || damaged.any(|&(damaged, _)| damaged == kind)
    }

    /// The table of a kind, to be filled in.
    pub fn slot_mut(&mut self, kind: Kind) -> &mut Option<Table> {
        match kind {
            Kind::Value => &mut self.value,
            Kind::Distance => &mut self.distance,
            Kind::Bounds => &mut self.bounds,
        }
    }

    /// Fills the empty slots of these kinds with the tables that `find` returns.
    pub fn fill<E>(
        &mut self,
        rules: Ruleset,
        seeds: u8,
        kinds: &[Kind],
        mut find: impl FnMut(TableId) -> Result<Option<Table>, E>,
    ) -> Result<(), E> {
        for &kind in kinds {
            let slot = self.slot_mut(kind);
            if slot.is_none() {
                *slot = find(TableId { rules, seeds, kind })?;
            }
        }
        Ok(())
    }

    /// Fills the empty slots of all kinds that the ruleset has with the tables that `find`
    /// returns.
    pub fn fill_with(
        &mut self,
        rules: Ruleset,
        seeds: u8,
        mut find: impl FnMut(TableId) -> Option<Table>,
    ) {
        let find = |id| Ok::<_, Infallible>(find(id));
        let Ok(()) = self.fill(rules, seeds, &kinds_of(rules, true), find);
    }
}

/// The tables of every layer, by seeds.
pub(super) type Layers = Vec<LayerTables>;

/// Layers without tables.
pub(super) fn empty_layers() -> Layers {
    (0..=MAX_SEEDS).map(|_| LayerTables::default()).collect()
}

/// Opens a table of a folder if the folder has it.
pub(super) fn open_if_present(
    folder: &Path,
    id: TableId,
    open: &dyn Fn(&Path) -> Result<Table, TableError>,
) -> Result<Option<Table>, TableError> {
    let path = folder.join(id.file_name());
    match path.try_exists() {
        Ok(false) => Ok(None),
        // If the folder does not say whether the file exists, opening says why.
        _ => open(&path)?.require(id).map(Some),
    }
}

/// The kinds of tables that a ruleset has.
pub(super) fn kinds_of(rules: Ruleset, distance: bool) -> Vec<Kind> {
    let mut kinds = vec![Kind::Value];
    kinds.extend(rules.has_bounds().then_some(Kind::Bounds));
    kinds.extend(distance.then_some(Kind::Distance));
    kinds
}
