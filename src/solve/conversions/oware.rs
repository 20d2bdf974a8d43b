//! Conversions of the oware family.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{SectionPass, Terminal};
use crate::index::{LayerIndex, row};
use crate::rules::Board;
use crate::solve::chunk::{Chunk, ChunkRuns};
use crate::solve::entry::{Entry, Value};
use crate::solve::moves::{ColumnMap, CompiledMoves, RowMoves};
use crate::solve::panel::{Panel, PanelRow};

/// The conversions to the boards of a chunk's columns.
pub(super) struct OwareChunk<'w, 'a> {
    pass: &'w SectionPass<'a>,
    chunk: &'w Chunk<'w>,
    maps: &'w [ColumnMap],
    captures: ChunkRuns,
    takes_all: ChunkRuns,
    quiet: ChunkRuns,
    /// By map, whether every board of the chunk has a quiet move by it.
    covers_all: Vec<bool>,
    /// Its first row marks the columns in which the mover has a quiet move.
    has_quiet: Panel<Value>,
}

impl<'w, 'a> OwareChunk<'w, 'a> {
    pub fn new(pass: &'w SectionPass<'a>, chunk: &'w Chunk<'w>) -> OwareChunk<'w, 'a> {
        let maps = pass.moves.maps(pass.section);
        let columns = &chunk.columns;
        let quiet = ChunkRuns::new(maps.iter().map(|m| &*m.quiet), columns, |r| *r);
        let covers_all = |map: u8| match maps[usize::from(map)].quiet[quiet.of(map)] {
            [run] => run.from <= columns.start && columns.end <= run.from + run.len,
            _ => false,
        };
        OwareChunk {
            pass,
            chunk,
            maps,
            captures: ChunkRuns::new(maps.iter().map(|m| &*m.captures), columns, |c| c.run),
            takes_all: ChunkRuns::new(maps.iter().map(|m| &*m.takes_all), columns, |r| *r),
            covers_all: (0..maps.len() as u8).map(covers_all).collect(),
            quiet,
            has_quiet: Panel::new(columns.clone()),
        }
    }

    /// Raises the boards of a mover's row to their best conversions.
    #[inline(always)]
    pub fn raise(
        &mut self,
        rank: usize,
        best: &mut PanelRow<'_, Value>,
        terminals: &mut Vec<Terminal<Value>>,
    ) {
        let seeds = self.pass.index.seeds();
        let moves = &self.pass.rows()[rank];
        for m in moves.iter() {
            let map = &self.maps[usize::from(m.map)];
            for capture in &map.captures[self.captures.of(m.map)] {
                let captured = capture.captured;
                let child = self.pass.lower[usize::from(seeds - captured)].line(m.seeds, m.line);
                best.raise(&capture.run, child, |c| c.after_capture(captured));
            }
            for run in &map.takes_all[self.takes_all.of(m.map)] {
                best.raise_to(run, Value::in_range(seeds.cast_signed()));
            }
        }
        if moves.iter().any(|m| self.covers_all[usize::from(m.map)]) {
            return;
        }
        let mut has_quiet = self.has_quiet.row(0);
        for m in moves.iter() {
            for run in &self.maps[usize::from(m.map)].quiet[self.quiet.of(m.map)] {
                has_quiet.raise_to(run, Value::in_range(0));
            }
        }
        if !best.any_none(&has_quiet) {
            return;
        }
        let rank = rank as u32;
        for &column in self.chunk.line_columns {
            if *has_quiet.at(column) == Value::NONE && *best.at(column) == Value::NONE {
                let (value, is_terminal) = self.pass.without_common_moves(rank, column);
                *best.at(column) = value;
                if is_terminal {
                    terminals.push(Terminal {
                        rank,
                        column,
                        entry: value,
                    });
                }
            }
        }
    }
}

/// Passes on the layer, section and line of each conversion of some mover's rows of a section.
pub(super) fn lower_lines(
    moves: &CompiledMoves,
    index: &LayerIndex,
    section: u8,
    rows: Range<usize>,
    then: &mut dyn FnMut(u8, u8, Option<u32>),
) {
    let captured = |map: &ColumnMap| {
        let captured: BTreeSet<u8> = map.captures.iter().map(|run| run.captured).collect();
        captured
    };
    let captured: Vec<_> = moves.maps(section).iter().map(captured).collect();
    let rows = &moves.row_moves(index.seeds() - section)[rows];
    for m in rows.iter().flat_map(RowMoves::iter) {
        for captured in &captured[usize::from(m.map)] {
            then(index.seeds() - captured, m.seeds, Some(m.line));
        }
    }
}

impl SectionPass<'_> {
    /// The value of a board that has neither a quiet move nor a capture that leaves
    /// the opponent seeds, and whether it is terminal. It may still have a move that
    /// ends the game.
    fn without_common_moves(&self, rank: u32, column: u32) -> (Value, bool) {
        let mover = row::unrank(self.index.seeds() - self.section, rank);
        let opponent = row::unrank(self.section, column);
        let board = Board::trusted_rows(mover, opponent);
        let moves = self.moves.rules.moves(&board);
        match moves.terminal_value() {
            Some(result) => (Value::in_range(result), true),
            None => {
                let best = moves.legal().map(|step| step.gain).max();
                (Value::in_range(best.expect("a legal move")), false)
            }
        }
    }
}
