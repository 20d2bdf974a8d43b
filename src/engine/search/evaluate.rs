//! The evaluation: an estimate of a board's value at the horizon of the search.
//!
//! In the oware family it is the output of a neural network. In the store family it is a
//! linear function of a few features, in which the weight of each has a constant part and
//! a part proportional to the seeds on the board. These weights were found by linear
//! regression on games that the engine played against itself (docs/engine.md).

use super::network::Network;
use crate::rules::{Board, PITS, PackedBoard, ROW, Row, Ruleset, row_seeds};

/// Number of features.
const FEATURES: usize = 12;

/// The weight of each feature in hundredths of a seed: a constant part, and a part that
/// is multiplied by the seeds on the board and divided by 48.
type LinearWeights = [[i32; 2]; FEATURES];

/// Weights of the store family, tuned on `kalah`.
const STORES: LinearWeights = [
    [260, 294],
    [18, -14],
    [-392, 314],
    [334, -407],
    [-210, 279],
    [216, -407],
    [-107, 182],
    [135, -341],
    [364, 36],
    [-353, -75],
    [-38, -17],
    [15, 64],
];

/// The estimated value of a board for the mover, in hundredths of a seed. It may exceed
/// the seeds on the board.
pub fn evaluate(rules: Ruleset, board: &Board) -> i16 {
    match rules {
        Ruleset::Oware(_) => Network::oware().evaluate(board),
        Ruleset::Stores(_) => linear(&STORES, board),
    }
}

/// [`evaluate`] of a board with this number of seeds.
pub(super) fn evaluate_packed(rules: Ruleset, board: PackedBoard, seeds: u8) -> i16 {
    match rules {
        Ruleset::Oware(_) => Network::oware().evaluate_packed(board, seeds),
        Ruleset::Stores(_) => linear(&STORES, &board.to_board()),
    }
}

fn linear(weights: &LinearWeights, board: &Board) -> i16 {
    let seeds = i32::from(board.seeds());
    let sum: i32 = features(board)
        .iter()
        .zip(weights)
        .map(|(feature, [constant, by_seeds])| feature * (48 * constant + by_seeds * seeds))
        .sum();
    (sum / 48).clamp(-4800, 4800) as i16
}

/// The features of a board: the constant 1; the seeds in the mover's row minus those in
/// the opponent's; then, for the mover and for the opponent, the number of pits that are
/// empty, hold one seed, hold two, and hold twelve or more, and the largest capture by
/// one move.
fn features(board: &Board) -> [i32; FEATURES] {
    let (mover, opponent) = (board.mover(), board.opponent());
    let count = |row: &Row, is: fn(u8) -> bool| -> i32 {
        row.iter().map(|&seeds| i32::from(is(seeds))).sum()
    };
    let empty = |seeds| seeds == 0;
    let one = |seeds| seeds == 1;
    let two = |seeds| seeds == 2;
    let full_lap = |seeds| seeds >= PITS as u8;
    [
        1,
        i32::from(row_seeds(&mover)) - i32::from(row_seeds(&opponent)),
        count(&mover, empty),
        count(&opponent, empty),
        count(&mover, one),
        count(&opponent, one),
        count(&mover, two),
        count(&opponent, two),
        count(&mover, full_lap),
        count(&opponent, full_lap),
        largest_capture(&mover, &opponent),
        largest_capture(&opponent, &mover),
    ]
}

/// The largest capture by one sowing of less than a lap, grand slams included.
fn largest_capture(own: &Row, other: &Row) -> i32 {
    let mut most = 0;
    for (pit, &seeds) in own.iter().enumerate() {
        let last = pit + usize::from(seeds);
        if !(ROW..PITS).contains(&last) {
            continue;
        }
        // The sowing adds one seed to every pit up to the last.
        let chain = other[..=last - ROW].iter().rev();
        let taken = chain.take_while(|&&seeds| matches!(seeds, 1 | 2));
        most = most.max(taken.map(|&seeds| i32::from(seeds) + 1).sum());
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(text: &str) -> Board {
        text.parse().unwrap()
    }

    #[test]
    fn features_count_pits_and_captures() {
        let found = features(&board("0 1 13 2 0 4 / 1 2 1 0 0 2"));
        // Pit 5 reaches pit 9, which was empty: no capture. Pit 3 stays in its row.
        assert_eq!(found, [1, 14, 2, 2, 1, 2, 1, 2, 1, 0, 0, 2]);
        let found = features(&board("0 0 0 0 0 3 / 1 2 1 0 0 2"));
        assert_eq!(found[10], 2 + 3 + 2);
    }

    #[test]
    fn the_largest_capture_equals_that_of_the_legal_moves() {
        for (text, most) in [
            ("0 0 0 0 0 1 / 2 0 0 0 0 1", 3),
            ("0 0 0 0 0 3 / 1 4 2 1 9 0", 3),
            ("0 0 0 0 3 1 / 1 1 0 0 0 5", 4),
            ("0 0 0 0 0 1 / 3 0 0 0 0 1", 0),
        ] {
            let board = board(text);
            let moves = Ruleset::AWARI.moves(&board);
            let captured = moves.legal().map(|step| step.captured).max();
            assert_eq!(captured, Some(most), "{text}");
            assert_eq!(features(&board)[10], i32::from(most), "{text}");
        }
    }
}
