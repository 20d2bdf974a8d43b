//! Layer arrays: one entry for each indexed board of a layer.
//!
//! Boards are in the order of the index, so a section is a part of the array, and a line a part
//! of a section. The entries are in memory or, beyond the memory limit, in a spill file
//! (`spill`); work reads and writes pieces of it.

mod reader;

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

pub use self::reader::Reader;
use super::entry::ArrayEntry;
use super::spill::{Buffer, Pieces, Plain, SpillError, SpillFile, SpillLayout, Writes};
use crate::cpu::{LARGE_PAGE, prefetch, vec_in_large_pages};
use crate::index::LayerIndex;
use crate::rules::Board;

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
    Spilled(Arc<SpillFile>, Pieces),
}

/// Why the entries of an array are read at once.
const IN_MEMORY: &str = "an array in memory";

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

    /// The layer whose boards the entries belong to.
    pub fn index(&self) -> &LayerIndex {
        &self.index
    }

    /// Bytes of anonymous memory that the entries take.
    pub fn bytes_in_memory(&self) -> u64 {
        match &self.entries {
            Entries::Anonymous(entries) => size_of_val(&**entries) as u64,
            Entries::Spilled(..) => 0,
        }
    }

    /// Whether the entries are in anonymous memory.
    pub(crate) fn is_in_memory(&self) -> bool {
        matches!(self.entries, Entries::Anonymous(_))
    }

    /// The file of an array beyond memory, and how it is cut into pieces.
    pub(super) fn spill_file(&self) -> Option<(&Arc<SpillFile>, &Pieces)> {
        match &self.entries {
            Entries::Spilled(file, pieces) => Some((file, pieces)),
            Entries::Anonymous(_) => None,
        }
    }

    /// All entries, if they are in memory.
    fn slice(&self) -> Option<&[E]> {
        match &self.entries {
            Entries::Anonymous(entries) => Some(entries),
            Entries::Spilled(..) => None,
        }
    }

    /// All entries, if they are in memory, to be changed.
    fn slice_mut(&mut self) -> Option<&mut [E]> {
        match &mut self.entries {
            Entries::Anonymous(entries) => Some(entries),
            Entries::Spilled(..) => None,
        }
    }

    /// All entries.
    ///
    /// # Panics
    /// If they are in a file, beyond a memory limit; [`LayerArray::copy_out`] reads them there.
    pub fn as_slice(&self) -> &[E] {
        self.slice().expect(IN_MEMORY)
    }

    /// All entries, to be changed.
    ///
    /// # Panics
    /// If they are in a file, beyond a memory limit.
    pub fn as_mut_slice(&mut self) -> &mut [E] {
        self.slice_mut().expect(IN_MEMORY)
    }

    /// Where the entries of a section are among all.
    fn range(&self, section: u8) -> Range<usize> {
        let start = self.index.section_start(section) as usize;
        start..start + self.index.section_entries(section)
    }

    /// The entries of a section of an array in memory, line by line.
    pub(super) fn section(&self, section: u8) -> &[E] {
        &self.as_slice()[self.range(section)]
    }

    /// The entries of a section of an array in memory, to be changed.
    pub(super) fn section_mut(&mut self, section: u8) -> &mut [E] {
        let range = self.range(section);
        &mut self.as_mut_slice()[range]
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

    /// A spill file for arrays of a layer, each with the same entry for every board.
    pub(super) fn layout(index: &LayerIndex, entries: &[E], writes: Writes) -> SpillLayout {
        let pieces = Pieces::new(index);
        let initial = entries.iter().map(|&entry| {
            let mut bytes = vec![0; E::BYTES];
            E::encode(&[entry], &mut bytes);
            bytes
        });
        SpillLayout {
            lengths: (0..pieces.count())
                .map(|piece| pieces.len(piece) * E::BYTES)
                .collect(),
            initial: initial.collect(),
            writes,
        }
    }

    /// The arrays whose pieces are in these files, as [`LayerArray::layout`] has it.
    ///
    /// # Panics
    /// If there are more or fewer.
    pub(super) fn in_files<const N: usize>(
        index: &LayerIndex,
        files: Vec<SpillFile>,
    ) -> [LayerArray<E>; N] {
        let pieces = Pieces::new(index);
        let arrays = files.into_iter().map(|file| LayerArray {
            index: index.clone(),
            entries: Entries::Spilled(Arc::new(file), pieces.clone()),
        });
        let arrays: Vec<_> = arrays.collect();
        let arrays: Result<[_; N], _> = arrays.try_into();
        arrays.unwrap_or_else(|_| panic!("a file for each array"))
    }

    /// Arrays in a spill file in `folder`, each with the same entry for every board; `None` where
    /// the system has no files.
    pub(super) fn spilled<const N: usize>(
        index: &LayerIndex,
        entries: [E; N],
        folder: &Path,
        writes: Writes,
    ) -> Result<Option<[LayerArray<E>; N]>, SpillError> {
        let files = LayerArray::layout(index, &entries, writes).nameless(folder)?;
        Ok(files.map(|files| LayerArray::in_files(index, files)))
    }

    /// Moves the entries to a file in `folder` where they do not change any more, if the system has
    /// any, from anonymous memory or a file with room for changes.
    pub(super) fn spill(&mut self, folder: &Path) -> Result<(), SpillError> {
        match &self.entries {
            // An array without its entries.
            Entries::Anonymous(entries) if entries.is_empty() => return Ok(()),
            Entries::Spilled(file, _) if file.writes() == Writes::Once => return Ok(()),
            _ => {}
        }
        let copy = LayerArray::spilled(&self.index, [E::ZERO], folder, Writes::Once)?;
        let Some([copy]) = copy else {
            return Ok(());
        };
        let (file, pieces) = copy.spill_file().expect("an array in a file");
        let numbers = (0..pieces.count()).into_par_iter();
        numbers.try_for_each_init(
            || [(); 3].map(|()| Buffer::empty()),
            |[read, written, stored], piece| {
                let entries = self.read(pieces.range(piece), read)?;
                file.grow(written, file.longest())?;
                written.entries_mut(entries.len()).copy_from_slice(entries);
                file.write(piece, written, stored).map(|_| ())
            },
        )?;
        *self = copy;
        Ok(())
    }

    /// Passes all entries to `change` in order, with the index of the first: section by section in
    /// memory, else piece by piece.
    pub(super) fn change<Error: From<SpillError>>(
        &mut self,
        mut change: impl FnMut(usize, &mut [E]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let all = 0..=self.index.seeds();
        self.change_sections(all, |start, entries| change(start, entries))
    }

    /// The same for the entries of some sections.
    pub(super) fn change_sections<Error: From<SpillError>>(
        &mut self,
        sections: impl Iterator<Item = u8>,
        mut change: impl FnMut(usize, &mut [E]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut buffer = match &self.entries {
            Entries::Spilled(file, _) => file.buffer(file.longest())?,
            Entries::Anonymous(_) => Buffer::empty(),
        };
        let mut stored = Buffer::empty();
        for section in sections {
            let range = self.range(section);
            let Entries::Spilled(file, pieces) = &self.entries else {
                change(range.start, self.section_mut(section))?;
                continue;
            };
            for piece in pieces.of_section(section) {
                file.read(piece, &mut buffer, &mut stored)?;
                let start = pieces.entries(piece).start as usize;
                change(start, buffer.entries_mut(pieces.len(piece)))?;
                file.write(piece, &buffer, &mut stored)?;
            }
        }
        Ok(())
    }

    /// The ranges of neighbouring entries, in order, that [`LayerArray::read`] reads at once.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = Range<usize>> + use<E> {
        let pieces = Pieces::new(&self.index);
        (0..pieces.count()).map(move |piece| pieces.range(piece))
    }

    /// The entries in a range of indexes: those in memory, or read into `buffer`.
    pub(crate) fn read<'a>(
        &'a self,
        range: Range<usize>,
        buffer: &'a mut Buffer,
    ) -> Result<&'a [E], SpillError> {
        let Entries::Spilled(file, pieces) = &self.entries else {
            return Ok(&self.as_slice()[range]);
        };
        let bytes = (range.len() * E::BYTES).max(file.longest());
        file.grow(buffer, bytes)?;
        let piece = pieces.of_entry(range.start as u64);
        if pieces.range(piece) == range {
            file.read(piece, buffer, &mut Buffer::empty())?;
        } else {
            let out = buffer.entries_mut(range.len());
            let start = range.start as u64;
            self.reader().copy_out(start, out, |entry| entry)?;
        }
        Ok(buffer.entries(range.len()))
    }

    /// Reads entries here and there, wherever they are.
    pub fn reader(&self) -> Reader<'_, E> {
        Reader::new(self)
    }

    /// The entry of a mover's row in a line of a section of an array in memory.
    #[inline]
    pub(super) fn entry(&self, section: u8, line: u32, rank: u32) -> E {
        self.as_slice()[self.number(section, line, rank)]
    }

    /// Prefetches an entry that will be read soon.
    #[inline]
    pub(super) fn prefetch(&self, section: u8, line: u32, rank: u32) {
        prefetch(&self.as_slice()[self.number(section, line, rank)]);
    }

    /// The entry of the board with this index; a [`Reader`] also has it beyond a memory limit.
    ///
    /// # Panics
    /// If the layer has no such index, or the entries are in a file, beyond a memory limit.
    pub fn get(&self, index: u64) -> E {
        self.as_slice()[index as usize]
    }

    /// Sets the entry of the board with this index.
    ///
    /// # Panics
    /// If the layer has no such index, or the entries are in a file, beyond a memory limit.
    pub fn set(&mut self, index: u64, entry: E) {
        self.as_mut_slice()[index as usize] = entry;
    }

    /// Fills `out` with the bytes that `to_byte` makes of the entries from index `start` on.
    ///
    /// # Errors
    /// If the entries are in a file and cannot be read, or are not what was written.
    ///
    /// # Panics
    /// If the layer has fewer.
    pub fn copy_out(
        &self,
        start: u64,
        out: &mut [u8],
        to_byte: impl Fn(E) -> u8,
    ) -> Result<(), SpillError> {
        self.reader().copy_out(start, out, to_byte)
    }

    /// The entry of a board; `None` if the board is not indexed.
    ///
    /// # Panics
    /// If the entries are in a file, beyond a memory limit.
    pub fn of(&self, board: &Board) -> Option<E> {
        self.index.index(board).map(|index| self.get(index))
    }
}

