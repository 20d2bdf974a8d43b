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

use std::ops::Range;

use rayon::prelude::*;

use self::oware::OwareChunk;
use self::stores::StoreChunk;
pub(super) use self::stores::lower_lines as store_lines;
use super::array::LayerArray;
use super::chunk::{Chunk, Share, shares};
use super::entry::Value;
use super::error::SolveError;
use super::moves::{CompiledMoves, RowMoves};
use super::observer::{Observer, Stopped};
use super::panel::{Panel, PanelRow, panel_rows, panels_in, steps};
use super::sections::Sections;
use super::spill::{Pool, PoolFiles, Schedule};
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
/// player who moves there. All of `best` is `Value::NONE` before. Of arrays beyond memory,
/// `pool_bytes` may be in memory at a time.
pub(super) fn find_conversions(
    moves: &CompiledMoves,
    lower: &[&LayerArray<Value>],
    observer: &dyn Observer,
    mut best: LayerArray<Value>,
    pool_bytes: u64,
) -> Result<Conversions, SolveError> {
    let index = best.index().clone();
    let mut files = PoolFiles::default();
    let own = best.spill_file().map(|(file, _)| files.add(file));
    let reads = LowerReads::new(moves, &index, lower, &mut files);
    let is_in_memory = own.is_none() && reads.are_in_memory();
    let steps_of = |section| match is_in_memory {
        true => std::iter::once(0..index.section_width(section)).collect(),
        false => steps(&index, section),
    };
    let sections = 0..=index.seeds();
    let all_steps = sections.flat_map(|section| {
        steps_of(section)
            .into_iter()
            .map(move |rows| (section, rows))
    });
    let all_steps: Vec<_> = all_steps.collect();
    let needs = all_steps.iter().map(|(section, rows)| {
        let mut needed = reads.pieces(&files, *section, rows.clone());
        if let (Some(own), Some((_, pieces))) = (own, best.spill_file()) {
            let pieces = pieces.of_section(*section);
            needed.extend(pieces.map(|piece| files.number(own, piece) as u32));
        }
        needed
    });
    let schedule = Schedule::new(needs.collect(), false);
    let mut pool = Pool::new(files, pool_bytes, schedule)?;
    let mut terminals: Terminals<Value> = no_terminals(index.seeds());
    for (number, (section, rows)) in all_steps.into_iter().enumerate() {
        pool.begin(number)?;
        // The pieces of the section that are beyond memory, with their numbers and lengths.
        let own = own.zip(best.spill_file()).map(|(own, (_, pieces))| {
            let own_pieces = pieces.of_section(section);
            let own_pieces =
                own_pieces.map(|piece| (pool.files.number(own, piece), pieces.len(piece)));
            own_pieces.collect::<Vec<_>>()
        });
        let own = own.unwrap_or_default();
        let mut taken: Vec<_> = own.iter().map(|&(number, _)| pool.take(number)).collect();
        let pass = SectionPass {
            moves,
            index: &index,
            lower: &reads.in_pool(&pool),
            section,
            columns: moves.columns(section),
            observer,
        };
        let width = index.section_width(section);
        let lines = match own.is_empty() {
            true => best.section_mut(section).chunks_mut(width).collect(),
            false => {
                let pieces = taken.iter_mut().zip(&own);
                let lines =
                    pieces.map(|(buffer, &(_, len))| buffer.entries_mut(len).chunks_mut(width));
                lines.flatten().collect()
            }
        };
        terminals[usize::from(section)].extend(pass.run(lines, &panels_in(rows))?);
        for (buffer, (number, _)) in taken.into_iter().zip(own) {
            pool.put(number, buffer, true);
        }
    }
    observer.spilled(pool.write_all()?);
    Ok(Conversions { best, terminals })
}

/// What the conversion pass reads of the lower layers that are beyond memory.
pub(super) struct LowerReads<'a> {
    moves: &'a CompiledMoves,
    index: &'a LayerIndex,
    /// By seeds: each layer, and its position among the files of a pool.
    lower: Vec<(&'a LayerArray<Value>, Option<usize>)>,
}

impl<'a> LowerReads<'a> {
    /// The layers below one; their files are added to those of a pool.
    pub fn new(
        moves: &'a CompiledMoves,
        index: &'a LayerIndex,
        lower: &[&'a LayerArray<Value>],
        files: &mut PoolFiles,
    ) -> LowerReads<'a> {
        let lower = lower.iter().map(|&array| {
            let file = array.spill_file().map(|(file, _)| files.add(file));
            (array, file)
        });
        LowerReads {
            moves,
            index,
            lower: lower.collect(),
        }
    }

    /// Whether none is beyond memory.
    pub fn are_in_memory(&self) -> bool {
        self.lower.iter().all(|(_, file)| file.is_none())
    }

    /// The layers, as far as they are in a pool.
    pub fn in_pool<'p>(&'p self, pool: &'p Pool) -> Vec<Sections<'p, Value>> {
        let lower = self.lower.iter();
        lower
            .map(|&(array, file)| Sections::in_pool(array, file, pool))
            .collect()
    }

    /// The pieces that conversions of some mover's rows of a section lead to.
    pub fn pieces(&self, files: &PoolFiles, section: u8, rows: Range<usize>) -> Vec<u32> {
        let mut needed = Vec::new();
        if self.are_in_memory() {
            return needed;
        }
        let mut need = |layer: u8, section: u8, line: Option<u32>| {
            let Some(&(array, Some(file))) = self.lower.get(usize::from(layer)) else {
                return;
            };
            let (_, pieces) = array.spill_file().expect("an array in a file");
            let read = match line {
                Some(line) => {
                    let piece = pieces.of_line(section, line);
                    piece..piece + 1
                }
                None => pieces.of_section(section),
            };
            needed.extend(read.map(|piece| files.number(file, piece) as u32));
        };
        match self.moves.rules {
            Ruleset::Oware(_) => {
                oware::lower_lines(self.moves, self.index, section, rows, &mut need);
            }
            Ruleset::Stores(game) => {
                stores::lower_lines(game, self.index, section, rows, &mut need);
            }
        }
        needed.sort_unstable();
        needed.dedup();
        needed
    }
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
    /// Finds the best conversions in some panels of the lines of the section, and the terminal
    /// positions. All of them are `Value::NONE` before.
    pub fn run(
        &self,
        lines: Vec<&mut [Value]>,
        panels: &[usize],
    ) -> Result<Vec<Terminal<Value>>, Stopped> {
        let terminals = shares(lines, panels).map(|share| {
            run_vectorized(SharePass {
                pass: self,
                panels,
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
    /// The first rows of the panels.
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
