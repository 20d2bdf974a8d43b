//! Layer arrays: one entry for each indexed board of a layer, as one slice.
//!
//! Boards are in the order of the index, so a section is a part of the slice, and a line a part
//! of a section. The memory is anonymous or a mapped file (`mapped`); nobody who reads or writes
//! entries knows which.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use thiserror::Error;

use super::entry::ArrayEntry;
use super::mapped::{Access, Mapped, Plain, is_unsupported};
use crate::cpu::{LARGE_PAGE, prefetch, vec_in_large_pages};
use crate::index::LayerIndex;
use crate::rules::Board;
use crate::table::reason;

/// A spill file, for memory beyond the limit, cannot be made.
#[derive(Debug, Clone, Error)]
#[non_exhaustive]
#[error(
    "cannot make a spill file of {} MiB in {} ({}): free space there, choose another folder, \
     or allow more memory",
    bytes.div_ceil(1 << 20), folder.display(), reason(cause)
)]
pub struct SpillError {
    /// The folder.
    pub folder: PathBuf,
    /// The length of the file.
    pub bytes: u64,
    /// The system's error.
    pub cause: Arc<io::Error>,
}

/// One entry for each indexed board of a layer, in the order of the index.
#[derive(Debug)]
pub struct LayerArray<E> {
    index: LayerIndex,
    entries: Entries<E>,
}

/// Where the entries are.
#[derive(Debug)]
enum Entries<E> {
    Anonymous(Vec<E>),
    /// Perhaps with room for more.
    Mapped(Mapped<E>),
}

impl<E: Plain> LayerArray<E> {
    /// An array without its entries: whoever reads one panics.
    pub(super) fn absent(index: LayerIndex) -> LayerArray<E> {
        let entries = Entries::Anonymous(Vec::new());
        LayerArray { index, entries }
    }

    /// An array in anonymous memory, in large pages, of these entries, which all threads make:
    /// most of the time goes to the system, which clears each page when it is first written.
    pub(super) fn from_entries(
        index: &LayerIndex,
        entries: impl IndexedParallelIterator<Item = E>,
    ) -> LayerArray<E> {
        let mut made = vec_in_large_pages(index.len() as usize);
        let entries = entries.with_min_len(LARGE_PAGE / size_of::<E>());
        entries.collect_into_vec(&mut made);
        LayerArray {
            index: index.clone(),
            entries: Entries::Anonymous(made),
        }
    }

    /// An array in a file in `folder`, whose entries are bytes 0; `None` where the system cannot
    /// map files.
    pub(super) fn mapped(
        index: &LayerIndex,
        folder: &Path,
    ) -> Result<Option<LayerArray<E>>, SpillError> {
        match Mapped::new(folder, index.len() as usize) {
            Ok(mapped) => Ok(Some(LayerArray {
                index: index.clone(),
                entries: Entries::Mapped(mapped),
            })),
            Err(error) if is_unsupported(&error) => Ok(None),
            Err(cause) => Err(SpillError {
                folder: folder.to_path_buf(),
                bytes: index.len() * size_of::<E>() as u64,
                cause: Arc::new(cause),
            }),
        }
    }

    /// Replaces all entries, on all threads.
    pub(super) fn fill_from(&mut self, entries: impl IndexedParallelIterator<Item = E>) {
        let pairs = self.as_mut_slice().par_iter_mut().zip(entries);
        pairs
            .with_min_len(LARGE_PAGE / size_of::<E>())
            .for_each(|(place, entry)| *place = entry);
    }

    /// Replaces each entry by what `combine` makes of it and the other array's, on all threads.
    pub(super) fn combine(&mut self, other: &LayerArray<E>, combine: impl Fn(E, E) -> E + Sync)
    where
        E: Copy,
    {
        let pairs = self.as_mut_slice().par_iter_mut().zip(other.as_slice());
        pairs
            .with_min_len(LARGE_PAGE / size_of::<E>())
            .for_each(|(entry, &other)| *entry = combine(*entry, other));
    }

    /// The layer whose boards the entries belong to.
    pub fn index(&self) -> &LayerIndex {
        &self.index
    }

    /// Bytes of anonymous memory that the entries take.
    pub fn bytes_in_memory(&self) -> u64 {
        match &self.entries {
            Entries::Anonymous(entries) => size_of_val(&**entries) as u64,
            Entries::Mapped(_) => 0,
        }
    }

    /// Whether the entries are in anonymous memory.
    pub(super) fn is_in_memory(&self) -> bool {
        matches!(self.entries, Entries::Anonymous(_))
    }

