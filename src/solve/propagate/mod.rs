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
//! A board with `a` seeds on the mover's side is in section `n − a`; its children are
//! in sections up to `a`. While a section is computed it is taken out of the array or,
//! where its boards read one another, computed beside the old one. A panel is skipped
//! if no line that it reads has changed since it was last computed.
//!
//! Several ranks run all of this together, each for its part of the layer: after each
//! section they tell one another which lines have changed, and `remote_worklist` sends
//! changes to the rank that has the parents.
//!
//! The worklist has a capacity, from the memory budget. If it would grow beyond that,
//! it is dropped, and sweeps go on: any state between two sweeps or rounds is one from
//! which sweeps lead to the same result (`docs/solver.md` has the argument).

mod changes;
mod copies;
mod effects;
mod fragments;
mod kernel;
mod messages;
mod portion;
mod reads;
mod received;
mod remote_worklist;
mod sections;
mod sweep;
mod updates;
mod worklist;

use std::ops::RangeInclusive;

use self::changes::{Change, LineTicks, Recorder, SweptArray, Tick, batches, keep_share};
use self::copies::Copies;
use self::portion::Portion;
use self::remote_worklist::RemoteWorklist;
use self::sections::{Buffers, sweep_copy, sweep_order, sweep_section};
use self::sweep::{Lines, SectionSweep, SweepTarget};
use self::worklist::Worklist;
use super::conversions::Terminals;
use super::error::SolveError;
use super::moves::CompiledMoves;
use super::observer::Observer;
use super::panels::{GatherBuffers, SectionReader};
use super::ranks::{Alone, Part, Ranks};
use super::storage::{
    CHANGES_PER_BATCH, Entry, LARGE_SHARE, LayerArray, SHARE_IN_FILES, SpillError, Value,
};

/// The layer whose entries are propagated.
pub(super) struct Propagator<'a> {
    pub moves: &'a CompiledMoves,
    /// The ranks that propagate it together, and the part that this one computes.
    pub ranks: &'a dyn Ranks,
    pub part: &'a Part,
    pub observer: &'a dyn Observer,
    /// The most boards that the worklist may hold.
    pub worklist_capacity: u64,
}

/// Called with the arrays before each sweep and each round, when they are a state from
/// which the work can resume.
pub(super) type Save<'a, E> = dyn FnMut(&[&LayerArray<E>]) -> Result<(), SolveError> + 'a;

/// Which array an array is computed from: a lone one from itself, two from one
/// another.
fn read_by<const N: usize>(array: usize) -> usize {
    N - 1 - array
}

/// The arrays that are propagated.
type Arrays<E, const N: usize> = [LayerArray<E>; N];

/// The boards that have changed in each of them, in lists of one or more.
type Changes<E, const N: usize> = [Vec<Vec<Change<E>>>; N];

/// How far propagation has come.
struct Progress {
    /// Sweeps and rounds so far.
    rounds: u32,
    /// How many changes in a sweep are few enough for the worklist, unless arrays are in files.
    few: u64,
}

