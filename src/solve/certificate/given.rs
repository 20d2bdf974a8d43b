//! The numbers of a layer that are given to be checked: one of each board.
//!
//! A quantity takes seven bits of a byte and a mark the eighth, so that a board and its
//! mark are read at once. First the mark says that a conversion attains the entry, later
//! that the entry is founded. Threads read entries while another one marks its own: a
//! mark that is seen set was set before.

use std::sync::atomic::{AtomicU8, Ordering};

use rayon::prelude::*;

use crate::index::LayerIndex;
use crate::rules::Board;
use crate::solve::array::LayerArray;
use crate::solve::entry::Value;
use crate::solve::import::Coverage;
use crate::solve::memory::Memory;
use crate::solve::spill::{Plain, SpillError};

/// Below every quantity: no move found yet. It can be negated.
pub(super) const NONE: i8 = -64;

/// A quantity of a board, or [`NONE`], and its mark.
#[derive(Debug)]
#[repr(transparent)]
pub(crate) struct Marked(AtomicU8);

const MARK: u8 = 0x80;

impl Marked {
    /// A quantity, marked or not.
    pub fn new(quantity: i8, is_marked: bool) -> Marked {
        Marked(AtomicU8::new(Marked::encode(quantity, is_marked)))
    }

    /// The byte of a quantity, marked or not.
    #[inline(always)]
    pub fn encode(quantity: i8, is_marked: bool) -> u8 {
        (quantity - NONE).cast_unsigned() | if is_marked { MARK } else { 0 }
    }

    /// The byte that holds both.
    #[inline(always)]
    pub fn byte(&self) -> u8 {
        self.0.load(Ordering::Acquire)
    }

    /// The quantity.
    #[inline(always)]
    pub fn get(&self) -> i8 {
        self.both().0
    }

    /// The quantity and whether it is marked.
    #[inline(always)]
    pub fn both(&self) -> (i8, bool) {
        let byte = self.byte();
        ((byte & !MARK).cast_signed() + NONE, byte & MARK != 0)
    }

    /// Replaces both. Only the thread that checks the board does.
    #[inline(always)]
    pub fn set(&self, quantity: i8, is_marked: bool) {
        let byte = Marked::encode(quantity, is_marked);
        self.0.store(byte, Ordering::Release);
    }
}

impl From<u8> for Marked {
    /// A quantity in two's complement, not marked.
    fn from(byte: u8) -> Marked {
        Marked::new(byte.cast_signed(), false)
    }
}

#[allow(unsafe_code)]
// SAFETY: it is a transparent atomic byte, and every byte is a number.
unsafe impl Plain for Marked {}

#[allow(unsafe_code)]
// SAFETY: every byte is a number.
unsafe impl Plain for AtomicU8 {}

/// One number of every board of a layer, as far as it is given: a quantity ([`Marked`]) or
/// the distance (a byte, 0 where the value is 0). The check completes and marks it.
#[derive(Debug)]
pub(crate) struct Given<E> {
    coverage: Coverage,
    entries: LayerArray<E>,
}

impl<E: Plain + From<u8>> Given<E> {
    /// A layer whose numbers are to be [read](Given::read).
    ///
    /// # Errors
    /// If a file is needed and cannot be made.
    pub fn new(
        index: &LayerIndex,
        coverage: Coverage,
        memory: &mut Memory,
    ) -> Result<Given<E>, SpillError> {
        let entries = memory.mapped_array(index, || E::from(NONE.cast_unsigned()))?;
        Ok(Given { coverage, entries })
    }

