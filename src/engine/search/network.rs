//! The evaluation of the oware family: a small neural network in integers.
//!
//! It is of the kind that Yu Nasu introduced as NNUE (efficiently updatable neural
//! network, 2018): the inputs are one-hot, so that the first layer is a sum of a few
//! rows of a table.
//!
//! ```text
//! inputs    one row for the seeds in each of the twelve pits, one for each player's
//!           capturable pits, one for the seeds on the board: 15 rows
//! hidden    the sum of these rows, clamped to [0, 1] and squared
//! output    the weighted sum of the hidden units, with weights and bias by phase
//! ```
//!
//! # Scales
//!
//! In the sums 1 is [`ONE`]. A squared unit is a fraction of 2¹⁴, and the output's
//! weights and biases are in quarters of a hundredth of a seed.
//!
//! # The file
//!
//! `oware.network` holds, all little-endian and without a header: the first layer's rows
//! (`i16`), the output's weights of each phase (`i16`), and the output's bias of each
//! phase (`i32`, in units of the weights' products). `bench/src/bin/train.rs` writes it.

use crate::rules::{Board, MAX_SEEDS, PITS, ROW};

/// Number of hidden units.
pub const HIDDEN: usize = 32;
/// Number of inputs that are 1 for a board, each of which selects a row.
pub const INPUTS: usize = PITS + 3;
/// Number of phases of the game, by the seeds on the board.
pub const PHASES: usize = 7;
/// Number of rows of the first layer.
pub const ROWS: usize = SEEDS_ROW + MAX_SEEDS as usize + 1;
/// 1 in the sums of the first layer.
pub const ONE: i16 = 2048;
/// The largest weight of the first layer. No sum of [`INPUTS`] of them overflows.
pub const MAX_WEIGHT: i16 = 2048;
/// A hundredth of a seed in the output's weights.
pub const HUNDREDTH: i32 = 4;
/// The hidden unit 1, squared.
pub const SQUARED_ONE: i32 = 1 << 14;
/// Bytes of the file.
pub const BYTES: usize = 2 * HIDDEN * (ROWS + PHASES) + 4 * PHASES;

/// Rows for each pit: pits with more seeds share the last.
const PIT_ROWS: usize = 24;
/// Sets of pits of a row.
const SETS: usize = 1 << ROW;
/// The first of the rows for the sets of capturable pits.
const CAPTURE_ROW: usize = PITS * PIT_ROWS;
/// The first of the rows for the seeds on the board.
const SEEDS_ROW: usize = CAPTURE_ROW + 2 * SETS;

/// Hidden units whose sums are kept in registers together.
const LANES: usize = 16;

/// A weight for each hidden unit.
type Units = [[i16; LANES]; HIDDEN / LANES];

/// The weights.
#[derive(Debug)]
pub struct Network {
    rows: [Units; ROWS],
    outputs: [Units; PHASES],
    biases: [i32; PHASES],
}

static OWARE: Network = Network::from_bytes(include_bytes!("oware.network"));

impl Network {
    /// The network of the oware family.
    pub fn oware() -> &'static Network {
        &OWARE
    }

    /// Reads the weights of a file.
    pub const fn from_bytes(bytes: &[u8; BYTES]) -> Network {
        let mut network = Network {
            rows: [[[0; LANES]; HIDDEN / LANES]; ROWS],
            outputs: [[[0; LANES]; HIDDEN / LANES]; PHASES],
            biases: [0; PHASES],
        };
        // Constant functions have no iterators.
        let mut line = 0;
        while line < ROWS + PHASES {
            let mut unit = 0;
            while unit < HIDDEN {
                let at = 2 * (line * HIDDEN + unit);
                let weight = i16::from_le_bytes([bytes[at], bytes[at + 1]]);
                if line < ROWS {
                    assert!(-MAX_WEIGHT <= weight && weight <= MAX_WEIGHT);
                    network.rows[line][unit / LANES][unit % LANES] = weight;
                } else {
                    network.outputs[line - ROWS][unit / LANES][unit % LANES] = weight;
                }
                unit += 1;
            }
            line += 1;
        }
        let mut phase = 0;
        while phase < PHASES {
            let at = 2 * HIDDEN * (ROWS + PHASES) + 4 * phase;
            let bias = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
            network.biases[phase] = i32::from_le_bytes(bias);
            phase += 1;
        }
        network
    }

    /// The estimated value of a board for the mover, in hundredths of a seed. It may
    /// exceed the seeds on the board.
    #[inline]
    pub fn evaluate(&self, board: &Board) -> i16 {
        let rows = inputs(board).map(|row| &self.rows[row]);
        let phase = phase(board);
        let mut output = self.biases[phase];
        for (group, weights) in self.outputs[phase].iter().enumerate() {
            let mut sums = [0; LANES];
            for row in rows {
                for (sum, weight) in sums.iter_mut().zip(&row[group]) {
                    *sum += weight;
                }
            }
            for (sum, &weight) in sums.into_iter().zip(weights) {
                // From 11 bits to 15, so that the upper half of the square has 14.
                let unit = sum.clamp(0, ONE - 1).cast_unsigned() << 4;
                let squared = (u32::from(unit) * u32::from(unit)) >> 16;
                output += i32::from(squared as i16) * i32::from(weight);
            }
        }
        (output / (HUNDREDTH * SQUARED_ONE)).clamp(-4800, 4800) as i16
    }
}

