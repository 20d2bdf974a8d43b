//! The end of the propagation beyond memory: boards are told which of their moves have changed.
//!
//! ```text
//! for each visit of a section
//!     the pool gets its pieces with boards that were told something
//!     raise the entries of boards with a move that is now better             `compare`
//!     where the best move may have become worse, the board is pending
//!     for each step: the pending boards of some mover's rows
//!         the pool gets the pieces with their children and best conversions
//!         look at all moves of these boards                                  `reevaluate`
//!     tell the parents of all boards that have changed                       `Notices::tell`
//! until nobody was told anything
//! ```
//!
//! As sweeps do, a round goes from section to section, and finds what was changed before it. Few
//! notices make a board pending, so a round reads little beside the sections that it changes.

use std::ops::Range;

use rayon::iter::Either;
use rayon::prelude::*;

use super::changes::{Change, MoveChange};
use super::pass::PooledPass;
use super::{Propagator, read_by};
use crate::solve::array::LayerArray;
use crate::solve::entry::{Entry, Value};
use crate::solve::error::SolveError;
use crate::solve::memory::CHANGES_PER_BATCH;
use crate::solve::moves::Predecessors;
use crate::solve::sections::{SectionLines, Sections};

/// A board of a section is told that one of its moves has changed.
#[derive(Clone, Copy)]
struct Notice<E> {
    line: u32,
    rank: u32,
    change: MoveChange<E>,
}

impl<E> Notice<E> {
    fn board(&self) -> (u32, u32) {
        (self.line, self.rank)
    }
}

/// A board whose moves are all looked at again, by the rank of the mover's row and its line.
type RankAndLine = (u32, u32);

/// What boards are to be told: by array, then by section.
pub(super) struct Notices<'a, E, const N: usize> {
    predecessors: Predecessors<'a>,
    by_array: [Vec<Vec<Notice<E>>>; N],
}

impl<'a, E: Entry, const N: usize> Notices<'a, E, N> {
    /// Notices of these changes in each array.
    pub fn new(propagator: &Propagator<'a>, changes: [Vec<Change<E>>; N]) -> Self {
        let sections = usize::from(propagator.index.seeds()) + 1;
        let mut notices = Notices {
            predecessors: Predecessors::new(propagator.moves, propagator.index),
            by_array: std::array::from_fn(|_| (0..sections).map(|_| Vec::new()).collect()),
        };
        for (array, changes) in changes.into_iter().enumerate() {
            notices.tell(array, &changes);
        }
        notices
    }

    /// Whether no board is to be told anything.
    pub fn is_empty(&self) -> bool {
        self.by_array.iter().flatten().all(Vec::is_empty)
    }

    /// Tells the boards with quiet moves to boards that have changed in an array.
    fn tell(&mut self, child: usize, changes: &[Change<E>]) {
        let by_section = &mut self.by_array[read_by::<N>(child)];
        for changes in changes.chunks(CHANGES_PER_BATCH) {
            let of_parents = changes.par_iter().flat_map_iter(|c| {
                let change = MoveChange::of(c.before, c.after);
                let parents = self.predecessors.of(c.section, c.line, c.rank);
                parents.map(move |parent| {
                    let (line, rank) = (parent.line, parent.rank);
                    (parent.section, Notice { line, rank, change })
                })
            });
            for (section, notice) in of_parents.collect::<Vec<_>>() {
                by_section[usize::from(section)].push(notice);
            }
        }
    }

    /// Takes the notices to the boards of a section, in the order of the array. What a
    /// board was told first comes first.
    fn take(&mut self, array: usize, section: u8) -> Vec<Notice<E>> {
        let mut notices = std::mem::take(&mut self.by_array[array][usize::from(section)]);
        notices.par_sort_by_key(Notice::board);
        notices
    }
}

impl<const N: usize> PooledPass<'_, '_, N> {
    /// Visits the sections with boards that are to be told something. Returns how many entries have
    /// changed.
    pub fn run_round<E: Entry>(
        &mut self,
        arrays: &mut [LayerArray<E>; N],
        best: [&LayerArray<Value>; N],
        notices: &mut Notices<'_, E, N>,
    ) -> Result<u64, SolveError> {
        let mut count = 0;
        for number in 0..self.visits.len() {
            let (array, section) = (self.visits[number].array, self.visits[number].section);
            let told = notices.take(array, section);
            if told.is_empty() {
                continue;
            }
            let lines = told.iter().map(|notice| notice.line);
            let needed = self.own_pieces(&arrays[array], self.entries[array], section, lines);
            self.pool.begin_some(self.visits[number].first, &needed)?;
            let (raised, mut pending) = self.compare(&arrays[array], array, section, &told);
            drop(told);
            self.write(&mut arrays[array], array, &raised);
            notices.tell(array, &raised);
            count += raised.len() as u64;
            drop(raised);
            pending.par_sort_unstable();
            for step in 0..self.visits[number].steps.len() {
                let visit = &self.visits[number];
                let rows = &visit.steps[step];
                let start = pending.partition_point(|&(rank, _)| (rank as usize) < rows.start);
                let end = pending.partition_point(|&(rank, _)| (rank as usize) < rows.end);
                let boards = &pending[start..end];
                if boards.is_empty() {
                    continue;
                }
                let needed = self.pieces_of(arrays, best, array, section, boards);
                self.pool.begin_some(visit.first + step, &needed)?;
                self.propagator.observer.advance(0)?;
                let changed = self.reevaluate(arrays, best, array, section, boards);
                self.write(&mut arrays[array], array, &changed);
                notices.tell(array, &changed);
                count += changed.len() as u64;
            }
        }
        Ok(count)
    }

