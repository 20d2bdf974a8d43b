//! A layer at work: its entries while they are swept, block by block, and when
//! each line last changed.

use rayon::prelude::*;

use super::bands::tile_rows;
use super::entry::Entry;
use super::plan::RowMoves;
use super::scratch::ScratchError;
use super::store::Store;
use super::tile::HEIGHT;

/// A moment in the course of the sweeps, counted in blocks computed.
pub(super) type Tick = u32;

/// The entries of a layer while they are computed.
pub(super) struct Working<E> {
    pub store: Store<E>,
    /// When each line last changed, by block.
    changed: Vec<Vec<Tick>>,
    /// When each block was last computed; 0 before the first sweep.
    computed: Vec<Tick>,
}

impl<E: Entry> Working<E> {
    /// Entries to begin with; all count as changed.
    pub fn new(store: Store<E>) -> Working<E> {
        let index = store.index();
        Working {
            changed: (0..=index.seeds())
                .map(|block| vec![1; index.block_lines(block)])
                .collect(),
            computed: vec![0; usize::from(index.seeds()) + 1],
            store,
        }
    }

    /// The entries, settled or not.
    pub fn into_store(self) -> Store<E> {
        self.store
    }

    /// The first rows of the tiles of a block that must be computed: of those
    /// that read a line which has changed since the block was last computed.
    /// `rows` are the moves of the block's mover's rows, and `children` is what
    /// they read.
    pub fn due(&self, block: u8, rows: &[RowMoves], children: &Working<E>) -> Vec<usize> {
        let since = self.computed[usize::from(block)];
        (0..rows.len().div_ceil(HEIGHT))
            .into_par_iter()
            .with_min_len(64)
            .map(|tile| tile * HEIGHT)
            .filter(|&first| since == 0 || children.changed_for(tile_rows(rows, first), since))
            .collect()
    }

    /// Whether any line that these moves read has changed at `since` or later.
    fn changed_for(&self, rows: &[RowMoves], since: Tick) -> bool {
        let mut moves = rows.iter().flat_map(RowMoves::as_slice);
        moves.any(|m| self.changed[usize::from(m.seeds)][m.line as usize] >= since)
    }

    /// A block to be computed anew. If it is read meanwhile, or lies on disk, it
    /// is a copy, made in `spare`.
    pub fn fetch(
        &mut self,
        block: u8,
        is_read: bool,
        mut spare: Vec<E>,
    ) -> Result<Target<E>, ScratchError> {
        let taken = if is_read {
            None
        } else {
            self.store.take(block)
        };
        let entries = match taken {
            Some(entries) => entries,
            None => {
                self.store.read_block(block, &mut spare)?;
                spare
            }
        };
        // Few: one for each line.
        let changed = self.changed[usize::from(block)].clone();
        Ok(Target { entries, changed })
    }

    /// Puts a block back that was computed now; returns memory to spare.
    pub fn put(
        &mut self,
        block: u8,
        target: Target<E>,
        now: Tick,
        has_changed: bool,
    ) -> Result<Vec<E>, ScratchError> {
        self.computed(block, now);
        self.changed[usize::from(block)] = target.changed;
        if has_changed || self.store.in_memory(block).is_some() {
            self.store.put(block, target.entries)
        } else {
            Ok(target.entries)
        }
    }

    /// Notes that a block has been computed.
    pub fn computed(&mut self, block: u8, now: Tick) {
        self.computed[usize::from(block)] = now;
    }
}

/// A block that is computed anew.
pub(super) struct Target<E> {
    pub entries: Vec<E>,
    pub changed: Vec<Tick>,
}
