//! Layers as the entries of tables: what is packed, and which entries are free.

use std::io;

use crate::solve::{Reader, Value};
use crate::table::EntrySource;

/// Scores as a table stores them: in two's complement, and free where the best conversion
/// attains the score. Exact tables need no conversions.
pub(super) struct ScoreEntries<'a> {
    pub scores: Reader<'a, Value>,
    pub best: Option<Reader<'a, Value>>,
}

impl EntrySource for ScoreEntries<'_> {
    fn fill(&self, start: u64, out: &mut [u8]) -> io::Result<()> {
        self.scores.fill(start, out)
    }

    fn free(&self, start: u64, out: &mut [bool]) -> io::Result<()> {
        with_scores(
            &self.scores,
            self.best.as_ref(),
            start,
            out,
            |score, best| score == best,
        )
    }
}

/// Distances as a table stores them: free where the value is 0, so that there is none,
/// and where a winner's conversion attains the value at once.
pub(super) struct DistanceEntries<'a> {
    pub distances: Reader<'a, u8>,
    pub scores: Reader<'a, Value>,
    pub best: Option<Reader<'a, Value>>,
}

impl EntrySource for DistanceEntries<'_> {
    fn fill(&self, start: u64, out: &mut [u8]) -> io::Result<()> {
        self.distances.fill(start, out)
    }

    fn free(&self, start: u64, out: &mut [bool]) -> io::Result<()> {
        with_scores(
            &self.scores,
            self.best.as_ref(),
            start,
            out,
            |score, best| {
                let value = score.cast_signed();
                value == 0 || (value > 0 && score == best)
            },
        )
    }
}

/// Fills `out` with `is_free` of each score from index `start` on and of its best
/// conversion.
fn with_scores(
    scores: &Reader<'_, Value>,
    best: Option<&Reader<'_, Value>>,
    start: u64,
    out: &mut [bool],
    is_free: impl Fn(u8, u8) -> bool,
) -> io::Result<()> {
    const BATCH: usize = 1024;
    let Some(best) = best else {
        out.fill(false);
        return Ok(());
    };
    let (mut of_scores, mut of_best) = ([0; BATCH], [0; BATCH]);
    for (out, start) in out.chunks_mut(BATCH).zip((start..).step_by(BATCH)) {
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
impl EntrySource for Reader<'_, Value> {
    fn fill(&self, start: u64, out: &mut [u8]) -> io::Result<()> {
        let copied = self.copy_out(start, out, |value| value.get().cast_unsigned());
        copied.map_err(io::Error::other)
    }
}

impl EntrySource for Reader<'_, u8> {
    fn fill(&self, start: u64, out: &mut [u8]) -> io::Result<()> {
        let copied = self.copy_out(start, out, |distance| distance);
        copied.map_err(io::Error::other)
    }
}
