//! Many entries at once: all those of a range of indexes, and checks of whole tables. With
//! the feature `solve` on all threads.

use std::ops::Range;

use super::Table;
use crate::parallel::try_each;
use crate::table::entries::to_usize;
use crate::table::error::{Stopped, TableError};

impl Table {
    /// Decodes and checks the tiles that hold the entries of a plane from index
    /// `start` on, and fills `out` with these: on all threads with the feature
    /// `solve`.
    ///
    /// # Errors
    /// If a block is damaged or cannot be read.
    ///
    /// # Panics
    /// If fewer entries are [stored](Table::stored_entries), or the table has no such
    /// plane.
    pub fn read(&self, plane: usize, start: u64, out: &mut [u8]) -> Result<(), TableError> {
        let end = start + out.len() as u64;
        assert!(end <= self.stored_entries(), "entries up to {end}");
        let mut parts = Vec::new();
        let (mut rest, mut at) = (out, start);
        for (tiles, indexes) in self.blocks().spans(start..end) {
            // No longer than the rest.
            let here = to_usize(indexes.end.min(end) - at);
            let (part, others) = rest.split_at_mut(here);
            parts.push((tiles, at, part));
            (rest, at) = (others, at + here as u64);
        }
        try_each(parts, |(tiles, start, part)| {
            self.read_tiles(plane, tiles, start, part)
        })
    }

    /// Copies the entries from index `start` on that some tiles hold.
    fn read_tiles(
        &self,
        plane: usize,
        tiles: Range<u64>,
        start: u64,
        out: &mut [u8],
    ) -> Result<(), TableError> {
        let blocks = self.blocks();
        let mut next = tiles.start;
        while next < tiles.end {
            let block = self.block_of(next);
            let of_block = next..tiles.end.min(blocks.tiles(block).end);
            next = of_block.end;
            let decoded = self.decode(of_block.clone(), &self.stored(block)?)?;
            for (number, tile) in of_block.zip(decoded) {
                let mut rest = tile.plane(plane);
                for (first, length) in blocks.lines(number) {
                    let (line, others) = rest.split_at(length);
                    copy_line(first, line, start, out);
                    rest = others;
                }
            }
        }
        Ok(())
    }

    /// Decodes and checks all blocks and keeps none: on all threads with the feature
    /// `solve`.
    ///
    /// # Errors
    /// If a block is damaged: that of the first such block.
    pub fn check(&self) -> Result<(), TableError> {
        self.check_with(&|_| Ok(()))
    }

    /// Like [`Table::check`]. `on_entries` is for progress: it is called, from several
    /// threads, with the number of entries of each plane that were just checked.
    ///
    /// # Errors
    /// If a block is damaged: that of the first such block.
    pub fn check_with(
        &self,
        on_entries: &(dyn Fn(u64) -> Result<(), Stopped> + Sync),
    ) -> Result<(), TableError> {
        try_each(0..self.block_count(), |block| {
            let decoded = self.decode(self.blocks().tiles(block), &self.stored(block)?)?;
            on_entries(decoded.iter().map(|tile| tile.entries() as u64).sum())?;
            Ok(())
        })
    }
}

/// Copies a line that begins at index `first` to entries that begin at index `start`,
/// as far as they overlap.
fn copy_line(first: u64, line: &[u8], start: u64, out: &mut [u8]) {
    let end = start + out.len() as u64;
    let from = first.max(start);
    let to = end.min(first + line.len() as u64);
    if from < to {
        // Differences within a line and within `out`.
        let [line_from, line_to] = [from, to].map(|index| to_usize(index - first));
        let [out_from, out_to] = [from, to].map(|index| to_usize(index - start));
        out[out_from..out_to].copy_from_slice(&line[line_from..line_to]);
    }
}
