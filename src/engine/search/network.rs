//! The evaluation of the oware family: a small neural network in integers.
//!
//! It is of the kind that Yu Nasu introduced as NNUE (efficiently updatable neural
//! network, 2018): few of its inputs are active at a time, and these are 1, so that the
//! sums of the hidden neurons need no multiplication.
//!
//! ```text
//! inputs    15 are active: one for the seeds in each of the twelve pits, one for the set
//!           of pits that the mover can capture, one for the opponent's set, and one for
//!           the seeds on the board
//! hidden    each neuron: the sum of its weights of the active inputs, clamped to [0, 1]
//!           and squared
//! output    the weighted sum of the hidden neurons, with weights and bias by phase
//! ```
//!
//! # Scales
//!
//! In the sums of the hidden neurons [`ONE`] stands for 1, and in their squares
//! [`SQUARED_ONE`]. The output's weights are in hundredths of a seed divided by
//! [`PER_HUNDREDTH`].
//!
//! # The file
//!
//! `oware.network` has no header. It holds, little-endian:
//!
//! - for each input, its weight for each hidden neuron (`i16`);
//! - for each phase, the output's weight of each hidden neuron (`i16`);
//! - for each phase, the output's bias (`i32`), in the scale of a weight times a square.
//!
//! `krou-lab train` writes it.

use crate::cpu::{Permute, Vectorized, run_vectorized};
use crate::rules::{Board, COUNTS, ENDS, MAX_SEEDS, PITS, PackedBoard, ROW, ones_and_twos};

/// Number of hidden neurons.
pub const NEURONS: usize = 48;
/// Number of inputs.
pub const INPUTS: usize = SEEDS_INPUT + MAX_SEEDS as usize + 1;
/// Number of inputs that are active on a board.
pub const ACTIVE: usize = PITS + 3;
/// Number of phases of the game, by the seeds on the board.
pub const PHASES: usize = 7;
/// Bytes of the file.
pub const BYTES: usize = 2 * NEURONS * (INPUTS + PHASES) + 4 * PHASES;

/// 1 in the sums of the hidden neurons.
pub const ONE: i16 = 2048;
/// The limit of the inputs' weights. No sum of [`ACTIVE`] of them overflows.
pub const MAX_WEIGHT: i16 = 2048;
/// 1 in the squares of the hidden neurons.
pub const SQUARED_ONE: i32 = 1 << 14;
/// A hundredth of a seed in the output's weights.
pub const PER_HUNDREDTH: i32 = 4;

/// Inputs of each pit. The last stands for all larger numbers of seeds.
const PIT_INPUTS: usize = 24;
/// Sets of pits of a row.
const PIT_SETS: usize = 1 << ROW;
/// The first input for the pits that the mover can capture. Those for the opponent follow.
const CAPTURE_INPUT: usize = PITS * PIT_INPUTS;
/// The first input for the seeds on the board.
const SEEDS_INPUT: usize = CAPTURE_INPUT + 2 * PIT_SETS;

/// A weight for each hidden neuron.
type Weights = [i16; NEURONS];

/// The weights of a network. In this order, and with this alignment, no wide register's
/// load of weights crosses a cache line.
#[derive(Debug)]
#[repr(C, align(32))]
pub struct Network {
    /// By pit and the seeds in it.
    pits: [[Weights; COUNTS]; PITS],
    /// By the set of pits that can be captured: the mover's captures and the opponent's.
    captures: [[Weights; PIT_SETS]; 2],
    /// By the seeds on the board.
    seeds: [Weights; COUNTS],
    outputs: [Weights; PHASES],
    biases: [i32; PHASES],
}

static OWARE: Network = Network::from_bytes(include_bytes!("oware.network"));

