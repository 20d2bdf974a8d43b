//! The numbers of a layer that are given to be checked: one of each board.
//!
//! A quantity takes seven bits of a byte and a mark the eighth, so that a board and its
//! mark are read at once. First the mark says that a conversion attains the entry, later
//! that the entry is founded. Threads read entries while another one marks its own: a
//! mark that is seen set was set before.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use rayon::prelude::*;

use crate::index::LayerIndex;
use crate::rules::Board;
use crate::solve::array::{LayerArray, SpillError};
use crate::solve::entry::{ArrayEntry, Value};
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

impl<E: From<u8>> Given<E> {
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
        Given {
            index: array.index().clone(),
            coverage: Coverage::All,
            entries: array
                .as_slice()
                .iter()
                .copied()
                .map(AtomicU8::new)
                .collect(),
        }
    }
}

impl Given<Marked> {
    /// The entries of a solved layer.
    pub(super) fn of(array: &LayerArray<Value>) -> Given<Marked> {
        let entries = array.as_slice().iter();
        Given {
            index: array.index().clone(),
            coverage: Coverage::All,
            entries: entries
                .map(|value| Marked::new(value.get(), false))
                .collect(),
        }
    }

    /// How many entries are marked.
    pub(super) fn count_marked(&self) -> u64 {
        let marked = self.entries.par_iter().filter(|entry| entry.both().1);
        marked.count() as u64
    }
}

/// The memory for layers that were checked, which conversions of higher ones lead to.
pub(crate) struct LayerBudget(Memory);

impl LayerBudget {
    /// With a limit of bytes, everything above it is spilled to the folder.
    pub fn new(limit: Option<(u64, &Path)>) -> LayerBudget {
        LayerBudget(match limit {
            Some((bytes, folder)) => Memory::limited(bytes, Arc::from(folder)),
            None => Memory::unlimited(),
        })
    }

    /// Puts checked entries into memory or a spill file, without their marks.
    ///
    /// # Errors
    /// If a spill file cannot be used.
    pub fn keep(&mut self, given: &Given<Marked>) -> Result<LayerArray<Value>, SpillError> {
        let mut array = self.0.array(&given.index, Value::ZERO)?;
        array.fill_from(
            given
                .entries
                .par_iter()
                .map(|entry| Value::in_range(entry.get())),
        );
        Ok(array)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_keep_quantity_and_mark() {
        let entry = Marked::new(0, false);
        for quantity in (-48..=48).chain([NONE]) {
            for mark in [false, true] {
                entry.set(quantity, mark);
                assert_eq!(entry.both(), (quantity, mark));
            }
        }
    }
}
