//! The worklist: what takes over from sweeps when few boards change.
//!
//! After a dozen sweeps nine tenths of all changes have been made, but most sweeps are
//! still to come. So the last sweep records which boards it changed, and from then on
//! only the *parents* of changed boards are looked at: the boards with a quiet move to
//! them.
//!
//! A round reads the arrays without changing them and collects its effects on the
//! parents; then it applies them, share by share of the array and in the order of the index,
//! which is that of memory. All threads do both. No thread reads what another writes, and
//! the result does not depend on their number.

use rayon::prelude::*;

use super::changes::{Change, MoveChange};
use super::effects::{Effect, Effects};
use crate::cpu::prefetch;
use crate::index::LayerIndex;
use crate::solve::array::LayerArray;
use crate::solve::entry::{Entry, Value};
use crate::solve::moves::{CompiledMoves, Predecessor, Predecessors, RowMoves};

/// Finds the effects of changes in a layer.
pub(super) struct Worklist<'a> {
    moves: &'a CompiledMoves,
    index: &'a LayerIndex,
    predecessors: Predecessors<'a>,
}

impl<'a> Worklist<'a> {
    pub fn new(moves: &'a CompiledMoves, index: &'a LayerIndex) -> Worklist<'a> {
        Worklist {
            moves,
            index,
            predecessors: Predecessors::new(moves, index),
        }
    }

    /// The effects of changed children on their parents. The two arrays are the same
    /// where an array is computed from itself.
    pub fn effects<E: Entry>(
        &self,
        changes: &[&[Change<E>]],
        children: &LayerArray<E>,
        parents: &LayerArray<E>,
        best: &LayerArray<Value>,
    ) -> Effects<E> {
        /// Changes that a thread takes at a time.
        const CHANGES: usize = 128;
        let round = Round {
            worklist: self,
            children,
            parents,
            best,
        };
        let changes = changes.iter().flat_map(|list| list.chunks(CHANGES));
        let changes: Vec<_> = changes.collect();
        let effects = changes
            .into_par_iter()
            .with_max_len(1)
            .map(|changes| round.effects(changes));
        Effects(effects.collect())
    }
}

/// The steps of a round: find the parents of changed boards, compare their entries with the
/// moves that have changed, and look at all moves of those whose best one has become worse.
struct Round<'a, E> {
    worklist: &'a Worklist<'a>,
    children: &'a LayerArray<E>,
    parents: &'a LayerArray<E>,
    best: &'a LayerArray<Value>,
}

/// A board with a quiet move to a board that has changed.
struct Parent<E> {
    board: Predecessor,
    /// What has become of the move.
    change: MoveChange<E>,
}

/// A parent whose best move may have become worse.
struct Pending {
    /// Its number in the list of parents.
    parent: u32,
    /// Where its children end in the list of children, once they are known; they begin
    /// where those of the one before end.
    children_end: u32,
}

/// What a thread needs to work through changes in steps. Each step prefetches the memory
/// that the next one reads.
struct Steps<E> {
    parents: Vec<Parent<E>>,
    pending: Vec<Pending>,
    /// Section, line and rank of each.
    children: Vec<(u8, u32, u32)>,
}

impl<E> Steps<E> {
    fn new() -> Steps<E> {
        Steps {
            parents: Vec::new(),
            pending: Vec::new(),
            children: Vec::new(),
        }
    }
}

impl<E: Entry> Round<'_, E> {
    /// Collects the effects of changed children on their parents, in the order of the index.
    fn effects(&self, changes: &[Change<E>]) -> Vec<Effect<E>> {
        /// These have some two hundred parents: enough cache lines to wait for all at
        /// once, and few enough to stay in the nearest cache.
        const AT_ONCE: usize = 64;
        let mut effects = Vec::new();
        let mut steps = Steps::new();
        for changes in changes.chunks(AT_ONCE) {
            self.find_parents(changes, &mut steps);
            self.compare_parents(&mut steps, &mut effects);
            self.find_children(&mut steps);
            self.reevaluate_pending(&steps, &mut effects);
        }
        effects.sort_unstable_by_key(|effect| effect.number);
        effects
    }

    /// Finds the boards with a quiet move to boards that have changed.
    fn find_parents(&self, changes: &[Change<E>], steps: &mut Steps<E>) {
        steps.parents.clear();
        for child in changes {
            self.children
                .prefetch(child.section, child.line, child.rank);
        }
        for child in changes {
            let (section, line, rank) = (child.section, child.line, child.rank);
            // A board may be on the list twice: what it was in between counts for nobody.
            let after = self.children.entry(section, line, rank);
            let change = MoveChange::of(child.before, after);
            for board in self.worklist.predecessors.of(section, line, rank) {
                self.parents.prefetch(board.section, board.line, board.rank);
                steps.parents.push(Parent { board, change });
            }
        }
    }

    /// A better move is the best there is. Where the best move has become worse, all
    /// moves must be looked at. Any other change has no effect.
    fn compare_parents(&self, steps: &mut Steps<E>, effects: &mut Vec<Effect<E>>) {
        steps.pending.clear();
        for (number, parent) in (0..).zip(&steps.parents) {
            let Predecessor {
                section,
                line,
                rank,
                ..
            } = parent.board;
            let entry = self.parents.entry(section, line, rank);
            if parent.change.raises(entry) {
                effects.push(self.effect(&parent.board, entry, parent.change.now));
            } else if parent.change.may_lower(entry) {
                prefetch(self.row_moves(&parent.board));
                self.best.prefetch(section, line, rank);
                steps.pending.push(Pending {
                    parent: number,
                    children_end: 0,
                });
            }
        }
    }

    /// The moves of the mover's row.
    fn row_moves(&self, parent: &Predecessor) -> &RowMoves {
        let Worklist { moves, index, .. } = self.worklist;
        &moves.row_moves(index.seeds() - parent.section)[parent.rank as usize]
    }

    /// Finds the boards that the pending parents have quiet moves to.
    fn find_children(&self, steps: &mut Steps<E>) {
        steps.children.clear();
        for pending in &mut steps.pending {
            let parent = &steps.parents[pending.parent as usize].board;
            let maps = self.worklist.moves.maps(parent.section);
            for m in self.row_moves(parent).iter() {
                if let Some(rank) = maps[usize::from(m.map)].quiet.entry_from(parent.column) {
                    self.children.prefetch(m.seeds, m.line, rank);
                    steps.children.push((m.seeds, m.line, rank));
                }
            }
            pending.children_end = steps.children.len() as u32;
        }
    }

    /// Looks at all moves of the pending parents.
    fn reevaluate_pending(&self, steps: &Steps<E>, effects: &mut Vec<Effect<E>>) {
        let mut start = 0;
        for pending in &steps.pending {
            let parent = &steps.parents[pending.parent as usize];
            let children = &steps.children[start..pending.children_end as usize];
            start = pending.children_end as usize;
            let Predecessor {
                section,
                line,
                rank,
                ..
            } = parent.board;
            let best = self.best.entry(section, line, rank);
            let mut after = E::from_conversion(best);
            for &(section, line, rank) in children {
                after = after.max(self.children.entry(section, line, rank).negated());
            }
            // It is pending because its entry was the value of the move before.
            let entry = parent.change.before;
            if after != entry {
                effects.push(self.effect(&parent.board, entry, after));
            }
        }
    }

    /// What becomes of a parent.
    fn effect(&self, parent: &Predecessor, before: E, after: E) -> Effect<E> {
        let board = (parent.section, parent.line, parent.rank);
        Effect::new(self.parents, board, before, after)
    }
}