impl Network {
    /// The network of the oware family.
    pub fn oware() -> &'static Network {
        &OWARE
    }

    /// The network of a file.
    ///
    /// # Panics
    /// If the weight of an input exceeds [`MAX_WEIGHT`].
    // The library's network is read at compile time.
    #[allow(clippy::large_stack_arrays)]
    pub const fn from_bytes(bytes: &[u8; BYTES]) -> Network {
        const ZERO: Weights = [0; NEURONS];
        let mut network = Network {
            pits: [[ZERO; COUNTS]; PITS],
            captures: [[ZERO; PIT_SETS]; 2],
            seeds: [ZERO; COUNTS],
            outputs: [ZERO; PHASES],
            biases: [0; PHASES],
        };
        // Constant functions have no iterators.
        let mut number = 0;
        while number < NEURONS * (INPUTS + PHASES) {
            let weight = i16::from_le_bytes([bytes[2 * number], bytes[2 * number + 1]]);
            let (from, neuron) = (number / NEURONS, number % NEURONS);
            assert!(from >= INPUTS || -MAX_WEIGHT <= weight && weight <= MAX_WEIGHT);
            let weights = if from < CAPTURE_INPUT {
                &mut network.pits[from / PIT_INPUTS][from % PIT_INPUTS]
            } else if from < SEEDS_INPUT {
                let from = from - CAPTURE_INPUT;
                &mut network.captures[from / PIT_SETS][from % PIT_SETS]
            } else if from < INPUTS {
                &mut network.seeds[from - SEEDS_INPUT]
            } else {
                &mut network.outputs[from - INPUTS]
            };
            weights[neuron] = weight;
            number += 1;
        }
        let mut pit = 0;
        while pit < PITS {
            let mut seeds = PIT_INPUTS;
            while seeds < COUNTS {
                network.pits[pit][seeds] = network.pits[pit][PIT_INPUTS - 1];
                seeds += 1;
            }
            pit += 1;
        }
        let mut phase = 0;
        while phase < PHASES {
            let at = 2 * number + 4 * phase;
            let bias = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
            network.biases[phase] = i32::from_le_bytes(bias);
            phase += 1;
        }
        network
    }

    /// The estimated value of a board for the mover, in hundredths of a seed. It may
    /// exceed the seeds on the board.
    pub fn evaluate(&self, board: &Board) -> i16 {
        self.evaluate_packed(PackedBoard::of(board), board.seeds())
    }

    /// [`Network::evaluate`] of a board with this number of seeds.
    pub(super) fn evaluate_packed(&self, board: PackedBoard, seeds: u8) -> i16 {
        run_vectorized(Evaluation {
            network: self,
            board,
            seeds,
        })
    }
}

/// The evaluation of a board, compiled for wide registers.
struct Evaluation<'n> {
    network: &'n Network,
    board: PackedBoard,
    seeds: u8,
}

impl Vectorized for Evaluation<'_> {
    type Output = i16;

    #[inline(always)]
    fn run<P: Permute>(self) -> i16 {
        let Evaluation { network, .. } = self;
        let PackedBoard { mover, opponent } = self.board;
        let by_seeds = &network.seeds[usize::from(self.seeds) % COUNTS];
        let mut active = [by_seeds; ACTIVE];
        let (own, other) = network.pits.split_at(ROW);
        let (mut reached, mut reached_by_opponent) = (0, 0);
        for pit in 0..ROW {
            let seeds = (mover >> (8 * pit)) as usize % COUNTS;
            active[pit] = &own[pit][seeds];
            reached |= ENDS[pit][seeds];
            let seeds = (opponent >> (8 * pit)) as usize % COUNTS;
            active[ROW + pit] = &other[pit][seeds];
            reached_by_opponent |= ENDS[pit][seeds];
        }
        let [by_mover, by_opponent] = &network.captures;
        let set = |reached: u8, row: u64| usize::from(reached & ones_and_twos(row)) % PIT_SETS;
        active[PITS] = &by_mover[set(reached, opponent)];
        active[PITS + 1] = &by_opponent[set(reached_by_opponent, mover)];
        let phase = usize::from(self.seeds.min(MAX_SEEDS)) / 7;
        let mut output = network.biases[phase];
        let mut sums: Weights = [0; NEURONS];
        for weights in active {
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += weight;
            }
        }
        for (sum, &weight) in sums.into_iter().zip(&network.outputs[phase]) {
            // From 11 bits to 15, so that the upper half of the square has 14.
            let clamped = sum.clamp(0, ONE - 1).cast_unsigned() << 4;
            let square = (u32::from(clamped) * u32::from(clamped)) >> 16;
            output += i32::from(square as i16) * i32::from(weight);
        }
        (output / (PER_HUNDREDTH * SQUARED_ONE)).clamp(-4800, 4800) as i16
    }
}

