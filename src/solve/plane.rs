//! A plane: one entry for each board of a layer, held in memory.

use crate::index::LayerIndex;
use crate::rules::Board;

/// One entry for each board of a layer, section by section.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plane<E> {
    index: LayerIndex,
    sections: Vec<Vec<E>>,
}

impl<E: Copy> Plane<E> {
    /// A plane with the same entry everywhere.
    pub fn new(index: LayerIndex, entry: E) -> Plane<E> {
        let sections = (0..=index.seeds())
            .map(|section| vec![entry; index.section_entries(section)])
            .collect();
        Plane { index, sections }
    }

    /// A plane whose sections are still to be put in.
    pub(super) fn empty(index: LayerIndex) -> Plane<E> {
        let sections = (0..=index.seeds()).map(|_| Vec::new()).collect();
        Plane { index, sections }
    }

    /// The layer whose boards the entries belong to.
    pub fn index(&self) -> &LayerIndex {
        &self.index
    }

    pub(super) fn section(&self, section: u8) -> &[E] {
        &self.sections[usize::from(section)]
    }

    pub(super) fn block_mut(&mut self, section: u8) -> &mut Vec<E> {
        &mut self.sections[usize::from(section)]
    }

    /// The entry of the board with this index, which must be below the layer's
    /// length.
    pub fn get(&self, index: u64) -> E {
        self.at(self.index.place(index))
    }

    /// Sets the entry of the board with this index.
    pub fn set(&mut self, index: u64, entry: E) {
        let (section, place) = self.index.place(index);
        self.block_mut(section)[place as usize] = entry;
    }

    /// The entry of a board, if the board is in the layer's index.
    pub fn of(&self, board: &Board) -> Option<E> {
        self.index.place_of(board).map(|place| self.at(place))
    }

    /// The entry at a place of a section, as [`LayerIndex::place_of`] tells it.
    pub fn at(&self, (section, place): (u8, u64)) -> E {
        self.section(section)[place as usize]
    }

    /// Sets the entries from index `start` on, which must all be in the layer.
    pub fn copy_in(&mut self, start: u64, mut entries: impl ExactSizeIterator<Item = E>) {
        let (mut section, mut place) = self.index.place(start);
        while entries.len() > 0 {
            let rest = &mut self.block_mut(section)[place as usize..];
            for (entry, from) in rest.iter_mut().zip(&mut entries) {
                *entry = from;
            }
            (section, place) = (section + 1, 0);
        }
    }

    /// Fills `out` with what `as_byte` makes of the entries from index `start`
    /// on, which must all be in the layer.
    pub fn copy_out(&self, start: u64, mut out: &mut [u8], as_byte: impl Fn(E) -> u8) {
        let (mut section, place) = self.index.place(start);
        let mut place = place as usize;
        while !out.is_empty() {
            let from = &self.section(section)[place..];
            let (here, rest) = out.split_at_mut(from.len().min(out.len()));
            for (byte, &entry) in here.iter_mut().zip(from) {
                *byte = as_byte(entry);
            }
            out = rest;
            (section, place) = (section + 1, 0);
        }
    }

    /// All entries in the order of the index.
    pub fn iter(&self) -> impl Iterator<Item = E> + '_ {
        self.sections.iter().flatten().copied()
    }
}
