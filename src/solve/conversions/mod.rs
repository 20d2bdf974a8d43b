//! The conversion pass: for each board the best conversion, and the terminal
//! positions.
//!
//! One pass over the lines of the lower layers:
//!
//! - `oware`: through the column maps that quiet moves need as well;
//! - `stores`: in the store family, where most moves are conversions, through what each
//!   sowing does to the columns of a chunk.

mod oware;
mod stores;

use std::ops::Range;

use super::array::LayerArray;
use super::chunk::{Chunk, Share};
use super::entry::Value;
use super::moves::{CompiledMoves, RowMoves};
use super::observer::Observer;
use super::panel::Panel;
use crate::index::LayerIndex;
use crate::rules::Ruleset;

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

/// To how many layers, from 0 seeds on, conversions of the layer with `seeds` seeds lead: to all
/// below but the highest in the oware family, where captures take two seeds or more.
pub(super) fn layers_reached(rules: Ruleset, seeds: u8) -> u8 {
    match rules {
        Ruleset::Oware(_) => seeds.saturating_sub(1),
        Ruleset::Stores(_) => seeds,
    }
}

/// Runs the conversion pass over a layer. `lower` holds for each layer that conversions lead to
/// what its boards are worth to the player who moves there. All of `best` is `Value::NONE` before.
pub(super) fn find_conversions(
    moves: &CompiledMoves,
    lower: &[&LayerArray<Value>],
    observer: &dyn Observer,
    mut best: LayerArray<Value>,
) -> Conversions {
    let index = best.index().clone();
    let terminals = (0..=index.seeds()).map(|section| {
        let pass = SectionPass {
            moves,
            index: &index,
            lower,
            section,
            columns: moves.columns(section),
            observer,
        };
        pass.run(best.section_mut(section))
    });
    Conversions {
        terminals: terminals.collect(),
        best,
    }
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
    /// Finds the best conversions of the section, line by line, and its terminal positions.
    /// All of `best` is `Value::NONE` before.
    pub fn run(&self, best: &mut [Value]) -> Vec<Terminal<Value>> {
        let mut terminals = match self.moves.rules {
            Ruleset::Oware(_) => self.oware(best),
            Ruleset::Stores(game) => self.stores(game, best),
        };
        terminals.sort_unstable();
        terminals
    }

    /// The moves of the section's mover's rows.
    fn rows(&self) -> &[RowMoves] {
        self.moves.row_moves(self.index.seeds() - self.section)
    }

    /// Writes the best conversions of some rows of a share, transposed in a panel.
    #[inline(always)]
    fn write(
        &self,
        share: &mut Share<'_, Value>,
        chunk: &Chunk<'_>,
        panel: &mut Panel<Value>,
        rows: Range<usize>,
    ) {
        let start = rows.start - share.row;
        for (line, &column) in share.lines.iter_mut().zip(chunk.line_columns) {
            let best = &panel.column(column)[..rows.len()];
            line[start..][..rows.len()].copy_from_slice(best);
        }
        let boards = rows.len() * chunk.line_columns.len();
        self.observer.advance(boards as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Next;

    #[test]
    fn conversions_lead_to_the_layers_that_are_reached() {
        for (_, rules) in Ruleset::NAMED {
            for seeds in 0..=6 {
                let index = LayerIndex::new(rules, seeds);
                let boards = (0..index.len()).map(|i| index.board(i));
                let led_to = boards
                    .flat_map(|board| rules.moves(&board).legal().collect::<Vec<_>>())
                    .filter(|step| step.next != Next::Over)
                    .map(|step| step.board.seeds())
                    .filter(|&led_to| led_to < seeds);
                let layers = led_to.max().map_or(0, |highest| highest + 1);
                assert!(layers <= layers_reached(rules, seeds), "{rules}, {seeds}");
                // With few seeds a capture ends the game.
                assert!(
                    seeds < 5 || layers == layers_reached(rules, seeds),
                    "{rules}, {seeds}"
                );
            }
        }
    }
}
