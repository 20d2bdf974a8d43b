//! A walk over the boards of a layer, step by step, with the numbers that they are compared with.
//!
//! ```text
//! in memory       one step: all boards
//! beyond memory   for each section, steps of some mover's rows
//!     the pool gets the pieces that the step needs         needs, Pool::begin
//!     the boards of the step are visited                   Here
//! ```

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU8};
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use super::given::Given;
use super::needs::{Needs, Reads};
use super::pass::{LineRange, Meetings, Pass};
use super::scan::{Here, Scan, rows_in};
use crate::solve::array::LayerArray;
use crate::solve::error::SolveError;
use crate::solve::observer::Stopped;
use crate::solve::panel::steps;
use crate::solve::sections::{SectionLines, Sections};
use crate::solve::spill::{Buffer, Pieces, Pool, PoolFiles, Schedule, atomic_bytes};

/// Boards that are visited at once.
struct WalkStep {
    /// The chunks, all of one section beyond memory.
    chunks: Range<usize>,
    /// The mover's rows, as far as a section has so many.
    rows: Range<usize>,
    /// When it was visited.
    visited: u64,
}

impl WalkStep {
    fn new(chunks: &Range<usize>, rows: Range<usize>) -> WalkStep {
        WalkStep {
            chunks: chunks.clone(),
            rows,
            visited: 0,
        }
    }
}

/// A walk over some sections, in any order and perhaps again and again. In memory they follow one
/// another in the index, and their order does not matter.
pub(super) struct Walk<'a> {
    pass: &'a Pass<'a>,
    needs: Needs<'a>,
    chunks: Vec<LineRange>,
    steps: Vec<WalkStep>,
    pool: Pool,
    /// What the lines of each chunk meet, if several steps have the same chunks.
    meetings: Vec<OnceLock<Arc<Meetings>>>,
    /// Steps so far, and how many there were when each piece of the layer changed.
    now: u64,
    changed: Vec<u64>,
}

