//! Propagation: from the best conversions to the entry of every board, until nothing
//! changes.
//!
//! ```text
//! repeat
//!     sweep: for each section, each board: max over its moves         (sweep, kernel)
//! until few boards change; the last sweep records which ones          (changes)
//! while the worklist is not empty                                     (worklist)
//!     look again at the parents of its boards; those that change are the next worklist
//! ```
//!
//! A board with `a` seeds on the mover's side is in section `n − a`; its children are in
//! sections up to `a`. A section is computed in place. If its boards read one another, they read
//! a copy. A panel is skipped if no line that it reads has changed since it was last computed.
//! With several ranks, each computes a share of each section, and all hear what has changed
//! (`exchange`).
//!
//! The worklist has a capacity, from the memory limit. If it would grow beyond that,
//! it is dropped, and sweeps go on: any state between two sweeps or rounds is one from
//! which sweeps lead to the same result (`docs/internals/solver.md` has the argument).

mod changes;
mod effects;
mod exchange;
mod fragments;
mod in_pool;
mod kernel;
mod notices;
mod pass;
mod sweep;
mod worklist;

use std::ops::RangeInclusive;

use rayon::prelude::*;

use self::changes::{Change, LineTicks, Recorder, SectionChanges, Tick, Ticks, batches};
use self::exchange::{Exchange, SweptSection};
use self::sweep::{ChunkFragments, SectionSweep, sweep_section};
use self::worklist::Worklist;
use super::array::LayerArray;
use super::checkpoint::Saver;
use super::conversions::Terminals;
use super::entry::{Entry, Value};
use super::error::SolveError;
use super::memory::{BOARDS_PER_CHANGE, CHANGES_PER_BATCH, Memory};
use super::moves::CompiledMoves;
use super::observer::{Observer, Stopped};
use super::ranks::Ranks;
use super::sections::{SectionLines, Sections};
use crate::index::LayerIndex;

/// The layer whose entries are propagated.
pub(super) struct Propagator<'a> {
    pub moves: &'a CompiledMoves,
    pub index: &'a LayerIndex,
    pub observer: &'a dyn Observer,
    /// The ranks that propagate it together. Each has a copy of all arrays.
    exchange: Exchange<'a>,
    /// The most boards that the worklist may hold, and how many changes in a sweep are few enough
    /// for it.
    worklist_capacity: u64,
    few_changes: u64,
    /// How many changes' effects are found before they are applied.
    batch: usize,
    /// Bytes of the arrays beyond memory that may be in memory at a time.
    pool_bytes: u64,
}

/// Which array an array is computed from: a lone one from itself, two from one
/// another.
fn read_by<const N: usize>(array: usize) -> usize {
    N - 1 - array
}

/// What a sweep knows of those before it.
struct SweepState<E, const N: usize> {
    /// What it may skip in each array.
    ticks: [Ticks; N],
    now: Tick,
    /// Set if it lists what changes.
    recorder: Option<Recorder>,
    /// Room for a copy of a section.
    before: Vec<E>,
}

impl<E, const N: usize> SweepState<E, N> {
    /// Before the first sweep.
    fn new(index: &LayerIndex) -> SweepState<E, N> {
        SweepState {
            ticks: std::array::from_fn(|_| Ticks::new(index)),
            now: 1,
            recorder: None,
            before: Vec::new(),
        }
    }
}

/// How many entries a sweep has changed, and a list of them for each array if it was to record.
type Swept<E, const N: usize> = (u64, [Vec<Change<E>>; N]);

/// The boards that have changed in each array, in lists of one or more.
type Changes<E, const N: usize> = [Vec<Vec<Change<E>>>; N];

