//! Reading in bulk: all entries of a range of indexes.

use std::ops::Range;

use super::parallel::try_each;
use super::table::Table;
use crate::table::error::TableError;
use crate::table::number::to_usize;

impl Table {
    /// Decodes and checks the units that hold the entries of a plane from index
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
        for (units, indexes) in self.blocks().spans(start..end) {
            // No longer than the rest.
            let here = to_usize(indexes.end.min(end) - at);
            let (part, others) = rest.split_at_mut(here);
            parts.push((units, at, part));
            (rest, at) = (others, at + here as u64);
        }
        try_each(parts, |(units, start, part)| {
            self.read_units(plane, units, start, part)
        })
    }

    /// Copies the entries from index `start` on that some units hold.
    fn read_units(
        &self,
        plane: usize,
        units: Range<u64>,
        start: u64,
        out: &mut [u8],
    ) -> Result<(), TableError> {
        let mut next = units.start;
        while next < units.end {
            let block = self.blocks().block_of(next);
            let here = next..units.end.min(self.blocks().units(block).end);
            next = here.end;
            self.decode(block, here, |number, unit| {
                self.blocks()
                    .lines(number, unit.plane(plane), |first, line| {
                        copy_line(first, line, start, out);
                    });
            })?;
        }
        Ok(())
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
