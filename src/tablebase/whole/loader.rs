//! Loading whole layers: the next layer imported from its tables into a solver, which
//! completes what these omit.

use std::path::Path;

use super::error::{LoadError, NotEnoughMemory};
use crate::rules::{MAX_SEEDS, Quantity};
use crate::solve::{Coverage, Layer, LayerArray, Observer, Silent, Solver, Value, memory_needed};
use crate::table::{Fault, Kind, Table, TableError};
use crate::tablebase::layers::LayerTables;
use crate::tablebase::result::ProbeError;
use crate::tablebase::tables::Tablebase;

/// Reads whole layers of a tablebase, from 0 seeds on. A layer needs those that its
/// conversions lead to, so every layer that was read is kept, one byte for each board (three
/// if there are bounds): in memory or, beyond a [limit](Tablebase::with_memory), in spill
/// files. Layers that lack a table, or need one that does, are left out.
///
/// ```
/// use krou::rules::Ruleset;
/// use krou::tablebase::Tablebase;
///
/// let tables = Tablebase::embedded(Ruleset::AWARI);
/// let mut loader = tables.loader();
/// let four = loader.load(4)?.value();
/// assert_eq!(four.index().len(), 1365);
/// let longest = loader.distances(4)?.expect("a table of distances");
/// # Ok::<(), krou::tablebase::LoadError>(())
/// ```
#[derive(Debug)]
pub struct Loader<'t> {
    tables: &'t Tablebase,
    solver: Solver,
    /// Bytes that may be used, if limited.
    limit: Option<u64>,
}

impl Tablebase {
    /// Limits the memory for reading whole layers, with a [`Tablebase::loader`] or a
    /// [`Tablebase::counter`], or to [`Tablebase::export`] or [`Tablebase::compare`]
    /// one. Layers that do not fit are in spill files, which have no name, in the folder
    /// `scratch`.
    #[must_use]
    pub fn with_memory(mut self, bytes: u64, scratch: impl AsRef<Path>) -> Tablebase {
        self.layer_limit = Some((bytes, scratch.as_ref().into()));
        self
    }

    /// Boards in all layers up to one. All of them are read to load that layer.
    pub fn boards_up_to(&self, seeds: u8) -> u64 {
        (0..=seeds).map(|n| self.index(n).len()).sum()
    }

    /// All tables.
    pub(super) fn all(&self) -> impl Iterator<Item = &Table> {
        (0..=MAX_SEEDS).flat_map(|seeds| self.tables(seeds).all())
    }

    fn kinds(&self, seeds: u8) -> Vec<Kind> {
        let tables = self.tables(seeds).all();
        tables.map(|table| table.id().kind).collect()
    }

    /// Reads whole layers.
    pub fn loader(&self) -> Loader<'_> {
        let (solver, limit) = match &self.layer_limit {
            Some((bytes, scratch)) => (Solver::within(self.rules(), *bytes, scratch), Some(*bytes)),
            None => (Solver::new(self.rules()), None),
        };
        Loader {
            tables: self,
            solver,
            limit,
        }
    }

    /// Reads whole layers into memory, whatever the limit.
    pub(super) fn loader_in_memory(&self) -> Loader<'_> {
        Loader {
            tables: self,
            solver: Solver::new(self.rules()),
            limit: None,
        }
    }

    /// Checks that a layer and those that its conversions lead to have all tables, and can be
    /// read within a limit: before they are read, which may take hours.
    pub(super) fn check_loadable(&self, seeds: u8, limit: Option<u64>) -> Result<(), LoadError> {
        let layers = (0..self.rules().layers_reached(seeds)).chain([seeds]);
        self.check_all_there(layers.clone(), LayerTables::is_open)?;
        let mut tables = layers.flat_map(|n| self.tables(n).all());
        if let Some(remote) = tables.find(|table| table.is_remote()) {
            return Err(Fault::Remote.of(remote.name()).into());
        }
        let of_layer = |n| memory_needed(self.rules(), n, &self.kinds(n));
        let needed = |n| (0..=n).map(of_layer).max().unwrap_or(0);
        Ok(NotEnoughMemory::check(seeds, limit, needed)?)
    }

    /// Checks that none of these layers lacks a table that it needs, in the sense of
    /// `is_there`. The error names the last layer that does.
    pub(super) fn check_all_there(
        &self,
        layers: impl DoubleEndedIterator<Item = u8>,
        is_there: impl Fn(&LayerTables, Kind) -> bool,
    ) -> Result<(), ProbeError> {
        for seeds in layers.rev() {
            if let Some(kind) = self.tables(seeds).missing_kind(self.rules(), &is_there) {
                return Err(self.lacks(seeds, kind));
            }
        }
        Ok(())
    }
}

