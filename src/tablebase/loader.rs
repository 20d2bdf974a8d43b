//! Loading whole layers from tables.

use thiserror::Error;

use super::adapters::{coverage, import};
use super::result::ProbeError;
use super::tables::Tablebase;
use crate::solve::{Layer, LayerArray, Observer, Silent, SolveError, Solver, SpillError};
use crate::table::{Kind, TableError};

/// Reads whole layers of a tablebase, from 0 seeds on. Tables need the layers below them,
/// so every layer that was read is kept, one byte for each board (three if there are
/// bounds): in memory or, beyond a [limit](Tablebase::with_memory), in half
/// of it or in spill files.
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
