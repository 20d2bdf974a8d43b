//! Adapters between tables and the solver: layers as entries of tables, and entries as
//! layers.

use std::io;

use super::layers::LayerTables;
use crate::rules::Quantity;
use crate::solve::{Coverage, LayerArray, Solver, SpillError, Value};
use crate::table::{EntrySource, Table, TableError};

/// Imports a solver's next layer from tables; `false` if one is missing. `on_boards`
/// reports progress: its calls add up to the boards of the layer.
pub(super) fn import<Error>(
    solver: &mut Solver,
    tables: &LayerTables,
    mut on_boards: impl FnMut(u64),
) -> Result<bool, Error>
where
    Error: From<TableError> + From<SpillError>,
{
    let Some(value) = &tables.value else {
        return Ok(false);
    };
    let bounds = match (&tables.bounds, solver.rules().has_bounds()) {
        (None, true) => return Ok(false),
        (Some(bounds), true) => bounds,
        (_, false) => value,
    };
    let table = |number| match number {
        Quantity::Value => (value, 0),
        Quantity::Lower => (bounds, 0),
        Quantity::Upper => (bounds, 1),
    };
    let mut left = value.entries();
    solver.import(
        |number| coverage(table(number).0),
        |number, start, out| {
            let (table, plane) = table(number);
            fill_scores(table, plane, start, out)?;
            if number == Quantity::Value {
                let read = out.len() as u64;
                left -= read;
                on_boards(read);
            }
            Ok::<_, Error>(())
        },
    )?;
    // Sections that are not stored have been reconstructed.
    on_boards(left);
    Ok(true)
}

/// How much of a layer a table stores.
pub(super) fn coverage(table: &Table) -> Coverage {
    match table.codec().is_exact() {
        true => Coverage::All,
        false => Coverage::LowerBounds {
            sections: table.stored_sections(),
        },
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
    /// Entries read at a time: strips of tiles are decoded whole.
    const PORTION: usize = 1 << 22;
    let mut bytes = vec![0; out.len().min(PORTION)];
    for (out, start) in out.chunks_mut(PORTION).zip((start..).step_by(PORTION)) {
        let bytes = &mut bytes[..out.len()];
        table.read(plane, start, bytes)?;
        for (score, byte) in out.iter_mut().zip(bytes) {
            *score = Value::in_range(byte.cast_signed());
        }
    }
    Ok(())
}

/// Scores as a table stores them: in two's complement, and free where the best conversion
/// attains the score. Exact tables need no conversions.
pub(super) struct ScoreEntries<'a> {
    pub scores: &'a LayerArray<Value>,
    pub best: Option<&'a LayerArray<Value>>,
}

impl EntrySource for ScoreEntries<'_> {
    fn fill(&self, start: u64, out: &mut [u8]) -> io::Result<()> {
        self.scores.fill(start, out)
    }

    fn free(&self, start: u64, out: &mut [bool]) -> io::Result<()> {
        with_scores(self.scores, self.best, start, out, |score, best| {
            score == best
        })
    }
}

/// Distances as a table stores them: free where the value is 0, so that there is none,
/// and where a winner's conversion attains the value at once.
pub(super) struct DistanceEntries<'a> {
    pub distances: &'a LayerArray<u8>,
    pub scores: &'a LayerArray<Value>,
    pub best: Option<&'a LayerArray<Value>>,
}

impl EntrySource for DistanceEntries<'_> {
    fn fill(&self, start: u64, out: &mut [u8]) -> io::Result<()> {
        self.distances.fill(start, out)
    }

    fn free(&self, start: u64, out: &mut [bool]) -> io::Result<()> {
        with_scores(self.scores, self.best, start, out, |score, best| {
            let value = score.cast_signed();
            value == 0 || (value > 0 && score == best)
        })
    }
}

/// Fills `out` with `is_free` of each score from index `start` on and of its best
/// conversion.
fn with_scores(
    scores: &LayerArray<Value>,
    best: Option<&LayerArray<Value>>,
    start: u64,
    out: &mut [bool],
    is_free: impl Fn(u8, u8) -> bool,
) -> io::Result<()> {
    const PORTION: usize = 1024;
    let Some(best) = best else {
        out.fill(false);
        return Ok(());
    };
    let (mut of_scores, mut of_best) = ([0; PORTION], [0; PORTION]);
    for (out, start) in out.chunks_mut(PORTION).zip((start..).step_by(PORTION)) {
        let (scores_here, best_here) = (&mut of_scores[..out.len()], &mut of_best[..out.len()]);
        scores.fill(start, scores_here)?;
        best.fill(start, best_here)?;
        for ((free, &score), &best) in out.iter_mut().zip(&*scores_here).zip(&*best_here) {
            *free = is_free(score, best);
        }
    }
    Ok(())
}

/// Values and bounds are stored as net seeds, in two's complement. Without the conversions
/// it is not known which entries are free.
impl EntrySource for LayerArray<Value> {
    fn fill(&self, start: u64, out: &mut [u8]) -> io::Result<()> {
        self.copy_out(start, out, |value| value.get().cast_unsigned());
        Ok(())
    }
}

impl EntrySource for LayerArray<u8> {
    fn fill(&self, start: u64, out: &mut [u8]) -> io::Result<()> {
        self.copy_out(start, out, |distance| distance);
        Ok(())
    }
}
