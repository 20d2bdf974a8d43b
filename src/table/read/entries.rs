//! Reading entries: all those of a range of indexes, or one without a copy.
//!
//! Entries of raw tables in memory are read in place: a block is checked when the first
//! of its entries is read, and remembered as sound; after that an entry is one load from
//! memory.

use std::ops::Range;

use super::Table;
use super::parallel::try_each;
use super::source::Source;
use crate::index::Location;
use crate::table::codec::BlockCodec;
use crate::table::entries::to_usize;
use crate::table::error::TableError;

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

    /// Whether its bytes are in memory.
    pub(crate) fn is_in_memory(&self) -> bool {
        self.source.in_memory().is_some()
    }

    /// The entry of a location in a plane, if it can be read without a copy: in a raw
    /// table that is mapped or part of the program.
    ///
    /// # Errors
    /// If the block that holds it is damaged.
    ///
    /// # Panics
    /// If the location is not in this layer, or there is no such plane.
    #[inline]
    pub fn entry_in_place(
        &self,
        plane: usize,
        location: Location,
    ) -> Result<Option<u8>, TableError> {
        let (BlockCodec::Flat(flat), Some(bytes)) = (self.blocks(), self.source.in_memory()) else {
            return Ok(None);
        };
        let Some((block, offset)) = flat.locate_raw(plane, location) else {
            return Ok(None);
        };
        let is_sound = self.sound.bit(block, || flat.block_count());
        if !is_sound.is_set() {
            self.unit(block)?;
            is_sound.set();
        }
        // Opening has checked that the file is long enough.
        let offset = to_usize(self.header.models().end + offset);
        Ok(bytes.get(offset).copied())
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

impl Source {
    /// All bytes, if they are in memory.
    #[inline]
    fn in_memory(&self) -> Option<&[u8]> {
        match self {
            #[cfg(feature = "mmap")]
            Source::Mapped(mapped) => Some(mapped),
            Source::Memory(bytes) => Some(bytes),
            Source::File { .. } => None,
        }
    }
}