    /// Says how the entries are read from now on.
    pub(super) fn expect(&self, access: Access) {
        if let Entries::Mapped(mapped) = &self.entries {
            mapped.expect(access);
        }
    }

    /// Says that a section is read soon.
    pub(super) fn will_read(&self, section: u8) {
        if let Entries::Mapped(mapped) = &self.entries {
            mapped.will_read(self.range(section));
        }
    }

    /// All entries.
    pub fn as_slice(&self) -> &[E] {
        match &self.entries {
            Entries::Anonymous(entries) => entries,
            Entries::Mapped(mapped) => &mapped[..self.index.len() as usize],
        }
    }

    /// All entries, to be changed.
    pub fn as_mut_slice(&mut self) -> &mut [E] {
        match &mut self.entries {
            Entries::Anonymous(entries) => entries,
            Entries::Mapped(mapped) => &mut mapped[..self.index.len() as usize],
        }
    }

    /// Where the entries of a section are among all.
    fn range(&self, section: u8) -> std::ops::Range<usize> {
        let start = self.index.section_start(section) as usize;
        start..start + self.index.section_entries(section)
    }

    /// The entries of a section, line by line.
    pub fn section(&self, section: u8) -> &[E] {
        &self.as_slice()[self.range(section)]
    }

    /// The entries of a section, to be changed.
    pub fn section_mut(&mut self, section: u8) -> &mut [E] {
        let range = self.range(section);
        &mut self.as_mut_slice()[range]
    }

    /// A line of a section.
    pub(super) fn line(&self, section: u8, line: u32) -> &[E] {
        let start = self.number(section, line, 0);
        &self.as_slice()[start..][..self.index.section_width(section)]
    }

    /// Which of all entries is that of a mover's row in a line of a section.
    #[inline]
    pub(super) fn number(&self, section: u8, line: u32, rank: u32) -> usize {
        let width = self.index.section_width(section);
        self.index.section_start(section) as usize + line as usize * width + rank as usize
    }
}

impl<E: ArrayEntry> LayerArray<E> {
    /// An array in anonymous memory with the same entry for every board.
    pub fn new(index: &LayerIndex, entry: E) -> LayerArray<E> {
        LayerArray::from_entries(
            index,
            (0..index.len() as usize).into_par_iter().map(|_| entry),
        )
    }

    /// Moves the entries from anonymous memory to a file in `folder`, if the system can map one.
    pub(super) fn move_to_file(&mut self, folder: &Path) -> Result<(), SpillError> {
        if self.bytes_in_memory() > 0
            && let Some(mut mapped) = LayerArray::mapped(&self.index, folder)?
        {
            mapped.fill_from(self.as_slice().par_iter().copied());
            *self = mapped;
        }
        Ok(())
    }

    /// The entry of a mover's row in a line of a section.
    #[inline]
    pub(super) fn entry(&self, section: u8, line: u32, rank: u32) -> E {
        self.as_slice()[self.number(section, line, rank)]
    }

    /// Prefetches an entry that will be read soon.
    #[inline]
    pub(super) fn prefetch(&self, section: u8, line: u32, rank: u32) {
        prefetch(&self.as_slice()[self.number(section, line, rank)]);
    }

    /// The entry of the board with this index.
    ///
    /// # Panics
    /// If the layer has no such index.
    pub fn get(&self, index: u64) -> E {
        self.as_slice()[index as usize]
    }

    /// Sets the entry of the board with this index.
    ///
    /// # Panics
    /// If the layer has no such index.
    pub fn set(&mut self, index: u64, entry: E) {
        self.as_mut_slice()[index as usize] = entry;
    }

    /// Fills `out` with the bytes that `to_byte` makes of the entries from index `start` on.
    ///
    /// # Panics
    /// If the layer has fewer.
    pub fn copy_out(&self, start: u64, out: &mut [u8], to_byte: impl Fn(E) -> u8) {
        let entries = &self.as_slice()[start as usize..][..out.len()];
        for (byte, &entry) in out.iter_mut().zip(entries) {
            *byte = to_byte(entry);
        }
    }

    /// The entry of a board; `None` if the board is not indexed.
    pub fn of(&self, board: &Board) -> Option<E> {
        self.index.index(board).map(|index| self.get(index))
    }
}

impl<E: ArrayEntry> Clone for LayerArray<E> {
    /// A copy in anonymous memory.
    fn clone(&self) -> LayerArray<E> {
        LayerArray::from_entries(&self.index, self.as_slice().par_iter().copied())
    }
}

/// The sections of an array to read lines of, but perhaps one that is computed meanwhile.
pub(super) struct Sections<'a, E> {
    /// By section: the entries, and how many a line has.
    sections: Vec<(&'a [E], usize)>,
}

