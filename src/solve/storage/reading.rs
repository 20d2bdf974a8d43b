//! Reading an array, wherever its sections are: some entries of a section, whole sections,
//! and everything in the order of the index.

use std::ops::Range;

use rayon::prelude::*;

use super::{LayerArray, Region, Section, SpillEntry, SpillError};
use crate::index::SectionOffset;
use crate::spans;

impl<E: SpillEntry> LayerArray<E> {
    /// A section: in place if it is in memory, otherwise read into `buffer`.
    pub(in crate::solve) fn section<'a>(
        &'a self,
        section: u8,
        buffer: &'a mut Vec<E>,
    ) -> Result<&'a [E], SpillError> {
        match self.in_memory(section) {
            Some(entries) => Ok(entries),
            None => {
                self.read_section(section, buffer)?;
                Ok(buffer)
            }
        }
    }

    /// Copies a section into `out`, which gets its length.
    pub(in crate::solve) fn read_section(
        &self,
        section: u8,
        out: &mut Vec<E>,
    ) -> Result<(), SpillError> {
        match self.in_memory(section) {
            Some(entries) => {
                out.clear();
                out.extend_from_slice(entries);
                Ok(())
            }
            None => {
                let len = self.part.section_entries(section);
                // What was there is overwritten.
                out.resize(len, E::FILLER);
                let file = self.spill_file();
                match &self.sections[usize::from(section)] {
                    Section::Compact(compact, _) => compact.read_all(out, file),
                    _ => file.read(self.part.section_start(section), out),
                }
            }
        }
    }

    /// Entries of a section of a whole array, from an offset on: in place if they are in
    /// memory, otherwise read into `buffer`.
    pub(in crate::solve) fn entries<'a>(
        &'a self,
        section: u8,
        start: usize,
        len: usize,
        buffer: &'a mut Vec<E>,
    ) -> Result<&'a [E], SpillError> {
        debug_assert!(self.part.is_whole());
        match self.in_memory(section) {
            Some(entries) => Ok(&entries[start..][..len]),
            None => {
                buffer.resize(len, E::FILLER);
                self.read_elsewhere(section, start as u64, buffer)?;
                Ok(buffer)
            }
        }
    }

    /// Some lines of a section that it holds: in place if they are in memory, otherwise
    /// read into `buffer`.
    pub(in crate::solve) fn lines<'a>(
        &'a self,
        section: u8,
        lines: Range<usize>,
        buffer: &'a mut Vec<E>,
    ) -> Result<&'a [E], SpillError> {
        let width = self.index().section_width(section);
        match self.in_memory(section) {
            Some(entries) => {
                let first = self.part.first_line(section);
                Ok(&entries[(lines.start - first) * width..(lines.end - first) * width])
            }
            None if lines == self.part.lines(section) => self.section(section, buffer),
            None => {
                self.read_lines(section, lines, buffer)?;
                Ok(buffer)
            }
        }
    }

    /// Copies some lines of a section that it holds into `out`, which gets their length, on all
    /// threads.
    pub(in crate::solve) fn read_lines(
        &self,
        section: u8,
        lines: Range<usize>,
        out: &mut Vec<E>,
    ) -> Result<(), SpillError> {
        let rows = 0..self.index().section_width(section);
        self.read_region(section, &Region { lines, rows }, out)
    }

    /// Copies a region of a section that it holds into `out`, which gets its length, on all
    /// threads.
    pub(in crate::solve) fn read_region(
        &self,
        section: u8,
        region: &Region,
        out: &mut Vec<E>,
    ) -> Result<(), SpillError> {
        /// Entries that a thread reads at a time, about.
        const BATCH: usize = 1 << 16;
        let index = self.index();
        // What was there is overwritten.
        out.resize(region.len(), E::FILLER);
        let mut out = &mut out[..];
        let mut parts = Vec::new();
        let all = 0..index.section_entries(section);
        for (piece, _) in region.pieces(index.section_width(section), all) {
            let of_piece = out.split_off_mut(..piece.len()).expect("in the region");
            parts.extend(piece.step_by(BATCH).zip(of_piece.chunks_mut(BATCH)));
        }
        let batch = (BATCH / region.rows.len().max(1)).max(1);
        let _parallel = spans::parallel("unpack");
        let parts = parts
            .into_par_iter()
            .with_min_len(batch)
            .with_max_len(batch);
        parts.try_for_each_init(
            || spans::task("unpack"),
            |_, (offset, out)| self.read_elsewhere(section, offset as u64, out),
        )
    }

    /// Reads entries of a section that is not in memory as it is, from `offset` in the
    /// section of the layer on.
    pub(in crate::solve) fn read_elsewhere(
        &self,
        section: u8,
        offset: u64,
        out: &mut [E],
    ) -> Result<(), SpillError> {
        let number = self.index().section_start(section) + offset;
        match &self.sections[usize::from(section)] {
            Section::Compact(compact, _) => {
                let offset = number - self.part.section_start(section);
                compact.read(offset as usize, out, self.spill_file())
            }
            Section::InMemory(entries) => {
                let offset = (number - self.part.section_start(section)) as usize;
                out.copy_from_slice(&entries[offset..][..out.len()]);
                Ok(())
            }
            Section::Spilled => self.spill_file().read(number, out),
        }
    }

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
                    self.read_elsewhere(section, offset, &mut buffer)?;
                    &buffer
                }
            };
            then(done..done + here, entries);
            done += here;
        }
        Ok(())
    }

    /// Passes all entries on in order, at most `batch` at a time.
    pub(in crate::solve) fn for_each_batch<Error: From<SpillError>>(
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
                        self.read_elsewhere(section, start as u64, &mut buffer)?;
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