    /// Reads the numbers that are given, those of the first boards of the index: `fill` gives
    /// them from an index on, quantities in two's complement.
    ///
    /// # Errors
    /// Those of `fill`.
    pub fn read<Error>(
        &mut self,
        mut fill: impl FnMut(u64, &mut [u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        /// Numbers read at a time: rows of tiles are decoded whole.
        const BATCH: usize = 1 << 22;
        let given = self.index().section_start(self.given_sections()) as usize;
        let mut bytes = vec![0; given.min(BATCH)];
        let entries = self.entries.as_mut_slice()[..given].chunks_mut(BATCH);
        for (entries, start) in entries.zip((0..).step_by(BATCH)) {
            let bytes = &mut bytes[..entries.len()];
            fill(start, bytes)?;
            for (entry, &byte) in entries.iter_mut().zip(&*bytes) {
                *entry = E::from(byte);
            }
        }
        Ok(())
    }

    /// All numbers of a layer.
    fn all(index: &LayerIndex, bytes: impl IndexedParallelIterator<Item = u8>) -> Given<E> {
        Given {
            coverage: Coverage::All,
            entries: LayerArray::from_entries(index, bytes.map(E::from)),
        }
    }
}

impl<E: Plain> Given<E> {
    fn index(&self) -> &LayerIndex {
        self.entries.index()
    }

    /// Whether all numbers are given, and exact.
    pub(super) fn is_exact(&self) -> bool {
        self.coverage == Coverage::All
    }

    /// How many sections are given, from section 0 on. The others follow from the moves.
    pub(super) fn given_sections(&self) -> u8 {
        match self.coverage {
            Coverage::All => self.seeds() + 1,
            Coverage::LowerBounds { sections } => sections,
        }
    }

    /// Whether the numbers are in a file.
    pub(super) fn is_in_file(&self) -> bool {
        !self.entries.is_in_memory()
    }

    /// Seeds on the boards.
    pub(super) fn seeds(&self) -> u8 {
        self.index().seeds()
    }

    /// The entries of `count` lines of a section from line `first` on.
    #[inline]
    pub(super) fn lines(&self, section: u8, first: usize, count: usize) -> &[E] {
        let width = self.index().section_width(section);
        &self.entries.section(section)[first * width..][..count * width]
    }

    /// The entries of a line.
    #[inline]
    pub(super) fn line(&self, section: u8, line: u32) -> &[E] {
        self.lines(section, line as usize, 1)
    }

    /// The entry of a board that a move leads to.
    pub(super) fn of_board(&self, board: &Board) -> &E {
        let index = self.index().index(board);
        self.at(index.expect("moves lead to indexed boards"))
    }

    /// The entry of the board with this index.
    pub fn at(&self, index: u64) -> &E {
        &self.entries.as_slice()[index as usize]
    }
}

impl Given<AtomicU8> {
    /// The distances of a solved layer.
    pub(super) fn of_distances(array: &LayerArray<u8>) -> Given<AtomicU8> {
        Given::all(array.index(), array.as_slice().par_iter().copied())
    }
}

impl Given<Marked> {
    /// The entries of a solved layer.
    pub(super) fn of(array: &LayerArray<Value>) -> Given<Marked> {
        let entries = array.as_slice().par_iter();
        Given::all(
            array.index(),
            entries.map(|value| value.get().cast_unsigned()),
        )
    }

    /// A copy without marks, all numbers of which are given.
    ///
    /// # Errors
    /// If a file is needed and cannot be made.
    pub(super) fn copy(&self, memory: &mut Memory) -> Result<Given<Marked>, SpillError> {
        let mut entries = memory.mapped_array(self.index(), || Marked::new(NONE, false))?;
        let own = self.entries.as_slice().par_iter();
        entries.fill_from(own.map(|entry| Marked::new(entry.get(), false)));
        let coverage = Coverage::All;
        Ok(Given { coverage, entries })
    }

    /// The same entries without marks, as higher layers are checked against them.
    ///
    /// # Errors
    /// If a file is needed and cannot be made.
    pub fn into_array(self, memory: &mut Memory) -> Result<LayerArray<Value>, SpillError> {
        let mut array = memory.mapped_array(self.index(), || Value::in_range(0))?;
        let entries = self.entries.as_slice().par_iter();
        array.fill_from(entries.map(|entry| Value::in_range(entry.get())));
        Ok(array)
    }
}
