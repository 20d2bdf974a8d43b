//! How a section is gone through: all at once where its lines are in memory,
//! otherwise in bands of columns and groups of tiles, so small that what they
//! read from disk fits into a buffer.

use std::ops::Range;

use super::lines::{Lines, Reach};
use super::plan::RowMoves;
use super::scratch::{SpillError, Stored};
use super::store::Store;
use super::tile::HEIGHT;
use crate::index::LayerIndex;

/// Bytes that are gathered from disk at a time for a layer: enough for large
/// requests, and no more than sections take anyway.
pub(super) fn gathered(index: &LayerIndex) -> usize {
    index.largest_section().clamp(1 << 20, 16 << 20)
}

/// Computes the tiles that begin with some rows against some chunks, given by
/// their numbers, from lines that are at hand.
pub(super) type Compute<'c, E> =
    dyn FnMut(&Range<usize>, &[usize], &Lines<'_, E>) -> Result<(), SpillError> + 'c;

/// What a pass over a section reads, and for what.
pub(super) struct Bands<'a, E> {
    /// Bytes to be gathered at a time.
    pub gathered: usize,
    /// The stores that moves lead to.
    pub stores: &'a [&'a Store<E>],
    /// The moves of the section's mover's rows.
    pub rows: &'a [RowMoves],
    /// The first rows of the tiles to be computed, in order.
    pub tiles: &'a [usize],
    /// What the column maps read for a band of columns, which is given as
    /// numbers of chunks.
    pub reaches: &'a dyn Fn(&Range<usize>) -> Vec<Reach>,
}

impl<E: Stored> Bands<'_, E> {
    /// Calls `compute` for all tiles against all `chunks`: with some of each at
    /// a time, whose lines are at hand.
    pub fn each(
        &self,
        chunks: Range<usize>,
        compute: &mut Compute<'_, E>,
    ) -> Result<(), SpillError> {
        if self.tiles.is_empty() || chunks.is_empty() {
            return Ok(());
        }
        if self.stores.iter().all(|store| store.is_in_memory()) {
            let lines = Lines::new(self.stores, Vec::new());
            return compute(&chunks, self.tiles, &lines);
        }
        let mut lines = Lines::new(self.stores, (self.reaches)(&chunks));
        let bytes = |&first: &usize| lines.bytes_to_gather(self.tile(first));
        let sizes: Vec<usize> = self.tiles.iter().map(bytes).collect();
        if chunks.len() > 1 && sizes.iter().any(|&size| size > self.gathered) {
            let middle = chunks.start.midpoint(chunks.end);
            self.each(chunks.start..middle, compute)?;
            return self.each(middle..chunks.end, compute);
        }
        let mut tiles = self.tiles;
        let mut sizes = sizes.as_slice();
        while !tiles.is_empty() {
            let mut sum = 0;
            let fits = sizes.iter().take_while(|&&size| {
                sum += size;
                sum <= self.gathered
            });
            let (group, rest) = tiles.split_at(fits.count().max(1));
            lines.gather(group.iter().flat_map(|&first| self.tile(first)))?;
            compute(&chunks, group, &lines)?;
            (tiles, sizes) = (rest, &sizes[group.len()..]);
        }
        Ok(())
    }

    fn tile(&self, first: usize) -> &[RowMoves] {
        tile_rows(self.rows, first)
    }
}

/// The rows of the tile that begins with row `first`.
pub(super) fn tile_rows(rows: &[RowMoves], first: usize) -> &[RowMoves] {
    &rows[first..rows.len().min(first + HEIGHT)]
}
