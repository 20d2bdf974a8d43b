//! What the solver keeps: one entry for each indexed board of a layer.
//!
//! - `entry`: entries, in the form in which they are computed;
//! - `spill`: the files for sections that exceed the memory budget;
//! - `compact`: sections in half of their memory;
//! - `budget`: the memory that a phase may take, how it divides it (`plan`), and what it
//!   needs (`estimates`);
//! - `placing`: which sections are in memory, and how they make room;
//! - `pieces`: parts of an array that threads change at the same time;
//! - `reading`: sections, lines and whole arrays, wherever they are;
//! - `region`: some rows of neighbouring lines;
//! - `share`: arrays of which each rank has a part;
//! - here: the layer array.
//!
//! A section is always in one of these states:
//!
//! - *in memory*: a vector of entries;
//! - *taken*: an empty vector, while the section is computed in place and
//!   [`LayerArray::put`] has not brought it back;
//! - *compact*: packed into about half of the bytes, in memory as far as the array's allowance
//!   reaches, otherwise in the spill file; while others read it often, there may be a copy of
//!   its entries as they are;
//! - *spilled*: in the spill file, one entry after another. Only entries that have no compact
//!   form, and arrays that ranks share, are stored this way;
//! - *dropped*: nowhere, because nobody will read it again.
//!
//! Where several ranks solve a layer, the arrays that are being computed hold each rank's
//! [`Part`] of it.

mod budget;
mod compact;
mod entry;
mod estimates;
mod pieces;
mod placing;
mod plan;
mod reading;
mod region;
mod share;
mod spill;
#[cfg(test)]
mod tests;

use std::ops::Range;

use rayon::prelude::*;

pub(super) use self::budget::{Loan, MemoryBudget, worklist_capacity};
use self::compact::{Allowance, CompactSection, Space, compact_bytes};
pub use self::entry::Value;
pub(super) use self::entry::{DistanceKey, Entry};
#[cfg(test)]
pub(super) use self::estimates::moves_bytes;
pub(super) use self::estimates::{
    CHANGES_PER_BATCH, CHUNK_LINES, LARGE_SHARE, PACKED_MOVE_BYTES, PANEL_ROWS, ROW_MOVES_BYTES,
    SHARE_IN_FILES, Slices, gather_bytes, program_bytes,
};
pub use self::estimates::{memory_needed, memory_to_import, memory_wanted};
pub(super) use self::pieces::Piece;
pub(super) use self::plan::{Needs, is_computed_from_itself};
pub(super) use self::region::Region;
pub(crate) use self::share::remove_shared_files;
use self::spill::SpillFile;
pub use self::spill::{SpillEntry, SpillError};
use crate::cpu::{LARGE_PAGE, prefetch, vec_in_large_pages};
use crate::index::{LayerIndex, SectionOffset};
use crate::rules::Board;
use crate::solve::ranks::Part;
use crate::spans;

/// Sections of these lengths with all entries equal. All threads make all of them at once:
/// most of the time goes to the system, which clears each page when it is first written, and
/// a section alone has too few large pages for many threads.
fn filled_sections<E: SpillEntry>(lens: &[usize], entry: E) -> Vec<Vec<E>> {
    let _parallel = spans::parallel("fill");
    let lens = lens.par_iter().with_max_len(1);
    lens.map(|&len| filled_section(len, entry)).collect()
}

fn filled_section<E: SpillEntry>(len: usize, entry: E) -> Vec<E> {
    entries_from((0..len).into_par_iter().map(|_| entry))
}

/// The entries of a section, made by all threads, in large pages.
pub(super) fn section_from<E: SpillEntry>(
    entries: impl IndexedParallelIterator<Item = E>,
) -> Vec<E> {
    let _parallel = spans::parallel("fill");
    entries_from(entries)
}

