//! The worklist: what takes over from sweeps when few boards change.
//!
//! After a dozen sweeps nine tenths of all changes have been made, but most sweeps are
//! still to come. So the last sweep records which boards it changed, and from then on
//! only the *parents* of changed boards are looked at: the boards with a quiet move to
//! them.
//!
//! A round reads the arrays without changing them and collects its effects on the
//! parents; then it applies them, piece by piece of the array and in the order of the index,
//! which is that of memory. All threads do both. No thread reads what another writes, and
//! the result does not depend on their number.

use rayon::prelude::*;

use super::changes::Change;
use crate::cpu::prefetch;
use crate::index::LayerIndex;
use crate::solve::moves::{CompiledMoves, Predecessor, Predecessors, RowMoves};
use crate::solve::storage::{Entry, LayerArray, Piece, SpillError, Value};
use crate::spans;

/// The effect of a change on a parent.
#[derive(Clone, Copy)]
pub(super) struct Effect<E> {
    /// The parent's number in the order of the index.
    pub number: u64,
    section: u8,
    line: u32,
    /// Its entry before the round, and what it becomes.
    before: E,
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

    /// A round of the worklist.
    pub fn round<'r, E>(
        &'r self,
        children: &'r LayerArray<E>,
        parents: &'r LayerArray<E>,
        best: &'r LayerArray<Value>,
    ) -> Round<'r, E> {
        Round {
            worklist: self,
            children,
            parents,
            best,
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
    ) -> Result<Effects<E>, SpillError> {
        /// Changes that a thread takes at a time.
        const CHANGES: usize = 128;
        let round = self.round(children, parents, best);
        let _parallel = spans::parallel("parents");
        let changes = changes.iter().flat_map(|list| list.chunks(CHANGES));
        let changes: Vec<_> = changes.collect();
        let effects = changes.into_par_iter().with_max_len(1).map(|changes| {
            let _task = spans::task("parents");
            round.effects(changes)
        });
        Ok(Effects(effects.collect::<Result<_, _>>()?))
    }
}

/// What a round makes of the parents: effects in lists, each in the order of the index.
pub(super) struct Effects<E>(pub Vec<Vec<Effect<E>>>);

impl<E: Entry> Effects<E> {
    /// Writes the effects; returns the changes, in the order of the index, in lists of one
    /// or more.
    pub fn apply(self, parents: &mut LayerArray<E>) -> Result<Vec<Vec<Change<E>>>, SpillError> {
        let parallel = spans::parallel("effects");
        let index = parents.index().clone();
        let ends = self.ends();
        let is_small = ends.is_empty();
        let pieces = parents.pieces(&ends);
        let piece_ends: Vec<u64> = pieces.iter().map(|piece| piece.numbers().end).collect();
        let splits = self.splits(&piece_ends);
        let mut changes: Vec<Vec<Change<E>>> = pieces
            .into_par_iter()
            .enumerate()
            .with_max_len(if is_small { usize::MAX } else { 1 })
            .map(|(number, piece)| {
                let _task = spans::task("effects");
                let within =
                    |splits: &Vec<u32>| splits[number] as usize..splits[number + 1] as usize;
                let lists = self.0.iter().zip(&splits);
                let lists = lists.map(|(effects, splits)| &effects[within(splits)]);
                apply_to(piece, lists.collect::<Vec<_>>().concat(), &index)
            })
            .collect::<Result<_, _>>()?;
        // Freeing so many lists takes time as well.
        self.0.into_par_iter().for_each(drop);
        drop(parallel);
        if is_small {
            // Short lists would make short tasks.
            changes = vec![changes.concat()];
        }
        changes.retain(|list| !list.is_empty());
        Ok(changes)
    }

    /// The numbers of entries before which a thread's work should end, so that all have about
    /// as many effects to write. None if there are too few effects for several threads.
    fn ends(&self) -> Vec<u64> {
        /// Pieces for each thread: enough to share the work evenly.
        const PIECES: usize = 8;
        /// Effects that are worth a piece of their own.
        const EFFECTS: usize = 512;
        /// Effects looked at for each piece.
        const SAMPLE: usize = 16;
        let all: usize = self.0.iter().map(Vec::len).sum();
        let pieces = (all / EFFECTS).clamp(1, PIECES * rayon::current_num_threads());
        let step = (all / (pieces * SAMPLE)).max(1);
        let sample = self.0.iter().flatten().step_by(step);
        let mut sample: Vec<u64> = sample.map(|effect| effect.number).collect();
        sample.sort_unstable();
        let mut ends: Vec<u64> = sample
            .into_iter()
            .step_by(SAMPLE)
            .skip(1)
            .take(pieces - 1)
            .collect();
        ends.dedup();
        ends
    }

    /// By list, where the effects on each piece begin and end: 0, then one place for each of
    /// these ends of pieces.
    fn splits(&self, ends: &[u64]) -> Vec<Vec<u32>> {
        /// Lists that a thread takes at a time, at the least.
        const LISTS: usize = 16;
        let lists = self.0.par_iter().with_min_len(LISTS);
        let splits = lists.map_init(
            || spans::task("effects"),
            |_, effects| {
                let mut at = 0;
                let splits = ends.iter().map(|&end| {
                    at += effects[at..].partition_point(|effect| effect.number < end);
                    at as u32
                });
                std::iter::once(0).chain(splits).collect()
            },
        );
        splits.collect()
    }
}

