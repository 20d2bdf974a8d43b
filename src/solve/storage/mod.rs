//! What the solver keeps: one entry for each indexed board of a layer.
//!
//! - `entry`: entries, in the form in which they are computed;
//! - `spill`: the files for sections that exceed the memory budget;
//! - `budget`: the memory that each stage of the work takes and may take;
//! - `pieces`: parts of an array that threads change at the same time;
//! - `reading`: sections, lines and whole arrays, wherever they are;
//! - `share`: arrays of which each rank has a part;
//! - here: the layer array.
//!
//! A section is always in one of these states:
//!
//! - *in memory*: a vector of entries;
//! - *taken*: an empty vector, while the section is computed in place and
//!   [`LayerArray::put`] has not brought it back;
//! - *spilled*: in the spill file;
//! - *dropped*: nowhere, because nobody will read it again.
//!
//! Where several ranks solve a layer, the arrays that are being computed hold each rank's
//! [`Part`] of it.

mod budget;
mod entry;
mod pieces;
mod reading;
mod share;
mod spill;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

pub(super) use self::budget::{
    CHANGES_PER_BATCH, MemoryBudget, PREDECESSOR_BYTES, ROW_MOVES_BYTES, gather_bytes,
    program_bytes, working_set_bytes, worklist_bytes, worklist_capacity,
};
pub use self::budget::{memory_needed, memory_to_import, memory_wanted};
pub use self::entry::Value;
pub(super) use self::entry::{DistanceKey, Entry};
pub(super) use self::pieces::Piece;
pub(crate) use self::share::remove_shared_files;
use self::spill::SpillFile;
pub use self::spill::{SpillEntry, SpillError};
use crate::cpu::{prefetch, vec_in_large_pages};
use crate::index::{LayerIndex, SectionOffset};
use crate::rules::Board;
use crate::solve::ranks::Part;
use crate::spans;

/// The entries of a section, all equal to begin with.
pub(super) fn filled_section<E: SpillEntry>(len: usize, entry: E) -> Vec<E> {
    section_from((0..len).into_par_iter().map(|_| entry))
}

/// The entries of a section, made by all threads, in large pages.
pub(super) fn section_from<E: SpillEntry>(
    entries: impl IndexedParallelIterator<Item = E>,
) -> Vec<E> {
    /// Entries that a thread makes at a time, at the least.
    const BATCH: usize = 1 << 16;
    let mut section = vec_in_large_pages(entries.len());
    let _parallel = spans::parallel("fill");
    let entries = entries.with_min_len(BATCH);
    let entries = entries.map_init(|| spans::task("fill"), |_, entry| entry);
    entries.collect_into_vec(&mut section);
    section
}

/// One entry for each indexed board of a layer, each section in memory or, where the
/// memory budget does not suffice, in a spill file. While several [ranks](super::Ranks)
/// compute it, each has the entries of some lines.
#[derive(Debug)]
pub struct LayerArray<E> {
    part: Part,
    /// `None` for a section that is spilled or dropped.
    sections: Vec<Option<Vec<E>>>,
    spill: Option<SpillFile>,
}

impl<E: SpillEntry> LayerArray<E> {
    /// An array in memory with the same entry for every board.
    pub fn new(index: &LayerIndex, entry: E) -> LayerArray<E> {
        let sections = (0..=index.seeds())
            .map(|section| Some(filled_section(index.section_entries(section), entry)))
            .collect();
        LayerArray {
            part: Part::whole(index),
            sections,
            spill: None,
        }
    }

    /// An array of a part whose sections `build` makes, from 0 on. They are kept in memory
    /// as long as the budget lasts.
    pub(super) fn build<Error: From<SpillError>>(
        part: &Part,
        budget: &mut MemoryBudget,
        mut build: impl FnMut(u8) -> Result<Vec<E>, Error>,
    ) -> Result<LayerArray<E>, Error> {
        let mut array = LayerArray {
            part: part.clone(),
            sections: Vec::new(),
            spill: None,
        };
        for section in 0..=part.index().seeds() {
            let entries = build(section)?;
            if budget.take((entries.len() * E::BYTES) as u64) {
                array.sections.push(Some(entries));
            } else {
                array.write(section, &entries, budget.folder())?;
                array.sections.push(None);
            }
        }
        Ok(array)
    }

