//! What a board shows at a glance: the most that the mover can capture with one
//! move, less the most that the opponent could, were it his turn.
//!
//! It is worth a tenth of a table's size to know (`docs/codec.md`), and costs
//! little for a whole tile: what a row can reach, and what can be captured in it,
//! are found once for each of the 32 rows. Sowing once round the board, grand
//! slams and all that rulesets differ in are left aside: this is a hint for the
//! entropy coder, and the same for all.

use super::tiles::{CELLS, COLUMNS, LINES, Tile, Tiling};
use crate::rules::{ROW, Row};

/// The hint's greatest absolute value; beyond, it is taken as this.
pub(in super::super) const MOST: i8 = 8;
/// How many hints there are.
pub(in super::super) const HINTS: usize = 2 * MOST as usize + 1;

/// For each pit of a row: how many seeds a move from there drops into the other
/// row, 0 if none or more than six.
fn reach(row: &Row) -> [u8; ROW] {
    std::array::from_fn(|pit| {
        let crossed = row[pit].saturating_sub((ROW - 1 - pit) as u8);
        if crossed <= ROW as u8 { crossed } else { 0 }
    })
}

/// For each number of seeds dropped into a row, 0 to 6, how many are captured
/// there.
fn loot(row: &Row) -> [u8; ROW + 1] {
    let mut loot = [0; ROW + 1];
    // What is captured up to a pit, and on from there: pits with 1 or 2 seeds
    // have 2 or 3 after sowing.
    let mut run = 0;
    for (captured, &seeds) in loot[1..].iter_mut().zip(row) {
        run = if matches!(seeds, 1 | 2) { run + seeds + 1 } else { 0 };
        *captured = run;
    }
    loot
}

/// The hints of a tile's cells, line by line: 0 to [`HINTS`] − 1, where
/// [`MOST`] stands for a balance.
pub(in super::super) fn hints(tiling: &Tiling, tile: &Tile, out: &mut [u8; CELLS]) {
    let (mut opponents, mut movers) = ([[0; ROW]; LINES], [[0; ROW]; COLUMNS]);
    tiling.rows(tile, &mut opponents, &mut movers);
    // By seeds dropped, then line by line or column by column, so that what
    // follows is done for sixteen cells at a time.
    let mut loot_of_opponents = [[0; LINES]; ROW + 1];
    let mut loot_of_movers = [[0; COLUMNS]; ROW + 1];
    for (place, row) in opponents[..tile.lines].iter().enumerate() {
        for (by_place, loot) in loot_of_opponents.iter_mut().zip(loot(row)) {
            by_place[place] = loot;
        }
    }
    for (place, row) in movers[..tile.columns].iter().enumerate() {
        for (by_place, loot) in loot_of_movers.iter_mut().zip(loot(row)) {
            by_place[place] = loot;
        }
    }
    // The mover's captures by column, then line.
    let mut captures = [[0; LINES]; COLUMNS];
    for (captures, row) in captures.iter_mut().zip(&movers[..tile.columns]) {
        *captures = most(&loot_of_opponents, &reach(row));
    }
    for (line, row) in opponents[..tile.lines].iter().enumerate() {
        let threats = most(&loot_of_movers, &reach(row));
        let out = &mut out[line * tile.columns..][..tile.columns];
        for ((hint, captures), threat) in out.iter_mut().zip(&captures).zip(threats) {
            *hint = hint_of(captures[line], threat);
        }
    }
}

/// The greatest of what each of a row's moves captures, in sixteen places.
fn most<const N: usize>(loot: &[[u8; N]; ROW + 1], reach: &[u8; ROW]) -> [u8; N] {
    let mut most = [0; N];
    for &crossed in reach {
        for (most, &loot) in most.iter_mut().zip(&loot[usize::from(crossed)]) {
            *most = loot.max(*most);
        }
    }
    most
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
    use crate::rules::{Board, Ruleset};

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
            let tiling = Tiling::new(LayerIndex::new(Ruleset::KALAH, seeds), seeds + 1);
            let mut out = [0; CELLS];
            for number in 0..tiling.len() {
                let tile = tiling.tile(number);
                hints(&tiling, &tile, &mut out);
                for cell in 0..tile.cells() {
                    let start = tiling.line_start(&tile, cell / tile.columns);
                    let index = start + (cell % tile.columns) as u64;
                    let board: Board = tiling.index().board(index);
                    let (mover, opponent) = (board.mover(), board.opponent());
                    let (capture, threat) =
                        (plain_capture(&mover, &opponent), plain_capture(&opponent, &mover));
                    assert_eq!(out[cell], hint_of(capture, threat), "{board}");
                }
            }
        }
    }
}
