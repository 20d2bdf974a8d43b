//! The open tables of each layer, by kind.

use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;

use crate::rules::{MAX_SEEDS, Ruleset};
use crate::table::{Kind, Table, TableError, TableId};

/// The tables of one layer.
#[derive(Clone, Debug, Default)]
pub(super) struct LayerTables {
    pub value: Option<Arc<Table>>,
    pub distance: Option<Arc<Table>>,
    pub bounds: Option<Arc<Table>>,
    /// Why tables that exist could not be opened.
    pub damaged: Vec<(Kind, Arc<TableError>)>,
    /// Files of earlier versions under the names of tables that are missing.
    pub old: Vec<Arc<TableError>>,
}

impl LayerTables {
    /// The table of a kind.
    pub fn of(&self, kind: Kind) -> Option<&Table> {
        match kind {
            Kind::Value => self.value.as_deref(),
            Kind::Distance => self.distance.as_deref(),
            Kind::Bounds => self.bounds.as_deref(),
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

    /// Whether a layer of this ruleset has all tables that it needs.
    pub fn is_complete(&self, rules: Ruleset) -> bool {
        self.missing_kind(rules, LayerTables::is_open).is_none()
    }

    /// The first kind that a layer of this ruleset needs and does not have, in the sense of
    /// `is_there`.
    pub fn missing_kind(
        &self,
        rules: Ruleset,
        is_there: impl Fn(&LayerTables, Kind) -> bool,
    ) -> Option<Kind> {
        let needed = Kind::of(rules, false);
        needed.into_iter().find(|&kind| !is_there(self, kind))
    }

    /// The table of a kind, to be filled in.
    pub fn slot_mut(&mut self, kind: Kind) -> &mut Option<Arc<Table>> {
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
                *slot = find(TableId { rules, seeds, kind })?.map(Arc::new);
            }
        }
        Ok(())
    }

    /// Notes why a table could not be opened.
    pub fn add_error(&mut self, kind: Kind, error: TableError) {
        let error = Arc::new(error);
        if error.is_old() {
            self.old.push(error);
        } else if !self.damaged.iter().any(|&(damaged, _)| damaged == kind) {
            self.damaged.push((kind, error));
        }
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
        let Ok(()) = self.fill(rules, seeds, &Kind::of(rules, true), find);
    }
}

/// Layers without tables, by seeds.
pub(super) fn empty_layers() -> Vec<LayerTables> {
    (0..=MAX_SEEDS).map(|_| LayerTables::default()).collect()
}

/// Some of the layers, each told by its number of seeds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct LayerSet(u64);

impl LayerSet {
    /// The layers for which `is_there`.
    pub(crate) fn of(is_there: impl Fn(u8) -> bool) -> LayerSet {
        let bit = |seeds| u64::from(is_there(seeds)) << seeds;
        LayerSet((0..=MAX_SEEDS).map(bit).sum())
    }

    /// The layers as the bits of a number, bit n for n seeds.
    pub fn bits(self) -> u64 {
        self.0
    }

    /// Whether the layer of boards with this number of seeds is there.
    pub fn contains(self, seeds: u8) -> bool {
        seeds <= MAX_SEEDS && self.0 >> seeds & 1 == 1
    }

    /// The layer with the most seeds.
    pub fn highest(self) -> Option<u8> {
        self.iter().next_back()
    }

    /// The layers, from few seeds to many.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = u8> {
        (0..=MAX_SEEDS).filter(move |&seeds| self.contains(seeds))
    }
}

/// Opens a table of a folder if the folder has it, also under the name that it has in earlier
/// versions.
///
/// # Errors
/// If it cannot be opened, or is of an earlier version.
pub(super) fn open_if_present(
    folder: &Path,
    id: TableId,
    open: &dyn Fn(&Path) -> Result<Table, TableError>,
) -> Result<Option<Table>, TableError> {
    let path = folder.join(id.file_name());
    match path.try_exists() {
        Ok(false) => {
            let former = id
                .formerly_named()
                .map(|former| folder.join(former.file_name()));
            let former = former.filter(|path| path.exists());
            // Whatever else has that name is another table.
            Ok(former.and_then(|path| open(&path).ok()?.require(id).ok()))
        }
        // If the folder does not say whether the file exists, opening says why.
        _ => open(&path)?.require(id).map(Some),
    }
}
