//! Reading in bulk: all entries from one index up to another.

use std::ops::Range;

use rayon::prelude::*;

use super::error::TableError;
use super::reader::Table;
use super::shape::{Layout, small};

impl Table {
    /// Decodes and checks what holds the entries of a plane from index `start` on,
    /// in parallel, and fills `out` with these.
    ///
    /// # Errors
    /// If a block is damaged or cannot be read.
    ///
    /// # Panics
    /// If not so many are [stored](Table::stored_entries), or the table has no
    /// such plane.
    pub fn read(&self, plane: usize, start: u64, out: &mut [u8]) -> Result<(), TableError> {
        let end = start + out.len() as u64;
        assert!(end <= self.stored_entries(), "entries up to {end}");
        let spans: Vec<(Range<u64>, Range<u64>)> = match &self.shape().layout {
            Layout::Runs(_) => {
                /// Fewer entries are not worth a task: blocks may be tiny.
                const LEAST: u64 = 4096;
                let size = u64::from(self.shape().block_size);
                let blocks = start / size..end.div_ceil(size);
                let most = LEAST.div_ceil(size);
                let first = blocks.clone().step_by(small(most));
                first
                    .map(|first| first..blocks.end.min(first + most))
                    .map(|span| (span.clone(), span.start * size..span.end * size))
                    .collect()
            }
            Layout::Tiles(tiling) => tiling.strips(start..end).collect(),
        };
        let mut parts = Vec::with_capacity(spans.len());
        let (mut rest, mut at) = (out, start);
        for (pieces, indexes) in spans {
            // No longer than the rest.
            let here = small(indexes.end.min(end) - at);
            let (part, others) = rest.split_at_mut(here);
            parts.push((pieces, at, part));
            (rest, at) = (others, at + here as u64);
        }
        parts
            .into_par_iter()
            .try_for_each(|(pieces, start, part)| self.read_pieces(plane, pieces, start, part))
    }

    /// Copies what some pieces have of the entries from index `start` on.
    fn read_pieces(
        &self,
        plane: usize,
        pieces: Range<u64>,
        start: u64,
        out: &mut [u8],
    ) -> Result<(), TableError> {
        let mut next = pieces.start;
        while next < pieces.end {
            let block = self.shape().block_of(next);
            let here = next..pieces.end.min(self.shape().pieces(block).end);
            next = here.end;
            self.decode(block, here, |number, piece| {
                self.copy(number, piece.plane(plane), start, out);
            })?;
        }
        Ok(())
    }

    /// Copies what a piece has of the entries from index `start` on.
    fn copy(&self, piece: u64, entries: &[u8], start: u64, out: &mut [u8]) {
        let end = start + out.len() as u64;
        let mut copy_line = |first: u64, line: &[u8]| {
            let from = first.max(start);
            let to = end.min(first + line.len() as u64);
            if from < to {
                // Differences within a line and within `out`.
                let [line_from, line_to] = [from, to].map(|index| small(index - first));
                let [out_from, out_to] = [from, to].map(|index| small(index - start));
                out[out_from..out_to].copy_from_slice(&line[line_from..line_to]);
            }
        };
        match &self.shape().layout {
            Layout::Runs(_) => copy_line(self.shape().run_start(piece), entries),
            Layout::Tiles(tiling) => {
                let tile = tiling.tile(piece);
                for (number, line) in entries.chunks_exact(tile.columns).enumerate() {
                    copy_line(tiling.line_start(&tile, number), line);
                }
            }
        }
    }
}
