//! Conversions of the store family.
//!
//! What a sowing does to the opponent's row depends on how many seeds cross and on where the
//! last one falls, but not on the rest of the mover's row. So for the columns of a chunk each
//! kind of crossing is worked out once, as runs of columns from which the same number of
//! seeds is captured, and applied to every mover's row. If the opponent moves next, the
//! child is entry B' of line A', and runs read neighbouring entries. After a last seed in the
//! store the mover moves again: the child is entry A' of line B'.

use std::ops::Range;

use rayon::prelude::*;

use super::{SectionPass, Terminal};
use crate::cpu::{Permute, Vectorized, run_vectorized};
use crate::index::row;
use crate::rules::{Board, ROW, Row, StoreGame, row_seeds};
use crate::solve::chunk::{Chunk, Share, shares};
use crate::solve::entry::Value;
use crate::solve::moves::Run;
use crate::solve::panel::{Panel, PanelRow, all_panels, panel_rows};
use crate::spans;

/// A sowing, as far as the mover's row and store matter.
#[derive(Clone, Copy, Debug)]
struct RowSowing {
    /// The mover's row before any capture.
    row: Row,
    stored: u8,
    crossing: Crossing,
    /// Whether the last seed fell into the store.
    moves_again: bool,
}

/// What a sowing does to the opponent's row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Crossing {
    /// Seeds that fall there, from the first pit on.
    seeds: u8,
    capture: Capture,
}

/// What a last seed may capture in the opponent's row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Capture {
    Nothing,
    /// Its own pit, if that is even.
    Even,
    /// The pit opposite this one of the mover's, which was empty.
    Opposite(usize),
}

impl RowSowing {
    /// Sows a pit that is not empty.
    fn new(game: StoreGame, before: &Row, pit: usize) -> RowSowing {
        /// Pits of a lap, the store among them.
        const CIRCUIT: usize = 2 * ROW + 1;
        let mut row = *before;
        let mut hand = std::mem::take(&mut row[pit]);
        if game == StoreGame::Ifmg && hand > 1 {
            row[pit] = 1;
            hand -= 1;
        }
        let (mut stored, mut crossed, mut last) = (0, 0, pit);
        for _ in 0..hand {
            last = (last + 1) % CIRCUIT;
            match row.get_mut(last) {
                Some(own) => *own += 1,
                None if last == ROW => stored += 1,
                None => crossed += 1,
            }
        }
        let capture = match row.get(last) {
            Some(1) => Capture::Opposite(last),
            None if last > ROW && game == StoreGame::Ifmg => Capture::Even,
            _ => Capture::Nothing,
        };
        RowSowing {
            row,
            stored,
            crossing: Crossing {
                seeds: crossed,
                capture,
            },
            moves_again: last == ROW,
        }
    }
}

impl Crossing {
    /// The seeds captured from an opponent's row, and what is left of it.
    fn meet(self, row: &Row) -> (u8, Row) {
        let mut after = *row;
        for seed in 0..usize::from(self.seeds) {
            after[seed % ROW] += 1;
        }
        let pit = match self.capture {
            Capture::Nothing => return (0, after),
            Capture::Even => usize::from(self.seeds - 1) % ROW,
            Capture::Opposite(own) => ROW - 1 - own,
        };
        if self.capture == Capture::Even && !after[pit].is_multiple_of(2) {
            return (0, after);
        }
        (std::mem::take(&mut after[pit]), after)
    }
}

/// Columns of a chunk from which a crossing captures the same number of seeds, and where it
/// leads. A crossing keeps the order of rows, and so does each capture of the same number
/// from the same pit.
struct Captured {
    seeds: u8,
    runs: Vec<Run>,
}

/// The crossings that a share has met so far, and what they do to its columns.
struct CrossingEffects {
    columns: Range<u32>,
    /// The opponent's rows of the columns.
    rows: Vec<Row>,
    known: Vec<(Crossing, Vec<Captured>)>,
}

impl CrossingEffects {
    fn new(section: u8, columns: Range<u32>) -> CrossingEffects {
        let rows = row::rows_from(row::unrank(section, columns.start));
        CrossingEffects {
            rows: rows.take(columns.len()).collect(),
            columns,
            known: Vec::new(),
        }
    }