fn entries_from<E: SpillEntry>(entries: impl IndexedParallelIterator<Item = E>) -> Vec<E> {
    let mut section = vec_in_large_pages(entries.len());
    let entries = entries.with_min_len(LARGE_PAGE / E::BYTES);
    let entries = entries.map_init(|| spans::task("fill"), |_, entry| entry);
    entries.collect_into_vec(&mut section);
    section
}

/// Why a section must have a spill file.
const NO_FILE: &str = "a section is in memory unless it was made compact or spilled";

/// One entry for each indexed board of a layer, each section in memory or, where the
/// memory budget does not suffice, in compact form or in a spill file. While several
/// [ranks](super::Ranks) compute it, each has the entries of some lines.
#[derive(Debug)]
pub struct LayerArray<E> {
    part: Part,
    sections: Vec<Section<E>>,
    spill: Option<SpillFile>,
    /// What compact sections may still take.
    allowance: Allowance,
}

/// Where the entries of a section are.
#[derive(Debug)]
enum Section<E> {
    InMemory(Vec<E>),
    /// Perhaps with a copy of the entries as they are.
    Compact(CompactSection, Option<Vec<E>>),
    /// Or dropped.
    Spilled,
}

impl<E: SpillEntry> LayerArray<E> {
    /// An array in memory with the same entry for every board.
    pub fn new(index: &LayerIndex, entry: E) -> LayerArray<E> {
        let lens = (0..=index.seeds()).map(|section| index.section_entries(section));
        let sections = filled_sections(&lens.collect::<Vec<_>>(), entry);
        LayerArray::in_memory_of(index, sections)
    }

    /// An array in memory of these sections.
    fn in_memory_of(index: &LayerIndex, sections: Vec<Vec<E>>) -> LayerArray<E> {
        LayerArray {
            part: Part::whole(index),
            sections: sections.into_iter().map(Section::InMemory).collect(),
            spill: None,
            allowance: Allowance::default(),
        }
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
        let bytes = |section: &Section<E>| match section {
            Section::InMemory(entries) => (entries.len() * E::BYTES) as u64,
            Section::Compact(section, copy) => {
                let copy = copy.as_ref().map_or(0, Vec::len);
                section.bytes_in_memory() + (copy * E::BYTES) as u64
            }
            Section::Spilled => 0,
        };
        self.sections.iter().map(bytes).sum()
    }

    /// A section, if it is in memory as it is.
    pub(super) fn in_memory(&self, section: u8) -> Option<&[E]> {
        match &self.sections[usize::from(section)] {
            Section::InMemory(entries) | Section::Compact(_, Some(entries)) => Some(entries),
            Section::Compact(_, None) | Section::Spilled => None,
        }
    }

    /// Whether all sections are in memory as they are.
    pub(super) fn is_in_memory(&self) -> bool {
        (0..=self.index().seeds()).all(|section| self.in_memory(section).is_some())
    }

    /// Whether next to no entry is in a file: at most one in 64.
    pub(super) fn is_without_file(&self) -> bool {
        let entries = |section: u8| self.part.section_entries(section) as u64;
        let in_file = (0..)
            .zip(&self.sections)
            .map(|(number, section)| match section {
                Section::InMemory(_) => 0,
                Section::Compact(section, _) => section.entries_in_file(),
                Section::Spilled => entries(number),
            });
        in_file.sum::<u64>() <= self.part.len() / 64
    }

    /// Whether entries of a section are in a file and stay there.
    pub(super) fn stays_in_file(&self, section: u8) -> bool {
        match &self.sections[usize::from(section)] {
            Section::InMemory(_) => false,
            Section::Compact(section, _) => section.stays_in_file(),
            Section::Spilled => true,
        }
    }

    fn spill_file(&self) -> &SpillFile {
        self.spill.as_ref().expect(NO_FILE)
    }