    /// The pieces with some lines of a section of an array; none if it is in memory.
    fn own_pieces<E: Entry>(
        &self,
        array: &LayerArray<E>,
        file: Option<usize>,
        section: u8,
        lines: impl Iterator<Item = u32>,
    ) -> Vec<u32> {
        let Some((file, (_, pieces))) = file.zip(array.spill_file()) else {
            return Vec::new();
        };
        let mut is_needed = vec![false; pieces.of_section(section).len()];
        let first = pieces.of_section(section).start;
        for line in lines {
            is_needed[pieces.of_line(section, line) - first] = true;
        }
        let needed = (first..).zip(is_needed).filter(|(_, is_needed)| *is_needed);
        let number = |(piece, _)| self.pool.files.number(file, piece) as u32;
        needed.map(number).collect()
    }

    /// Compares the entries of boards with what they are told. Returns those that rise, and the
    /// boards whose best move may have become worse.
    fn compare<E: Entry>(
        &self,
        entries: &LayerArray<E>,
        array: usize,
        section: u8,
        told: &[Notice<E>],
    ) -> (Vec<Change<E>>, Vec<RankAndLine>) {
        let own = SectionLines::in_pool(entries, self.entries[array], &self.pool, section);
        let compare = |told: &[Notice<E>]| {
            let (line, rank) = told[0].board();
            let before = own.line(line)[rank as usize];
            let mut after = before;
            for Notice { change, .. } in told {
                if change.raises(after) {
                    after = change.now;
                } else if change.may_lower(after) {
                    return Some(Either::Right((rank, line)));
                }
            }
            (after != before).then_some(Either::Left(Change {
                section,
                line,
                rank,
                before,
                after,
            }))
        };
        let boards = told.par_chunk_by(|a, b| a.board() == b.board());
        boards.filter_map(compare).partition_map(|result| result)
    }

    /// The pieces with some boards of a section, their children and their best conversions.
    fn pieces_of<E: Entry>(
        &self,
        arrays: &[LayerArray<E>; N],
        best: [&LayerArray<Value>; N],
        array: usize,
        section: u8,
        boards: &[RankAndLine],
    ) -> Vec<u32> {
        let Propagator { moves, index, .. } = *self.propagator;
        let child = read_by::<N>(array);
        let lines = || boards.iter().map(|&(_, line)| line);
        let mut needed = self.own_pieces(&arrays[array], self.entries[array], section, lines());
        needed.extend(self.own_pieces(best[array], self.best[array], section, lines()));
        if let Some((file, (_, pieces))) = self.entries[child].zip(arrays[child].spill_file()) {
            let rows = moves.row_moves(index.seeds() - section);
            for of_row in boards.chunk_by(|a, b| a.0 == b.0) {
                for m in rows[of_row[0].0 as usize].iter() {
                    let piece = pieces.of_line(m.seeds, m.line);
                    needed.push(self.pool.files.number(file, piece) as u32);
                }
            }
        }
        needed.sort_unstable();
        needed.dedup();
        needed
    }

    /// Looks at all moves of some boards of a section. Returns what changes.
    fn reevaluate<E: Entry>(
        &self,
        arrays: &[LayerArray<E>; N],
        best: [&LayerArray<Value>; N],
        array: usize,
        section: u8,
        boards: &[RankAndLine],
    ) -> Vec<Change<E>> {
        /// Boards that a thread computes at a time, at the least.
        const BOARDS: usize = 64;
        let Propagator { moves, index, .. } = *self.propagator;
        let child = read_by::<N>(array);
        let own = SectionLines::in_pool(&arrays[array], self.entries[array], &self.pool, section);
        let best = SectionLines::in_pool(best[array], self.best[array], &self.pool, section);
        let children = Sections::in_pool(&arrays[child], self.entries[child], &self.pool);
        let rows = moves.row_moves(index.seeds() - section);
        let (maps, columns) = (moves.maps(section), moves.columns(section));
        let compute = |&(rank, line): &RankAndLine| {
            let column = columns[line as usize];
            let mut after = E::from_conversion(best.line(line)[rank as usize]);
            for m in rows[rank as usize].iter() {
                if let Some(to) = maps[usize::from(m.map)].quiet.entry_from(column) {
                    after = after.max(children.line(m.seeds, m.line)[to as usize].negated());
                }
            }
            let before = own.line(line)[rank as usize];
            (after != before).then_some(Change {
                section,
                line,
                rank,
                before,
                after,
            })
        };
        let boards = boards.par_iter().with_min_len(BOARDS);
        boards.filter_map(compute).collect()
    }

    /// Writes what changes.
    fn write<E: Entry>(&mut self, array: &mut LayerArray<E>, number: usize, changes: &[Change<E>]) {
        let at = |array: &LayerArray<E>, c: &Change<E>| array.number(c.section, c.line, c.rank);
        let Some((file, (_, pieces))) = self.entries[number].zip(array.spill_file()) else {
            for change in changes {
                let at = at(array, change);
                array.as_mut_slice()[at] = change.after;
            }
            return;
        };
        let place = |c: &Change<E>| (pieces.of_line(c.section, c.line), at(array, c), c.after);
        let mut places: Vec<_> = changes.iter().map(place).collect();
        places.sort_unstable_by_key(|&(piece, at, _)| (piece, at));
        for of_piece in places.chunk_by(|a, b| a.0 == b.0) {
            let piece = of_piece[0].0;
            let Range { start, .. } = pieces.range(piece);
            let number = self.pool.files.number(file, piece);
            let mut buffer = self.pool.take(number);
            let entries = buffer.entries_mut::<E>(pieces.len(piece));
            for &(_, at, entry) in of_piece {
                entries[at - start] = entry;
            }
            self.pool.put(number, buffer, true);
        }
    }
}