    fn of(&mut self, crossing: Crossing) -> &[Captured] {
        let number = self.known.iter().position(|(known, _)| *known == crossing);
        let number = number.unwrap_or_else(|| {
            let found = self.find(crossing);
            self.known.push((crossing, found));
            self.known.len() - 1
        });
        &self.known[number].1
    }

    fn find(&self, crossing: Crossing) -> Vec<Captured> {
        let mut found: Vec<Captured> = Vec::new();
        for (column, row) in self.columns.clone().zip(&self.rows) {
            let (seeds, after) = crossing.meet(row);
            let number = found.iter().position(|captured| captured.seeds == seeds);
            let number = number.unwrap_or_else(|| {
                let runs = Vec::new();
                found.push(Captured { seeds, runs });
                found.len() - 1
            });
            let runs = &mut found[number].runs;
            let to = row::rank(&after);
            match runs.last_mut() {
                Some(last) if last.continues(column, to) => last.len += 1,
                _ => runs.push(Run {
                    from: column,
                    to,
                    len: 1,
                }),
            }
        }
        found
    }
}

impl SectionPass<'_> {
    pub(super) fn stores(&self, game: StoreGame, best: &mut [Value]) -> Vec<Terminal<Value>> {
        if self.index.seeds() == self.section {
            return self.without_moves(best);
        }
        let width = self.rows().len();
        let panels = all_panels(width);
        let _parallel = spans::parallel("conversions");
        shares(best, width, &panels).for_each(|share| {
            let _task = spans::task("conversions");
            run_vectorized(SharePass {
                pass: self,
                game,
                chunk: Chunk::new(self.columns, share.chunk),
                panels: &panels,
                share,
            });
        });
        Vec::new()
    }

    /// The section in which the mover has no seeds, and the game is over.
    fn without_moves(&self, best: &mut [Value]) -> Vec<Terminal<Value>> {
        let columns = self.columns.iter().zip(best);
        let terminals = columns.map(|(&column, entry)| {
            let opponent = row::unrank(self.section, column);
            let board = Board::trusted_rows([0; ROW], opponent);
            let result = self.moves.rules.moves(&board).over();
            *entry = Value::in_range(result.expect("an empty row has no move"));
            Terminal {
                rank: 0,
                column,
                entry: *entry,
            }
        });
        let terminals: Vec<_> = terminals.collect();
        self.observer.advance(terminals.len() as u64);
        terminals
    }
}

/// The conversion pass over a share of the boards of a section.
struct SharePass<'w, 'a> {
    pass: &'w SectionPass<'a>,
    game: StoreGame,
    chunk: Chunk<'w>,
    /// The first rows of all panels.
    panels: &'w [usize],
    share: Share<'w, Value>,
}

impl Vectorized for SharePass<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Permute>(mut self) {
        let pass = self.pass;
        let mut effects = CrossingEffects::new(pass.section, self.chunk.columns.clone());
        let mut panel = Panel::new(self.chunk.columns.clone());
        for position in self.share.panels.clone() {
            let first = self.panels[position];
            let height = panel_rows(pass.rows(), first).len();
            let mover = row::unrank(pass.index.seeds() - pass.section, first as u32);
            for (t, mover) in row::rows_from(mover).take(height).enumerate() {
                let mut best = panel.row(t);
                for pit in (0..ROW).filter(|&pit| mover[pit] > 0) {
                    let sown = RowSowing::new(self.game, &mover, pit);
                    for captured in effects.of(sown.crossing) {
                        self.raise(&mut best, &sown, captured);
                    }
                }
            }
            pass.write(
                &mut self.share,
                &self.chunk,
                &mut panel,
                first..first + height,
            );
        }
    }
}

