//! The conversion pass: for each board the best conversion, and the terminal
//! positions.
//!
//! One pass over the lines of the lower layers. In the oware family it runs through
//! the column maps. In the store family, where most moves are conversions of many
//! kinds, it asks the plain rules.

use std::ops::Range;

use rayon::prelude::*;

use super::moves::{ColumnMap, CompiledMoves, RowMoves, reached};
use super::observer::Observer;
use super::panels::{
    Children, Chunk, ChunkRuns, GatherBuffers, PANEL_HEIGHT, Panel, Reach, SectionReader, Share,
    panel_rows, shares,
};
use super::ranks::{Alone, Part};
use super::storage::{
    Entry, LayerArray, MemoryBudget, SpillError, Value, filled_section, gather_bytes,
};
use crate::cpu::{Vectorized, run_vectorized};
use crate::index::{LayerIndex, row};
use crate::rules::{Board, Ruleset};
use crate::spans;

/// A terminal position and its entry. The order is by mover's row, then by column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Terminal<E> {
    /// The rank of the mover's row.
    pub rank: u32,
    /// The rank of the opponent's row among all rows.
    pub column: u32,
    /// What the end of the game makes the entry.
    pub entry: E,
}

/// The terminal positions of a layer, by section, in order.
pub(super) type Terminals<E> = Vec<Vec<Terminal<E>>>;

/// A list of no terminal positions for a layer with `seeds` seeds.
pub(super) fn no_terminals<E>(seeds: u8) -> Terminals<E> {
    (0..=seeds).map(|_| Vec::new()).collect()
}

/// What the conversion pass finds.
#[derive(Debug)]
pub(super) struct Conversions {
    /// The value of the best conversion, or of the board itself if it is terminal;
    /// `Value::NONE` if every legal move is quiet.
    pub best: LayerArray<Value>,
    /// The terminal positions.
    pub terminals: Terminals<Value>,
}

/// Runs the conversion pass over a part of a layer. `lower` holds, whole, for each layer below, what its boards are
/// worth to the player who moves there.
pub(super) fn find_conversions(
    moves: &CompiledMoves,
    part: &Part,
    lower: &[&LayerArray<Value>],
    observer: &dyn Observer,
    budget: &mut MemoryBudget,
) -> Result<Conversions, SpillError> {
    let mut terminals = Vec::new();
    let best = LayerArray::build(part, budget, |section| {
        let pass = SectionPass {
            moves,
            index: part.index(),
            lower,
            section,
            columns: &moves.columns(section)[part.lines(section)],
            observer,
        };
        let (best, found) = pass.run()?;
        terminals.push(found);
        Ok::<_, SpillError>(best)
    })?;
    Ok(Conversions { best, terminals })
}

/// The conversion pass over one section.
pub(super) struct SectionPass<'a> {
    pub moves: &'a CompiledMoves,
    pub index: &'a LayerIndex,
    pub lower: &'a [&'a LayerArray<Value>],
    pub section: u8,
    /// The columns that the lines of the section stand for.
    pub columns: &'a [u32],
    pub observer: &'a dyn Observer,
}