impl<'a, E: ArrayEntry> Sections<'a, E> {
    /// All sections of an array.
    pub fn of(array: &'a LayerArray<E>) -> Sections<'a, E> {
        let index = array.index();
        let section = |section| (array.section(section), index.section_width(section));
        Sections {
            sections: (0..=index.seeds()).map(section).collect(),
        }
    }

    /// All sections of an array but one, which is to be changed, and replaced by `instead` for
    /// those that read it.
    pub fn but_one(
        array: &'a mut LayerArray<E>,
        changed: u8,
        instead: &'a [E],
    ) -> (&'a mut [E], Sections<'a, E>) {
        let index = array.index.clone();
        let mut rest = array.as_mut_slice();
        let (mut own, mut sections) = (None, Vec::new());
        for section in 0..=index.seeds() {
            let entries = rest.split_off_mut(..index.section_entries(section));
            let entries = entries.expect("all sections");
            let entries = match section == changed {
                true => {
                    own = Some(entries);
                    instead
                }
                false => entries,
            };
            sections.push((entries, index.section_width(section)));
        }
        (own.expect("a section of the array"), Sections { sections })
    }

    /// A line of a section.
    #[inline(always)]
    pub fn line(&self, section: u8, line: u32) -> &'a [E] {
        let (entries, width) = self.sections[usize::from(section)];
        &entries[line as usize * width..][..width]
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::{DistanceKey, Value};
    use super::*;
    use crate::rules::Ruleset;

    fn index() -> LayerIndex {
        LayerIndex::new(Ruleset::AWARI, 6)
    }

    /// An array in memory, one in a file, and one that was moved there, with the same entries.
    fn arrays<E: ArrayEntry>(entry: impl Fn(u64) -> E + Sync) -> [LayerArray<E>; 3] {
        let (index, folder) = (index(), std::env::temp_dir());
        let entries = (0..index.len() as usize).into_par_iter();
        let entries = entries.map(|number| entry(number as u64));
        let in_memory = LayerArray::from_entries(&index, entries.clone());
        let mut mapped = LayerArray::mapped(&index, &folder).unwrap().unwrap();
        mapped.fill_from(entries);
        let mut moved = in_memory.clone();
        moved.move_to_file(&folder).unwrap();
        [in_memory, mapped, moved]
    }

    fn value(number: u64) -> Value {
        Value::new((number * 7 % 13) as i8 - 6)
    }

    #[test]
    fn entries_are_the_same_in_memory_and_in_files() {
        let index = index();
        let right: Vec<Value> = (0..index.len()).map(value).collect();
        for (number, mut array) in arrays(value).into_iter().enumerate() {
            let in_memory = if number == 0 { index.len() } else { 0 };
            assert_eq!(array.bytes_in_memory(), in_memory);
            assert!(array.as_slice() == right && array.clone().as_slice() == right);
            array.expect(Access::InOrder);
            for section in 0..=index.seeds() {
                array.will_read(section);
                let start = index.section_start(section) as usize;
                let right = &right[start..][..index.section_entries(section)];
                assert!(array.section(section) == right);
                assert!(array.section_mut(section) == right);
            }
            for (i, board) in (0..).zip(index.boards()) {
                let at = index.locate(&board).unwrap();
                assert_eq!(array.number(at.section, at.line, at.rank), i as usize);
                assert_eq!(array.entry(at.section, at.line, at.rank), value(i));
                assert_eq!((array.get(i), array.of(&board)), (value(i), Some(value(i))));
                array.set(i, value(i + 1));
            }
            assert!(array.as_slice()[..right.len() - 1] == right[1..]);
        }
        let key = |i: u64| DistanceKey::new((i % 9) as i8 - 4, (i % 256) as u16);
        let right: Vec<DistanceKey> = (0..index.len()).map(key).collect();
        for array in arrays(key) {
            assert!(array.as_slice() == right);
        }
    }

    #[test]
    fn one_section_is_changed_while_the_others_are_read() {
        let index = index();
        for mut array in arrays(value) {
            let before = array.clone();
            for changed in 0..=index.seeds() {
                let instead = vec![Value::new(1); index.section_entries(changed)];
                let (own, sections) = Sections::but_one(&mut array, changed, &instead);
                assert!(own == before.section(changed));
                for section in 0..=index.seeds() {
                    for line in 0..index.section_lines(section) as u32 {
                        let found = sections.line(section, line);
                        let right = Sections::of(&before).line(section, line);
                        match section == changed {
                            true => assert!(found.iter().all(|value| value.get() == 1)),
                            false => assert!(found == right),
                        }
                    }
                }
            }
        }
    }
}
