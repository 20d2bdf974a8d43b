//! The worklist: what takes over from sweeps when few boards change.
//!
//! After a dozen sweeps nine tenths of all changes have been made, but most sweeps are
//! still to come. So the last sweep records which boards it changed, and from then on
//! only the *parents* of changed boards are looked at: the boards with a quiet move to
//! them.
//!
//! A round reads the arrays without changing them and collects its effects on the
//! parents, on all threads; then it applies them, on one. No thread reads what another
//! writes, and the result does not depend on their number.

use rayon::prelude::*;

use super::changes::Change;
use crate::cpu::prefetch;
use crate::index::LayerIndex;
use crate::solve::moves::{CompiledMoves, Predecessor, Predecessors, RowMoves};
use crate::solve::storage::{Entry, LayerArray, SpillError, Value};

/// The effect of a change on a parent.
#[derive(Clone, Copy)]
struct Effect<E> {
    parent: Change<E>,
    after: E,
}

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
        changes: &[Change<E>],
        children: &LayerArray<E>,
        parents: &LayerArray<E>,
        best: &LayerArray<Value>,
    ) -> Result<Effects<E>, SpillError> {
        /// Changes that a thread takes at a time.
        const CHANGES: usize = 512;
        let round = Round {
            worklist: self,
            children,
            parents,
            best,
        };
        let effects = changes
            .par_chunks(CHANGES)
            .map(|changes| round.effects(changes));
        Ok(Effects(effects.collect::<Result<_, _>>()?))
    }
}

/// What a round makes of the parents.
pub(super) struct Effects<E>(Vec<Vec<Effect<E>>>);

impl<E: Entry> Effects<E> {
    /// Writes the effects; returns the changes.
    pub fn apply(self, parents: &mut LayerArray<E>) -> Result<Vec<Change<E>>, SpillError> {
        /// Effects whose entries are waited for at once.
        const AHEAD: usize = 16;
        let mut changes = Vec::new();
        let mut ahead = self.0.iter().flatten().skip(AHEAD);
        for &Effect { parent, after } in self.0.iter().flatten() {
            if let Some(Effect { parent, .. }) = ahead.next() {
                parents.prefetch(parent.section, parent.line, parent.rank);
            }
            let Change {
                section,
                line,
                rank,
                before,
            } = parent;
            let entry = parents.entry(section, line, rank)?;
            if entry == before {
                parents.set_entry(section, line, rank, after)?;
                changes.push(parent);
            } else {
                // Another child has changed it in this round. A parent that is
                // reevaluated gets the same entry each time, and of those that are
                // raised the highest is right.
                parents.set_entry(section, line, rank, entry.max(after))?;
            }
        }
        Ok(changes)
    }
}

struct Round<'a, E> {
    worklist: &'a Worklist<'a>,
    children: &'a LayerArray<E>,
    parents: &'a LayerArray<E>,
    best: &'a LayerArray<Value>,
}

/// A board with a quiet move to a board that has changed.
struct Parent<E> {
    board: Predecessor,
    /// The value of the move before the change, and now.
    before: E,
    now: E,
}

/// A parent whose best move may have become worse.
struct Pending {
    /// Its number in the list of parents.
    parent: u32,
    /// Where its children end in the list of children, once they are known; they begin
    /// where those of the one before end.
    children_end: u32,
}

/// What a thread needs to work through changes in steps, each of which prefetches the
/// memory that the next one reads.
struct Steps<E> {
    parents: Vec<Parent<E>>,
    pending: Vec<Pending>,
    /// Section, line and rank of each.
    children: Vec<(u8, u32, u32)>,
}

impl<E: Entry> Round<'_, E> {
    /// Collects the effects of changed children on their parents.
    fn effects(&self, changes: &[Change<E>]) -> Result<Vec<Effect<E>>, SpillError> {
        /// These have some two hundred parents: enough cache lines to wait for all at
        /// once, and few enough to stay in the nearest cache.
        const AT_ONCE: usize = 64;
        let mut effects = Vec::new();
        let mut steps = Steps {
            parents: Vec::new(),
            pending: Vec::new(),
            children: Vec::new(),
        };
        for changes in changes.chunks(AT_ONCE) {
            for child in changes {
                self.children
                    .prefetch(child.section, child.line, child.rank);
            }
            self.find_parents(changes, &mut steps)?;
            self.compare_parents(&mut steps, &mut effects)?;
            self.find_children(&mut steps);
            self.reevaluate_pending(&steps, &mut effects)?;
        }
        Ok(effects)
    }

    fn find_parents(&self, changes: &[Change<E>], steps: &mut Steps<E>) -> Result<(), SpillError> {
        steps.parents.clear();
        for child in changes {
            let (section, line, rank) = (child.section, child.line, child.rank);
            let before = child.before.negated();
            let now = self.children.entry(section, line, rank)?.negated();
            for board in self.worklist.predecessors.of(section, line, rank) {
                self.parents.prefetch(board.section, board.line, board.rank);
                steps.parents.push(Parent { board, before, now });
            }
        }
        Ok(())
    }

    /// A better move is the best there is. Where the best move has become worse, all
    /// moves must be looked at. Any other change has no effect.
    fn compare_parents(
        &self,
        steps: &mut Steps<E>,
        effects: &mut Vec<Effect<E>>,
    ) -> Result<(), SpillError> {
        steps.pending.clear();
        for (number, parent) in (0..).zip(&steps.parents) {
            let Predecessor {
                section,
                line,
                rank,
                ..
            } = parent.board;
            let entry = self.parents.entry(section, line, rank)?;
            if parent.now > entry {
                effects.push(parent.becomes(parent.now, entry));
            } else if parent.before == entry && parent.before != parent.now {
                prefetch(self.row_moves(&parent.board));
                self.best.prefetch(section, line, rank);
                steps.pending.push(Pending {
                    parent: number,
                    children_end: 0,
                });
            }
        }
        Ok(())
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
            for m in self.row_moves(parent).as_slice() {
                if let Some(rank) = maps[usize::from(m.map)].quiet.entry_from(parent.column) {
                    self.children.prefetch(m.seeds, m.line, rank);
                    steps.children.push((m.seeds, m.line, rank));
                }
            }
            pending.children_end = steps.children.len() as u32;
        }
    }

    fn reevaluate_pending(
        &self,
        steps: &Steps<E>,
        effects: &mut Vec<Effect<E>>,
    ) -> Result<(), SpillError> {
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
            let best = self.best.entry(section, line, rank)?;
            let mut after = E::from_conversion(best);
            for &(section, line, rank) in children {
                after = after.max(self.children.entry(section, line, rank)?.negated());
            }
            // It is pending because its entry was the value of the move before.
            let entry = parent.before;
            if after != entry {
                effects.push(parent.becomes(after, entry));
            }
        }
        Ok(())
    }
}

impl<E: Entry> Parent<E> {
    fn becomes(&self, after: E, before: E) -> Effect<E> {
        Effect {
            parent: Change {
                section: self.board.section,
                line: self.board.line,
                rank: self.board.rank,
                before,
            },
            after,
        }
    }
}
