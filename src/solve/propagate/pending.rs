//! The end of the propagation beyond memory: only boards whose children have changed are computed.
//!
//! ```text
//! for each visit of a section
//!     for each step: the pending boards of some mover's rows
//!         the pool gets the pieces with these boards and their children
//!         compute the boards; the parents of those that change are pending
//! until no board is pending
//! ```
//!
//! As sweeps do, a round goes from section to section, and finds what was changed before it. It
//! computes few boards, and reads little when few are left. A board is pending from when a
//! child changes until it is computed, so when none is, every entry is what its moves make it.

use std::ops::Range;

use rayon::prelude::*;

use super::changes::Change;
use super::pass::PooledPass;
use super::{Propagator, read_by};
use crate::solve::array::LayerArray;
use crate::solve::entry::{Entry, Value};
use crate::solve::error::SolveError;
use crate::solve::moves::{Predecessor, Predecessors};
use crate::solve::sections::{SectionLines, Sections};

/// A board, by the rank of the mover's row and its line.
type RankAndLine = (u32, u32);

/// The boards to be computed: by array, then by section.
pub(super) struct PendingBoards<'a, const N: usize> {
    predecessors: Predecessors<'a>,
    boards: [Vec<Vec<RankAndLine>>; N],
}

impl<'a, const N: usize> PendingBoards<'a, N> {
    /// The parents of boards that have changed in each array.
    pub fn new<E: Entry>(propagator: &Propagator<'a>, changes: [Vec<Change<E>>; N]) -> Self {
        let sections = usize::from(propagator.index.seeds()) + 1;
        let mut pending = PendingBoards {
            predecessors: Predecessors::new(propagator.moves, propagator.index),
            boards: std::array::from_fn(|_| vec![Vec::new(); sections]),
        };
        for (array, changes) in changes.into_iter().enumerate() {
            let changed = changes.iter().map(|c| (c.section, (c.rank, c.line)));
            let parents = pending.parents(&changed.collect::<Vec<_>>());
            pending.add(array, parents);
        }
        pending
    }

    /// Whether no board is to be computed.
    pub fn is_empty(&self) -> bool {
        self.boards.iter().flatten().all(Vec::is_empty)
    }

    /// The boards with quiet moves to these, with their sections.
    fn parents(&self, changed: &[(u8, RankAndLine)]) -> Vec<(u8, RankAndLine)> {
        let parents = changed
            .par_iter()
            .flat_map_iter(|&(section, (rank, line))| {
                let of_board = self.predecessors.of(section, line, rank);
                of_board.map(|parent: Predecessor| (parent.section, (parent.rank, parent.line)))
            });
        parents.collect()
    }

    /// Adds the parents of boards that have changed in an array.
    fn add(&mut self, child: usize, parents: Vec<(u8, RankAndLine)>) {
        for (section, board) in parents {
            self.boards[read_by::<N>(child)][usize::from(section)].push(board);
        }
    }

    /// Takes the boards of a section, in the order of their ranks.
    fn take(&mut self, array: usize, section: u8) -> Vec<RankAndLine> {
        let mut boards = std::mem::take(&mut self.boards[array][usize::from(section)]);
        boards.par_sort_unstable();
        boards.dedup();
        boards
    }
}

impl<const N: usize> PooledPass<'_, '_, N> {
    /// Computes the pending boards of each section in turn. Returns how many entries have changed.
    pub fn run_pending<E: Entry>(
        &mut self,
        arrays: &mut [LayerArray<E>; N],
        best: [&LayerArray<Value>; N],
        pending: &mut PendingBoards<'_, N>,
    ) -> Result<u64, SolveError> {
        let mut count = 0;
        for number in 0..self.visits.len() {
            let (array, section) = (self.visits[number].array, self.visits[number].section);
            let boards = pending.take(array, section);
            for step in 0..self.visits[number].steps.len() {
                let visit = &self.visits[number];
                let rows = &visit.steps[step];
                let start = boards.partition_point(|&(rank, _)| (rank as usize) < rows.start);
                let end = boards.partition_point(|&(rank, _)| (rank as usize) < rows.end);
                if start == end {
                    continue;
                }
                let boards = &boards[start..end];
                let needed = self.pieces_of(arrays, best, array, section, boards);
                self.pool.begin_some(visit.first + step, &needed)?;
                self.propagator.observer.advance(0)?;
                let changed = self.recompute(arrays, best, array, section, boards);
                self.write(&mut arrays[array], array, section, &changed);
                count += changed.len() as u64;
                let changed: Vec<_> = changed.iter().map(|&(board, _)| (section, board)).collect();
                let parents = pending.parents(&changed);
                pending.add(array, parents);
            }
        }
        Ok(count)
    }