impl Propagator<'_> {
    /// Propagates entries until each is what its moves make it. A lone array is
    /// computed from itself, two arrays from one another. `best` holds the best
    /// conversions for each array, of at least as many boards.
    pub fn converge<E: Entry, const N: usize>(
        &self,
        mut arrays: [LayerArray<E>; N],
        best: [&LayerArray<Value>; N],
        terminals: &Terminals<E>,
        save: &mut Save<'_, E>,
    ) -> Result<[LayerArray<E>; N], SolveError> {
        let mut progress = Progress {
            rounds: 0,
            few: self.few(),
        };
        loop {
            let changes;
            (arrays, changes) =
                self.sweep_until_few_change(arrays, best, terminals, &mut progress, save)?;
            if self.run_worklist(&mut arrays, changes, best, &mut progress, save)? {
                return Ok(arrays);
            }
            progress.few /= 2;
        }
    }

    /// How many changes in a sweep are few enough for the worklist, if all is in memory.
    fn few(&self) -> u64 {
        let capacity = self.ranks.least(self.worklist_capacity);
        let capacity = capacity.saturating_mul(self.ranks.count() as u64);
        (self.part.index().len() / LARGE_SHARE).min(capacity)
    }

    /// The same if something is in files, where the entries that the worklist reads cost a
    /// seek each. Which entries are in files can change with each sweep.
    fn few_in_files<E: Entry, const N: usize>(
        &self,
        arrays: [&LayerArray<E>; N],
        best: [&LayerArray<Value>; N],
    ) -> u64 {
        let is_in_memory = arrays.iter().all(|array| array.is_without_file())
            && best.iter().all(|best| best.is_without_file());
        self.ranks.least(match is_in_memory {
            true => u64::MAX,
            false => self.part.index().len() / SHARE_IN_FILES,
        })
    }

    /// Sweeps until few entries change, and once more to record which. If they are
    /// more than the worklist can hold after all, sweeping goes on.
    fn sweep_until_few_change<E: Entry, const N: usize>(
        &self,
        arrays: [LayerArray<E>; N],
        best: [&LayerArray<Value>; N],
        terminals: &Terminals<E>,
        progress: &mut Progress,
        save: &mut Save<'_, E>,
    ) -> Result<(Arrays<E, N>, Changes<E, N>), SolveError> {
        let mut swept = arrays.map(SweptArray::new);
        let mut buffers = Buffers::new();
        let mut now = 1;
        let mut recorder: Option<Recorder> = None;
        let is_copied = !self.ranks.is_alone() && swept[0].array.part().is_whole();
        let mut copies = Copies::new(self.ranks);
        loop {
            save(&swept.each_ref().map(|swept| &swept.array))?;
            let mut count = 0;
            let mut recorded: [Vec<Change<E>>; N] = std::array::from_fn(|_| Vec::new());
            for section in sweep_order(self.part.index().seeds()) {
                now += 1;
                for (array, recorded) in recorded.iter_mut().enumerate() {
                    let portion = self.portion(section, is_copied);
                    let sweep = SectionSweep {
                        moves: self.moves,
                        index: self.part.index(),
                        ranks: self.ranks,
                        observer: self.observer,
                        section,
                        columns: &self.moves.columns(section)[portion.lines.clone()],
                        portion,
                        now,
                        recorder: recorder.as_ref(),
                        terminals: &terminals[usize::from(section)],
                    };
                    let best = best[array];
                    let (changes, of_section) = match is_copied {
                        true => {
                            sweep_copy(&sweep, &mut swept, array, best, &mut buffers, &mut copies)?
                        }
                        false => sweep_section(&sweep, &mut swept, array, best, &mut buffers)?,
                    };
                    count += changes;
                    recorded.extend(of_section);
                }
            }
            copies.finish(&mut swept, now)?;
            progress.rounds += 1;
            count = self.ranks.sum(count);
            self.observer.swept(progress.rounds, count);
            let has_overflowed = recorder.as_ref().is_some_and(Recorder::has_overflowed);
            let has_overflowed = self.ranks.any(has_overflowed);
            if count == 0 || recorder.is_some() && !has_overflowed {
                let lists = recorded.map(|list| match list.is_empty() {
                    true => Vec::new(),
                    false => vec![list],
                });
                return Ok((swept.map(SweptArray::into_array), lists));
            }
            let few = self.few_in_files(swept.each_ref().map(|swept| &swept.array), best);
            recorder =
                (count < few.min(progress.few)).then(|| Recorder::new(self.worklist_capacity));
        }
    }

    /// What this rank computes of a section.
    fn portion(&self, section: u8, is_copied: bool) -> Portion {
        let index = self.part.index();
        if is_copied {
            return Portion::of_copy(index, section, self.ranks.rank(), self.ranks.count());
        }
        Portion::of_lines(self.part.lines(section), index.section_width(section))
    }

    /// Runs the worklist until it is empty; `false` if it was dropped because it
    /// outgrew its capacity, and sweeps must go on.
    fn run_worklist<E: Entry, const N: usize>(
        &self,
        arrays: &mut [LayerArray<E>; N],
        mut changes: Changes<E, N>,
        best: [&LayerArray<Value>; N],
        progress: &mut Progress,
        save: &mut Save<'_, E>,
    ) -> Result<bool, SolveError> {
        let is_empty = |changes: &Changes<E, N>| {
            let is_empty = changes.iter().all(Vec::is_empty);
            !self.ranks.any(!is_empty)
        };
        if is_empty(&changes) {
            return Ok(true);
        }
        let has_all = arrays.iter().all(|array| array.part().is_whole());
        let is_copied = has_all && !self.ranks.is_alone();
        // The effects of all ranks' batches are in memory at once.
        let batch_size = match is_copied {
            true => CHANGES_PER_BATCH.div_ceil(self.ranks.count()),
            false => CHANGES_PER_BATCH,
        };
        let worklist = Worklist::new(self.moves, self.part.index());
        while !is_empty(&changes) {
            save(&arrays.each_ref())?;
            let recorder = Recorder::new(self.worklist_capacity);
            let mut next: Changes<E, N> = std::array::from_fn(|_| Vec::new());
            for (array, next) in next.iter_mut().enumerate() {
                let child = read_by::<N>(array);
                let mut batches = batches(&changes[child], batch_size);
                let most = self.ranks.most(batches.len() as u64) as usize;
                batches.resize(most, Vec::new());
                for batch in batches {
                    let (children, parents) = (&arrays[child], &arrays[array]);
                    let effects = match has_all {
                        true => worklist
                            .effects(&batch, children, parents, best[array])?
                            .of_all(self.ranks, parents),
                        false => RemoteWorklist {
                            worklist: &worklist,
                            moves: self.moves,
                            ranks: self.ranks,
                            part: self.part,
                            children,
                            parents,
                            best: best[array],
                        }
                        .effects(&batch)?,
                    };
                    let mut changed = effects.apply(&mut arrays[array])?;
                    if is_copied {
                        keep_share(&mut changed, self.ranks.rank(), self.ranks.count());
                    }
                    recorder.add(changed.iter().map(Vec::len).sum());
                    match recorder.has_overflowed() {
                        // The round is finished, so that the state is a sound one.
                        true => *next = Vec::new(),
                        false => next.append(&mut changed),
                    }
                }
            }
            progress.rounds += 1;
            self.observer
                .worklist_round(progress.rounds, self.ranks.sum(recorder.count()));
            if self.ranks.any(recorder.has_overflowed()) {
                return Ok(false);
            }
            changes = next;
        }
        Ok(true)
    }

    /// Computes some sections once, from entries of other sections that are final.
    /// Children are read from `children`, or from the array itself.
    pub fn compute_once<E: Entry>(
        &self,
        array: LayerArray<E>,
        children: Option<&LayerArray<E>>,
        best: &LayerArray<Value>,
        terminals: &Terminals<E>,
        sections: RangeInclusive<u8>,
    ) -> Result<LayerArray<E>, SpillError> {
        let mut swept = SweptArray::new(array);
        let mut buffers = Buffers::new();
        let now: Tick = 1;
        for section in sections {
            let columns = self.moves.columns(section);
            let width = self.part.index().section_width(section);
            let sweep = SectionSweep {
                moves: self.moves,
                index: self.part.index(),
                ranks: &Alone,
                observer: self.observer,
                section,
                portion: Portion::of_lines(0..columns.len(), width),
                columns,
                now,
                recorder: None,
                terminals: &terminals[usize::from(section)],
            };
            let panels = SectionReader::<E>::all_panels(sweep.rows().len());
            let buffer = std::mem::take(&mut buffers.entries);
            let mut entries = swept.take_section(section, buffer)?;
            let best = Lines {
                entries: best.section(section, &mut buffers.best)?,
                rows: 0..width,
            };
            let children = children.unwrap_or(&swept.array);
            let mut target = SweepTarget {
                entries: Lines {
                    entries: &mut entries[..],
                    rows: 0..width,
                },
                line_ticks: swept.line_ticks(section),
                updates: None,
            };
            sweep.compute(
                &panels,
                children,
                None,
                &mut target,
                &best,
                &mut buffers.gathered,
            )?;
            buffers.entries = swept.put_section(section, entries, now, true)?;
        }
        Ok(swept.into_array())
    }
}