    /// Takes a section out of memory, if it is there, until [`LayerArray::put`]
    /// brings it back.
    pub(super) fn take(&mut self, section: u8) -> Option<Vec<E>> {
        match &mut self.sections[usize::from(section)] {
            Section::InMemory(entries) => Some(std::mem::take(entries)),
            Section::Compact(..) | Section::Spilled => None,
        }
    }

    /// Replaces a section where it was; returns a buffer that is free to be used again.
    pub(super) fn put(&mut self, section: u8, mut entries: Vec<E>) -> Result<Vec<E>, SpillError> {
        match (&mut self.sections[usize::from(section)], &self.spill) {
            (Section::InMemory(old), _) => {
                // The buffer may have been made for a larger section.
                entries.shrink_to_fit();
                return Ok(std::mem::replace(old, entries));
            }
            (Section::Compact(section, copy), Some(file)) => {
                *copy = None;
                let allowance = &self.allowance;
                section.replace(&entries, Space { allowance, file })?;
            }
            (Section::Spilled, Some(file)) => {
                file.write(self.part.section_start(section), &entries)?;
            }
            (_, None) => unreachable!("{NO_FILE}"),
        }
        Ok(entries)
    }

    /// Replaces a region of a section: in the lines for which `has_changed`, or in a few more.
    pub(super) fn put_region(
        &mut self,
        section: u8,
        region: &Region,
        entries: &[E],
        has_changed: impl Fn(usize) -> bool + Sync,
    ) -> Result<(), SpillError> {
        let width = self.index().section_width(section);
        let first_line = self.part.first_line(section);
        let start = self.part.section_start(section);
        let region = Region {
            lines: region.lines.start - first_line..region.lines.end - first_line,
            rows: region.rows.clone(),
        };
        let has_line_changed = |line| has_changed(first_line + line);
        let has_changed = |entries: Range<usize>| {
            (entries.start / width..entries.end.div_ceil(width)).any(has_line_changed)
        };
        match (&mut self.sections[usize::from(section)], &self.spill) {
            (Section::InMemory(old), _) => {
                region.copy_lines(entries, old, width, has_line_changed);
                Ok(())
            }
            (Section::Compact(compact, copy), Some(file)) => {
                *copy = None;
                let allowance = &self.allowance;
                let space = Space { allowance, file };
                compact.replace_region(&region, width, entries, has_changed, space)?;
                // Sections grow while they are computed.
                self.make_room(section, compact_bytes(entries.len() as u64) / 16)
            }
            (Section::Spilled, Some(file)) => {
                let whole = 0..self.part.section_entries(section);
                let mut pieces = region.pieces(width, whole);
                pieces.try_for_each(|(piece, offset)| match has_changed(piece.clone()) {
                    true => file.write(
                        start + piece.start as u64,
                        &entries[offset..][..piece.len()],
                    ),
                    false => Ok(()),
                })
            }
            (_, None) => unreachable!("{NO_FILE}"),
        }
    }

    /// Drops a section that will not be read again, if it is in memory.
    pub(super) fn drop_section(&mut self, section: u8) {
        self.sections[usize::from(section)] = Section::Spilled;
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
        match &self.sections[usize::from(section)] {
            Section::InMemory(entries) | Section::Compact(_, Some(entries)) => {
                Ok(entries[offset as usize])
            }
            Section::Compact(section, None) => section.get(offset as usize, self.spill_file()),
            Section::Spilled => {
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
        match (&mut self.sections[usize::from(section)], &self.spill) {
            (Section::InMemory(entries), _) => {
                entries[offset as usize] = entry;
                Ok(())
            }
            (Section::Compact(section, copy), Some(file)) => {
                *copy = None;
                let allowance = &self.allowance;
                section.set(offset as usize, entry, Space { allowance, file })
            }
            (Section::Spilled, Some(file)) => {
                let number = self.part.section_start(section) + offset;
                file.write(number, &[entry])
            }
            (_, None) => unreachable!("{NO_FILE}"),
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
                self.sections[usize::from(section)] = Section::InMemory(entries);
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
