//! A pass over arrays beyond memory: sections in steps, whose pieces a pool holds.
//!
//! ```text
//! for each visit of a section                     `PooledPass::run`
//!     for each step, some panels of it            `PooledPass::compute`
//!         the pool gets what the step reads       `Pool::begin`
//!         compute the boards of the step          `sweep_section`
//! ```
//!
//! A step reads all lines of its own section and the pieces with the lines of its children.

use std::ops::Range;

use super::changes::{Change, LineTicks, Recorder, SectionChanges, Tick};
use super::sweep::{ChunkFragments, SectionSweep, sweep_section};
use super::{Propagator, SweepState, Swept, read_by, split};
use crate::solve::array::LayerArray;
use crate::solve::conversions::{Terminal, Terminals};
use crate::solve::entry::{Entry, Value};
use crate::solve::error::SolveError;
use crate::solve::moves::RowMoves;
use crate::solve::panel::{rows_in, steps};
use crate::solve::sections::{SectionLines, Sections};
use crate::solve::spill::{Pieces, Pool, PoolFiles, Schedule};

/// A section that is computed, step by step.
pub(super) struct Visit {
    pub array: usize,
    pub section: u8,
    /// The number of the first step.
    pub first: usize,
    /// The mover's rows of each step.
    pub steps: Vec<Range<usize>>,
}

/// Visits of sections, in order, with a pool for the arrays that are beyond memory.
pub(super) struct PooledPass<'p, 'a, const N: usize> {
    pub propagator: &'p Propagator<'a>,
    pub visits: Vec<Visit>,
    /// The positions among the pool's files of the arrays and of their best conversions.
    pub entries: [Option<usize>; N],
    pub best: [Option<usize>; N],
    pub pool: Pool,
}

impl<'a> Propagator<'a> {
    /// A pass that visits sections of arrays, perhaps again and again. So many bytes of the memory
    /// for the pool are reserved for something else.
    pub(super) fn pass<E: Entry, const N: usize>(
        &self,
        arrays: &[LayerArray<E>; N],
        best: [&LayerArray<Value>; N],
        visits: impl Iterator<Item = (usize, u8)>,
        repeats: bool,
        reserved: u64,
    ) -> Result<PooledPass<'_, 'a, N>, SolveError> {
        // The memory for a copy of a section is free if only pieces are copied.
        let copy = match arrays.iter().any(LayerArray::is_in_memory) {
            true => 0,
            false => (self.index.largest_section() * E::BYTES) as u64,
        };
        let capacity = self.pool_bytes.saturating_add(copy);
        let capacity = capacity.saturating_sub(reserved);
        let mut files = PoolFiles::default();
        let entries = arrays
            .each_ref()
            .map(|array| array.spill_file().map(|(file, _)| files.add(file)));
        let of_best = best.map(|best| best.spill_file().map(|(file, _)| files.add(file)));
        let (mut all, mut needs) = (Vec::new(), Vec::new());
        for (array, section) in visits {
            let width = self.index.section_width(section);
            let steps = match entries[array] {
                Some(_) => steps(self.index, section),
                None => std::iter::once(0..width).collect(),
            };
            let visit = Visit {
                array,
                section,
                first: needs.len(),
                steps,
            };
            for rows in &visit.steps {
                let mut needed = Vec::new();
                let mut need = |file: Option<usize>, pieces: &mut dyn Iterator<Item = usize>| {
                    if let Some(file) = file {
                        needed.extend(pieces.map(|piece| files.number(file, piece) as u32));
                    }
                };
                if let Some((_, pieces)) = arrays[array].spill_file() {
                    need(entries[array], &mut pieces.of_section(section));
                }
                let child = read_by::<N>(array);
                if let Some((_, pieces)) = arrays[child].spill_file() {
                    let read = self.pieces_read(pieces, section, rows.clone());
                    need(entries[child], &mut read.into_iter());
                }
                if let Some((_, pieces)) = best[array].spill_file() {
                    need(of_best[array], &mut pieces.of_section(section));
                }
                needed.sort_unstable();
                needed.dedup();
                needs.push(needed);
            }
            all.push(visit);
        }
        Ok(PooledPass {
            propagator: self,
            visits: all,
            entries,
            best: of_best,
            pool: Pool::new(files, capacity, Schedule::new(needs, repeats))?,
        })
    }

    /// The pieces with the lines that the quiet moves of some mover's rows of a section read.
    pub(in crate::solve) fn pieces_read(
        &self,
        pieces: &Pieces,
        section: u8,
        rows: Range<usize>,
    ) -> Vec<usize> {
        let rows = &self.moves.row_moves(self.index.seeds() - section)[rows];
        let mut is_read = vec![false; pieces.count()];
        for m in rows.iter().flat_map(RowMoves::iter) {
            is_read[pieces.of_line(m.seeds, m.line)] = true;
        }
        let read = (0..).zip(is_read).filter(|(_, is_read)| *is_read);
        read.map(|(piece, _)| piece).collect()
    }
}