impl<'a> Walk<'a> {
    /// A walk over some sections, which is repeated or not.
    ///
    /// # Errors
    /// If the threads of a pool cannot be started.
    pub fn new(
        pass: &'a Pass<'a>,
        arrays: &[&mut Given],
        reads: Reads<'a>,
        sections: impl Iterator<Item = u8>,
        repeats: bool,
    ) -> Result<Walk<'a>, SolveError> {
        let mut files = PoolFiles::default();
        let needs = Needs::new(pass, arrays, reads, &mut files);
        let (mut chunks, mut chunks_of) = (Vec::new(), Vec::new());
        for section in 0..=pass.index.seeds() {
            let start = chunks.len();
            chunks.extend(LineRange::of_section(
                pass.index,
                section,
                needs.pieces.as_ref(),
            ));
            chunks_of.push(start..chunks.len());
        }
        let (mut all_steps, mut of_steps) = (Vec::new(), Vec::new());
        match &needs.pieces {
            None => {
                let all = sections.map(|section| chunks_of[usize::from(section)].clone());
                let all = all.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end));
                all_steps.extend(all.map(|all| WalkStep::new(&all, 0..usize::MAX)));
                of_steps.resize(all_steps.len(), Vec::new());
            }
            Some(pieces) => {
                for section in sections {
                    let rows = match reads.children.is_empty() && reads.lower.is_empty() {
                        true => std::iter::once(0..pass.index.section_width(section)).collect(),
                        false => steps(pass.index, section),
                    };
                    of_steps.extend(needs.of_steps(&files, pieces, section, &rows));
                    let chunks = &chunks_of[usize::from(section)];
                    all_steps.extend(rows.into_iter().map(|rows| WalkStep::new(chunks, rows)));
                }
            }
        }
        Ok(Walk {
            pool: Pool::new(files, pass.pool_bytes, Schedule::new(of_steps, repeats))?,
            meetings: chunks.iter().map(|_| OnceLock::new()).collect(),
            now: 0,
            changed: vec![0; needs.pieces.as_ref().map_or(0, Pieces::count)],
            pass,
            needs,
            chunks,
            steps: all_steps,
        })
    }

    /// The chunks of the layer.
    pub fn chunks(&self) -> &[LineRange] {
        &self.chunks
    }

    /// How many steps there are.
    pub fn steps(&self) -> usize {
        self.steps.len()
    }

    /// The chunks of a step.
    pub fn chunks_of(&self, step: usize) -> Range<usize> {
        self.steps[step].chunks.clone()
    }

    /// The mover's rows of a step in one of its chunks.
    pub fn rows_of(&self, step: usize, chunk: usize) -> Range<usize> {
        rows_in(&self.steps[step].rows, self.pass, self.chunks[chunk])
    }

    /// The pieces that some boards of a step need: those of some mover's rows, in some of the
    /// chunks. `None` if no child of them has changed since the step was visited last.
    pub fn needed_now(
        &self,
        step: usize,
        rows: impl Iterator<Item = usize>,
        chunks: impl Iterator<Item = usize>,
    ) -> Option<Vec<u32>> {
        let Some(pieces) = &self.needs.pieces else {
            return Some(Vec::new());
        };
        let WalkStep {
            chunks: all,
            visited,
            ..
        } = &self.steps[step];
        let mut is_read = vec![false; pieces.count()];
        let section = self.chunks[all.start].section;
        self.needs
            .mark_children(pieces, section, rows, &mut is_read);
        let mut changed = is_read.iter().zip(&self.changed);
        // Boards without children are due once.
        let is_due =
            *visited == 0 || changed.any(|(is_read, changed)| *is_read && changed >= visited);
        let own = chunks.map(|chunk| self.chunks[chunk].piece(pieces));
        let own: Vec<usize> = own.collect();
        is_due.then(|| self.needs.numbers(&self.pool.files, &own, &is_read))
    }

    /// Leaves this many bytes of the pool's memory to something else.
    pub fn reserve(&mut self, bytes: u64) {
        let left = self.pass.pool_bytes.saturating_sub(bytes);
        self.pool.set_capacity(left);
    }

    /// Visits the boards of a step, or some for which `some` pieces are enough.
    ///
    /// # Errors
    /// If a piece cannot be read or written, and those of `visit`.
    pub fn step<R>(
        &mut self,
        step: usize,
        some: Option<Vec<u32>>,
        arrays: &mut [&mut Given],
        visit: impl FnOnce(&Here<'_>) -> Result<R, Stopped>,
    ) -> Result<R, SolveError> {
        // If most are needed, the pieces of the next steps are better read ahead.
        let some = some.filter(|some| some.len() * 4 < self.pool.needed_by(step).len() * 3);
        match &some {
            None => self.pool.begin(step)?,
            Some(some) => self.pool.begin_some(step, some)?,
        }
        let mut taken = self.take(step, some, arrays.len());
        self.now += 1;
        self.steps[step].visited = self.now;
        let WalkStep { chunks, rows, .. } = &self.steps[step];
        let has_these =
            |other: Option<&WalkStep>| other.is_some_and(|other| other.chunks == *chunks);
        let is_first = step == 0 || !has_these(self.steps.get(step - 1));
        let is_last = !has_these(self.steps.get(step + 1));
        let sections = arrays.iter_mut().zip(&mut taken);
        let here = Here {
            pass: self.pass,
            chunks: &self.chunks,
            first: chunks.start,
            rows: rows.clone(),
            arrays: sections
                .map(|(given, taken)| sections_of(given.entries_mut(), taken))
                .collect(),
            lower: self.needs.lower_in(&self.pool),
            lower_arrays: self.needs.reads.lower,
            meetings: (!(is_first && is_last)).then_some(&self.meetings),
            has_changed: chunks.clone().map(|_| AtomicBool::new(false)).collect(),
        };
        let result = visit(&here)?;
        let has_changed = here.has_changed;
        if is_last {
            self.meetings[chunks.clone()]
                .iter_mut()
                .for_each(|kept| *kept = OnceLock::new());
        }
        let chunks = chunks.clone().zip(has_changed);
        let changed = chunks.filter_map(|(chunk, has)| has.into_inner().then_some(chunk));
        self.put_back(taken, &changed.collect::<Vec<_>>());
        Ok(result)
    }

    /// Takes the pieces of a step from the pool, by array.
    fn take(&mut self, step: usize, some: Option<Vec<u32>>, arrays: usize) -> Vec<Vec<Taken>> {
        let numbers = some.unwrap_or_else(|| self.pool.needed_by(step).to_vec());
        let mut taken = Vec::new();
        for array in 0..arrays {
            let of_array = self.needs.of_array(&self.pool.files, array, &numbers);
            let of_array = of_array.into_iter().map(|(piece, number)| Taken {
                piece,
                number,
                buffer: self.pool.take(number),
            });
            taken.push(of_array.collect());
        }
        taken
    }

    /// Puts pieces back. Some of their chunks have changed.
    fn put_back(&mut self, taken: Vec<Vec<Taken>>, changed: &[usize]) {
        if let Some(pieces) = &self.needs.pieces {
            for &chunk in changed {
                self.changed[self.chunks[chunk].piece(pieces)] = self.now;
            }
        }
        for (array, taken) in taken.into_iter().enumerate() {
            let is_written = self.needs.reads.written.contains(&array);
            for taken in taken {
                let has_changed = is_written && self.changed[taken.piece] == self.now;
                self.pool.put(taken.number, taken.buffer, has_changed);
            }
        }
    }

    /// Writes what has changed.
    ///
    /// # Errors
    /// If a piece cannot be written.
    pub fn finish(mut self) -> Result<(), SolveError> {
        let moved = self.pool.write_all()?;
        self.pass.observer.spilled(moved);
        Ok(())
    }
}

