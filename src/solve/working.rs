//! A layer at work: its entries while they are swept, block by block, and when
//! each line last changed.

use super::entry::Entry;
use super::plan::RowMoves;
use super::plane::Plane;

/// A moment in the course of the sweeps, counted in blocks computed.
pub(super) type Tick = u32;

/// The entries of a layer while they are computed.
pub(super) struct Working<E> {
    pub plane: Plane<E>,
    /// When each line last changed, by block.
    changed: Vec<Vec<Tick>>,
    /// When each block was last computed; 0 before the first sweep.
    computed: Vec<Tick>,
}

impl<E: Entry> Working<E> {
    /// Entries to begin with; all count as changed.
    pub fn new(plane: Plane<E>) -> Working<E> {
        let index = plane.index();
        Working {
            changed: (0..=index.seeds())
                .map(|block| vec![1; index.block_lines(block)])
                .collect(),
            computed: vec![0; usize::from(index.seeds()) + 1],
            plane,
        }
    }

    /// The entries, settled or not.
    pub fn into_plane(self) -> Plane<E> {
        self.plane
    }

    /// Whether any line that these moves read has changed at `since` or later.
    pub fn changed_for(&self, rows: &[RowMoves], since: Tick) -> bool {
        let mut moves = rows.iter().flat_map(RowMoves::as_slice);
        moves.any(|m| self.changed[usize::from(m.seeds)][m.line as usize] >= since)
    }

    pub fn take(&mut self, block: u8) -> Target<E> {
        Target {
            entries: std::mem::take(self.plane.block_mut(block)),
            changed: std::mem::take(&mut self.changed[usize::from(block)]),
            since: self.computed[usize::from(block)],
        }
    }

    /// As `take`, but leaves the old block to be read. `spare` is memory to use.
    pub fn copy(&self, block: u8, mut spare: Vec<E>) -> Target<E> {
        spare.clear();
        spare.extend_from_slice(self.plane.block(block));
        Target {
            entries: spare,
            changed: self.changed[usize::from(block)].clone(),
            since: self.computed[usize::from(block)],
        }
    }

    /// Puts a block back; returns the memory of the old one.
    pub fn put(&mut self, block: u8, target: Target<E>, now: Tick) -> Vec<E> {
        self.changed[usize::from(block)] = target.changed;
        self.computed[usize::from(block)] = now;
        std::mem::replace(self.plane.block_mut(block), target.entries)
    }
}

/// A block that is computed anew.
pub(super) struct Target<E> {
    pub entries: Vec<E>,
    pub changed: Vec<Tick>,
    /// When it was last computed.
    pub since: Tick,
}
