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
use crate::solve::array::{LayerArray, SpillError};
use crate::solve::entry::Value;
use crate::solve::import::Coverage;
use crate::solve::memory::Memory;

/// Below every quantity: no move found yet. It can be negated.
pub(super) const NONE: i8 = -64;

/// A quantity of a board, or [`NONE`], and its mark.
#[derive(Debug)]
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

/// One number of every board of a layer, as far as it is given: a quantity ([`Marked`]) or
/// the distance (a byte, 0 where the value is 0). The check completes and marks it.
#[derive(Debug)]
pub(crate) struct Given<E> {
    index: LayerIndex,
    coverage: Coverage,
    /// In the order of the index.
    entries: Vec<E>,
}

impl<E: From<u8> + Send> Given<E> {
    /// All numbers of a layer.
    fn all(index: &LayerIndex, bytes: impl IndexedParallelIterator<Item = u8>) -> Given<E> {
        Given {
            index: index.clone(),
            coverage: Coverage::All,
            entries: bytes.map(E::from).collect(),
        }
    }

    /// The numbers that `fill` gives for the first boards of the index; quantities in two's
    /// complement.
    ///
    /// # Errors
    /// Those of `fill`.
    pub fn read<Error>(
        index: &LayerIndex,
        coverage: Coverage,
        fill: impl FnOnce(&mut [u8]) -> Result<(), Error>,
    ) -> Result<Given<E>, Error> {
        let mut bytes = vec![NONE.cast_unsigned(); index.len() as usize];
        let given = given_sections(index, coverage);
        fill(&mut bytes[..index.section_start(given) as usize])?;
        Ok(Given {
            index: index.clone(),
            coverage,
            entries: bytes.into_iter().map(E::from).collect(),
        })
    }
}

/// How many sections are given, from section 0 on.
fn given_sections(index: &LayerIndex, coverage: Coverage) -> u8 {
    match coverage {
        Coverage::All => index.seeds() + 1,
        Coverage::LowerBounds { sections } => sections,
    }
}

impl<E> Given<E> {
    /// Whether all numbers are given, and exact.
    pub(super) fn is_exact(&self) -> bool {
        self.coverage == Coverage::All
    }

    /// How many sections are given, from section 0 on. The others follow from the moves.
    pub(super) fn given_sections(&self) -> u8 {
        given_sections(&self.index, self.coverage)
    }

    /// Seeds on the boards.
    pub(super) fn seeds(&self) -> u8 {
        self.index.seeds()
    }

    /// The entries of `count` lines of a section from line `first` on.
    #[inline]
    pub(super) fn lines(&self, section: u8, first: usize, count: usize) -> &[E] {
        let width = self.index.section_width(section);
        let start = self.index.section_start(section) as usize + first * width;
        &self.entries[start..][..count * width]
    }

    /// The entries of a line.
    #[inline]
    pub(super) fn line(&self, section: u8, line: u32) -> &[E] {
        self.lines(section, line as usize, 1)
    }

    /// The entry of a board that a move leads to.
    pub(super) fn of_board(&self, board: &Board) -> &E {
        let index = self.index.index(board);
        self.at(index.expect("moves lead to indexed boards"))
    }

    /// The entry of the board with this index.
    pub fn at(&self, index: u64) -> &E {
        &self.entries[index as usize]
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

    /// How many entries are marked.
    pub(super) fn count_marked(&self) -> u64 {
        let marked = self.entries.par_iter().filter(|entry| entry.both().1);
        marked.count() as u64
    }

    /// The same entries without marks, as higher layers are checked against them.
    ///
    /// # Errors
    /// If a file is needed and cannot be made.
    pub fn to_array(&self, memory: &mut Memory) -> Result<LayerArray<Value>, SpillError> {
        let mut array = memory.array(&self.index, Value::in_range(0))?;
        let entries = self.entries.par_iter();
        array.fill_from(entries.map(|entry| Value::in_range(entry.get())));
        Ok(array)
    }
}