    /// An array with the same entry for every board, within a budget.
    pub(super) fn filled(
        part: &Part,
        entry: E,
        budget: &mut MemoryBudget,
    ) -> Result<LayerArray<E>, SpillError> {
        LayerArray::build(part, budget, |section| {
            Ok(filled_section(part.section_entries(section), entry))
        })
    }

    fn write(&mut self, section: u8, entries: &[E], folder: Arc<Path>) -> Result<(), SpillError> {
        let spill = match &mut self.spill {
            Some(spill) => spill,
            none => none.insert(SpillFile::new(folder)?),
        };
        spill.write(self.part.section_start(section), entries)
    }

    /// Moves every section to the spill file; returns the bytes of memory freed.
    pub(super) fn spill(&mut self, folder: &Arc<Path>) -> Result<u64, SpillError> {
        let freed = self.bytes_in_memory();
        if self.is_shared() {
            self.sections.fill_with(|| None);
            return Ok(freed);
        }
        for section in 0..=self.index().seeds() {
            if let Some(entries) = self.sections[usize::from(section)].take() {
                self.write(section, &entries, folder.clone())?;
            }
        }
        Ok(freed)
    }

    /// The layer whose boards the entries belong to.
    pub fn index(&self) -> &LayerIndex {
        self.part.index()
    }

    /// Which entries it holds.
    pub(super) fn part(&self) -> &Part {
        &self.part
    }

    /// Bytes of memory that the entries take.
    pub fn bytes_in_memory(&self) -> u64 {
        let entries: usize = self.sections.iter().flatten().map(Vec::len).sum();
        (entries * E::BYTES) as u64
    }

    /// A section, if it is in memory.
    pub(super) fn in_memory(&self, section: u8) -> Option<&[E]> {
        self.sections[usize::from(section)].as_deref()
    }

    /// Whether all sections are in memory.
    pub(super) fn is_in_memory(&self) -> bool {
        self.sections.iter().all(Option::is_some)
    }

    fn spill_file(&self) -> &SpillFile {
        self.spill
            .as_ref()
            .expect("a section is in memory unless it was spilled")
    }

    /// Takes a section out of memory, if it is there, until [`LayerArray::put`]
    /// brings it back.
    pub(super) fn take(&mut self, section: u8) -> Option<Vec<E>> {
        let entries = self.sections[usize::from(section)].as_mut()?;
        Some(std::mem::take(entries))
    }

    /// Replaces a section where it was, in memory or on disk; returns a buffer that
    /// is free to be used again.
    pub(super) fn put(&mut self, section: u8, mut entries: Vec<E>) -> Result<Vec<E>, SpillError> {
        match &mut self.sections[usize::from(section)] {
            Some(old) => {
                // The buffer may have been made for a larger section.
                entries.shrink_to_fit();
                Ok(std::mem::replace(old, entries))
            }
            None => {
                self.spill_file()
                    .write(self.part.section_start(section), &entries)?;
                Ok(entries)
            }
        }
    }

    /// Drops a section that will not be read again, if it is in memory.
    pub(super) fn drop_section(&mut self, section: u8) {
        self.sections[usize::from(section)] = None;
    }

    /// Prefetches an entry that will be read soon, if it is in the memory of this rank.
    pub(super) fn prefetch(&self, section: u8, line: u32, rank: u32) {
        let before = self.part.first_line(section) * self.index().section_width(section);
        let offset = line as usize * self.index().section_width(section) + rank as usize;
        if let Some(entries) = self.in_memory(section)
            && let Some(entry) = entries.get(offset.wrapping_sub(before))
        {
            prefetch(entry);
        }
    }

    /// The entry of a mover's row in a line of a section.
    pub(super) fn entry(&self, section: u8, line: u32, rank: u32) -> Result<E, SpillError> {
        self.entry_at(section, self.offset(section, line, rank) as u64)
    }

