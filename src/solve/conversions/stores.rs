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
use crate::solve::moves::Run;
use crate::solve::panels::{
    Chunk, LinePart, Panel, PanelRow, SectionReader, Share, panel_rows, shares,
};
use crate::solve::storage::{SpillError, Value};
use crate::spans;

/// A sowing, as far as the mover's row and store matter.
#[derive(Clone, Copy, Debug)]
struct Sown {
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

impl Sown {
    /// Sows a pit that is not empty.
    fn new(game: StoreGame, before: &Row, pit: usize) -> Sown {
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
        Sown {
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

impl Captured {
    /// The entries that the runs lead to, from the first to the last.
    fn reach(&self) -> Range<u32> {
        let last = self.runs[self.runs.len() - 1];
        self.runs[0].to..last.to + last.len
    }
}

/// The crossings that a share has met so far, and what they do to its columns.
struct Effects {
    columns: Range<u32>,
    /// The opponent's rows of the columns.
    rows: Vec<Row>,
    known: Vec<(Crossing, Vec<Captured>)>,
}

impl Effects {
    fn new(section: u8, columns: Range<u32>) -> Effects {
        let rows = row::rows_from(row::unrank(section, columns.start));
        Effects {
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
    pub(super) fn stores(
        &self,
        game: StoreGame,
        best: &mut [Value],
    ) -> Result<Vec<Terminal<Value>>, SpillError> {
        if self.index.seeds() == self.section {
            return Ok(self.without_moves(best));
        }
        // A rank may have no lines of the section.
        if self.columns.is_empty() {
            return Ok(Vec::new());
        }
        let width = self.index.section_width(self.section);
        let panels = SectionReader::<Value>::all_panels(width);
        let lines = Chunk::size(self.columns.len());
        let _parallel = spans::parallel("conversions");
        shares(best, &(0..width), lines, &panels).try_for_each(|share| {
            let _task = spans::task("conversions");
            run_vectorized(SharePass {
                pass: self,
                game,
                chunk: Chunk::new(self.columns, share.chunk),
                panels: &panels,
                share,
            })
        })?;
        Ok(Vec::new())
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
    type Output = Result<(), SpillError>;

    #[inline(always)]
    fn run<P: Permute>(mut self) -> Result<(), SpillError> {
        let pass = self.pass;
        let mut effects = Effects::new(pass.section, self.chunk.columns.clone());
        let mut panel = Panel::new(self.chunk.columns.clone());
        let mut buffer = Vec::new();
        for position in self.share.panels.clone() {
            let first = self.panels[position];
            let height = panel_rows(pass.rows(), first).len();
            let mover = row::unrank(pass.index.seeds() - pass.section, first as u32);
            for (t, mover) in row::rows_from(mover).take(height).enumerate() {
                let mut best = panel.row(t);
                for pit in (0..ROW).filter(|&pit| mover[pit] > 0) {
                    let sown = Sown::new(self.game, &mover, pit);
                    for captured in effects.of(sown.crossing) {
                        self.raise(&mut best, &sown, captured, &mut buffer)?;
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
        Ok(())
    }
}

impl SharePass<'_, '_> {
    /// Raises the boards of a mover's row from which a move captures the same number of
    /// seeds, unless the move is quiet there.
    #[inline(always)]
    fn raise(
        &self,
        best: &mut PanelRow<'_, Value>,
        sown: &Sown,
        captured: &Captured,
        buffer: &mut Vec<Value>,
    ) -> Result<(), SpillError> {
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
            return Ok(());
        }
        if taken == 0 {
            return Ok(());
        }
        let lower = self.pass.lower[usize::from(self.pass.index.seeds() - taken)];
        if sown.moves_again {
            let rank = row::rank(&after);
            for run in &captured.runs {
                for i in 0..run.len {
                    let child = lower.entry(other, run.to + i, rank)?;
                    let entry = best.at(run.from + i);
                    *entry = (*entry).max(child.after_gain(taken));
                }
            }
            return Ok(());
        }
        let reach = captured.reach();
        let line = row::rank(&after) as usize * lower.index().section_width(own);
        let start = line + reach.start as usize;
        let children = LinePart::new(reach.start, lower.entries(own, start, reach.len(), buffer)?);
        for run in &captured.runs {
            best.raise(run, children, |child| child.after_capture(taken));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use super::*;
    use crate::index::LayerIndex;
    use crate::rules::{Next, Ruleset};
    use crate::solve::moves::CompiledMoves;
    use crate::solve::observer::Silent;
    use crate::solve::ranks::Part;
    use crate::solve::storage::{Entry, LayerArray, MemoryBudget};

    const GAMES: [Ruleset; 3] = [Ruleset::IFMG, Ruleset::KALAH, Ruleset::KALAH_EMPTY];

    /// Some entries for a layer, in the range of its values.
    fn entries(index: &LayerIndex) -> LayerArray<Value> {
        let n = usize::from(index.seeds());
        let entry = |i: usize| Value::new((i * 7919 % (2 * n + 1)) as i8 - n as i8);
        let mut budget = MemoryBudget::unlimited();
        let sections = |section| {
            let len = index.section_entries(section);
            Ok::<_, SpillError>((0..len).map(entry).collect())
        };
        LayerArray::build(&Part::whole(index), &mut budget, sections).unwrap()
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
                step.value(lower.of(&step.board).unwrap().unwrap().get())
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
            let terminals = pass.run(&mut best).unwrap();
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
            let mut layers: Vec<_> = layers.collect();
            for seeds in (0..=8).chain([14]) {
                let sections = if seeds == 14 { 0..=2 } else { 0..=seeds };
                let lower: Vec<_> = layers[..usize::from(seeds)].iter().collect();
                assert_sections_are_those_of_the_rules(&moves, &lower, seeds, sections);
            }
            // The same from spill files.
            let folder: Arc<Path> = std::env::temp_dir().into();
            for layer in &mut layers[..6] {
                layer.spill(&folder).unwrap();
            }
            let lower: Vec<_> = layers[..6].iter().collect();
            assert_sections_are_those_of_the_rules(&moves, &lower, 6, 0..=6);
        }
    }
}
