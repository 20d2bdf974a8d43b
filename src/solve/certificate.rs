//! The certificate: a proof, board by board, that a solved layer is right.
//!
//! It asks the plain one-board rules and shares no code with the fast solver.
//! That every entry equals the best of its moves is not enough in a game with
//! loops: a set of wrong entries can hold itself up. What is missing is
//! *progress*: whoever is to gain must be able to get nearer to a capture, and
//! whoever is to lose must not be able to keep away from it. Distances say how
//! near; where there are none, boards are settled one after another, each only
//! by boards that were settled before it, and a board that cannot be settled
//! is unfounded. `docs/solver.md` has the argument.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::observer::{Observer, Phase};
use super::plane::Plane;
use super::solved::Layer;
use crate::index::LayerIndex;
use crate::rules::{Board, Next, Ruleset, Step};

/// Which number of a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Aspect {
    /// The value.
    Value,
    /// The lower bound.
    Lower,
    /// The upper bound.
    Upper,
}

/// What is wrong with a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Flaw {
    /// The number is not that of the best move.
    NotTheBest {
        /// Which number.
        aspect: Aspect,
        /// What is stored.
        stored: i8,
        /// What the best move, or the end of the game, is worth.
        best: i8,
    },
    /// The number is that of the best move, but only by going round in a loop.
    Unfounded {
        /// Which number.
        aspect: Aspect,
        /// What is stored.
        stored: i8,
    },
    /// The distance is not what the moves make it.
    Distance {
        /// What is stored.
        stored: u8,
        /// What the moves make it.
        right: u16,
    },
}

/// A board that is wrong, and how.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Failure {
    /// The board.
    pub board: Board,
    /// What is wrong with it.
    pub flaw: Flaw,
}

impl fmt::Display for Aspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Aspect::Value => "value",
            Aspect::Lower => "lower bound",
            Aspect::Upper => "upper bound",
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = self.board.notation();
        match self.flaw {
            Flaw::NotTheBest {
                aspect,
                stored,
                best,
            } => write!(
                f,
                "board {board}: {aspect} {stored} is stored, but its moves make it {best}"
            ),
            Flaw::Unfounded { aspect, stored } => {
                write!(
                    f,
                    "board {board}: {aspect} {stored} is stored, but no play brings it about"
                )
            }
            Flaw::Distance { stored, right } => {
                write!(
                    f,
                    "board {board}: distance {stored} is stored, but its moves make it {right}"
                )
            }
        }
    }
}

/// A layer to be checked, with all layers below it.
pub struct Certificate<'a> {
    /// The ruleset.
    pub rules: Ruleset,
    /// All layers from 0 seeds on; the last one is checked.
    pub layers: &'a [Layer],
    /// The distances of the layer, if there are any.
    pub distance: Option<&'a Plane<u8>>,
    /// How many failures to report at most.
    pub most: usize,
}

/// Boards between two looks at whether there are failures enough.
const STRETCH: u64 = 1 << 16;