    /// The pieces with some boards, their children and their best conversions.
    fn pieces_of<E: Entry>(
        &self,
        arrays: &[LayerArray<E>; N],
        best: [&LayerArray<Value>; N],
        array: usize,
        section: u8,
        boards: &[RankAndLine],
    ) -> Vec<u32> {
        let Propagator { moves, index, .. } = *self.propagator;
        let mut needed = Vec::new();
        let mut need = |file: Option<usize>, piece: usize| {
            if let Some(file) = file {
                needed.push(self.pool.files.number(file, piece) as u32);
            }
        };
        let child = read_by::<N>(array);
        let rows = moves.row_moves(index.seeds() - section);
        let mut last = None;
        for &(rank, line) in boards {
            if let Some((_, pieces)) = arrays[array].spill_file() {
                need(self.entries[array], pieces.of_line(section, line));
            }
            if let Some((_, pieces)) = best[array].spill_file() {
                need(self.best[array], pieces.of_line(section, line));
            }
            if last.replace(rank) != Some(rank)
                && let Some((_, pieces)) = arrays[child].spill_file()
            {
                for m in rows[rank as usize].iter() {
                    need(self.entries[child], pieces.of_line(m.seeds, m.line));
                }
            }
        }
        needed.sort_unstable();
        needed.dedup();
        needed
    }

    /// Computes some boards of a section, and returns those that change, with their new entries.
    fn recompute<E: Entry>(
        &self,
        arrays: &[LayerArray<E>; N],
        best: [&LayerArray<Value>; N],
        array: usize,
        section: u8,
        boards: &[RankAndLine],
    ) -> Vec<(RankAndLine, E)> {
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
            let mut entry = E::from_conversion(best.line(line)[rank as usize]);
            for m in rows[rank as usize].iter() {
                if let Some(to) = maps[usize::from(m.map)].quiet.entry_from(column) {
                    entry = entry.max(children.line(m.seeds, m.line)[to as usize].negated());
                }
            }
            let has_changed = entry != own.line(line)[rank as usize];
            has_changed.then_some(((rank, line), entry))
        };
        let boards = boards.par_iter().with_min_len(BOARDS);
        boards.filter_map(compute).collect()
    }

    /// Writes new entries of a section.
    fn write<E: Entry>(
        &mut self,
        array: &mut LayerArray<E>,
        number: usize,
        section: u8,
        changed: &[(RankAndLine, E)],
    ) {
        let width = array.index().section_width(section);
        let Some((file, (_, pieces))) = self.entries[number].zip(array.spill_file()) else {
            let entries = array.section_mut(section);
            for &((rank, line), entry) in changed {
                entries[line as usize * width + rank as usize] = entry;
            }
            return;
        };
        let start = array.index().section_start(section) as usize;
        let place = |&((rank, line), entry): &(RankAndLine, E)| {
            let at = start + line as usize * width + rank as usize;
            (pieces.of_line(section, line), at, entry)
        };
        let mut places: Vec<_> = changed.iter().map(place).collect();
        places.sort_unstable_by_key(|&(piece, at, _)| (piece, at));
        for of_piece in places.chunk_by(|a, b| a.0 == b.0) {
            let piece = of_piece[0].0;
            let Range { start, .. } = pieces.entries(piece);
            let number = self.pool.files.number(file, piece);
            let mut buffer = self.pool.take(number);
            let entries = buffer.entries_mut::<E>(pieces.len(piece));
            for &(_, at, entry) in of_piece {
                entries[at - start as usize] = entry;
            }
            self.pool.put(number, buffer, true);
        }
    }
}