/// The rows that a board selects.
#[inline]
pub fn inputs(board: &Board) -> [usize; INPUTS] {
    let pits = board.pits();
    let mut rows = [0; INPUTS];
    for (pit, &seeds) in pits.iter().enumerate() {
        rows[pit] = PIT_ROWS * pit + usize::from(seeds).min(PIT_ROWS - 1);
    }
    let (mover, opponent) = pits.split_at(ROW);
    rows[PITS] = CAPTURE_ROW + capturable(mover, opponent);
    rows[PITS + 1] = CAPTURE_ROW + SETS + capturable(opponent, mover);
    rows[PITS + 2] = SEEDS_ROW + seeds(board);
    rows
}

/// The phase of a board.
#[inline]
pub fn phase(board: &Board) -> usize {
    seeds(board) / 7
}

/// The seeds on a board, with a limit that the compiler sees.
fn seeds(board: &Board) -> usize {
    usize::from(board.seeds().min(MAX_SEEDS))
}

/// The set of pits of the other row, one bit each, in which a sowing of less than a lap
/// ends and makes two or three seeds.
fn capturable(own: &[u8], other: &[u8]) -> usize {
    let mut last = 0;
    for (pit, &seeds) in own.iter().enumerate() {
        last |= 1_u64 << (pit + usize::from(seeds));
    }
    let mut small = 0;
    for (pit, &seeds) in other.iter().enumerate() {
        small |= u64::from(matches!(seeds, 1 | 2)) << pit;
    }
    (last >> ROW & small) as usize % SETS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::test_random::Lcg;
    use crate::rules::Ruleset;

    /// The evaluation of the file's weights in floating point.
    fn in_floats(network: &Network, board: &Board) -> f64 {
        let pits = board.pits();
        let mut selected: Vec<usize> = (0..PITS)
            .map(|pit| 24 * pit + usize::from(pits[pit]).min(23))
            .collect();
        for (first, own, other) in [(288, 0, 6), (352, 6, 0)] {
            let mut set = 0;
            for target in 0..ROW {
                let reached = (0..ROW).any(|pit| pit + usize::from(pits[own + pit]) == 6 + target);
                if reached && [1, 2].contains(&pits[other + target]) {
                    set += 1 << target;
                }
            }
            selected.push(first + set);
        }
        selected.push(416 + usize::from(board.seeds()));
        let phase = usize::from(board.seeds()) / 7;
        let mut output = f64::from(network.biases[phase]) / 65536.0;
        for unit in 0..HIDDEN {
            let weights = selected
                .iter()
                .map(|&row| network.rows[row].as_flattened()[unit]);
            let sum: f64 = weights.map(|weight| f64::from(weight) / 2048.0).sum();
            output += sum.clamp(0.0, 1.0).powi(2)
                * f64::from(network.outputs[phase].as_flattened()[unit])
                / 4.0;
        }
        output
    }

    /// Boards of random games.
    fn boards() -> Vec<Board> {
        let mut random = Lcg(1);
        let mut boards = Vec::new();
        for _ in 0..100 {
            let mut board = Board::START;
            loop {
                boards.push(board);
                let moves = Ruleset::AWARI.moves(&board);
                let steps: Vec<_> = moves.legal().collect();
                // Most games end long before.
                if steps.is_empty() || boards.len() % 200 == 0 {
                    break;
                }
                board = steps[random.below(steps.len())].board;
            }
        }
        boards
    }

    #[test]
    fn integers_agree_with_floats() {
        for board in boards() {
            let found = f64::from(OWARE.evaluate(&board));
            let expected = in_floats(&OWARE, &board).clamp(-4800.0, 4800.0);
            assert!(
                (found - expected).abs() < 10.0,
                "{board:?}: {found}, {expected}"
            );
        }
    }

    #[test]
    fn output_sums_do_not_overflow() {
        for (weights, bias) in OWARE.outputs.iter().zip(&OWARE.biases) {
            let weights = weights.as_flattened().iter();
            let weights = weights.map(|&weight| i64::from(weight).abs());
            let most = weights.sum::<i64>() * i64::from(SQUARED_ONE) + i64::from(*bias).abs();
            assert!(most <= i64::from(i32::MAX));
        }
    }

    #[test]
    fn capturable_pits() {
        let set = |text: &str| {
            let pits = text.parse::<Board>().unwrap().pits();
            capturable(&pits[..ROW], &pits[ROW..])
        };
        // Pit 5 reaches pit 8, pit 3 pit 6, pit 0 stays in its row; a lap does not count.
        assert_eq!(set("1 0 0 3 0 3 / 1 4 2 1 9 0"), 0b000_101);
        assert_eq!(set("0 0 0 0 0 1 / 3 0 0 0 0 1"), 0);
        assert_eq!(set("0 0 0 0 14 0 / 1 1 1 1 1 1"), 0);
    }
}