impl Certificate<'_> {
    /// Checks every board of the layer; returns the failures, the boards of
    /// lowest index first. None means that the layer is proven, given that the
    /// layers below it are.
    pub fn check(&self, observer: &dyn Observer) -> Vec<Failure> {
        let index = self.index();
        observer.begins(index.seeds(), Phase::Certificate, index.len());
        let mut failures = Vec::new();
        for start in (0..index.len()).step_by(STRETCH as usize) {
            let stretch = start..index.len().min(start + STRETCH);
            failures.extend(self.local(stretch.into_par_iter(), observer));
            if failures.len() >= self.most {
                break;
            }
        }
        if failures.is_empty() {
            if self.distance.is_none() {
                failures.extend(self.unfounded(&[Aspect::Value], observer));
            }
            if self.layer().bounds.is_some() {
                failures.extend(self.unfounded(&[Aspect::Lower, Aspect::Upper], observer));
            }
        }
        failures.truncate(self.most);
        failures
    }

    /// Checks `count` random boards. Without distances this finds numbers that
    /// are not those of the best move, but not those that hold themselves up;
    /// the same is true of bounds.
    pub fn sample(&self, count: u64, seed: u64, observer: &dyn Observer) -> Vec<Failure> {
        let index = self.index();
        observer.begins(index.seeds(), Phase::Certificate, count);
        let boards = (0..count).into_par_iter();
        let boards = boards.map(|i| {
            ((u128::from(mix(seed.wrapping_add(i))) * u128::from(index.len())) >> 64) as u64
        });
        let mut failures = self.local(boards, observer);
        failures.sort_unstable_by_key(|failure| index.index(&failure.board));
        failures.dedup();
        failures.truncate(self.most);
        failures
    }

    fn layer(&self) -> &Layer {
        self.layers.last().expect("a layer to check")
    }

    fn index(&self) -> &LayerIndex {
        self.layer().value.index()
    }

    /// What can be seen of each board and its moves alone, in the boards' order.
    fn local(
        &self,
        boards: impl ParallelIterator<Item = u64>,
        observer: &dyn Observer,
    ) -> Vec<Failure> {
        let index = self.index();
        let bounds: &[Aspect] = match self.layer().bounds {
            Some(_) => &[Aspect::Lower, Aspect::Upper],
            None => &[],
        };
        let check = |board: Board| {
            observer.advance(1);
            let moves = self.rules.moves(&board);
            let steps: Vec<Step> = moves.legal().collect();
            for &aspect in [Aspect::Value].iter().chain(bounds) {
                let stored = self.stored(aspect, &board);
                let best = steps.iter().map(|step| self.worth(aspect, step)).max();
                let best = best.or(moves.over()).expect("a move, or the game is over");
                if stored != best {
                    let flaw = Flaw::NotTheBest {
                        aspect,
                        stored,
                        best,
                    };
                    return Some(Failure { board, flaw });
                }
            }
            let stored = self.distance?.of(&board).expect("an indexed board");
            let right = self.right_distance(&board, &steps)?;
            let flaw = Flaw::Distance { stored, right };
            (u16::from(stored) != right).then_some(Failure { board, flaw })
        };
        boards.map(|i| index.board(i)).filter_map(check).collect()
    }

    /// What the distances of the children make the distance of a board.
    fn right_distance(&self, board: &Board, steps: &[Step]) -> Option<u16> {
        let own = self.stored(Aspect::Value, board);
        if own == 0 || steps.is_empty() {
            return Some(0);
        }
        let keeping = steps
            .iter()
            .filter(|step| self.worth(Aspect::Value, step) == own);
        let plies = keeping.map(|step| match step.is_quiet(board.seeds()) {
            true => 1 + u16::from(self.distance.and_then(|d| d.of(&step.board)).unwrap_or(0)),
            false => 1,
        });
        match own > 0 {
            true => plies.min(),
            false => plies.max(),
        }
    }

    fn stored(&self, aspect: Aspect, board: &Board) -> i8 {
        let layer = &self.layers[usize::from(board.seeds())];
        let plane = match (aspect, &layer.bounds) {
            (Aspect::Lower, Some(bounds)) => &bounds.lower,
            (Aspect::Upper, Some(bounds)) => &bounds.upper,
            _ => &layer.value,
        };
        plane
            .of(board)
            .expect("moves lead to indexed boards")
            .value()
    }

    /// What a move is worth, from what is stored of the board it leads to.
    fn worth(&self, aspect: Aspect, step: &Step) -> i8 {
        match step.next {
            Next::Over => step.gain,
            _ => step.worth(self.stored(aspect.of_child(), &step.board)),
        }
    }

    /// Settles board after board and returns those that remain. The aspects
    /// are those that depend on one another.
    fn unfounded(&self, aspects: &[Aspect], observer: &dyn Observer) -> Vec<Failure> {
        let index = self.index();
        let settled: Vec<Bitmap> = aspects.iter().map(|_| Bitmap::new(index.len())).collect();
        let of = |aspect: Aspect| &settled[aspects.iter().position(|&a| a == aspect).unwrap_or(0)];
        // Whether a board whose number is not its last resort is settled.
        let settles = |aspect: Aspect, board: &Board| {
            let own = self.stored(aspect, board);
            let moves = self.rules.moves(board);
            let mut keeping = moves.legal().filter(|step| self.worth(aspect, step) == own);
            let founded = |step: Step| {
                let child = step
                    .is_quiet(index.seeds())
                    .then(|| index.index(&step.board));
                child
                    .flatten()
                    .is_none_or(|child| of(aspect.of_child()).get(child))
            };
            match aspect.need(own, index.seeds()) {
                Need::Nothing => true,
                Need::OneMove => moves.over().is_some() || keeping.any(founded),
                Need::EveryMove => keeping.all(founded),
            }
        };
        for round in 1.. {
            let progress: u64 = (0..index.len().div_ceil(Bitmap::WORD))
                .into_par_iter()
                .map(|word| {
                    let boards = word * Bitmap::WORD..index.len().min((word + 1) * Bitmap::WORD);
                    boards
                        .flat_map(|i| aspects.iter().map(move |&aspect| (i, aspect)))
                        .filter(|&(i, aspect)| {
                            !of(aspect).get(i)
                                && settles(aspect, &index.board(i))
                                && of(aspect).set(i)
                        })
                        .count() as u64
                })
                .sum();
            observer.swept(round, progress);
            if progress == 0 {
                break;
            }
        }
        let remaining = (0..index.len()).flat_map(|i| aspects.iter().map(move |&a| (i, a)));
        remaining
            .filter(|&(i, aspect)| !of(aspect).get(i))
            .take(self.most)
            .map(|(i, aspect)| {
                let board = index.board(i);
                let stored = self.stored(aspect, &board);
                let flaw = Flaw::Unfounded { aspect, stored };
                Failure { board, flaw }
            })
            .collect()
    }
}