impl SectionPass<'_> {
    /// The best conversions of the section, line by line, and its terminal positions.
    pub fn run(&self) -> Result<(Vec<Value>, Vec<Terminal<Value>>), SpillError> {
        let boards = self.columns.len() * self.index.section_width(self.section);
        let mut best = filled_section(boards, Value::NONE);
        let mut terminals = match self.moves.rules {
            Ruleset::Oware(_) => self.oware(&mut best)?,
            Ruleset::Stores(_) => self.stores(&mut best)?,
        };
        terminals.sort_unstable();
        Ok((best, terminals))
    }

    /// The moves of the section's mover's rows.
    fn rows(&self) -> &[RowMoves] {
        self.moves.row_moves(self.index.seeds() - self.section)
    }

    fn oware(&self, best: &mut [Value]) -> Result<Vec<Terminal<Value>>, SpillError> {
        let index = self.index;
        let section_lines = self.columns.len();
        let width = index.section_width(self.section);
        let lines = Chunk::size(section_lines);
        let maps = self.moves.maps(self.section);
        let panels = SectionReader::<Value>::all_panels(width);
        let reaches = |chunks: &Range<usize>| {
            let columns = Chunk::columns_of(self.columns, chunks);
            let reach = |map| captures_reach(map, &columns, index.seeds());
            maps.iter().map(reach).collect()
        };
        let reader = SectionReader {
            ranks: &Alone,
            gather_bytes: gather_bytes(index),
            arrays: self.lower,
            taken: None,
            rows: self.rows(),
            panels: &panels,
            reaches: &reaches,
        };
        let mut terminals = Vec::new();
        let chunks = 0..Chunk::count(section_lines);
        reader.for_each_band(
            chunks,
            &mut GatherBuffers::default(),
            &mut |chunks, panels, children| {
                let first = chunks.start * lines;
                let end = section_lines.min(chunks.end * lines);
                let _parallel = spans::parallel("conversions");
                let found: Vec<_> =
                    shares(&mut best[first * width..end * width], width, lines, panels)
                        .flat_map_iter(|share| {
                            let _task = spans::task("conversions");
                            let chunk = Chunk::new(self.columns, chunks.start + share.chunk);
                            run_vectorized(SharePass {
                                pass: self,
                                chunk,
                                panels,
                                children,
                                share,
                            })
                        })
                        .collect();
                terminals.extend(found);
                Ok(())
            },
        )?;
        Ok(terminals)
    }

    /// The value of a board that has neither a quiet move nor a capture that leaves
    /// the opponent seeds, and whether it is terminal. It may still have a move that
    /// ends the game.
    fn without_common_moves(&self, rank: u32, column: u32) -> (Value, bool) {
        let mover = row::unrank(self.index.seeds() - self.section, rank);
        let opponent = row::unrank(self.section, column);
        let moves = self
            .moves
            .rules
            .moves(&Board::trusted_rows(mover, opponent));
        match moves.over() {
            Some(result) => (Value::in_range(result), true),
            None => {
                let best = moves.legal().map(|step| step.gain).max();
                (Value::in_range(best.expect("a legal move")), false)
            }
        }
    }

    fn stores(&self, best: &mut [Value]) -> Result<Vec<Terminal<Value>>, SpillError> {
        let width = self.index.section_width(self.section);
        let _parallel = spans::parallel("conversions");
        let terminals = best
            .par_chunks_mut(width)
            .zip(self.columns)
            .map(|(line, &column)| {
                let _task = spans::task("conversions");
                let terminals = self.stores_line(column, line);
                self.observer.advance(width as u64);
                terminals
            });
        let terminals: Vec<_> = terminals.collect::<Result<_, _>>()?;
        Ok(terminals.concat())
    }

    fn stores_line(
        &self,
        column: u32,
        line: &mut [Value],
    ) -> Result<Vec<Terminal<Value>>, SpillError> {
        let seeds = self.index.seeds();
        let opponent = row::unrank(self.section, column);
        let mut terminals = Vec::new();
        for ((rank, mover), entry) in (0..).zip(row::rows(seeds - self.section)).zip(line) {
            let board = Board::trusted_rows(mover, opponent);
            let moves = self.moves.rules.moves(&board);
            if let Some(result) = moves.over() {
                *entry = Value::in_range(result);
                terminals.push(Terminal {
                    rank,
                    column,
                    entry: *entry,
                });
            }
            for step in moves.legal().filter(|step| !step.is_quiet(seeds)) {
                let lower = self.lower[usize::from(step.board.seeds())];
                let index = lower.index().index(&step.board);
                let child = lower.get(index.expect("every board is indexed"))?;
                *entry = (*entry).max(Value::in_range(step.value(child.get())));
            }
        }
        Ok(terminals)
    }
}

/// The conversion pass over a share of the boards of a section.
struct SharePass<'w, 'a> {
    pass: &'w SectionPass<'a>,
    chunk: Chunk<'w>,
    /// The first rows of all panels.
    panels: &'w [usize],
    children: &'w Children<'w, Value>,
    share: Share<'w, Value>,
}