    /// The entry at an offset in what is held of a section.
    fn entry_at(&self, section: u8, offset: u64) -> Result<E, SpillError> {
        match self.in_memory(section) {
            Some(entries) => Ok(entries[offset as usize]),
            None => {
                let mut entry = [E::FILLER];
                let number = self.part.section_start(section) + offset;
                self.spill_file().read(number, &mut entry)?;
                Ok(entry[0])
            }
        }
    }

    /// Sets the entry of a mover's row in a line of a section.
    pub(super) fn set_entry(
        &mut self,
        section: u8,
        line: u32,
        rank: u32,
        entry: E,
    ) -> Result<(), SpillError> {
        let offset = self.offset(section, line, rank) as u64;
        self.set_entry_at(section, offset, entry)
    }

    fn set_entry_at(&mut self, section: u8, offset: u64, entry: E) -> Result<(), SpillError> {
        match &mut self.sections[usize::from(section)] {
            Some(entries) => {
                entries[offset as usize] = entry;
                Ok(())
            }
            None => {
                let number = self.part.section_start(section) + offset;
                self.spill_file().write(number, &[entry])
            }
        }
    }

    /// The number, in the order of the index, of the entry of a mover's row in a line of a
    /// section.
    pub(super) fn number(&self, section: u8, line: u32, rank: u32) -> u64 {
        self.part.section_start(section) + self.offset(section, line, rank) as u64
    }

    /// Where an entry is in what is held of its section.
    fn offset(&self, section: u8, line: u32, rank: u32) -> usize {
        let line = line as usize - self.part.first_line(section);
        line * self.index().section_width(section) + rank as usize
    }

    /// The section of a board, and where its entry is in what is held of it.
    fn offset_at(&self, index: u64) -> SectionOffset {
        let SectionOffset { section, offset } = self.index().offset_at(index);
        let before = self.part.section_start(section) - self.index().section_start(section);
        SectionOffset {
            section,
            offset: offset - before,
        }
    }

    /// The entry of the board with this index, which must be below the layer's
    /// length.
    ///
    /// # Errors
    /// If it is in a spill file that cannot be read.
    ///
    /// # Panics
    /// If the layer has no such index.
    pub fn get(&self, index: u64) -> Result<E, SpillError> {
        let SectionOffset { section, offset } = self.offset_at(index);
        self.entry_at(section, offset)
    }

    /// Sets the entry of the board with this index.
    ///
    /// # Errors
    /// If it is in a spill file that cannot be written.
    ///
    /// # Panics
    /// If the layer has no such index.
    pub fn set(&mut self, index: u64, entry: E) -> Result<(), SpillError> {
        let SectionOffset { section, offset } = self.offset_at(index);
        self.set_entry_at(section, offset, entry)
    }

    /// The entry of a board; `None` if the board is not indexed.
    ///
    /// # Errors
    /// If it is in a spill file that cannot be read.
    pub fn of(&self, board: &Board) -> Result<Option<E>, SpillError> {
        let index = self.index().index(board);
        index.map(|index| self.get(index)).transpose()
    }

    /// The same array with every section in memory.
    ///
    /// # Errors
    /// If a spill file cannot be read.
    pub fn into_memory(mut self) -> Result<LayerArray<E>, SpillError> {
        for section in 0..=self.index().seeds() {
            if self.in_memory(section).is_none() {
                let mut entries = Vec::new();
                self.read_section(section, &mut entries)?;
                self.sections[usize::from(section)] = Some(entries);
            }
        }
        self.spill = None;
        Ok(self)
    }

    /// A copy with every section in memory.
    ///
    /// # Errors
    /// If a spill file cannot be read.
    pub fn to_memory(&self) -> Result<LayerArray<E>, SpillError> {
        let mut budget = MemoryBudget::unlimited();
        LayerArray::build(&self.part, &mut budget, |section| {
            let mut entries = Vec::new();
            self.read_section(section, &mut entries)?;
            Ok(entries)
        })
    }
}