impl SharePass<'_, '_> {
    /// Raises the boards of a mover's row from which a move captures the same number of
    /// seeds, unless the move is quiet there.
    #[inline(always)]
    fn raise(&self, best: &mut PanelRow<'_, Value>, sown: &RowSowing, captured: &Captured) {
        let mut after = sown.row;
        let mut taken = sown.stored + captured.seeds;
        if let Capture::Opposite(own) = sown.crossing.capture
            && (captured.seeds > 0 || self.game == StoreGame::KalahEmpty)
        {
            taken += std::mem::take(&mut after[own]);
        }
        let own = row_seeds(&after);
        let other = self.pass.index.seeds() - taken - own;
        if own == 0 || other == 0 {
            let left = own.cast_signed() - other.cast_signed();
            let gain = match self.game {
                StoreGame::Kalah | StoreGame::KalahEmpty => taken.cast_signed() + left,
                StoreGame::Ifmg => taken.cast_signed() - left,
            };
            for run in &captured.runs {
                best.raise_to(run, Value::in_range(gain));
            }
            return;
        }
        if taken == 0 {
            return;
        }
        let lower = self.pass.lower[usize::from(self.pass.index.seeds() - taken)];
        if sown.moves_again {
            let rank = row::rank(&after);
            for run in &captured.runs {
                for i in 0..run.len {
                    let child = lower.entry(other, run.to + i, rank);
                    let entry = best.at(run.from + i);
                    *entry = (*entry).max(child.after_gain(taken));
                }
            }
            return;
        }
        let children = lower.line(own, row::rank(&after));
        for run in &captured.runs {
            best.raise(run, children, |child| child.after_capture(taken));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::LayerIndex;
    use crate::rules::{Next, Ruleset};
    use crate::solve::array::LayerArray;
    use crate::solve::entry::Entry;
    use crate::solve::moves::CompiledMoves;
    use crate::solve::observer::Silent;

    const GAMES: [Ruleset; 3] = [Ruleset::IFMG, Ruleset::KALAH, Ruleset::KALAH_EMPTY];

    /// Some entries for a layer, in the range of its values.
    fn entries(index: &LayerIndex) -> LayerArray<Value> {
        let n = usize::from(index.seeds());
        let entry = |i: usize| Value::new((i * 7919 % (2 * n + 1)) as i8 - n as i8);
        LayerArray::from_entries(index, (0..index.len() as usize).into_par_iter().map(entry))
    }

    /// The best conversion by the plain rules, and whether the board is terminal.
    fn plain(rules: Ruleset, board: &Board, lower: &[&LayerArray<Value>]) -> (Value, bool) {
        let moves = rules.moves(board);
        if let Some(result) = moves.over() {
            return (Value::new(result), true);
        }
        let conversions = moves.legal().filter(|step| !step.is_quiet(board.seeds()));
        let values = conversions.map(|step| match step.next {
            Next::Over => step.gain,
            _ => {
                let lower = lower[usize::from(step.board.seeds())];
                step.value(lower.of(&step.board).unwrap().get())
            }
        });
        (values.max().map_or(Value::NONE, Value::new), false)
    }

    fn assert_sections_are_those_of_the_rules(
        moves: &CompiledMoves,
        lower: &[&LayerArray<Value>],
        seeds: u8,
        sections: impl Iterator<Item = u8>,
    ) {
        let index = LayerIndex::new(moves.rules, seeds);
        for section in sections {
            let pass = SectionPass {
                moves,
                index: &index,
                lower,
                section,
                columns: moves.columns(section),
                observer: &Silent,
            };
            let mut best = vec![Value::NONE; index.section_entries(section)];
            let terminals = pass.run(&mut best);
            let (mut i, mut ended) = (0, Vec::new());
            for (column, opponent) in (0..).zip(row::rows(section)) {
                for (rank, mover) in (0..).zip(row::rows(seeds - section)) {
                    let board = Board::trusted_rows(mover, opponent);
                    let (entry, is_over) = plain(moves.rules, &board, lower);
                    assert_eq!(best[i], entry, "{}: {board:?}", moves.rules);
                    i += 1;
                    if is_over {
                        ended.push(Terminal {
                            rank,
                            column,
                            entry,
                        });
                    }
                }
            }
            assert_eq!(i, best.len());
            assert_eq!(terminals, ended);
        }
    }

    /// All boards of small layers; of layers with enough seeds for whole laps, the boards
    /// whose opponent has few, so that entries of all lower layers are read.
    #[test]
    fn conversions_are_those_of_the_plain_rules() {
        for rules in GAMES {
            let mut moves = CompiledMoves::new(rules);
            moves.extend_to(14);
            let layers = (0..14).map(|seeds| entries(&LayerIndex::new(rules, seeds)));
            let layers: Vec<_> = layers.collect();
            for seeds in (0..=8).chain([14]) {
                let sections = if seeds == 14 { 0..=2 } else { 0..=seeds };
                let lower: Vec<_> = layers[..usize::from(seeds)].iter().collect();
                assert_sections_are_those_of_the_rules(&moves, &lower, seeds, sections);
            }
        }
    }
}
