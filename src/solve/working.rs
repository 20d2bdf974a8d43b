//! A layer at work: its entries while they are swept, section by section, and when
//! each line last changed.

use rayon::prelude::*;

use super::bands::tile_rows;
use super::entry::Entry;
use super::plan::RowMoves;
use super::scratch::SpillError;
use super::store::Store;
use super::tile::HEIGHT;

/// A moment in the course of the sweeps, counted in sections computed.
pub(super) type Tick = u32;

/// The entries of a layer while they are computed.
pub(super) struct Working<E> {
    pub store: Store<E>,
    /// When each line last changed, by section.
    changed: Vec<Vec<Tick>>,
    /// When each section was last computed; 0 before the first sweep.
    computed: Vec<Tick>,
}

impl<E: Entry> Working<E> {
    /// Entries to begin with; all count as changed.
    pub fn new(store: Store<E>) -> Working<E> {
        let index = store.index();
        Working {
            changed: (0..=index.seeds())
                .map(|section| vec![1; index.section_lines(section)])
                .collect(),
            computed: vec![0; usize::from(index.seeds()) + 1],
            store,
        }
    }

    /// The entries, settled or not.
    pub fn into_store(self) -> Store<E> {
        self.store
    }

    /// The first rows of the tiles of a section that must be computed: of those
    /// that read a line which has changed since the section was last computed.
    /// `rows` are the moves of the section's mover's rows, and `children` is what
    /// they read.
    pub fn due(&self, section: u8, rows: &[RowMoves], children: &Working<E>) -> Vec<usize> {
        let since = self.computed[usize::from(section)];
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

    /// A section to be computed anew. If it is read meanwhile, or lies on disk, it
    /// is a copy, made in `spare`.
    pub fn fetch(
        &mut self,
        section: u8,
        is_read: bool,
        mut spare: Vec<E>,
    ) -> Result<Target<E>, SpillError> {
        let taken = if is_read {
            None
        } else {
            self.store.take(section)
        };
        let entries = match taken {
            Some(entries) => entries,
            None => {
                self.store.read_block(section, &mut spare)?;
                spare
            }
        };
        // Few: one for each line.
        let changed = self.changed[usize::from(section)].clone();
        Ok(Target { entries, changed })
    }

    /// Puts a section back that was computed now; returns memory to spare.
    pub fn put(
        &mut self,
        section: u8,
        target: Target<E>,
        now: Tick,
        has_changed: bool,
    ) -> Result<Vec<E>, SpillError> {
        self.computed(section, now);
        self.changed[usize::from(section)] = target.changed;
        if has_changed || self.store.in_memory(section).is_some() {
            self.store.put(section, target.entries)
        } else {
            Ok(target.entries)
        }
    }

    /// Notes that a section has been computed.
    pub fn computed(&mut self, section: u8, now: Tick) {
        self.computed[usize::from(section)] = now;
    }
}

/// A section that is computed anew.
pub(super) struct Target<E> {
    pub entries: Vec<E>,
    pub changed: Vec<Tick>,
}
