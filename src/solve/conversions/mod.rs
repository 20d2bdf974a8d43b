//! The conversion pass: for each board the best conversion, and the terminal
//! positions.
//!
//! One pass over the boards, share by share, and in a share mover's row by mover's row:
//!
//! - `oware`: through the column maps that quiet moves need as well;
//! - `stores`: in the store family, where most moves are conversions, through the effect of
//!   each sowing on the columns of a chunk.

mod oware;
mod stores;

use rayon::prelude::*;

use self::oware::OwareChunk;
use self::stores::StoreChunk;
use super::array::{LayerArray, Sections};
use super::chunk::{Chunk, Share, shares};
use super::entry::Value;
use super::moves::{CompiledMoves, RowMoves};
use super::observer::{Observer, Stopped};
use super::panel::{Panel, PanelRow, all_panels, panel_rows};
use crate::cpu::{Permute, Vectorized, run_vectorized};
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

/// The result of the conversion pass.
#[derive(Debug)]
pub(super) struct Conversions {
    /// The value of the best conversion, or of the board itself if it is terminal;
    /// `Value::NONE` if every legal move is quiet.
    pub best: LayerArray<Value>,
    /// The terminal positions.
    pub terminals: Terminals<Value>,
}

/// Runs the conversion pass over a layer. `lower[n]` is the complete layer of `n` seeds, for the
/// player who moves there. All of `best` is `Value::NONE` before.
pub(super) fn find_conversions(
    moves: &CompiledMoves,
    lower: &[&LayerArray<Value>],
    observer: &dyn Observer,
    mut best: LayerArray<Value>,
) -> Result<Conversions, Stopped> {
    let index = best.index().clone();
    let lower: Vec<_> = lower.iter().map(|array| Sections::of(array)).collect();
    let terminals = (0..=index.seeds()).map(|section| {
        let pass = SectionPass {
            moves,
            index: &index,
            lower: &lower,
            section,
            columns: moves.columns(section),
            observer,
        };
        pass.run(best.section_mut(section))
    });
    let terminals = terminals.collect::<Result<_, Stopped>>()?;
    Ok(Conversions { best, terminals })
}

/// The conversion pass over one section.
pub(super) struct SectionPass<'a> {
    pub moves: &'a CompiledMoves,
    pub index: &'a LayerIndex,
    /// The lower layers, by seeds.
    pub lower: &'a [Sections<'a, Value>],
    pub section: u8,
    /// The columns that the lines of the section stand for.
    pub columns: &'a [u32],
    pub observer: &'a dyn Observer,
}

impl SectionPass<'_> {
    /// Finds the best conversions of the section, line by line, and its terminal positions.
    /// All of `best` is `Value::NONE` before.
    pub fn run(&self, best: &mut [Value]) -> Result<Vec<Terminal<Value>>, Stopped> {
        let width = self.rows().len();
        let panels = all_panels(width);
        let terminals = shares(best, width, &panels).map(|share| {
            run_vectorized(SharePass {
                pass: self,
                panels: &panels,
                share,
            })
        });
        let terminals: Vec<Vec<_>> = terminals.collect::<Result<_, Stopped>>()?;
        let mut terminals = terminals.concat();
        terminals.sort_unstable();
        Ok(terminals)
    }

    /// The moves of the section's mover's rows.
    fn rows(&self) -> &[RowMoves] {
        self.moves.row_moves(self.index.seeds() - self.section)
    }
}

/// The conversion pass over a share of the boards of a section.
struct SharePass<'w, 'a> {
    pass: &'w SectionPass<'a>,
    /// The first rows of all panels.
    panels: &'w [usize],
    share: Share<'w, Value>,
}

impl Vectorized for SharePass<'_, '_> {
    type Output = Result<Vec<Terminal<Value>>, Stopped>;

    #[inline(always)]
    fn run<P: Permute>(mut self) -> Self::Output {
        let pass = self.pass;
        let chunk = Chunk::new(pass.columns, self.share.chunk);
        let mut terminals = Vec::new();
        match pass.moves.rules {
            Ruleset::Oware(_) => {
                let mut moves = OwareChunk::new(pass, &chunk);
                self.fill(&chunk, |rank, best| moves.raise(rank, best, &mut terminals))?;
            }
            Ruleset::Stores(game) => {
                let mut moves = StoreChunk::new(pass, &chunk, game);
                self.fill(&chunk, |rank, best| moves.raise(rank, best, &mut terminals))?;
            }
        }
        Ok(terminals)
    }
}

impl SharePass<'_, '_> {
    /// Fills the lines of the share, panel by panel. `raise` raises the boards of a mover's row
    /// to their best conversions.
    #[inline(always)]
    fn fill(
        &mut self,
        chunk: &Chunk<'_>,
        mut raise: impl FnMut(usize, &mut PanelRow<'_, Value>),
    ) -> Result<(), Stopped> {
        let mut panel = Panel::new(chunk.columns.clone());
        for &first in &self.panels[self.share.panels.clone()] {
            let rows = panel_rows(self.pass.rows(), first).len();
            for t in 0..rows {
                raise(first + t, &mut panel.row(t));
            }
            let start = first - self.share.row;
            for (line, &column) in self.share.lines.iter_mut().zip(chunk.line_columns) {
                line[start..][..rows].copy_from_slice(&panel.column(column)[..rows]);
            }
            let boards = rows * chunk.line_columns.len();
            self.pass.observer.advance(boards as u64)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Next;

    #[test]
    fn conversions_lead_to_the_layers_that_are_reached() {
        for &(_, rules) in Ruleset::NAMED {
            for seeds in 0..=6 {
                let index = LayerIndex::new(rules, seeds);
                let boards = (0..index.len()).map(|i| index.board(i));
                let led_to = boards
                    .flat_map(|board| rules.moves(&board).legal().collect::<Vec<_>>())
                    .filter(|step| step.next != Next::Over)
                    .map(|step| step.board.seeds())
                    .filter(|&led_to| led_to < seeds);
                let layers = led_to.max().map_or(0, |highest| highest + 1);
                assert!(layers <= rules.layers_reached(seeds), "{rules}, {seeds}");
                // With few seeds a capture ends the game.
                assert!(
                    seeds < 5 || layers == rules.layers_reached(seeds),
                    "{rules}, {seeds}"
                );
            }
        }
    }
}
