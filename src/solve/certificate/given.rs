//! The numbers of a layer that are given to be checked: a byte of each board.
//!
//! A quantity takes seven bits of its byte and a mark the eighth, so that both are read at once.
//! First the mark says that a conversion attains the entry, later that the entry is founded.
//! Threads read entries while another one marks its own: a mark that is seen set was set before.
//! A distance takes the whole byte; it is 0 where the value is 0.

use std::sync::atomic::{AtomicU8, Ordering};

use rayon::prelude::*;

use crate::index::LayerIndex;
use crate::rules::Board;
use crate::solve::array::LayerArray;
use crate::solve::entry::{ArrayEntry, Value};
use crate::solve::import::Coverage;
use crate::solve::memory::Memory;
use crate::solve::spill::{Buffer, SpillError};

/// Below every quantity: no move found yet. It can be negated.
pub(super) const NONE: i8 = -64;

/// A quantity of a board, or [`NONE`], and its mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Marked(u8);

const MARK: u8 = 0x80;

impl Marked {
    /// A quantity, marked or not.
    #[inline(always)]
    pub fn new(quantity: i8, is_marked: bool) -> Marked {
        Marked((quantity - NONE).cast_unsigned() | if is_marked { MARK } else { 0 })
    }

    /// The quantity and the mark of a board.
    #[inline(always)]
    pub fn load(entry: &AtomicU8) -> Marked {
        Marked(entry.load(Ordering::Acquire))
    }

    /// Replaces those of a board. Only the thread that checks the board does.
    #[inline(always)]
    pub fn store(self, entry: &AtomicU8) {
        entry.store(self.0, Ordering::Release);
    }

    /// The quantity.
    #[inline(always)]
    pub fn get(self) -> i8 {
        self.both().0
    }

    /// The quantity and whether it is marked.
    #[inline(always)]
    pub fn both(self) -> (i8, bool) {
        ((self.0 & !MARK).cast_signed() + NONE, self.0 & MARK != 0)
    }
}

impl From<u8> for Marked {
    /// The quantity and the mark of a byte.
    fn from(byte: u8) -> Marked {
        Marked(byte)
    }
}

/// One number of every board of a layer, as far as it is given. The check completes and marks it.
#[derive(Debug)]
pub(crate) struct Given {
    coverage: Coverage,
    entries: LayerArray<u8>,
}

/// Why numbers were not read.
enum NotRead<Error> {
    Spill(SpillError),
    Fill(Error),
}

impl<Error> From<SpillError> for NotRead<Error> {
    fn from(error: SpillError) -> NotRead<Error> {
        NotRead::Spill(error)
    }
}

impl Given {
    /// Reads the quantities that are given, those of the first boards of the index: `fill` gives
    /// them from an index on, in two's complement. Its error is the inner one.
    ///
    /// # Errors
    /// If a file is needed and cannot be made or written.
    pub fn quantities<Error>(
        index: &LayerIndex,
        coverage: Coverage,
        memory: &mut Memory,
        fill: impl FnMut(u64, &mut [u8]) -> Result<(), Error>,
    ) -> Result<Result<Given, Error>, SpillError> {
        let quantity = |byte: u8| Marked::new(byte.cast_signed(), false).0;
        Given::read(index, coverage, memory, fill, quantity)
    }

    /// The same for distances.
    ///
    /// # Errors
    /// As [`Given::quantities`].
    pub fn distances<Error>(
        index: &LayerIndex,
        coverage: Coverage,
        memory: &mut Memory,
        fill: impl FnMut(u64, &mut [u8]) -> Result<(), Error>,
    ) -> Result<Result<Given, Error>, SpillError> {
        Given::read(index, coverage, memory, fill, |byte| byte)
    }

