//! Which tables are at hand: folders of files, and those inside the library.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use super::embedded;
use crate::rules::{MAX_SEEDS, Ruleset};
use crate::table::{Kind, Table, TableError, TableId};

/// A folder of tables that cannot be opened.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The folder is not there, or is no folder.
    #[error("{} is not a folder: build tables into it, or name another one", path.display())]
    NoFolder {
        /// The folder that was named.
        path: PathBuf,
    },
    /// One of its tables is damaged or of another ruleset.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// The tables of one layer.
#[derive(Debug, Default)]
pub(super) struct LayerTables {
    pub value: Option<Table>,
    pub distance: Option<Table>,
    pub bounds: Option<Table>,
    /// Those that are there but cannot be opened, where that is let pass.
    pub damaged: Vec<(Kind, Arc<TableError>)>,
}

impl LayerTables {
    pub fn of(&self, kind: Kind) -> Option<&Table> {
        match kind {
            Kind::Value => self.value.as_ref(),
            Kind::Distance => self.distance.as_ref(),
            Kind::Bounds => self.bounds.as_ref(),
        }
    }

    /// Those that there are.
    pub fn all(&self) -> impl Iterator<Item = &Table> {
        Kind::ALL.into_iter().filter_map(|kind| self.of(kind))
    }

    fn slot_mut(&mut self, kind: Kind) -> &mut Option<Table> {
        match kind {
            Kind::Value => &mut self.value,
            Kind::Distance => &mut self.distance,
            Kind::Bounds => &mut self.bounds,
        }
    }

    /// Fills the empty slots of these kinds, where `find` has a table for them.
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
}

/// The tables of every layer, by seeds.
pub(super) type Layers = Vec<LayerTables>;

/// Layers without tables.
pub(super) fn none() -> Layers {
    (0..=MAX_SEEDS).map(|_| LayerTables::default()).collect()
}

/// Layers with tables that are open already; the first of each counts.
pub(super) fn of_tables(
    rules: Ruleset,
    tables: impl IntoIterator<Item = Table>,
) -> Result<Layers, TableError> {
    let mut layers = none();
    for table in tables {
        let id = table.id();
        let table = table.require(TableId { rules, ..id })?;
        let layer = &mut layers[usize::from(id.seeds)];
        layer.slot_mut(id.kind).get_or_insert(table);
    }
    Ok(layers)
}

/// Opens all tables of a ruleset in the folders; where several have the same
/// table, the first folder's counts.
pub(super) fn open(
    rules: Ruleset,
    folders: &[&Path],
    open: impl Fn(&Path) -> Result<Table, TableError>,
) -> Result<Layers, OpenError> {
    open_unless(rules, folders, open, |_, error| Err(error))
}

/// As [`open()`], but a table that cannot be opened is put down as damaged.
pub(super) fn open_sound(rules: Ruleset, folders: &[&Path]) -> Result<Layers, OpenError> {
    let mut damaged = Vec::new();
    let mut layers = open_unless(rules, folders, Table::open, |id, error| {
        damaged.push((id, Arc::new(error)));
        Ok(())
    })?;
    for (id, error) in damaged {
        layers[usize::from(id.seeds)].damaged.push((id.kind, error));
    }
    Ok(layers)
}

/// Opens tables; what cannot be opened is passed over if `pass_over` lets it.
fn open_unless(
    rules: Ruleset,
    folders: &[&Path],
    open: impl Fn(&Path) -> Result<Table, TableError>,
    mut pass_over: impl FnMut(TableId, TableError) -> Result<(), TableError>,
) -> Result<Layers, OpenError> {
    let mut layers = none();
    let kinds = kinds_of(rules, true);
    for folder in folders {
        if !folder.is_dir() {
            return Err(OpenError::NoFolder {
                path: folder.to_path_buf(),
            });
        }
        for (seeds, layer) in (0..).zip(&mut layers) {
            layer.fill(rules, seeds, &kinds, |id| {
                match open_if_there(folder, id, &open) {
                    Ok(table) => Ok(table),
                    Err(error) => pass_over(id, error).map(|()| None),
                }
            })?;
        }
    }
    Ok(layers)
}

/// Opens a table of a folder, if it is there.
pub(super) fn open_if_there(
    folder: &Path,
    id: TableId,
    open: impl Fn(&Path) -> Result<Table, TableError>,
) -> Result<Option<Table>, TableError> {
    let path = folder.join(id.file_name());
    match path.try_exists() {
        Ok(false) => Ok(None),
        // If it cannot even be seen whether it is there, opening says why.
        _ => open(&path)?.require(id).map(Some),
    }
}

/// The tables inside the library.
pub(super) fn embedded_layers(rules: Ruleset) -> Layers {
    let mut layers = none();
    for (seeds, layer) in (0..).zip(&mut layers) {
        let find = |id| Ok::<_, Infallible>(embedded::table(id));
        let filled = layer.fill(rules, seeds, &kinds_of(rules, true), find);
        filled.unwrap_or_else(|never| match never {});
    }
    layers
}

/// The kinds of tables that a ruleset has.
pub(super) fn kinds_of(rules: Ruleset, distance: bool) -> Vec<Kind> {
    let mut kinds = vec![Kind::Value];
    kinds.extend(rules.has_bounds().then_some(Kind::Bounds));
    kinds.extend(distance.then_some(Kind::Distance));
    kinds
}