/// What must be founded for a board to be.
enum Need {
    /// The number is what endless play is worth.
    Nothing,
    /// The mover gets more than that: one way is enough.
    OneMove,
    /// The mover gets less than that: no move of the same worth may escape.
    EveryMove,
}

impl Aspect {
    /// The child's number that a board's number is made of.
    fn of_child(self) -> Aspect {
        match self {
            Aspect::Value => Aspect::Value,
            Aspect::Lower => Aspect::Upper,
            Aspect::Upper => Aspect::Lower,
        }
    }

    fn need(self, own: i8, seeds: u8) -> Need {
        let endless = match self {
            Aspect::Value => 0,
            Aspect::Lower => -seeds.cast_signed(),
            Aspect::Upper => seeds.cast_signed(),
        };
        match own.cmp(&endless) {
            std::cmp::Ordering::Equal => Need::Nothing,
            std::cmp::Ordering::Greater => Need::OneMove,
            std::cmp::Ordering::Less => Need::EveryMove,
        }
    }
}

/// A bit for each board, set once and by any thread. A set bit that is seen was
/// set before: that is what makes the order of settling free of loops.
struct Bitmap(Vec<AtomicU64>);

impl Bitmap {
    const WORD: u64 = u64::BITS as u64;

    fn new(bits: u64) -> Bitmap {
        let words = bits.div_ceil(Bitmap::WORD);
        Bitmap((0..words).map(|_| AtomicU64::new(0)).collect())
    }

    fn get(&self, bit: u64) -> bool {
        let word = self.0[(bit / Bitmap::WORD) as usize].load(Ordering::Acquire);
        word >> (bit % Bitmap::WORD) & 1 == 1
    }

    fn set(&self, bit: u64) -> bool {
        let mask = 1 << (bit % Bitmap::WORD);
        self.0[(bit / Bitmap::WORD) as usize].fetch_or(mask, Ordering::AcqRel);
        true
    }
}

/// `SplitMix64` (Steele, Lea and Flood 2014): well-mixed numbers from a counter.
fn mix(counter: u64) -> u64 {
    let z = counter.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
