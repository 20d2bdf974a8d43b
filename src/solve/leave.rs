//! The capture pass: for each board the best of the moves that leave the layer,
//! and the boards that are over before a move is made.
//!
//! One pass over the lines of the lower layers. In the oware family it runs
//! through the column maps; in the store family, where most moves leave the
//! layer in many ways, it asks the plain rules.

use std::ops::Range;

use rayon::prelude::*;

use super::bands::{Bands, gathered, tile_rows};
use super::chunk::{Chunk, ChunkRuns, reached};
use super::columns::ColumnMap;
use super::entry::{Entry, Score};
use super::fixed::{Fixed, FixedEntries};
use super::lines::{Lines, Reach};
use super::observer::Observer;
use super::plan::{Plan, RowMoves};
use super::room::Room;
use super::scratch::SpillError;
use super::store::Store;
use super::tile::{HEIGHT, Tile};
use crate::index::{LayerIndex, row};
use crate::rules::{Board, Ruleset};

/// What the capture pass finds.
pub(super) struct Leaving {
    /// The best move that takes a seed or ends the game, or what the board is
    /// worth if it is over; `Score::NONE` if every legal move is quiet.
    pub best: Store<Score>,
    /// The boards that are over.
    pub overs: FixedEntries<Score>,
}

/// Runs the capture pass. `lower` holds, for each layer below, what its boards
/// are worth to the player who moves there.
pub(super) fn leaving(
    plan: &Plan,
    index: &LayerIndex,
    lower: &[&Store<Score>],
    observer: &dyn Observer,
    room: &mut Room,
) -> Result<Leaving, SpillError> {
    let mut overs = Vec::new();
    let best = Store::make(index, room, |section| {
        let pass = Pass {
            plan,
            index,
            lower,
            section,
            observer,
        };
        let mut best = vec![Score::NONE; index.section_entries(section)];
        let mut found = match plan.rules {
            Ruleset::Oware(_) => pass.oware(&mut best)?,
            Ruleset::Stores(_) => pass.stores(&mut best)?,
        };
        found.sort_unstable();
        overs.push(found);
        Ok(best)
    })?;
    Ok(Leaving { best, overs })
}

struct Pass<'a> {
    plan: &'a Plan,
    index: &'a LayerIndex,
    lower: &'a [&'a Store<Score>],
    section: u8,
    observer: &'a dyn Observer,
}

