//! The hint of a board: the most that the mover can capture with one move, less the
//! most that the opponent could capture if it were their turn.
//!
//! It saves a tenth of a table's size (`docs/codec.md`) and costs little for a whole
//! tile: what a row can reach, and what can be captured in it, is computed once for
//! each of the 24 rows. Laps, grand slams and all that rulesets differ in are
//! ignored: it only helps the entropy coder, and the format fixes it for every
//! ruleset.

use super::tiling::{CELLS, COLUMNS, LINES, Tile, Tiling};
use crate::rules::ROW;

/// The hint's greatest absolute value.
pub(super) const MAX: i8 = 8;
/// How many hints there are.
pub(super) const HINTS: usize = 2 * MAX as usize + 1;

/// Sixteen rows side by side: for each pit the seeds of all of them, for vector
/// instructions.
type Rows = [[u8; SIDE]; ROW];

/// For each number of seeds sown into a row, 0 to 6, how many are captured there, in
/// sixteen rows.
type Captures = [[u8; SIDE]; ROW + 1];

/// Rows at a side of a tile.
const SIDE: usize = if LINES > COLUMNS { LINES } else { COLUMNS };

/// For each pit: how many seeds a move from it sows into the other row, or 0 if they
/// are more than six.
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

/// The captures in rows by how many pits a move reaches.
fn captures_by_reach(rows: &Rows) -> Captures {
    let mut captures = [[0; SIDE]; ROW + 1];
    let mut run = [0; SIDE];
    for (captured, seeds) in captures[1..].iter_mut().zip(rows) {
        for (run, &seeds) in run.iter_mut().zip(seeds) {
            // A pit with 1 or 2 seeds has 2 or 3 after sowing. It is captured together
            // with what a move that ends one pit earlier captures.
            let more = *run + seeds + 1;
            *run = if seeds.wrapping_sub(1) < 2 { more } else { 0 };
        }
        *captured = run;
    }
    captures
}

/// The largest captures of one row's moves, by their reach, in sixteen other rows.
#[inline]
fn largest(captures: &Captures, reach: &Rows, row: usize) -> [u8; SIDE] {
    let mut largest = [0; SIDE];
    for crossed in reach {
        let captures = &captures[usize::from(crossed[row] % 8).min(ROW)];
        for (largest, &captured) in largest.iter_mut().zip(captures) {
            *largest = captured.max(*largest);
        }
    }
    largest
}

/// The hints of a tile's cells, line by line: 0 to [`HINTS`] − 1, where [`MAX`] stands
/// for a difference of 0.
pub(super) fn hints(tiling: &Tiling, tile: &Tile, out: &mut [u8; CELLS]) {
    let (mut opponents, mut movers) = ([[0; SIDE]; ROW], [[0; SIDE]; ROW]);
    for (number, row) in tiling.opponents(tile).enumerate() {
        for (seeds, pit) in opponents.iter_mut().zip(row) {
            seeds[number] = pit;
        }
    }
    for (number, row) in tiling.movers(tile).enumerate() {
        for (seeds, pit) in movers.iter_mut().zip(row) {
            seeds[number] = pit;
        }
    }
    let (in_movers, movers_reach) = (captures_by_reach(&movers), reach(&movers));
    let (in_opponents, opponents_reach) = (captures_by_reach(&opponents), reach(&opponents));
    // The mover's captures by column, then line.
    let mut captures = [[0; SIDE]; COLUMNS];
    for (column, captures) in captures[..tile.columns].iter_mut().enumerate() {
        *captures = largest(&in_opponents, &movers_reach, column);
    }
    for (line, out) in out
        .chunks_exact_mut(tile.columns)
        .take(tile.lines)
        .enumerate()
    {
        let threats = largest(&in_movers, &opponents_reach, line);
        for ((hint, captures), &threat) in out.iter_mut().zip(&captures).zip(&threats) {
            *hint = hint_of(captures[line], threat);
        }
    }
}

fn hint_of(capture: u8, threat: u8) -> u8 {
    // Neither is more than 18.
    let net = capture.cast_signed() - threat.cast_signed();
    (net.clamp(-MAX, MAX) + MAX).cast_unsigned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::LayerIndex;
    use crate::rules::{Board, Row, Ruleset};

    /// The plain definition: sows seed by seed and captures pit by pit.
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
    fn hints_match_plain_sowing_and_capturing() {
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