/// The values of the boards of a section against the opponent's rows in `columns`,
/// which need not be indexed: line by line, from the values of their children, which
/// must be final. `best` holds their best conversions.
pub(super) fn compute_columns(
    propagator: &Propagator<'_>,
    section: u8,
    columns: &[u32],
    children: &LayerArray<Value>,
    best: &[Value],
) -> Result<Vec<Value>, SpillError> {
    let index = propagator.part.index();
    let width = index.section_width(section);
    let sweep = SectionSweep {
        moves: propagator.moves,
        index,
        ranks: &Alone,
        observer: propagator.observer,
        section,
        portion: Portion::of_lines(0..columns.len(), width),
        columns,
        now: 1,
        recorder: None,
        terminals: &[],
    };
    let panels = SectionReader::<Value>::all_panels(sweep.rows().len());
    let mut entries = vec![Value::NONE; best.len()];
    let mut target = SweepTarget {
        entries: Lines {
            entries: &mut entries[..],
            rows: 0..width,
        },
        line_ticks: &LineTicks::new(columns.len(), 0),
        updates: None,
    };
    let buffers = &mut GatherBuffers::default();
    let best = Lines {
        entries: best,
        rows: 0..width,
    };
    sweep.compute(&panels, children, None, &mut target, &best, buffers)?;
    Ok(entries)
}

#[cfg(test)]
mod tests;