impl Pass<'_> {
    /// The moves of the section's mover's rows.
    fn rows(&self) -> &[RowMoves] {
        self.plan.row_moves(self.index.seeds() - self.section)
    }

    fn oware(&self, best: &mut [Score]) -> Result<Vec<Fixed<Score>>, SpillError> {
        let index = self.index;
        let (width, section_lines) = (
            index.section_width(self.section),
            index.section_lines(self.section),
        );
        let lines = Chunk::size(section_lines);
        let maps = self.plan.maps(self.section);
        let tiles: Vec<usize> = (0..width).step_by(HEIGHT).collect();
        let reaches = |chunks: &Range<usize>| {
            let columns = Chunk::band(self.plan, index, self.section, chunks);
            let reach = |map| captures_reached(map, &columns, index.seeds());
            maps.iter().map(reach).collect()
        };
        let bands = Bands {
            gathered: gathered(index),
            stores: self.lower,
            rows: self.rows(),
            tiles: &tiles,
            reaches: &reaches,
        };
        let mut overs = Vec::new();
        bands.each(
            0..Chunk::count(section_lines),
            &mut |chunks, tiles, read| {
                let first = chunks.start * lines;
                let end = section_lines.min(chunks.end * lines);
                let found: Vec<_> = best[first * width..end * width]
                    .par_chunks_mut(lines * width)
                    .enumerate()
                    .flat_map_iter(|(number, out)| {
                        let chunk =
                            Chunk::new(self.plan, index, self.section, chunks.start + number);
                        self.oware_chunk(&chunk, tiles, read, out)
                    })
                    .collect();
                overs.extend(found);
                Ok(())
            },
        )?;
        Ok(overs)
    }

    fn oware_chunk(
        &self,
        chunk: &Chunk<'_>,
        tiles: &[usize],
        read: &Lines<'_, Score>,
        out: &mut [Score],
    ) -> Vec<Fixed<Score>> {
        let seeds = self.index.seeds();
        let width = self.index.section_width(self.section);
        let maps = self.plan.maps(self.section);
        let columns = &chunk.columns;
        let captures = ChunkRuns::new(maps.iter().map(|m| &*m.captures), columns, |c| c.run);
        let takes_all = ChunkRuns::new(maps.iter().map(|m| &*m.takes_all), columns, |r| *r);
        let quiet = ChunkRuns::new(maps.iter().map(|m| &*m.quiet), columns, |r| *r);

        let mut tile = Tile::new(columns.clone());
        // Marks the columns in which the mover has a quiet move.
        let mut can_wait = Tile::new(columns.clone());
        let mut overs = Vec::new();
        for (place, &first) in tiles.iter().enumerate() {
            let rows = tile_rows(self.rows(), first);
            for (t, moves) in rows.iter().enumerate() {
                let mut best = tile.row(t);
                let mut waits = can_wait.row(0);
                for (number, m) in moves.as_slice().iter().enumerate() {
                    let map = &maps[usize::from(m.map)];
                    for capture in &map.captures[captures.of(m.map)] {
                        let taken = capture.captured;
                        let child = read.part(place * HEIGHT + t, number, m, seeds - taken);
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
            let boards = rows.len() * chunk.line_columns.len();
            self.observer.advance(boards as u64);
        }
        overs
    }

    /// The worth of a board that has neither a quiet move nor a capture that
    /// leaves the opponent seeds, and whether it is over. What may be left is
    /// a move that ends the game.
    fn without_plain_moves(&self, row: u32, column: u32) -> (Score, bool) {
        let mover = row::unrank(self.index.seeds() - self.section, row);
        let opponent = row::unrank(self.section, column);
        let moves = self.plan.rules.moves(&Board::trusted_rows(mover, opponent));
        match moves.over() {
            Some(result) => (Score::new(result), true),
            None => {
                let best = moves.legal().map(|step| step.gain).max();
                (Score::new(best.expect("a legal move")), false)
            }
        }
    }

    fn stores(&self, best: &mut [Score]) -> Result<Vec<Fixed<Score>>, SpillError> {
        let width = self.index.section_width(self.section);
        let pieces = best
            .par_chunks_mut(width)
            .zip(self.plan.columns(self.section))
            .map(|(line, &column)| {
                let overs = self.stores_line(column, line);
                self.observer.advance(width as u64);
                overs
            });
        let pieces: Vec<_> = pieces.collect::<Result<_, _>>()?;
        Ok(pieces.concat())
    }

    fn stores_line(
        &self,
        column: u32,
        line: &mut [Score],
    ) -> Result<Vec<Fixed<Score>>, SpillError> {
        let seeds = self.index.seeds();
        let opponent = row::unrank(self.section, column);
        let mut overs = Vec::new();
        for ((row, mover), entry) in (0..).zip(row::rows(seeds - self.section)).zip(line) {
            let moves = self.plan.rules.moves(&Board::trusted_rows(mover, opponent));
            if let Some(result) = moves.over() {
                *entry = Score::new(result);
                overs.push(Fixed {
                    row,
                    column,
                    entry: *entry,
                });
            }
            for step in moves.legal().filter(|step| !step.is_quiet(seeds)) {
                let lower = self.lower[usize::from(step.board.seeds())];
                let place = lower.index().index(&step.board);
                let child = lower.get(place.expect("every board is indexed"))?;
                *entry = (*entry).max(Score::new(step.value(child.value())));
            }
        }
        Ok(overs)
    }
}

/// What the captures of a map read for a band of columns: the layer with so
/// many seeds, and which part of the line.
fn captures_reached(map: &ColumnMap, columns: &Range<u32>, seeds: u8) -> Reach {
    let mut reach: Reach = Vec::new();
    for capture in &map.captures {
        let Some(part) = reached(&[capture.run], columns) else {
            continue;
        };
        // Maps made for higher layers take more seeds than there are here.
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
