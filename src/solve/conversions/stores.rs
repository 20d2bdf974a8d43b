//! Conversions of the store family.
//!
//! The effect of a sowing on the opponent's row depends on how many seeds cross and on where
//! the last one falls, but not on the rest of the mover's row. So for the columns of a chunk
//! each kind of crossing is worked out once, as runs of columns from which the same number of
//! seeds is captured, and applied to every mover's row. If the opponent moves next, the
//! child is entry B' of line A', and runs read neighbouring entries. After a last seed in the
//! store the mover moves again: the child is entry A' of line B'.

use std::ops::Range;

use super::{SectionPass, Terminal};
use crate::index::{LayerIndex, row};
use crate::rules::{Board, ROW, Row, StoreGame, row_seeds};
use crate::solve::chunk::Chunk;
use crate::solve::entry::Value;
use crate::solve::moves::{Run, StoreCapture, StoreCrossing, StoreSowing};
use crate::solve::panel::PanelRow;

/// Columns of a chunk from which a crossing captures the same number of seeds, and where it
/// leads. A crossing keeps the order of rows, and so does each capture of the same number
/// from the same pit.
struct Captured {
    seeds: u8,
    runs: Vec<Run>,
}

/// The crossings that a share has met so far, and their effects on its columns.
struct CrossingEffects {
    columns: Range<u32>,
    /// The opponent's rows of the columns.
    rows: Vec<Row>,
    known: Vec<(StoreCrossing, Vec<Captured>)>,
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

    /// The number of a crossing among the known ones.
    fn number(&mut self, crossing: StoreCrossing) -> usize {
        let number = self.known.iter().position(|(known, _)| *known == crossing);
        number.unwrap_or_else(|| {
            let found = self.find(crossing);
            self.known.push((crossing, found));
            self.known.len() - 1
        })
    }

    fn find(&self, crossing: StoreCrossing) -> Vec<Captured> {
        let mut found: Vec<Captured> = Vec::new();
        for (column, row) in self.columns.clone().zip(&self.rows) {
            let (seeds, after) = crossing.meet(row);
            let number = found.iter().position(|captured| captured.seeds == seeds);
            let number = number.unwrap_or_else(|| {
                let runs = Vec::new();
                found.push(Captured { seeds, runs });
                found.len() - 1
            });
            Run::extend(&mut found[number].runs, column, row::rank(&after));
        }
        found
    }
}

/// Passes on the layer, section and line of each conversion of some mover's rows of a section, and
/// of some moves that may be none; without a line for all of the section.
pub(in crate::solve) fn lower_lines(
    game: StoreGame,
    index: &LayerIndex,
    section: u8,
    rows: Range<usize>,
    then: &mut dyn FnMut(u8, u8, Option<u32>),
) {
    let (all, of_mover) = (index.seeds(), index.seeds() - section);
    for rank in rows {
        let mover = row::unrank(of_mover, rank as u32);
        for pit in (0..ROW).filter(|&pit| mover[pit] > 0) {
            let sowing = StoreSowing::new(game, &mover, pit);
            let own = row_seeds(&sowing.row);
            if sowing.moves_again {
                let left = all - sowing.stored;
                then(left, left - own, None);
            } else {
                let mut after = sowing.row;
                let mut lines = |own: u8, line| (own..all).for_each(|n| then(n, own, Some(line)));
                lines(own, row::rank(&after));
                if let StoreCapture::Opposite(pit) = sowing.crossing.capture {
                    after[pit] = 0;
                    lines(row_seeds(&after), row::rank(&after));
                }
            }
        }
    }
}

/// The conversions to the boards of a chunk's columns.
pub(super) struct StoreChunk<'w, 'a> {
    pass: &'w SectionPass<'a>,
    chunk: &'w Chunk<'w>,
    game: StoreGame,
    effects: CrossingEffects,
}

impl<'w, 'a> StoreChunk<'w, 'a> {
    pub fn new(
        pass: &'w SectionPass<'a>,
        chunk: &'w Chunk<'w>,
        game: StoreGame,
    ) -> StoreChunk<'w, 'a> {
        StoreChunk {
            pass,
            chunk,
            game,
            effects: CrossingEffects::new(pass.section, chunk.columns.clone()),
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
        let seeds = self.pass.index.seeds() - self.pass.section;
        if seeds == 0 {
            return self.end(best, terminals);
        }
        let mover = row::unrank(seeds, rank as u32);
        for pit in (0..ROW).filter(|&pit| mover[pit] > 0) {
            let sowing = StoreSowing::new(self.game, &mover, pit);
            let number = self.effects.number(sowing.crossing);
            for captured in &self.effects.known[number].1 {
                self.raise_captured(best, &sowing, captured);
            }
        }
    }

    /// Sets the boards whose mover has no seeds: the game is over.
    fn end(&self, best: &mut PanelRow<'_, Value>, terminals: &mut Vec<Terminal<Value>>) {
        for &column in self.chunk.line_columns {
            let opponent = row::unrank(self.pass.section, column);
            let board = Board::trusted_rows([0; ROW], opponent);
            let result = self.pass.moves.rules.moves(&board).terminal_value();
            let entry = Value::in_range(result.expect("an empty row has no move"));
            *best.at(column) = entry;
            terminals.push(Terminal {
                rank: 0,
                column,
                entry,
            });
        }
    }

    /// Raises the boards of a mover's row from which a move captures the same number of
    /// seeds, unless the move is quiet there.
    #[inline(always)]
    fn raise_captured(
        &self,
        best: &mut PanelRow<'_, Value>,
        sowing: &StoreSowing,
        captured: &Captured,
    ) {
        let mut after = sowing.row;
        let mut taken = sowing.stored + captured.seeds;
        if let StoreCapture::Opposite(own) = sowing.crossing.capture
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
        let lower = &self.pass.lower[usize::from(self.pass.index.seeds() - taken)];
        if sowing.moves_again {
            let rank = row::rank(&after) as usize;
            for run in &captured.runs {
                for i in 0..run.len {
                    let child = lower.line(other, run.to + i)[rank];
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
    use rayon::prelude::*;

    use super::*;
    use crate::rules::{Next, Ruleset};
    use crate::solve::array::LayerArray;
    use crate::solve::entry::Entry;
    use crate::solve::moves::CompiledMoves;
    use crate::solve::observer::Silent;
    use crate::solve::panel::panels_in;
    use crate::solve::sections::Sections;

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
        if let Some(result) = moves.terminal_value() {
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
        let lower_sections: Vec<_> = lower.iter().map(|array| Sections::of(array)).collect();
        for section in sections {
            let pass = SectionPass {
                moves,
                index: &index,
                lower: &lower_sections,
                section,
                columns: moves.columns(section),
                observer: &Silent,
            };
            let mut best = vec![Value::NONE; index.section_entries(section)];
            let width = index.section_width(section);
            let panels = panels_in(0..width);
            let terminals = pass.run(best.chunks_mut(width).collect(), &panels);
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
            assert_eq!(terminals, Ok(ended));
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
