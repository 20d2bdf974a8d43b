//! Whole arrays, read in the order of the index, wherever their sections are.

use std::ops::Range;

use super::{LayerArray, SpillEntry, SpillError};
use crate::index::SectionOffset;

impl<E: SpillEntry> LayerArray<E> {
    /// Copies the entries from index `start` on, which must all be in the layer.
    ///
    /// # Errors
    /// If some are in a spill file that cannot be read.
    ///
    /// # Panics
    /// If `out` is longer than the rest of the layer.
    pub fn read(&self, start: u64, out: &mut [E]) -> Result<(), SpillError> {
        self.for_each_range(start, out.len(), |range, entries| {
            out[range].copy_from_slice(entries);
        })
    }

    /// Fills `out` with the bytes that `to_byte` makes of the entries from index
    /// `start` on, which must all be in the layer.
    ///
    /// # Errors
    /// If some are in a spill file that cannot be read.
    ///
    /// # Panics
    /// If `out` is longer than the rest of the layer.
    pub fn copy_out(
        &self,
        start: u64,
        out: &mut [u8],
        to_byte: impl Fn(E) -> u8,
    ) -> Result<(), SpillError> {
        self.for_each_range(start, out.len(), |range, entries| {
            for (byte, &entry) in out[range].iter_mut().zip(entries) {
                *byte = to_byte(entry);
            }
        })
    }

    /// Passes `len` entries from index `start` on to `then`, section by section, each
    /// with its range among them.
    fn for_each_range(
        &self,
        start: u64,
        len: usize,
        mut then: impl FnMut(Range<usize>, &[E]),
    ) -> Result<(), SpillError> {
        let mut buffer = Vec::new();
        let mut done = 0;
        while done < len {
            let at = self.index().offset_at(start + done as u64);
            let SectionOffset { section, offset } = at;
            let left = self.index().section_entries(section) - offset as usize;
            let here = left.min(len - done);
            let entries = match self.in_memory(section) {
                Some(entries) => &entries[offset as usize..][..here],
                None => {
                    buffer.resize(here, E::FILLER);
                    self.read_spilled(section, offset, &mut buffer)?;
                    &buffer
                }
            };
            then(done..done + here, entries);
            done += here;
        }
        Ok(())
    }

    /// Passes all entries on in order, at most `batch` at a time.
    pub(super) fn for_each_batch<Error: From<SpillError>>(
        &self,
        batch: usize,
        mut then: impl FnMut(&[E]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut buffer = Vec::new();
        for section in 0..=self.index().seeds() {
            let len = self.index().section_entries(section);
            for start in (0..len).step_by(batch) {
                let end = len.min(start + batch);
                let entries = match self.in_memory(section) {
                    Some(entries) => &entries[start..end],
                    None => {
                        buffer.resize(end - start, E::FILLER);
                        self.read_spilled(section, start as u64, &mut buffer)?;
                        &buffer
                    }
                };
                then(entries)?;
            }
        }
        Ok(())
    }

    /// All entries in the order of the index.
    ///
    /// # Errors
    /// If some are in a spill file that cannot be read.
    pub fn to_vec(&self) -> Result<Vec<E>, SpillError> {
        let mut entries = Vec::with_capacity(self.index().len() as usize);
        self.for_each_batch(1 << 16, |batch| {
            entries.extend_from_slice(batch);
            Ok::<_, SpillError>(())
        })?;
        Ok(entries)
    }
}