impl Loader<'_> {
    /// The solver that holds the layers that have been read.
    pub(super) fn solver_mut(&mut self) -> &mut Solver {
        &mut self.solver
    }

    /// A layer's values and bounds. It and those below are read if they have not
    /// been before.
    ///
    /// # Errors
    /// If it or one that its conversions lead to is missing, or the limit of memory is too
    /// low: before anything is read. If a table is damaged.
    pub fn load(&mut self, seeds: u8) -> Result<&Layer, LoadError> {
        self.load_observed(seeds, &Silent)
    }

    /// As [`Loader::load`]. The observer hears of the boards that have been read; if
    /// none has been before, they add up to [`Tablebase::boards_up_to`].
    ///
    /// # Errors
    /// As [`Loader::load`].
    pub fn load_observed(
        &mut self,
        seeds: u8,
        observer: &dyn Observer,
    ) -> Result<&Layer, LoadError> {
        self.tables.check_loadable(seeds, self.limit)?;
        while self.solver.next_seeds() <= seeds {
            let next = self.solver.next_seeds();
            if self.tables.check_loadable(next, None).is_err() {
                self.solver.skip()?;
                continue;
            }
            let tables = self.tables.tables(next);
            import_next(&mut self.solver, tables, observer)?;
        }
        Ok(self.solver.layer(seeds))
    }

    /// The layers that have been read, from 0 seeds on; those left out have no entries.
    pub fn layers(&self) -> &[Layer] {
        self.solver.layers()
    }

    /// The layers that have been read, from 0 seeds on.
    pub fn into_layers(self) -> Vec<Layer> {
        self.solver.into_layers()
    }

    /// A layer's distances, if there is a table of them; each time they are read
    /// anew.
    ///
    /// # Errors
    /// As [`Loader::load`].
    pub fn distances(&mut self, seeds: u8) -> Result<Option<LayerArray<u8>>, LoadError> {
        self.load(seeds)?;
        let Some(table) = self.tables.table(seeds, Kind::Distance) else {
            return Ok(None);
        };
        let fill = |start, out: &mut [u8]| table.read(0, start, out).map_err(LoadError::from);
        let distances = self.solver.import_distances(seeds, coverage(table), fill);
        distances.map(Some)
    }
}

impl LayerTables {
    /// The tables of all kinds.
    pub(super) fn all(&self) -> impl Iterator<Item = &Table> {
        Kind::ALL.iter().copied().filter_map(|kind| self.of(kind))
    }
}

/// Imports a solver's next layer from its tables. The observer hears of all boards of the layer.
///
/// # Panics
/// If a table is missing that the layer needs.
pub(super) fn import_next(
    solver: &mut Solver,
    tables: &LayerTables,
    observer: &dyn Observer,
) -> Result<(), LoadError> {
    let table_of = |quantity| {
        let (table, plane) = match quantity {
            Quantity::Value => (&tables.value, 0),
            Quantity::Lower => (&tables.bounds, 0),
            Quantity::Upper => (&tables.bounds, 1),
        };
        (table.as_ref().expect("a layer with all tables"), plane)
    };
    let (value, _) = table_of(Quantity::Value);
    let mut left = value.entries();
    solver.import(
        |quantity| coverage(table_of(quantity).0),
        |quantity, start, out| {
            let (table, plane) = table_of(quantity);
            fill_scores(table, plane, start, out)?;
            if quantity == Quantity::Value {
                let read = out.len() as u64;
                left -= read;
                observer.advance(read)?;
            }
            Ok::<_, LoadError>(())
        },
    )?;
    // Sections that are not stored have been reconstructed.
    observer.advance(left)?;
    Ok(())
}

/// How much of a layer a table stores.
pub(super) fn coverage(table: &Table) -> Coverage {
    if table.codec().is_exact() {
        Coverage::All
    } else {
        Coverage::LowerBounds {
            sections: table.stored_sections(),
        }
    }
}

/// Fills scores from a plane of a table of values or bounds. The table has checked that
/// its entries are in range.
fn fill_scores(
    table: &Table,
    plane: usize,
    start: u64,
    out: &mut [Value],
) -> Result<(), TableError> {
    /// Entries read at a time: rows of tiles are decoded whole.
    const BATCH: usize = 1 << 22;
    let mut bytes = vec![0; out.len().min(BATCH)];
    for (out, start) in out.chunks_mut(BATCH).zip((start..).step_by(BATCH)) {
        let bytes = &mut bytes[..out.len()];
        table.read(plane, start, bytes)?;
        for (score, byte) in out.iter_mut().zip(bytes) {
            *score = Value::in_range(byte.cast_signed());
        }
    }
    Ok(())
}