/// The inputs that are active on a board.
pub fn active_inputs(board: &Board) -> [usize; ACTIVE] {
    let pits = board.pits();
    let mut active = [0; ACTIVE];
    for (pit, &seeds) in pits.iter().enumerate() {
        active[pit] = PIT_INPUTS * pit + usize::from(seeds).min(PIT_INPUTS - 1);
    }
    let (mover, opponent) = pits.split_at(ROW);
    active[PITS] = CAPTURE_INPUT + capturable(mover, opponent);
    active[PITS + 1] = CAPTURE_INPUT + PIT_SETS + capturable(opponent, mover);
    active[PITS + 2] = SEEDS_INPUT + seeds(board);
    active
}

/// The phase of the game.
pub fn phase(board: &Board) -> usize {
    seeds(board) / 7
}

/// The seeds on a board, with a limit that the compiler sees.
fn seeds(board: &Board) -> usize {
    usize::from(board.seeds().min(MAX_SEEDS))
}

/// The set of the other row's pits that a sowing of less than a lap from one's own row
/// captures last, as bits. Grand slams count.
fn capturable(own: &[u8], other: &[u8]) -> usize {
    let mut last = 0;
    for (pit, &seeds) in own.iter().enumerate() {
        last |= 1_u64 << (pit + usize::from(seeds));
    }
    let mut small = 0;
    for (pit, &seeds) in other.iter().enumerate() {
        small |= u64::from(matches!(seeds, 1 | 2)) << pit;
    }
    (last >> ROW & small) as usize % PIT_SETS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::test_random::Lcg;

    /// Boards with any number of seeds, also with many in one pit.
    #[test]
    fn evaluations_are_those_of_the_active_inputs() {
        let bytes: &[u8; BYTES] = include_bytes!("oware.network");
        let weight = |input: usize, neuron: usize| {
            let at = 2 * (NEURONS * input + neuron);
            i16::from_le_bytes([bytes[at], bytes[at + 1]])
        };
        let mut random = Lcg(8);
        for round in 0..20_000 {
            let pits_with_seeds = 1 + random.below(PITS);
            let mut pits = [0; PITS];
            for _ in 0..round % 49 {
                pits[(random.below(pits_with_seeds) * 5) % PITS] += 1;
            }
            let board = Board::new(pits).unwrap();
            let (phase, active) = (phase(&board), active_inputs(&board));
            let mut output = OWARE.biases[phase];
            for neuron in 0..NEURONS {
                let sum: i16 = active.iter().map(|&input| weight(input, neuron)).sum();
                let clamped = i32::from(sum.clamp(0, ONE - 1)) << 4;
                output += ((clamped * clamped) >> 16) * i32::from(weight(INPUTS + phase, neuron));
            }
            let expected = (output / (PER_HUNDREDTH * SQUARED_ONE)).clamp(-4800, 4800);
            assert_eq!(i32::from(OWARE.evaluate(&board)), expected, "{board:?}");
        }
    }

    #[test]
    fn output_sums_do_not_overflow() {
        for (weights, bias) in OWARE.outputs.iter().zip(&OWARE.biases) {
            // The sum is largest if all neurons with weights of one sign are 1, the others 0.
            for sign in [1, -1] {
                let weights = weights.iter().map(|&weight| sign * i64::from(weight));
                let sum: i64 = weights.filter(|&weight| weight > 0).sum();
                let most = sum * i64::from(SQUARED_ONE) + i64::from(*bias).abs();
                assert!(most <= i64::from(i32::MAX));
            }
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