impl Pass<'_> {
    /// Whether `check` passes every chunk of some sections, perhaps in parts.
    pub fn all(
        &self,
        arrays: &mut [&mut Given],
        reads: Reads<'_>,
        sections: impl Iterator<Item = u8>,
        check: impl Fn(&Scan<'_>) -> bool + Sync,
    ) -> Result<bool, SolveError> {
        let mut walk = Walk::new(self, arrays, reads, sections, false)?;
        let mut is_right = true;
        for step in 0..walk.steps() {
            let chunks = walk.chunks_of(step);
            is_right &= walk.step(step, None, arrays, |here| {
                let checked = chunks.into_par_iter().map(|chunk| {
                    let scan = here.scan(chunk);
                    let is_right = check(&scan);
                    here.changes(chunk);
                    self.observer
                        .advance((scan.chunk.lines * scan.rows.len()) as u64)?;
                    Ok(is_right)
                });
                checked.try_reduce(|| true, |one, other| Ok(one && other))
            })?;
        }
        walk.finish()?;
        Ok(is_right)
    }
}

/// A piece of an array, taken from the pool for a step.
struct Taken {
    piece: usize,
    number: usize,
    buffer: Buffer,
}

/// The entries of an array that are in memory: all, or those of pieces.
fn sections_of<'h>(
    array: &'h mut LayerArray<u8>,
    taken: &'h mut [Taken],
) -> Sections<'h, AtomicU8> {
    let index = array.index().clone();
    let sections = 0..=index.seeds();
    if array.is_in_memory() {
        let all = atomic_bytes(array.as_mut_slice());
        let section = |section| {
            let start = index.section_start(section) as usize;
            let entries = &all[start..][..index.section_entries(section)];
            SectionLines::whole(entries, index.section_width(section))
        };
        return Sections::new(sections.map(section).collect());
    }
    let (_, pieces) = array.spill_file().expect("an array beyond memory");
    let mut entries: Vec<&[AtomicU8]> = vec![&[]; pieces.count()];
    for Taken { piece, buffer, .. } in taken {
        entries[*piece] = atomic_bytes(buffer.entries_mut(pieces.len(*piece)));
    }
    let section = |section| {
        let of_section = pieces.of_section(section).map(|piece| entries[piece]);
        let width = index.section_width(section);
        SectionLines::of_pieces(of_section, pieces.lines(section), width)
    };
    Sections::new(sections.map(section).collect())
}