impl Vectorized for SharePass<'_, '_> {
    type Output = Vec<Terminal<Value>>;

    #[inline(always)]
    fn run(mut self) -> Vec<Terminal<Value>> {
        let pass = self.pass;
        let seeds = pass.index.seeds();
        let maps = pass.moves.maps(pass.section);
        let columns = &self.chunk.columns;
        let captures = ChunkRuns::new(maps.iter().map(|m| &*m.captures), columns, |c| c.run);
        let takes_all = ChunkRuns::new(maps.iter().map(|m| &*m.takes_all), columns, |r| *r);
        let quiet = ChunkRuns::new(maps.iter().map(|m| &*m.quiet), columns, |r| *r);
        // Maps by which every board of the chunk has a quiet move.
        let covers_all = |map: u8| match maps[usize::from(map)].quiet[quiet.of(map)] {
            [run] => run.from <= columns.start && columns.end <= run.from + run.len,
            _ => false,
        };
        let covers_all: Vec<bool> = (0..maps.len() as u8).map(covers_all).collect();

        let mut panel = Panel::new(columns.clone());
        // Marks the columns in which the mover has a quiet move.
        let mut has_quiet = Panel::new(columns.clone());
        let mut terminals = Vec::new();
        for position in self.share.panels.clone() {
            let first = self.panels[position];
            let rows = panel_rows(pass.rows(), first);
            for (t, moves) in rows.iter().enumerate() {
                let moves = moves.as_slice();
                let all_quiet = moves.iter().any(|m| covers_all[usize::from(m.map)]);
                let mut best = panel.row(t);
                for (number, m) in moves.iter().enumerate() {
                    let map = &maps[usize::from(m.map)];
                    for capture in &map.captures[captures.of(m.map)] {
                        let captured = capture.captured;
                        let row = position * PANEL_HEIGHT + t;
                        let child = self.children.part(row, number, m, seeds - captured);
                        best.raise(&capture.run, child, |c| c.after_capture(captured));
                    }
                    for run in &map.takes_all[takes_all.of(m.map)] {
                        best.raise_to(run, Value::in_range(seeds.cast_signed()));
                    }
                }
                if all_quiet {
                    continue;
                }
                let mut has_quiet = has_quiet.row(0);
                for m in moves {
                    for run in &maps[usize::from(m.map)].quiet[quiet.of(m.map)] {
                        has_quiet.raise_to(run, Value::in_range(0));
                    }
                }
                if !best.any_none(&has_quiet) {
                    continue;
                }
                for &column in self.chunk.line_columns {
                    if *has_quiet.at(column) == Value::NONE && *best.at(column) == Value::NONE {
                        let rank = (first + t) as u32;
                        let (value, is_terminal) = pass.without_common_moves(rank, column);
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
            panel.transpose();
            for (line, &column) in self.share.lines.iter_mut().zip(self.chunk.line_columns) {
                let best = &panel.column(column)[..rows.len()];
                line[first - self.share.row..][..rows.len()].copy_from_slice(best);
            }
            let boards = rows.len() * self.chunk.line_columns.len();
            pass.observer.advance(boards as u64);
        }
        terminals
    }
}

/// What the captures of a map read for a band of columns: the array of the layer that
/// they lead to, and which part of the line.
fn captures_reach(map: &ColumnMap, columns: &Range<u32>, seeds: u8) -> Reach {
    let mut reach: Reach = Vec::new();
    for capture in &map.captures {
        let Some(part) = reached(&[capture.run], columns) else {
            continue;
        };
        // Maps compiled for higher layers capture more seeds than there are here.
        let Some(layer) = seeds.checked_sub(capture.captured) else {
            continue;
        };
        match reach.iter_mut().find(|(there, _)| *there == layer) {
            Some((_, all)) => *all = all.start.min(part.start)..all.end.max(part.end),
            None => reach.push((layer, part)),
        }
    }
    reach
}
