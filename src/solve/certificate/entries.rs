//! The entries of the layer being checked: one quantity of each board, with a mark.
//!
//! A quantity takes seven bits of a byte and the mark the eighth, so that a board and its
//! mark are read at once. First the mark says that a conversion attains the entry, later
//! that the entry is founded. Threads read entries while another one marks its own: a
//! mark that is seen set was set before.

use std::sync::atomic::{AtomicU8, Ordering};

use rayon::prelude::*;

use crate::index::{LayerIndex, SectionOffset};
use crate::rules::Board;
use crate::solve::ranks::Part;
use crate::solve::storage::{LayerArray, MemoryBudget, SpillError, Value};

/// Below every quantity: no move found yet. It can be negated.
pub(super) const NONE: i8 = -64;

/// A quantity of a board, or [`NONE`], and its mark.
#[derive(Debug)]
pub(super) struct MarkedEntry(AtomicU8);

const MARK: u8 = 0x80;

impl MarkedEntry {
    /// A quantity, marked or not.
    pub fn with(quantity: i8, is_marked: bool) -> MarkedEntry {
        MarkedEntry(AtomicU8::new(MarkedEntry::encode(quantity, is_marked)))
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
        let byte = MarkedEntry::encode(quantity, is_marked);
        self.0.store(byte, Ordering::Release);
    }

    fn value(&self) -> Value {
        Value::in_range(self.get())
    }
}

/// One quantity of every board of a layer.
#[derive(Debug)]
pub(crate) struct Entries {
    index: LayerIndex,
    sections: Vec<Vec<MarkedEntry>>,
}

impl Entries {
    /// Entries of which `fill` gives those of the first `sections` sections, in two's
    /// complement, from the index that it is asked for on.
    ///
    /// # Errors
    /// Those of `fill`.
    pub fn read<Error>(
        index: &LayerIndex,
        sections: u8,
        mut fill: impl FnMut(u64, &mut [u8]) -> Result<(), Error>,
    ) -> Result<Entries, Error> {
        let mut read = Vec::new();
        for section in 0..=index.seeds() {
            let mut bytes = vec![NONE.cast_unsigned(); index.section_entries(section)];
            if section < sections {
                fill(index.section_start(section), &mut bytes)?;
            }
            let entries = bytes
                .into_iter()
                .map(|byte| MarkedEntry::with(byte.cast_signed(), false));
            read.push(entries.collect());
        }
        Ok(Entries {
            index: index.clone(),
            sections: read,
        })
    }

    /// The entries of a solved layer.
    pub fn of(array: &LayerArray<Value>) -> Result<Entries, SpillError> {
        let index = array.index();
        Entries::read(index, index.seeds() + 1, |start, bytes| {
            array.copy_out(start, bytes, |value| value.get().cast_unsigned())
        })
    }

    /// Seeds on the boards.
    pub(super) fn seeds(&self) -> u8 {
        self.index.seeds()
    }

    /// The entries of a section.
    #[inline]
    pub(super) fn section(&self, section: u8) -> &[MarkedEntry] {
        &self.sections[usize::from(section)]
    }

    /// The entry of a board that a move leads to.
    pub(super) fn of_board(&self, board: &Board) -> &MarkedEntry {
        let at = self.index.offset_of(board);
        self.at(at.expect("moves lead to indexed boards"))
    }

    /// The entry at an offset.
    pub(super) fn at(&self, at: SectionOffset) -> &MarkedEntry {
        &self.sections[usize::from(at.section)][at.offset as usize]
    }

    /// How many entries are marked.
    pub fn count_marked(&self) -> u64 {
        let sections = self.sections.par_iter();
        let marked = sections.map(|section| section.iter().filter(|entry| entry.both().1).count());
        marked.sum::<usize>() as u64
    }

    /// The same entries without marks, as other layers are checked against them: in memory
    /// as long as the budget lasts.
    ///
    /// # Errors
    /// If a spill file is needed and cannot be used.
    pub(super) fn into_array(
        mut self,
        budget: &mut MemoryBudget,
    ) -> Result<LayerArray<Value>, SpillError> {
        let index = self.index.clone();
        let mut array = LayerArray::build(&Part::whole(&index), budget, |section| {
            let entries = std::mem::take(&mut self.sections[usize::from(section)]);
            Ok::<_, SpillError>(entries.iter().map(MarkedEntry::value).collect())
        })?;
        array.give_back(budget);
        Ok(array)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_keep_quantity_and_mark() {
        let entry = MarkedEntry::with(0, false);
        for quantity in (-48..=48).chain([NONE]) {
            for mark in [false, true] {
                entry.set(quantity, mark);
                assert_eq!(entry.both(), (quantity, mark));
            }
        }
    }
}
