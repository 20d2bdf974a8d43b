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
            .map(|block| vec![entry; index.block_lines(block) * index.block_width(block)])
            .collect();
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

    /// Line `line` of block `block`.
    #[inline(always)]
    pub(super) fn line(&self, block: u8, line: u32) -> &[E] {
        let width = self.index.block_width(block);
        &self.block(block)[line as usize * width..][..width]
    }

    /// The entry of row `row` in a line of a block.
    pub(super) fn entry_mut(&mut self, block: u8, line: u32, row: u32) -> &mut E {
        let width = self.index.block_width(block);
        &mut self.block_mut(block)[line as usize * width + row as usize]
    }

    /// The entry of the board with this index, which must be below the layer's
    /// length.
    pub fn get(&self, index: u64) -> E {
        let (block, place) = self.place(index);
        self.block(block)[place]
    }

    /// Sets the entry of the board with this index.
    pub fn set(&mut self, index: u64, entry: E) {
        let (block, place) = self.place(index);
        self.block_mut(block)[place] = entry;
    }

    /// The block of a board and its place there.
    fn place(&self, index: u64) -> (u8, usize) {
        let mut block = 0;
        while self.index.block_start(block + 1) <= index {
            block += 1;
        }
        (block, (index - self.index.block_start(block)) as usize)
    }

    /// The entry of a board, if the board is in the layer's index.
    pub fn of(&self, board: &Board) -> Option<E> {
        self.index.index(board).map(|index| self.get(index))
    }

    /// Sets the entries from index `start` on, which must all be in the layer.
    pub fn copy_in(&mut self, start: u64, mut entries: impl ExactSizeIterator<Item = E>) {
        let (mut block, mut place) = self.place(start);
        while entries.len() > 0 {
            let rest = &mut self.block_mut(block)[place..];
            for (entry, from) in rest.iter_mut().zip(&mut entries) {
                *entry = from;
            }
            (block, place) = (block + 1, 0);
        }
    }

    /// Fills `out` with what `as_byte` makes of the entries from index `start`
    /// on, which must all be in the layer.
    pub fn copy_out(&self, start: u64, mut out: &mut [u8], as_byte: impl Fn(E) -> u8) {
        let (mut block, mut place) = self.place(start);
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

    /// A plane with other entries for the same boards.
    pub(super) fn map<F>(&self, entry: impl Fn(E) -> F) -> Plane<F> {
        let blocks = self.blocks.iter();
        Plane {
            index: self.index.clone(),
            blocks: blocks
                .map(|block| block.iter().map(|&e| entry(e)).collect())
                .collect(),
        }
    }

    /// All entries in the order of the index.
    pub fn iter(&self) -> impl Iterator<Item = E> + '_ {
        self.blocks.iter().flatten().copied()
    }
}