/// Writes these effects on a piece, in any order; returns the changes.
fn apply_to<E: Entry>(
    mut piece: Piece<'_, E>,
    mut effects: Vec<Effect<E>>,
    index: &LayerIndex,
) -> Result<Vec<Change<E>>, SpillError> {
    /// Effects whose entries are waited for at once.
    const AHEAD: usize = 16;
    effects.sort_by_key(|effect| effect.number);
    let mut changes = Vec::new();
    let mut ahead = effects.iter().skip(AHEAD);
    for effect in &effects {
        if let Some(effect) = ahead.next() {
            piece.prefetch(effect.number);
        }
        let entry = piece.get(effect.number)?;
        if entry == effect.before {
            piece.set(effect.number, effect.after)?;
            changes.push(effect.change(index));
        } else {
            // Another child has changed it in this round. A parent that is
            // reevaluated gets the same entry each time, and of those that are
            // raised the highest is right.
            piece.set(effect.number, entry.max(effect.after))?;
        }
    }
    Ok(changes)
}

impl<E: Entry> Effect<E> {
    /// What becomes of a board of an array: its section, line and rank.
    pub fn new(
        array: &LayerArray<E>,
        (section, line, rank): (u8, u32, u32),
        before: E,
        after: E,
    ) -> Effect<E> {
        Effect {
            number: array.number(section, line, rank),
            section,
            line,
            before,
            after,
        }
    }

    /// The change that it makes.
    fn change(&self, index: &LayerIndex) -> Change<E> {
        let width = index.section_width(self.section) as u64;
        let line_start = index.section_start(self.section) + u64::from(self.line) * width;
        Change {
            section: self.section,
            line: self.line,
            rank: (self.number - line_start) as u32,
            before: self.before,
        }
    }
}

/// The steps of a round: find the parents of changed boards, compare their entries with the
/// moves that have changed, and look at all moves of those whose best one has become worse.
pub(super) struct Round<'a, E> {
    worklist: &'a Worklist<'a>,
    pub children: &'a LayerArray<E>,
    parents: &'a LayerArray<E>,
    best: &'a LayerArray<Value>,
}

/// A board with a quiet move to a board that has changed.
pub(super) struct Parent<E> {
    pub board: Predecessor,
    /// The value of the move before the change, and now.
    pub before: E,
    pub now: E,
}

impl<E: Entry> Parent<E> {
    /// Whether the move has become better than all others.
    fn raises(&self, entry: E) -> bool {
        self.now > entry
    }

    /// Whether the move was among the best and no longer is.
    fn may_lower(&self, entry: E) -> bool {
        self.before == entry && self.before != self.now
    }
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
pub(super) struct Steps<E> {
    pub parents: Vec<Parent<E>>,
    pending: Vec<Pending>,
    /// Section, line and rank of each.
    pub children: Vec<(u8, u32, u32)>,
}

impl<E> Steps<E> {
    pub fn new() -> Steps<E> {
        Steps {
            parents: Vec::new(),
            pending: Vec::new(),
            children: Vec::new(),
        }
    }
}

impl<E: Entry> Round<'_, E> {
    /// Collects the effects of changed children on their parents, in the order of the index.
    fn effects(&self, changes: &[Change<E>]) -> Result<Vec<Effect<E>>, SpillError> {
        /// These have some two hundred parents: enough cache lines to wait for all at
        /// once, and few enough to stay in the nearest cache.
        const AT_ONCE: usize = 64;
        let mut effects = Vec::new();
        let mut steps = Steps::new();
        for changes in changes.chunks(AT_ONCE) {
            self.find_parents(changes, &mut steps)?;
            self.compare_parents(&mut steps, &mut effects)?;
            self.find_children(&mut steps);
            self.reevaluate_pending(&steps, &mut effects, |(section, line, rank)| {
                self.children.entry(section, line, rank)
            })?;
        }
        effects.sort_unstable_by_key(|effect| effect.number);
        Ok(effects)
    }

    /// Finds the boards with a quiet move to boards that have changed.
    pub fn find_parents(
        &self,
        changes: &[Change<E>],
        steps: &mut Steps<E>,
    ) -> Result<(), SpillError> {
        steps.parents.clear();
        for child in changes {
            self.children
                .prefetch(child.section, child.line, child.rank);
        }
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

    /// Drops the parents that a change has no effect on.
    pub fn keep_affected(&self, steps: &mut Steps<E>) -> Result<(), SpillError> {
        let mut kept = 0;
        for number in 0..steps.parents.len() {
            let parent = &steps.parents[number];
            let Predecessor {
                section,
                line,
                rank,
                ..
            } = parent.board;
            let entry = self.parents.entry(section, line, rank)?;
            if parent.raises(entry) || parent.may_lower(entry) {
                steps.parents.swap(kept, number);
                kept += 1;
            }
        }
        steps.parents.truncate(kept);
        Ok(())
    }

    /// A better move is the best there is. Where the best move has become worse, all
    /// moves must be looked at. Any other change has no effect.
    pub fn compare_parents(
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
            if parent.raises(entry) {
                effects.push(self.effect(&parent.board, entry, parent.now));
            } else if parent.may_lower(entry) {
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
    pub fn find_children(&self, steps: &mut Steps<E>) {
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

    /// Looks at all moves of the pending parents. `entry_of` is asked for the entry of each
    /// child, in order.
    pub fn reevaluate_pending(
        &self,
        steps: &Steps<E>,
        effects: &mut Vec<Effect<E>>,
        mut entry_of: impl FnMut((u8, u32, u32)) -> Result<E, SpillError>,
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
            for &child in children {
                after = after.max(entry_of(child)?.negated());
            }
            // It is pending because its entry was the value of the move before.
            let entry = parent.before;
            if after != entry {
                effects.push(self.effect(&parent.board, entry, after));
            }
        }
        Ok(())
    }

    /// What becomes of a parent.
    fn effect(&self, parent: &Predecessor, before: E, after: E) -> Effect<E> {
        let board = (parent.section, parent.line, parent.rank);
        Effect::new(self.parents, board, before, after)
    }
}
