//! The capture pass: for each board the best of the moves that leave the layer,
//! and the boards that are over before a move is made.
//!
//! One pass over the lines of the lower layers. In the oware family it runs
//! through the column maps; in the store family, where most moves leave the
//! layer in many ways, it asks the plain rules.

use rayon::prelude::*;

use super::chunk::{Chunk, ChunkRuns};
use super::entry::{Entry, Score};
use super::fixed::{Fixed, FixedEntries};
use super::observer::Observer;
use super::plan::Plan;
use super::plane::Plane;
use super::tile::{HEIGHT, Tile};
use crate::index::{LayerIndex, row};
use crate::rules::{Board, Ruleset};

/// What the capture pass finds.
pub(super) struct Leaving {
    /// The best move that takes a seed or ends the game, or what the board is
    /// worth if it is over; `Score::NONE` if every legal move is quiet.
    pub best: Plane<Score>,
    /// The boards that are over.
    pub overs: FixedEntries<Score>,
}

/// Runs the capture pass. `lower` holds, for each layer below, what its boards
/// are worth to the player who moves there.
pub(super) fn leaving(
    plan: &Plan,
    index: &LayerIndex,
    lower: &[&Plane<Score>],
    observer: &dyn Observer,
) -> Leaving {
    let mut best = Plane::new(index.clone(), Score::NONE);
    let mut overs = Vec::new();
    for block in 0..=index.seeds() {
        let width = index.block_width(block);
        let chunk_entries = Chunk::size(index.block_lines(block)) * width;
        let pass = Pass {
            plan,
            index,
            lower,
            block,
        };
        let mut found: Vec<Fixed<Score>> = best
            .block_mut(block)
            .par_chunks_mut(chunk_entries)
            .enumerate()
            .flat_map_iter(|(number, out)| {
                let chunk = Chunk::new(plan, index, block, number);
                let found = match plan.rules {
                    Ruleset::Oware(_) => pass.oware(&chunk, out),
                    Ruleset::Stores(_) => pass.stores(&chunk, out),
                };
                observer.advance(out.len() as u64);
                found
            })
            .collect();
        found.sort_unstable();
        overs.push(found);
    }
    Leaving { best, overs }
}

struct Pass<'a> {
    plan: &'a Plan,
    index: &'a LayerIndex,
    lower: &'a [&'a Plane<Score>],
    block: u8,
}

impl Pass<'_> {
    fn oware(&self, chunk: &Chunk<'_>, out: &mut [Score]) -> Vec<Fixed<Score>> {
        let seeds = self.index.seeds();
        let width = self.index.block_width(self.block);
        let row_moves = self.plan.row_moves(seeds - self.block);
        let maps = self.plan.maps(self.block);
        let columns = &chunk.columns;
        let captures = ChunkRuns::new(maps.iter().map(|m| &*m.captures), columns, |c| c.run);
        let takes_all = ChunkRuns::new(maps.iter().map(|m| &*m.takes_all), columns, |r| *r);
        let quiet = ChunkRuns::new(maps.iter().map(|m| &*m.quiet), columns, |r| *r);

        let mut tile = Tile::new(columns.clone());
        // Marks the columns in which the mover has a quiet move.
        let mut can_wait = Tile::new(columns.clone());
        let mut overs = Vec::new();
        for first in (0..width).step_by(HEIGHT) {
            let rows = &row_moves[first..width.min(first + HEIGHT)];
            for (t, moves) in rows.iter().enumerate() {
                let mut best = tile.row(t);
                let mut waits = can_wait.row(0);
                for m in moves.as_slice() {
                    let map = &maps[usize::from(m.map)];
                    for capture in &map.captures[captures.of(m.map)] {
                        let taken = capture.captured;
                        let child = self.lower[usize::from(seeds - taken)].line(m.seeds, m.line);
                        best.raise(&capture.run, child, |c| c.turned_with(taken));
                    }
                    for run in &map.takes_all[takes_all.of(m.map)] {
                        best.raise_to(run, Score::new(seeds.cast_signed()));
                    }
                    for run in &map.quiet[quiet.of(m.map)] {
                        waits.raise_to(run, Score::new(0));
                    }
                }
                if !best.any_none(&waits) {
                    continue;
                }
                for &column in chunk.line_columns {
                    if *waits.at(column) == Score::NONE && *best.at(column) == Score::NONE {
                        let row = (first + t) as u32;
                        let (result, over) = self.without_plain_moves(row, column);
                        *best.at(column) = result;
                        if over {
                            overs.push(Fixed {
                                row,
                                column,
                                entry: result,
                            });
                        }
                    }
                }
            }
            tile.turn();
            for (line, &column) in out.chunks_exact_mut(width).zip(chunk.line_columns) {
                line[first..first + rows.len()].copy_from_slice(&tile.column(column)[..rows.len()]);
            }
        }
        overs
    }

    /// The worth of a board that has neither a quiet move nor a capture that
    /// leaves the opponent seeds, and whether it is over. What may be left is
    /// a move that ends the game.
    fn without_plain_moves(&self, row: u32, column: u32) -> (Score, bool) {
        let mover = row::unrank(self.index.seeds() - self.block, row);
        let opponent = row::unrank(self.block, column);
        let moves = self.plan.rules.moves(&Board::trusted_rows(mover, opponent));
        match moves.over() {
            Some(result) => (Score::new(result), true),
            None => {
                let best = moves.legal().map(|step| step.gain).max();
                (Score::new(best.expect("a legal move")), false)
            }
        }
    }

    fn stores(&self, chunk: &Chunk<'_>, out: &mut [Score]) -> Vec<Fixed<Score>> {
        let seeds = self.index.seeds();
        let width = self.index.block_width(self.block);
        let mut overs = Vec::new();
        for (line, &column) in out.chunks_exact_mut(width).zip(chunk.line_columns) {
            let opponent = row::unrank(self.block, column);
            for (entry, mover) in line.iter_mut().zip(row::rows(seeds - self.block)) {
                let moves = self.plan.rules.moves(&Board::trusted_rows(mover, opponent));
                if let Some(result) = moves.over() {
                    *entry = Score::new(result);
                    overs.push(Fixed {
                        row: row::rank(&mover),
                        column,
                        entry: *entry,
                    });
                }
                for step in moves.legal().filter(|step| !step.is_quiet(seeds)) {
                    let lower = &self.lower[usize::from(step.board.seeds())];
                    let child = lower.of(&step.board).expect("every board is indexed");
                    *entry = (*entry).max(Score::new(step.worth(child.value())));
                }
            }
        }
        overs
    }
}
