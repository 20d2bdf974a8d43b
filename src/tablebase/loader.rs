//! Loading whole layers from tables.

use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

use super::adapters::{coverage, import};
use super::resident::ResidentLayer;
use super::result::ProbeError;
use super::tables::Tablebase;
use crate::cpu::vec_in_large_pages;
use crate::rules::MAX_SEEDS;
use crate::solve::{Layer, LayerArray, Observer, Silent, SolveError, Solver, SpillError, Value};
use crate::table::{Kind, TableError};

/// Reads whole layers of a tablebase, from 0 seeds on. Tables need the layers below them,
/// so every layer that was read is kept, one byte for each board (three if there are
/// bounds): in memory or, beyond a [limit](Tablebase::with_memory), in spill files.
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
    /// Whether the tablebase's memory limit applies.
    is_limited: bool,
}

impl Tablebase {
    /// Reads whole layers.
    pub fn loader(&self) -> Loader<'_> {
        let solver = match self.budget.for_layers() {
            Some((bytes, scratch)) => Solver::within(self.rules(), bytes, scratch),
            None => Solver::new(self.rules()),
        };
        Loader {
            tables: self,
            solver,
            is_limited: true,
        }
    }

    /// Reads whole layers into memory, whatever the limit.
    pub(super) fn loader_in_memory(&self) -> Loader<'_> {
        Loader {
            tables: self,
            solver: Solver::new(self.rules()),
            is_limited: false,
        }
    }
}

/// Layers in memory for probing.
impl Tablebase {
    /// Loads layers into memory, from 0 seeds on, as far as there are tables and all of
    /// them together fit into `bytes`; until `stop` is set. Returns the number of layers
    /// in memory.
    ///
    /// A board takes one byte, or two where the ruleset has bounds. While it loads, the
    /// function uses as much again, or one and a half times as much where there are
    /// bounds. Other threads may probe meanwhile; each layer answers as soon as it is
    /// complete. If another thread is loading layers already, the function waits for it and
    /// loads what is still missing.
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    ///
    /// use krou::{Ruleset, Tablebase};
    ///
    /// let tables = Tablebase::embedded(Ruleset::AWARI);
    /// assert_eq!(tables.make_resident(1 << 20, &AtomicBool::new(false))?, 10);
    /// assert!(tables.is_resident(9));
    /// # Ok::<(), krou::tablebase::LoadError>(())
    /// ```
    ///
    /// # Errors
    /// If a table is damaged. The layers below it are in memory.
    pub fn make_resident(&self, bytes: u64, stop: &AtomicBool) -> Result<u8, LoadError> {
        let layers = self.layers_within(bytes);
        let resident_layers = || (0..layers).take_while(|&seeds| self.is_resident(seeds));
        let Some(_loading) = self.resident.begin_loading(stop) else {
            return Ok(resident_layers().count() as u8);
        };
        if resident_layers().count() == usize::from(layers) {
            return Ok(layers);
        }
        let mut loader = self.loader_in_memory();
        for seeds in 0..layers {
            if stop.load(Ordering::Relaxed) {
                return Ok(resident_layers().count() as u8);
            }
            // Higher layers need it even if it is in memory.
            let layer = loader.load(seeds)?;
            if !self.is_resident(seeds) {
                self.resident.add(seeds, resident(layer)?);
            }
        }
        Ok(layers)
    }

    /// The number of layers, from 0 seeds on, that have tables and fit into `bytes`.
    fn layers_within(&self, bytes: u64) -> u8 {
        let bytes_of_board = if self.rules().has_bounds() { 2 } else { 1 };
        let mut left = bytes;
        for seeds in 0..=MAX_SEEDS {
            let is_missing = self.tables(seeds).missing_kind(self.rules()).is_some();
            let size = self.index(seeds).len() * bytes_of_board;
            if is_missing || size > left {
                return seeds;
            }
            left -= size;
        }
        MAX_SEEDS + 1
    }
}

/// A layer's entries as they are probed in memory.
fn resident(layer: &Layer) -> Result<ResidentLayer, SpillError> {
    /// Boards copied at a time.
    const PORTION: usize = 1 << 16;
    let copy = |array: &LayerArray<Value>, start: u64, out: &mut [u8]| {
        array.copy_out(start, out, |value| value.get().cast_unsigned())
    };
    let len = layer.index().len() as usize;
    let Some(bounds) = layer.bounds() else {
        let mut values = vec_in_large_pages(len);
        values.resize(len, 0);
        copy(layer.value(), 0, &mut values)?;
        return Ok(ResidentLayer::Values(values));
    };
    let mut both = vec_in_large_pages(len);
    let (mut lower, mut upper) = (vec![0; PORTION], vec![0; PORTION]);
    while both.len() < len {
        let start = both.len() as u64;
        let portion = PORTION.min(len - both.len());
        copy(&bounds.lower, start, &mut lower[..portion])?;
        copy(&bounds.upper, start, &mut upper[..portion])?;
        let pairs = lower[..portion].iter().zip(&upper[..portion]);
        both.extend(pairs.map(|(&lower, &upper)| [lower, upper]));
    }
    Ok(ResidentLayer::Bounds(both))
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
    /// If one of them is missing, or a table is damaged, or there is a limit of
    /// memory and it is too low: before anything is read.
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
        if self.is_limited {
            self.tables.check_limit(seeds)?;
        }
        while self.solver.next_seeds() <= seeds {
            let next = self.solver.next_seeds();
            let tables = self.tables.tables(next);
            let rules = self.tables.rules();
            if let Some(kind) = tables.missing_kind(rules) {
                let seeds = next;
                return Err(ProbeError::Missing { rules, seeds, kind }.into());
            }
            import::<LoadError>(&mut self.solver, tables, |boards| observer.advance(boards))?;
        }
        Ok(self.solver.layer(seeds))
    }

    /// The layers that have been read.
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
        let distances = self
            .solver
            .import_distances(seeds, coverage(table), |start, out| {
                table.read(0, start, out).map_err(LoadError::from)
            });
        distances.map(Some)
    }
}

/// Why whole layers cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// A layer is missing, or a table is damaged.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// What tables leave out cannot be reconstructed.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// Too little memory is allowed.
    #[error(
        "to read the layers up to {seeds} seeds takes {} MiB of memory, but only {} MiB may be \
         used: allow more memory",
        needed.div_ceil(1 << 20), allowed >> 20
    )]
    Memory {
        /// The highest layer.
        seeds: u8,
        /// Bytes needed at the least.
        needed: u64,
        /// Bytes that may be used.
        allowed: u64,
    },
}

impl From<TableError> for LoadError {
    fn from(error: TableError) -> LoadError {
        ProbeError::from(error).into()
    }
}

impl From<SpillError> for LoadError {
    fn from(error: SpillError) -> LoadError {
        SolveError::from(error).into()
    }
}
