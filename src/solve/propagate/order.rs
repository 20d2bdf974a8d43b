//! The order of a sweep: the steps in which it computes the boards of a layer.
//!
//! Most children of a board (A, B) are boards (B, A') on which A' is what the move leaves of A
//! when no seed crosses. (A, B) is in the section of B's seeds and (B, A') in that of A's, and A'
//! has a lower rank than A. So a sweep takes sections in pairs, and the rows that are the movers
//! of one and the opponents of the other from low ranks to high ones, in blocks:
//!
//! ```text
//! for each pair of sections o and n − o, from 0 and n on
//!     for each block of rows of n − o seeds
//!         the boards of section o on which they are the mover's
//!         the boards of section n − o on which they are the opponent's
//! ```
//!
//! Such a child is then computed before its parent, unless A and A' are in one block.

use std::ops::Range;

use crate::solve::moves::CompiledMoves;
use crate::solve::panel::PANEL_HEIGHT;

/// Boards of a section that are computed together.
pub(super) struct SweepStep {
    pub section: u8,
    /// The mover's rows, whole panels.
    pub rows: Range<usize>,
    pub lines: Range<usize>,
}

/// Rows of a block: few enough for most such children to be in earlier blocks, and enough for
/// whole chunks of lines.
pub(super) const BLOCK: usize = 512;

/// The steps of a sweep, by blocks of `block` rows or, where there are few lines, of more. Each
/// board is in one step.
pub(super) fn steps(moves: &CompiledMoves, seeds: u8, block: usize) -> Vec<SweepStep> {
    /// Lines with which a block is enough for all threads to have something to do.
    const LINES: usize = 256;
    let mut steps = Vec::new();
    for section in 0..=seeds / 2 {
        let opposite = seeds - section;
        let lines = moves.columns(section).len();
        let (rows, columns) = (moves.row_moves(opposite).len(), moves.columns(opposite));
        let block = block.saturating_mul(LINES.div_ceil(lines.max(1)));
        let block = block.min(rows).next_multiple_of(PANEL_HEIGHT);
        for first in (0..rows).step_by(block) {
            let end = rows.min(first + block);
            let line = |row| columns.partition_point(|&column| (column as usize) < row);
            let own = line(first)..line(end);
            // A section that is its own opposite has been computed for the earlier rows.
            let (first_line, first_row) = if section == opposite {
                (own.start, end)
            } else {
                (0, 0)
            };
            steps.push(SweepStep {
                section,
                rows: first..end,
                lines: first_line..lines,
            });
            steps.push(SweepStep {
                section: opposite,
                rows: first_row..moves.row_moves(section).len(),
                lines: own,
            });
        }
    }
    steps.retain(|step| !step.rows.is_empty() && !step.lines.is_empty());
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::LayerIndex;
    use crate::rules::Ruleset;

    #[test]
    fn every_board_is_in_one_step() {
        for (rules, seeds) in [
            (Ruleset::ABAPA, 11),
            (Ruleset::AWARI, 10),
            (Ruleset::KALAH, 8),
        ] {
            let mut moves = CompiledMoves::new(rules);
            moves.extend_to(seeds);
            let index = LayerIndex::new(rules, seeds);
            for block in [1, BLOCK, usize::MAX] {
                let mut times = vec![0; index.len() as usize];
                for step in steps(&moves, seeds, block) {
                    assert_eq!(step.rows.start % PANEL_HEIGHT, 0);
                    for line in step.lines {
                        let line_start = index.section_start(step.section) as usize
                            + line * index.section_width(step.section);
                        for row in step.rows.clone() {
                            times[line_start + row] += 1;
                        }
                    }
                }
                assert!(times.iter().all(|&times| times == 1), "{rules}, {block}");
            }
        }
    }
}