impl<E: ArrayEntry> Clone for LayerArray<E> {
    /// A copy in anonymous memory.
    ///
    /// # Panics
    /// If the entries are in a file, beyond a memory limit.
    fn clone(&self) -> LayerArray<E> {
        LayerArray::from_entries(&self.index, self.as_slice().par_iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::{DistanceKey, Value};
    use super::*;
    use crate::rules::Ruleset;

    fn index() -> LayerIndex {
        LayerIndex::new(Ruleset::AWARI, 9)
    }

    /// An array in memory, and one that was moved to a file, with the same entries.
    fn arrays<E: ArrayEntry>(entry: impl Fn(u64) -> E + Sync) -> [LayerArray<E>; 2] {
        let (index, folder) = (index(), std::env::temp_dir());
        let entries = (0..index.len() as usize).into_par_iter();
        let entries = entries.map(|number| entry(number as u64));
        let in_memory = LayerArray::from_entries(&index, entries);
        let mut moved = in_memory.clone();
        moved.spill(&folder).unwrap();
        [in_memory, moved]
    }

    fn value(number: u64) -> Value {
        Value::new((number * 7 % 13) as i8 - 6)
    }

    fn assert_entries<E: ArrayEntry + PartialEq>(array: &LayerArray<E>, right: &[E]) {
        let mut buffer = Buffer::empty();
        for range in [
            0..right.len(),
            0..1,
            5000..9001,
            right.len() - 7..right.len(),
        ] {
            assert!(array.read(range.clone(), &mut buffer).unwrap() == &right[range]);
        }
    }

    #[test]
    fn entries_are_the_same_in_memory_and_in_files() {
        let index = index();
        let right: Vec<Value> = (0..index.len()).map(value).collect();
        for (mut array, in_memory) in arrays(value).into_iter().zip([index.len(), 0]) {
            assert_eq!(array.bytes_in_memory(), in_memory);
            assert_entries(&array, &right);
            let mut next = 0;
            array
                .change(|start, entries| {
                    assert_eq!(start, next);
                    next += entries.len();
                    entries
                        .iter_mut()
                        .zip(start + 1..)
                        .for_each(|(entry, number)| {
                            *entry = value(number as u64);
                        });
                    Ok::<_, SpillError>(())
                })
                .unwrap();
            let right: Vec<Value> = (1..=index.len()).map(value).collect();
            assert_entries(&array, &right);
            for (i, board) in (0..).zip(index.boards()).step_by(97) {
                let reader = array.reader();
                assert_eq!(reader.at(i).unwrap(), value(i + 1));
                assert_eq!(reader.of(&board).unwrap(), Some(value(i + 1)));
                let at = index.locate(&board).unwrap();
                assert_eq!(array.number(at.section, at.line, at.rank), i as usize);
            }
        }
        let key = |i: u64| DistanceKey::new((i % 9) as i8 - 4, (i % 256) as u16);
        let right: Vec<DistanceKey> = (0..index.len()).map(key).collect();
        for array in arrays(key) {
            assert_entries(&array, &right);
        }
    }
}
