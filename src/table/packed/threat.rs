//! What a board shows at a glance: the most that the mover can capture with one
//! move, less the most that the opponent could, were it his turn.
//!
//! It is worth a tenth of a table's size to know (`docs/codec.md`), and costs
//! little for a whole tile: what a row can reach, and what can be captured in it,
//! are found once for each of the 24 rows. Sowing once round the board, grand
//! slams and all that rulesets differ in are left aside: this is a hint for the
//! entropy coder, and the same for all.

use super::tiles::{CELLS, COLUMNS, LINES, Tile, Tiling};
use crate::rules::ROW;

/// The hint's greatest absolute value; beyond, it is taken as this.
pub(in super::super) const MOST: i8 = 8;
/// How many hints there are.
pub(in super::super) const HINTS: usize = 2 * MOST as usize + 1;

/// Rows beside one another: for each pit the seeds of sixteen rows, so that
/// what is done to one is done to all at a time.
type Rows = [[u8; SIDE]; ROW];

/// For each number of seeds dropped into a row, 0 to 6, how many are captured there,
/// in sixteen rows.
type Loot = [[u8; SIDE]; ROW + 1];

/// Rows at a side of a tile.
const SIDE: usize = if LINES > COLUMNS { LINES } else { COLUMNS };

/// For each pit: how many seeds a move from there drops into the other row, 0 if
/// none or more than six.
fn reach(rows: &Rows) -> Rows {
    let mut reach = [[0; SIDE]; ROW];
    for (pit, (reach, seeds)) in reach.iter_mut().zip(rows).enumerate() {
        let own = (ROW - 1 - pit) as u8;
        for (crossed, &seeds) in reach.iter_mut().zip(seeds) {
            let beyond = seeds.saturating_sub(own);
            *crossed = if beyond <= ROW as u8 { beyond } else { 0 };
        }
    }
    reach
}

/// What can be captured in rows.
fn loot(rows: &Rows) -> Loot {
    let mut loot = [[0; SIDE]; ROW + 1];
    let mut run = [0; SIDE];
    for (captured, seeds) in loot[1..].iter_mut().zip(rows) {
        for (run, &seeds) in run.iter_mut().zip(seeds) {
            // Pits with 1 or 2 seeds have 2 or 3 after sowing, and with them is
            // captured what is captured up to the pit before.
            let more = *run + seeds + 1;
            *run = if seeds.wrapping_sub(1) < 2 { more } else { 0 };
        }
        *captured = run;
    }
    loot
}

/// The greatest of what the moves of one row, by what they reach, capture in
/// sixteen others.
#[inline]
fn most(loot: &Loot, reach: &Rows, row: usize) -> [u8; SIDE] {
    let mut most = [0; SIDE];
    for crossed in reach {
        for (most, &loot) in most
            .iter_mut()
            .zip(&loot[usize::from(crossed[row] % 8).min(ROW)])
        {
            *most = loot.max(*most);
        }
    }
    most
}

/// The hints of a tile's cells, line by line: 0 to [`HINTS`] − 1, where
/// [`MOST`] stands for a balance.
pub(in super::super) fn hints(tiling: &Tiling, tile: &Tile, out: &mut [u8; CELLS]) {
    let (mut opponents, mut movers) = ([[0; SIDE]; ROW], [[0; SIDE]; ROW]);
    for (place, row) in tiling.opponents(tile).enumerate() {
        for (seeds, pit) in opponents.iter_mut().zip(row) {
            seeds[place] = pit;
        }
    }
    for (place, row) in tiling.movers(tile).enumerate() {
        for (seeds, pit) in movers.iter_mut().zip(row) {
            seeds[place] = pit;
        }
    }
    let (movers_loot, movers_reach) = (loot(&movers), reach(&movers));
    let (opponents_loot, opponents_reach) = (loot(&opponents), reach(&opponents));
    // The mover's captures by column, then line.
    let mut captures = [[0; SIDE]; COLUMNS];
    for (column, captures) in captures[..tile.columns].iter_mut().enumerate() {
        *captures = most(&opponents_loot, &movers_reach, column);
    }
    for (line, out) in out
        .chunks_exact_mut(tile.columns)
        .take(tile.lines)
        .enumerate()
    {
        let threats = most(&movers_loot, &opponents_reach, line);
        for ((hint, captures), &threat) in out.iter_mut().zip(&captures).zip(&threats) {
            *hint = hint_of(captures[line], threat);
        }
    }
}

fn hint_of(capture: u8, threat: u8) -> u8 {
    // Neither is more than 18.
    let net = capture.cast_signed() - threat.cast_signed();
    (net.clamp(-MOST, MOST) + MOST).cast_unsigned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::LayerIndex;
    use crate::rules::{Board, Row, Ruleset};

    /// The plain twin: sows seed by seed and captures pit by pit.
    fn plain_capture(mover: &Row, opponent: &Row) -> u8 {
        let capture = |pit: usize| {
            let mut there = *opponent;
            let crossed = usize::from(mover[pit]).checked_sub(5 - pit)?;
            if crossed == 0 || crossed > 6 {
                return None;
            }
            there[..crossed].iter_mut().for_each(|seeds| *seeds += 1);
            let run = there[..crossed].iter().rev();
            Some(run.take_while(|&&seeds| seeds == 2 || seeds == 3).sum())
        };
        (0..6).filter_map(capture).max().unwrap_or(0)
    }

    /// Every board of some layers.
    #[test]
    fn hints_are_those_of_sowing_and_capturing() {
        for seeds in [0, 1, 5, 8, 9] {
            let index = LayerIndex::new(Ruleset::KALAH, seeds);
            let tiling = Tiling::new(index.clone(), seeds + 1);
            let mut out = [0; CELLS];
            for number in 0..tiling.len() {
                let tile = tiling.tile(number);
                hints(&tiling, &tile, &mut out);
                for (cell, &hint) in out[..tile.cells()].iter().enumerate() {
                    let start = tiling.line_start(&tile, cell / tile.columns);
                    let board: Board = index.board(start + (cell % tile.columns) as u64);
                    let (mover, opponent) = (board.mover(), board.opponent());
                    let (capture, threat) = (
                        plain_capture(&mover, &opponent),
                        plain_capture(&opponent, &mover),
                    );
                    assert_eq!(hint, hint_of(capture, threat), "{board}");
                }
            }
        }
    }
}