impl<const N: usize> PooledPass<'_, '_, N> {
    /// Visits all sections once. Returns how many entries have changed, and a list of them for
    /// each array if the state has a recorder.
    pub fn run<E: Entry>(
        &mut self,
        arrays: &mut [LayerArray<E>; N],
        best: [&LayerArray<Value>; N],
        terminals: &Terminals<E>,
        state: &mut SweepState<E, N>,
    ) -> Result<Swept<E, N>, SolveError> {
        let Propagator {
            moves,
            index,
            observer,
            ..
        } = *self.propagator;
        let mut count = 0;
        let mut recorded: [Vec<Change<E>>; N] = std::array::from_fn(|_| Vec::new());
        for number in 0..self.visits.len() {
            let Visit { array, section, .. } = self.visits[number];
            state.now += 1;
            let ticks = &mut state.ticks;
            let rows = moves.row_moves(index.seeds() - section);
            let due = ticks[array].due(section, rows, &ticks[read_by::<N>(array)]);
            ticks[array].computed[usize::from(section)] = state.now;
            let lines = index.section_lines(section);
            let skipped = rows.len() - rows_in(rows, &due);
            observer.advance((skipped * lines) as u64)?;
            if due.is_empty() {
                continue;
            }
            let fragments = ChunkFragments::new(lines);
            for step in 0..self.visits[number].steps.len() {
                let visit = &self.visits[number];
                let rows = &visit.steps[step];
                let start = due.partition_point(|&panel| panel < rows.start);
                let panels = &due[start..due.partition_point(|&panel| panel < rows.end)];
                if panels.is_empty() {
                    continue;
                }
                let at = SweepStep {
                    array,
                    section,
                    rows: rows.clone(),
                    panels,
                    fragments: &fragments,
                    terminals: &terminals[usize::from(section)],
                    now: state.now,
                    line_ticks: &state.ticks[array].lines[usize::from(section)],
                    recorder: state.recorder.as_ref(),
                };
                self.pool.begin(visit.first + step)?;
                let changes = self.compute(&at, arrays, best[array], &mut state.before)?;
                count += changes.count;
                recorded[array].extend(changes.recorded);
            }
        }
        Ok((count, recorded))
    }

    /// Computes the boards of a step, whose pieces are in memory.
    fn compute<E: Entry>(
        &mut self,
        step: &SweepStep<'_, E>,
        arrays: &mut [LayerArray<E>; N],
        best: &LayerArray<Value>,
        before: &mut Vec<E>,
    ) -> Result<SectionChanges<E>, SolveError> {
        let &SweepStep { array, section, .. } = step;
        let of_best = self.best[array];
        let Some((own, (_, pieces))) = self.entries[array].zip(arrays[array].spill_file()) else {
            let best = SectionLines::in_pool(best, of_best, &self.pool, section);
            let width = self.propagator.index.section_width(section);
            let (entries, children) = split(arrays, array, section, before);
            let lines = entries.chunks_mut(width).collect();
            return self.sweep(step, &children, &best, lines);
        };
        let child = read_by::<N>(array);
        let own_pieces = pieces.of_section(section);
        let number = |piece| self.pool.files.number(own, piece);
        // Its boards may read one another: what they read of the section is copied first.
        let mut copies: Vec<(usize, Vec<E>)> = Vec::new();
        if child == array {
            let read = self
                .propagator
                .pieces_read(pieces, section, step.rows.clone());
            let read = read.into_iter().filter(|piece| own_pieces.contains(piece));
            copies.extend(read.map(|piece| {
                let entries = self.pool.entries(number(piece), pieces.len(piece));
                (piece - own_pieces.start, entries.to_vec())
            }));
        }
        let numbers: Vec<usize> = own_pieces.clone().map(number).collect();
        let taken = numbers.iter().map(|&number| self.pool.take(number));
        let mut taken: Vec<_> = taken.collect();
        let width = self.propagator.index.section_width(section);
        let lines = taken.iter_mut().zip(own_pieces.clone());
        let lines = lines.flat_map(|(buffer, piece)| {
            buffer.entries_mut::<E>(pieces.len(piece)).chunks_mut(width)
        });
        let lines = lines.collect();
        let mut children = Sections::in_pool(&arrays[child], self.entries[child], &self.pool);
        for (piece, entries) in &copies {
            children.replace(section, *piece, entries);
        }
        let best = SectionLines::in_pool(best, of_best, &self.pool, section);
        let changes = self.sweep(step, &children, &best, lines)?;
        let mut lines = 0..step.line_ticks.count();
        for ((piece, buffer), number) in own_pieces.zip(taken).zip(numbers) {
            let of_piece = lines.by_ref().take(pieces.len(piece) / width);
            let changed = of_piece.filter(|&line| step.line_ticks.get(line) == step.now);
            self.pool.put(number, buffer, changed.count() > 0);
        }
        Ok(changes)
    }

    /// Computes the boards of a step in the lines of its section.
    fn sweep<E: Entry>(
        &self,
        step: &SweepStep<'_, E>,
        children: &Sections<'_, E>,
        best: &SectionLines<'_, Value>,
        lines: Vec<&mut [E]>,
    ) -> Result<SectionChanges<E>, SolveError> {
        let Propagator {
            moves,
            index,
            observer,
            ..
        } = *self.propagator;
        let sweep = SectionSweep {
            moves,
            observer,
            section: step.section,
            rows: moves.row_moves(index.seeds() - step.section),
            panels: step.panels,
            columns: moves.columns(step.section),
            first_line: 0,
            children,
            best,
            terminals: step.terminals,
            now: step.now,
            line_ticks: step.line_ticks,
            recorder: step.recorder,
            is_shared: false,
        };
        Ok(sweep_section(&sweep, step.fragments, lines)?)
    }

    /// Writes what is still in memory.
    pub fn finish(mut self) -> Result<(), SolveError> {
        let moved = self.pool.write_all()?;
        self.propagator.observer.spilled(moved);
        Ok(())
    }
}

/// What a step computes, and what it keeps up to date.
struct SweepStep<'s, E> {
    array: usize,
    section: u8,
    /// Its mover's rows, and the first rows of those of their panels that are due.
    rows: Range<usize>,
    panels: &'s [usize],
    fragments: &'s ChunkFragments,
    terminals: &'s [Terminal<E>],
    now: Tick,
    line_ticks: &'s LineTicks,
    recorder: Option<&'s Recorder>,
}
