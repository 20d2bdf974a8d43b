//! Whole layers, from tables and to them.

use std::io;

use thiserror::Error;

use super::folder::LayerTables;
use super::probe::{ProbeError, Tablebase};
use crate::solve::{Aspect, Given, Score, ScratchError, SolveError, Solved, Solver, Store};
use crate::table::{Entries, Kind, Table, TableError};

/// The layers of a tablebase one after another, from 0 seeds on, each as what its
/// boards are worth. Those that were read stay, since tables need the layers
/// below to tell.
pub(super) struct Loader<'t> {
    tables: &'t Tablebase,
    solver: Solver,
}

impl<'t> Loader<'t> {
    pub fn new(tables: &'t Tablebase) -> Loader<'t> {
        Loader {
            tables,
            solver: Solver::new(tables.rules()),
        }
    }

    /// Reads layers up to one, if they have not been read yet.
    pub fn load(&mut self, seeds: u8) -> Result<&Solved, LoadError> {
        while self.solver.next_seeds() <= seeds {
            let next = self.solver.next_seeds();
            let rules = self.tables.rules();
            if !adopt::<LoadError>(&mut self.solver, self.tables.tables(next))? {
                let missing = ProbeError::Missing { rules, seeds: next };
                return Err(missing.into());
            }
        }
        Ok(self.solver.layer(seeds))
    }
}

/// Why whole layers cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// A layer is missing, or a table is damaged.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// What tables leave out cannot be made up for.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

impl From<TableError> for LoadError {
    fn from(error: TableError) -> LoadError {
        ProbeError::from(error).into()
    }
}

impl From<ScratchError> for LoadError {
    fn from(error: ScratchError) -> LoadError {
        SolveError::from(error).into()
    }
}

impl Loader<'_> {
    /// The distances of a layer, if there is a table of them. The layer is
    /// loaded.
    pub fn distances(&mut self, seeds: u8) -> Result<Option<Store<u8>>, LoadError> {
        self.load(seeds)?;
        let Some(table) = self.tables.table(seeds, Kind::Distance) else {
            return Ok(None);
        };
        let distances = self.solver.adopt_distances(seeds, given(table), |start, out| {
            table.read(0, start, out).map_err(LoadError::from)
        });
        distances.map(Some)
    }

    /// The layers read so far.
    pub fn layers(&self) -> &[Solved] {
        self.solver.layers()
    }
}

/// Gives a solver its next layer from tables; `false` if they are not all there.
pub(super) fn adopt<Error>(solver: &mut Solver, tables: &LayerTables) -> Result<bool, Error>
where
    Error: From<TableError> + From<SolveError> + From<ScratchError>,
{
    let Some(value) = &tables.value else {
        return Ok(false);
    };
    let bounds = match (&tables.bounds, solver.rules().has_bounds()) {
        (None, true) => return Ok(false),
        (Some(bounds), true) => bounds,
        (_, false) => value,
    };
    let table = |aspect| match aspect {
        Aspect::Value => (value, 0),
        Aspect::Lower => (bounds, 0),
        Aspect::Upper => (bounds, 1),
    };
    solver.adopt(
        |aspect| given(table(aspect).0),
        |aspect, start, out| {
            let (table, plane) = table(aspect);
            fill_scores(table, plane, start, out).map_err(Error::from)
        },
    )?;
    Ok(true)
}

/// How much a table says.
fn given(table: &Table) -> Given {
    match table.codec().is_exact() {
        true => Given::All,
        false => Given::Floors {
            blocks: table.stored_matrices(),
        },
    }
}

/// Fills scores from a plane of a table of values or bounds, whose entries the
/// table has found to be in range.
fn fill_scores(
    table: &Table,
    plane: usize,
    start: u64,
    out: &mut [Score],
) -> Result<(), TableError> {
    /// Entries read at a time: strips of tiles are decoded whole.
    const PORTION: usize = 1 << 22;
    let mut bytes = vec![0; out.len().min(PORTION)];
    for (out, start) in out.chunks_mut(PORTION).zip((start..).step_by(PORTION)) {
        let bytes = &mut bytes[..out.len()];
        table.read(plane, start, bytes)?;
        for (score, byte) in out.iter_mut().zip(bytes) {
            *score = Score::new(byte.cast_signed());
        }
    }
    Ok(())
}

/// Scores as a table has them: in two's complement, and free where the best of
/// the moves that leave the layer is worth as much.
pub(super) struct ScoreEntries<'a> {
    pub scores: &'a Store<Score>,
    pub best: &'a Store<Score>,
}

impl Entries for ScoreEntries<'_> {
    fn fill(&self, start: u64, out: &mut [u8]) -> io::Result<()> {
        copy_scores(self.scores, start, out)
    }

    fn free(&self, start: u64, out: &mut [bool]) -> io::Result<()> {
        with_scores(self.scores, self.best, start, out, |score, best| score == best)
    }
}

/// Distances as a table has them: free where there is none, since the value is 0,
/// and where a winner takes what the board is worth at once.
pub(super) struct DistanceEntries<'a> {
    pub distances: &'a Store<u8>,
    pub scores: &'a Store<Score>,
    pub best: &'a Store<Score>,
}

impl Entries for DistanceEntries<'_> {
    fn fill(&self, start: u64, out: &mut [u8]) -> io::Result<()> {
        let copied = self.distances.copy_out(start, out, |distance| distance);
        copied.map_err(io::Error::other)
    }

    fn free(&self, start: u64, out: &mut [bool]) -> io::Result<()> {
        with_scores(self.scores, self.best, start, out, |score, best| {
            let value = score.cast_signed();
            value == 0 || (value > 0 && score == best)
        })
    }
}

fn copy_scores(scores: &Store<Score>, start: u64, out: &mut [u8]) -> io::Result<()> {
    let copied = scores.copy_out(start, out, |score| score.value().cast_unsigned());
    copied.map_err(io::Error::other)
}

/// Fills `out` with what `tell` says of the scores from index `start` on and the
/// best moves that leave the layer.
fn with_scores(
    scores: &Store<Score>,
    best: &Store<Score>,
    start: u64,
    out: &mut [bool],
    tell: impl Fn(u8, u8) -> bool,
) -> io::Result<()> {
    const PORTION: usize = 1024;
    let (mut of_scores, mut of_best) = ([0; PORTION], [0; PORTION]);
    for (out, start) in out.chunks_mut(PORTION).zip((start..).step_by(PORTION)) {
        let (scores_here, best_here) = (&mut of_scores[..out.len()], &mut of_best[..out.len()]);
        copy_scores(scores, start, scores_here)?;
        copy_scores(best, start, best_here)?;
        for ((free, &score), &best) in out.iter_mut().zip(&*scores_here).zip(&*best_here) {
            *free = tell(score, best);
        }
    }
    Ok(())
}