    fn read<Error>(
        index: &LayerIndex,
        coverage: Coverage,
        memory: &mut Memory,
        mut fill: impl FnMut(u64, &mut [u8]) -> Result<(), Error>,
        number: impl Fn(u8) -> u8,
    ) -> Result<Result<Given, Error>, SpillError> {
        let [entries] = memory.arrays(index, [Marked::new(NONE, false).0])?;
        let mut given = Given { coverage, entries };
        let sections = 0..given.given_sections();
        let read = given.entries.change_sections(sections, |start, entries| {
            fill(start as u64, entries).map_err(NotRead::Fill)?;
            for byte in entries {
                *byte = number(*byte);
            }
            Ok(())
        });
        match read {
            Ok(()) => Ok(Ok(given)),
            Err(NotRead::Fill(error)) => Ok(Err(error)),
            Err(NotRead::Spill(error)) => Err(error),
        }
    }

    /// The entries of a solved layer.
    pub(super) fn of(array: &LayerArray<Value>) -> Given {
        let entries = array.as_slice().par_iter();
        let entries = entries.map(|value| Marked::new(value.get(), false).0);
        Given {
            coverage: Coverage::All,
            entries: LayerArray::from_entries(array.index(), entries),
        }
    }

    /// The distances of a solved layer.
    pub(super) fn of_distances(array: &LayerArray<u8>) -> Given {
        Given {
            coverage: Coverage::All,
            entries: array.clone(),
        }
    }

    /// A copy of quantities without marks; all of them are given.
    ///
    /// # Errors
    /// If a file is needed and cannot be made or read.
    pub(super) fn copy(&self, memory: &mut Memory) -> Result<Given, SpillError> {
        let [mut entries] = memory.arrays(self.entries.index(), [0])?;
        self.map(&mut entries, |marked| Marked::new(marked.get(), false).0)?;
        Ok(Given {
            coverage: Coverage::All,
            entries,
        })
    }

    /// The quantities without marks, as higher layers are checked against them.
    ///
    /// # Errors
    /// If a file is needed and cannot be made or read.
    pub fn into_array(self, memory: &mut Memory) -> Result<LayerArray<Value>, SpillError> {
        let mut array = memory.written_once(self.entries.index(), Value::in_range(0))?;
        self.map(&mut array, |marked| Value::in_range(marked.get()))?;
        Ok(array)
    }

    /// Fills an array with an entry for each quantity.
    fn map<E: ArrayEntry>(
        &self,
        array: &mut LayerArray<E>,
        entry: impl Fn(Marked) -> E + Sync,
    ) -> Result<(), SpillError> {
        /// Entries that a thread makes at a time, at the least.
        const ENTRIES: usize = 1 << 16;
        let mut buffer = Buffer::empty();
        array.change(|start, out| {
            let own = self.entries.read(start..start + out.len(), &mut buffer)?;
            let pairs = out.par_iter_mut().zip(own).with_min_len(ENTRIES);
            pairs.for_each(|(out, &byte)| *out = entry(Marked(byte)));
            Ok(())
        })
    }

    /// The numbers, to be changed.
    pub(super) fn entries_mut(&mut self) -> &mut LayerArray<u8> {
        &mut self.entries
    }

    /// Whether all numbers are given, and exact.
    pub(super) fn is_exact(&self) -> bool {
        self.coverage == Coverage::All
    }

    /// How many sections are given, from section 0 on. The others follow from the moves.
    pub(super) fn given_sections(&self) -> u8 {
        match self.coverage {
            Coverage::All => self.entries.index().seeds() + 1,
            Coverage::LowerBounds { sections } => sections,
        }
    }

    /// The quantity of a board that a move leads to, and its mark.
    ///
    /// # Errors
    /// If it is in a file and cannot be read.
    pub(super) fn quantity_of(&self, board: &Board) -> Result<Marked, SpillError> {
        self.distance_of(board).map(Marked)
    }

    /// The distance of a board that a move leads to.
    ///
    /// # Errors
    /// If it is in a file and cannot be read.
    pub(super) fn distance_of(&self, board: &Board) -> Result<u8, SpillError> {
        let index = self.entries.index().index(board);
        let reader = self.entries.reader();
        reader.at(index.expect("moves lead to indexed boards"))
    }

    /// The numbers, quantities with their marks.
    pub fn entries(&self) -> &LayerArray<u8> {
        &self.entries
    }
}
