//! A plane: one entry for each board of a layer, held in memory.

use crate::index::LayerIndex;
use crate::rules::Board;

/// One entry for each board of a layer, block by block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plane<E> {
    index: LayerIndex,
    blocks: Vec<Vec<E>>,
}

impl<E: Copy> Plane<E> {
    /// A plane with the same entry everywhere.
    pub fn new(index: LayerIndex, entry: E) -> Plane<E> {
        let blocks = (0..=index.seeds())
            .map(|block| vec![entry; index.block_entries(block)])
            .collect();
        Plane { index, blocks }
    }

    /// A plane whose blocks are still to be put in.
    pub(super) fn empty(index: LayerIndex) -> Plane<E> {
        let blocks = (0..=index.seeds()).map(|_| Vec::new()).collect();
        Plane { index, blocks }
    }

    /// The layer whose boards the entries belong to.
    pub fn index(&self) -> &LayerIndex {
        &self.index
    }

    pub(super) fn block(&self, block: u8) -> &[E] {
        &self.blocks[usize::from(block)]
    }

    pub(super) fn block_mut(&mut self, block: u8) -> &mut Vec<E> {
        &mut self.blocks[usize::from(block)]
    }

    /// The entry of the board with this index, which must be below the layer's
    /// length.
    pub fn get(&self, index: u64) -> E {
        self.at(self.index.place(index))
    }

    /// Sets the entry of the board with this index.
    pub fn set(&mut self, index: u64, entry: E) {
        let (block, place) = self.index.place(index);
        self.block_mut(block)[place as usize] = entry;
    }

    /// The entry of a board, if the board is in the layer's index.
    pub fn of(&self, board: &Board) -> Option<E> {
        self.index.place_of(board).map(|place| self.at(place))
    }

    /// The entry at a place of a block, as [`LayerIndex::place_of`] tells it.
    pub fn at(&self, (block, place): (u8, u64)) -> E {
        self.block(block)[place as usize]
    }

    /// Sets the entries from index `start` on, which must all be in the layer.
    pub fn copy_in(&mut self, start: u64, mut entries: impl ExactSizeIterator<Item = E>) {
        let (mut block, mut place) = self.index.place(start);
        while entries.len() > 0 {
            let rest = &mut self.block_mut(block)[place as usize..];
            for (entry, from) in rest.iter_mut().zip(&mut entries) {
                *entry = from;
            }
            (block, place) = (block + 1, 0);
        }
    }

    /// Fills `out` with what `as_byte` makes of the entries from index `start`
    /// on, which must all be in the layer.
    pub fn copy_out(&self, start: u64, mut out: &mut [u8], as_byte: impl Fn(E) -> u8) {
        let (mut block, place) = self.index.place(start);
        let mut place = place as usize;
        while !out.is_empty() {
            let from = &self.block(block)[place..];
            let (here, rest) = out.split_at_mut(from.len().min(out.len()));
            for (byte, &entry) in here.iter_mut().zip(from) {
                *byte = as_byte(entry);
            }
            out = rest;
            (block, place) = (block + 1, 0);
        }
    }

    /// All entries in the order of the index.
    pub fn iter(&self) -> impl Iterator<Item = E> + '_ {
        self.blocks.iter().flatten().copied()
    }
}
