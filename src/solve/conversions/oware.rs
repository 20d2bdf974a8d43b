//! Conversions of the oware family.

use rayon::prelude::*;

use super::{SectionPass, Terminal};
use crate::cpu::{Permute, Vectorized, run_vectorized};
use crate::index::row;
use crate::rules::Board;
use crate::solve::array::Sections;
use crate::solve::chunk::{Chunk, ChunkRuns, Share, shares};
use crate::solve::entry::{Entry, Value};
use crate::solve::panel::{Panel, all_panels, panel_rows};
use crate::spans;

impl SectionPass<'_> {
    pub(super) fn oware(&self, best: &mut [Value]) -> Vec<Terminal<Value>> {
        let width = self.rows().len();
        let panels = all_panels(width);
        let lower: Vec<_> = self.lower.iter().map(|array| Sections::of(array)).collect();
        let _parallel = spans::parallel("conversions");
        let terminals = shares(best, width, &panels).flat_map_iter(|share| {
            let _task = spans::task("conversions");
            run_vectorized(SharePass {
                pass: self,
                chunk: Chunk::new(self.columns, share.chunk),
                panels: &panels,
                lower: &lower,
                share,
            })
        });
        terminals.collect()
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
}

/// The conversion pass over a share of the boards of a section.
struct SharePass<'w, 'a> {
    pass: &'w SectionPass<'a>,
    chunk: Chunk<'w>,
    /// The first rows of all panels.
    panels: &'w [usize],
    /// The sections of the lower layers.
    lower: &'w [Sections<'a, Value>],
    share: Share<'w, Value>,
}

impl Vectorized for SharePass<'_, '_> {
    type Output = Vec<Terminal<Value>>;

    #[inline(always)]
    fn run<P: Permute>(mut self) -> Vec<Terminal<Value>> {
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
                let all_quiet = moves.iter().any(|m| covers_all[usize::from(m.map)]);
                let mut best = panel.row(t);
                for m in moves.iter() {
                    let map = &maps[usize::from(m.map)];
                    for capture in &map.captures[captures.of(m.map)] {
                        let captured = capture.captured;
                        let lower = &self.lower[usize::from(seeds - captured)];
                        let child = lower.line(m.seeds, m.line);
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
                for m in moves.iter() {
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
            pass.write(
                &mut self.share,
                &self.chunk,
                &mut panel,
                first..first + rows.len(),
            );
        }
        terminals
    }
}
