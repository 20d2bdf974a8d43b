//! The evaluation: a guess at what a board is worth, for boards that cannot be
//! searched to the end.
//!
//! It is linear in a few numbers that can be seen at once, each weighted by a
//! part that is always the same and a part that grows with the seeds on the
//! board. `bench/src/bin/tune.rs` finds the weights: by least squares, towards
//! what was taken in the rest of games that the engine played against itself.

use crate::rules::{Board, PITS, ROW, Row, Ruleset, row_seeds};

/// Numbers that are looked at.
pub const FEATURES: usize = 12;

/// A weight for each feature, in hundredths of a seed: the first part, and what each
/// seed on the board adds, in 48ths.
type Weights = [[i32; 2]; FEATURES];

/// Of the oware family, tuned on `awari`.
const OWARE: Weights = [
    [-21, -74],
    [-31, 30],
    [-270, 98],
    [246, -55],
    [-87, 43],
    [110, -58],
    [-4, -5],
    [8, 15],
    [649, -560],
    [-601, 495],
    [23, 50],
    [-6, -22],
];

/// Of the store family, tuned on `kalah`.
const STORES: Weights = [
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

/// What a board is worth to the mover at a guess, in hundredths of a seed. It may be
/// more than all seeds on the board.
pub(super) fn evaluate(rules: Ruleset, board: &Board) -> i16 {
    let weights = match rules {
        Ruleset::Oware(_) => &OWARE,
        Ruleset::Stores(_) => &STORES,
    };
    let seeds = i32::from(board.seeds());
    let worth: i32 = features(board)
        .iter()
        .zip(weights)
        .map(|(feature, [fixed, by_seeds])| feature * (48 * fixed + by_seeds * seeds))
        .sum();
    (worth / 48).clamp(-4800, 4800) as i16
}

/// The numbers that the evaluation weighs: 1, by how many seeds the mover's row has
/// more; then for the mover and for his opponent how many of his pits are empty, hold
/// one, two, and twelve seeds or more, and the seeds that one move of his captures.
pub fn features(board: &Board) -> [i32; FEATURES] {
    let (mover, opponent) = (board.mover(), board.opponent());
    let count = |row: &Row, is: fn(u8) -> bool| -> i32 {
        row.iter().map(|&seeds| i32::from(is(seeds))).sum()
    };
    let empty = |seeds| seeds == 0;
    let one = |seeds| seeds == 1;
    let two = |seeds| seeds == 2;
    let krou = |seeds| seeds >= PITS as u8;
    [
        1,
        i32::from(row_seeds(&mover)) - i32::from(row_seeds(&opponent)),
        count(&mover, empty),
        count(&opponent, empty),
        count(&mover, one),
        count(&opponent, one),
        count(&mover, two),
        count(&opponent, two),
        count(&mover, krou),
        count(&opponent, krou),
        threat(&mover, &opponent),
        threat(&opponent, &mover),
    ]
}

/// The most seeds that one sowing of less than a lap captures, grand slams included.
fn threat(own: &Row, other: &Row) -> i32 {
    let mut most = 0;
    for (pit, &seeds) in own.iter().enumerate() {
        let last = pit + usize::from(seeds);
        if !(ROW..PITS).contains(&last) {
            continue;
        }
        // Every pit up to the last has had one seed more.
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
    fn features_of_a_board() {
        let seen = features(&board("0 1 13 2 0 4 / 1 2 1 0 0 2"));
        // Pit 5 reaches pit 9: empty before, so nothing. Pit 3 stays at home.
        assert_eq!(seen, [1, 14, 2, 2, 1, 2, 1, 2, 1, 0, 0, 2]);
        let seen = features(&board("0 0 0 0 0 3 / 1 2 1 0 0 2"));
        assert_eq!(seen[10], 2 + 3 + 2);
    }

    #[test]
    fn a_threat_is_what_a_move_captures() {
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
