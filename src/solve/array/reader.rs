//! Entries of an array that are read here and there, from several threads.
//!
//! Of an array in a file whole pieces are read, so that their checksums are compared. Those that
//! were read last stay in memory.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::LayerArray;
use crate::rules::Board;
use crate::solve::entry::ArrayEntry;
use crate::solve::spill::{Buffer, SpillError};

/// Pieces of an array in memory. Tables are packed with up to four readers: all of them together
/// hold no more than a copy of a section, which `memory_needed` counts.
const RECENT: usize = 16;

/// A piece: whoever comes first reads it, and others wait.
type ReadPiece = Arc<OnceLock<Result<Buffer, SpillError>>>;

/// Reads entries of an array, from several threads. Beyond a memory limit it keeps the parts of the
/// file that it read last.
#[derive(Debug)]
pub struct Reader<'a, E> {
    array: &'a LayerArray<E>,
    /// Numbers of pieces and the pieces, the last one first.
    recent: Mutex<VecDeque<(usize, ReadPiece)>>,
}

impl<'a, E: ArrayEntry> Reader<'a, E> {
    pub(super) fn new(array: &'a LayerArray<E>) -> Reader<'a, E> {
        Reader {
            array,
            recent: Mutex::default(),
        }
    }

    /// Fills `out` with what `of_entry` makes of the entries from index `start` on.
    ///
    /// # Errors
    /// If the entries are in a file and cannot be read, or are not what was written.
    ///
    /// # Panics
    /// If the array has fewer.
    pub fn copy_out<T>(
        &self,
        start: u64,
        mut out: &mut [T],
        of_entry: impl Fn(E) -> T,
    ) -> Result<(), SpillError> {
        let copy = |out: &mut [T], entries: &[E]| {
            for (out, &entry) in out.iter_mut().zip(entries) {
                *out = of_entry(entry);
            }
        };
        let mut start = start as usize;
        let Some((_, pieces)) = self.array.spill_file() else {
            copy(out, &self.array.as_slice()[start..][..out.len()]);
            return Ok(());
        };
        while !out.is_empty() {
            let number = pieces.of_entry(start as u64);
            let range = pieces.range(number);
            let piece = self.piece(number);
            let read = piece.get_or_init(|| self.read(number));
            let entries: &[E] = read.as_ref().map_err(Clone::clone)?.entries(range.len());
            let (here, rest) = out.split_at_mut(out.len().min(range.end - start));
            copy(here, &entries[start - range.start..]);
            (start, out) = (range.end, rest);
        }
        Ok(())
    }

    /// The entry of a board; `None` if the board is not indexed.
    ///
    /// # Errors
    /// As [`Reader::copy_out`].
    pub fn of(&self, board: &Board) -> Result<Option<E>, SpillError> {
        let index = self.array.index().index(board);
        index.map(|index| self.at(index)).transpose()
    }

    /// The entry of the board with an index.
    ///
    /// # Errors
    /// As [`Reader::copy_out`].
    pub fn at(&self, index: u64) -> Result<E, SpillError> {
        let mut entry = [E::ZERO];
        self.copy_out(index, &mut entry, |entry| entry)?;
        Ok(entry[0])
    }

    /// A piece, which may have to be read.
    fn piece(&self, number: usize) -> ReadPiece {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let place = recent.iter().position(|&(other, _)| other == number);
        let found = place.and_then(|place| recent.remove(place));
        let (_, piece) = found.unwrap_or_else(|| (number, ReadPiece::default()));
        recent.push_front((number, piece.clone()));
        recent.truncate(RECENT);
        piece
    }

    fn read(&self, number: usize) -> Result<Buffer, SpillError> {
        let (file, _) = self.array.spill_file().expect("an array in a file");
        let mut buffer = file.buffer(file.longest())?;
        file.read(number, &mut buffer, &mut Buffer::empty())?;
        Ok(buffer)
    }
}