impl<'a> Propagator<'a> {
    /// The propagation of a layer with this memory for the worklist or, if the arrays are
    /// beyond memory, for their pieces. All ranks call this together.
    pub fn new(
        moves: &'a CompiledMoves,
        index: &'a LayerIndex,
        ranks: &'a dyn Ranks,
        observer: &'a dyn Observer,
        memory: &Memory,
    ) -> Propagator<'a> {
        let worklist_capacity = ranks.least(memory.worklist_capacity(index));
        Propagator {
            moves,
            index,
            observer,
            exchange: Exchange { ranks },
            worklist_capacity,
            few_changes: worklist_capacity.min(index.len() / BOARDS_PER_CHANGE),
            batch: CHANGES_PER_BATCH,
            pool_bytes: memory.left(),
        }
    }

    /// Propagates entries until each is what its moves make it. A lone array is
    /// computed from itself, two arrays from one another. `best` holds the best
    /// conversions for each array.
    ///
    /// Sweeps until few entries change, and once more to record which; then the worklist
    /// follows the changes. Beyond memory `in_pool` does the same.
    ///
    /// # Errors
    /// If several ranks would work beyond memory.
    pub fn converge<E: Entry, const N: usize>(
        &self,
        arrays: &mut [LayerArray<E>; N],
        best: [&LayerArray<Value>; N],
        terminals: &Terminals<E>,
        saver: &mut Option<Saver<'_>>,
    ) -> Result<(), SolveError> {
        let are_in_memory = arrays.iter().all(LayerArray::is_in_memory)
            && best.iter().all(|best| best.is_in_memory());
        if self.exchange.ranks.least(are_in_memory.into()) == 0 {
            return match self.exchange.is_shared() {
                true => Err(SolveError::RanksBeyondMemory {
                    seeds: self.index.seeds(),
                }),
                false => self.converge_in_pool(arrays, best, terminals, saver),
            };
        }
        let mut few = self.few_changes;
        let mut state = SweepState::new(self.index);
        let mut rounds = 0;
        loop {
            Saver::save_if_due(saver, arrays, || Ok(()))?;
            let (count, recorded) = self.sweep(arrays, &best, terminals, &mut state)?;
            rounds += 1;
            self.observer.swept(rounds, count);
            if count == 0 {
                return Ok(());
            }
            let recorder = state.recorder.take();
            if recorder.is_none_or(|recorder| recorder.has_overflowed()) {
                state.recorder = (count < few).then(|| Recorder::new(self.worklist_capacity));
                continue;
            }
            // The worklist needs the memory.
            drop(state);
            let changes = recorded.map(|list| vec![list]);
            let is_finished = self.run_worklist(arrays, changes, best, &mut rounds, saver)?;
            if is_finished {
                return Ok(());
            }
            few /= 2;
            state = SweepState::new(self.index);
        }
    }

    /// Computes all sections in order, in each of the arrays. Returns how many entries have
    /// changed, and a list of these where a recorder is set.
    fn sweep<E: Entry, const N: usize>(
        &self,
        arrays: &mut [LayerArray<E>; N],
        best: &[&LayerArray<Value>; N],
        terminals: &Terminals<E>,
        state: &mut SweepState<E, N>,
    ) -> Result<Swept<E, N>, Stopped> {
        let mut count = 0;
        let mut recorded: [Vec<Change<E>>; N] = std::array::from_fn(|_| Vec::new());
        for section in 0..=self.index.seeds() {
            state.now += 1;
            for array in 0..N {
                let changes = self.relax(arrays, array, section, best[array], terminals, state)?;
                count += changes.count;
                recorded[array].extend(changes.recorded);
            }
        }
        Ok((count, recorded))
    }

    /// Computes a section of an array from the entries that its moves read, and exchanges the
    /// changes with other ranks.
    fn relax<E: Entry, const N: usize>(
        &self,
        arrays: &mut [LayerArray<E>; N],
        array: usize,
        section: u8,
        best: &LayerArray<Value>,
        terminals: &Terminals<E>,
        state: &mut SweepState<E, N>,
    ) -> Result<SectionChanges<E>, Stopped> {
        let (now, ticks) = (state.now, &mut state.ticks);
        let rows = self.moves.row_moves(self.index.seeds() - section);
        let due = ticks[array].due(section, rows, &ticks[read_by::<N>(array)]);
        ticks[array].computed[usize::from(section)] = now;
        let boards = self.index.section_entries(section);
        if due.is_empty() {
            self.observer.advance(boards as u64)?;
            return Ok(SectionChanges::none());
        }
        let (entries, children) = split(arrays, array, section, &mut state.before);
        let columns = self.moves.columns(section);
        let (panels, lines) = self.exchange.share_of_section(&due, columns.len());
        let own = lines.start * rows.len()..lines.end * rows.len();
        let line_ticks = &ticks[array].lines[usize::from(section)];
        let recorder = state.recorder.as_ref();
        let sweep = SectionSweep {
            moves: self.moves,
            observer: self.observer,
            section,
            rows,
            panels,
            columns: &columns[lines.clone()],
            first_line: lines.start,
            children: &children,
            best: &SectionLines::whole(best.section(section), rows.len()),
            terminals: &terminals[usize::from(section)],
            now,
            line_ticks,
            recorder,
            is_shared: self.exchange.is_shared(),
        };
        let fragments = ChunkFragments::new(lines.len());
        let own = entries[own].chunks_mut(rows.len()).collect();
        let changes = sweep_section(&sweep, &fragments, own)?;
        self.observer.advance((boards - sweep.boards()) as u64)?;
        let swept = SweptSection {
            section,
            entries,
            width: rows.len(),
            line_ticks,
            now,
            recorder,
        };
        Ok(self.exchange.section_done(swept, changes))
    }

    /// Runs the worklist until it is empty; `false` if it was dropped because it
    /// outgrew its capacity, and sweeps must go on.
    fn run_worklist<E: Entry, const N: usize>(
        &self,
        arrays: &mut [LayerArray<E>; N],
        mut changes: Changes<E, N>,
        best: [&LayerArray<Value>; N],
        rounds: &mut u32,
        saver: &mut Option<Saver<'_>>,
    ) -> Result<bool, SolveError> {
        let worklist = Worklist::new(self.moves, self.index);
        while changes.iter().flatten().any(|list| !list.is_empty()) {
            Saver::save_if_due(saver, arrays, || Ok(()))?;
            let recorder = Recorder::new(self.worklist_capacity);
            let mut next: Changes<E, N> = std::array::from_fn(|_| Vec::new());
            for (array, next) in next.iter_mut().enumerate() {
                let child = read_by::<N>(array);
                for batch in batches(&changes[child], self.batch) {
                    let own = self.exchange.share_of_batch(batch);
                    let (children, parents) = (&arrays[child], &arrays[array]);
                    let effects = worklist.effects(&own, children, parents, best[array]);
                    let effects = self.exchange.effects_of_all(effects, parents);
                    let mut changed = effects.apply(&mut arrays[array]);
                    recorder.add(changed.iter().map(Vec::len).sum());
                    match recorder.has_overflowed() {
                        // The round is finished, so that the state is a sound one.
                        true => *next = Vec::new(),
                        false => next.append(&mut changed),
                    }
                }
            }
            *rounds += 1;
            self.observer.worklist_round(*rounds, recorder.count());
            if recorder.has_overflowed() {
                return Ok(false);
            }
            changes = next;
        }
        Ok(true)
    }

    /// Computes some sections once, from entries of other sections that are final, of each of the
    /// arrays in turn.
    pub fn compute_once<E: Entry, const N: usize>(
        &self,
        arrays: &mut [LayerArray<E>; N],
        best: [&LayerArray<Value>; N],
        terminals: &Terminals<E>,
        sections: RangeInclusive<u8>,
    ) -> Result<(), SolveError> {
        let visits = (0..N).flat_map(|array| sections.clone().map(move |section| (array, section)));
        let mut pass = self.pass(arrays, best, visits, false, 0)?;
        pass.run(arrays, best, terminals, &mut SweepState::new(self.index))?;
        pass.finish()
    }

    /// Computes the boards of some panels of a section against the opponent's rows in `columns`,
    /// which need not be indexed, line by line, from the entries of their children, which must be
    /// final.
    pub fn compute_lines<E: Entry>(
        &self,
        section: u8,
        panels: &[usize],
        columns: &[u32],
        children: &Sections<'_, E>,
        best: &[Value],
        entries: &mut [E],
    ) -> Result<(), Stopped> {
        let rows = self.moves.row_moves(self.index.seeds() - section);
        let sweep = SectionSweep {
            moves: self.moves,
            observer: self.observer,
            section,
            rows,
            panels,
            columns,
            first_line: 0,
            children,
            best: &SectionLines::whole(best, rows.len()),
            terminals: &[],
            now: 1,
            line_ticks: &LineTicks::new(columns.len(), 0),
            recorder: None,
            is_shared: false,
        };
        let fragments = ChunkFragments::new(columns.len());
        let lines = entries.chunks_mut(rows.len()).collect();
        sweep_section(&sweep, &fragments, lines).map(|_| ())
    }
}

/// A section of one of the arrays, to be computed in place, and what its moves read: `before`
/// gets a copy of the section if its boards read one another.
fn split<'a, E: Entry, const N: usize>(
    arrays: &'a mut [LayerArray<E>; N],
    array: usize,
    section: u8,
    before: &'a mut Vec<E>,
) -> (&'a mut [E], Sections<'a, E>) {
    let child = read_by::<N>(array);
    if child != array {
        let both = arrays.get_disjoint_mut([array, child]);
        let [array, children] = both.expect("two arrays");
        return (array.section_mut(section), Sections::of(children));
    }
    let array = &mut arrays[array];
    // After a quiet move the child's opponent has at most the mover's seeds.
    if section <= array.index().seeds() - section {
        copy(array.section(section), before);
    }
    Sections::but_one(array, section, before)
}

/// Copies entries on all threads.
fn copy<E: Entry>(from: &[E], to: &mut Vec<E>) {
    /// Entries that a thread copies at a time, at the least.
    const BATCH: usize = 1 << 16;
    let entries = from.par_iter().with_min_len(BATCH);
    entries.copied().collect_into_vec(to);
}

#[cfg(test)]
mod tests;
