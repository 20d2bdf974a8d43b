//! Training a model: which questions about an entry's surroundings save most.
//!
//! Entries of a sample of tiles are counted by their surroundings. Then, again and
//! again, the context and the question that save the most bits split that context in
//! two, until there are enough contexts or another one would cost more than it
//! saves.
//!
//! All of it is integer arithmetic, so that equal entries make equal bytes on every
//! machine. Logarithms are in fixed point, because `f64::log2` may differ between
//! platforms.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rayon::prelude::*;

use crate::table::codec::tiled::alphabet::Alphabet;
use crate::table::codec::tiled::contexts::{ContextTree, Feature, MAX_CONTEXTS, Surroundings};
use crate::table::codec::tiled::distribution::Distribution;
use crate::table::codec::tiled::model::Model;

/// Entries with the same surroundings and the same symbol.
#[derive(Clone, Copy)]
struct ObservationGroup {
    around: Surroundings,
    symbol: u8,
    count: u32,
}

/// An entry and its surroundings as one number.
pub(super) fn observation(around: Surroundings, symbol: u8) -> u32 {
    u32::from_le_bytes([symbol, around.upper, around.left, around.hint])
}

fn groups(mut observations: Vec<u32>) -> Vec<ObservationGroup> {
    observations.par_sort_unstable();
    let same = observations.chunk_by(|a, b| a == b);
    same.map(|same| {
        let [symbol, upper, left, hint] = same[0].to_le_bytes();
        ObservationGroup {
            around: Surroundings { hint, left, upper },
            symbol,
            count: same.len() as u32,
        }
    })
    .collect()
}

/// What another context costs in the models' bytes, roughly, in bits.
const COST: u64 = 400;

/// A context with fewer groups is split on the same thread: waking another takes longer.
const WORTH_A_THREAD: usize = 1 << 10;

/// What a model is trained on.
pub(super) struct TrainingSample {
    /// Entries of some tiles with their surroundings.
    pub observations: Vec<u32>,
    /// How many tiles those are.
    pub tiles: u64,
    /// How many tiles they stand for.
    pub of_tiles: u64,
}

/// The model that suits a sample. `logs` reach as far as the observations are many.
pub(super) fn train(sample: TrainingSample, alphabet: Alphabet, logs: &LogTable) -> Model {
    let TrainingSample {
        observations,
        tiles,
        of_tiles,
    } = sample;
    let is_worth_it =
        |gain: u64| u128::from(gain) * u128::from(of_tiles) > u128::from(COST) * u128::from(tiles);
    let root = Leaf::new(groups(observations), alphabet, logs);
    let mut open = BinaryHeap::new();
    let mut nodes = vec![GrowingNode::Leaf(root)];
    let offer = |open: &mut BinaryHeap<_>, nodes: &[GrowingNode], number: usize| {
        if let GrowingNode::Leaf(leaf) = &nodes[number]
            && let Some(split) = &leaf.split
            && is_worth_it(split.gain)
        {
            // Among equals the first.
            open.push((split.gain, Reverse(number)));
        }
    };
    offer(&mut open, &nodes, 0);
    for _ in 1..MAX_CONTEXTS {
        let Some((_, Reverse(number))) = open.pop() else {
            break;
        };
        let branches = [nodes.len(), nodes.len() + 1];
        let GrowingNode::Leaf(leaf) = &mut nodes[number] else {
            unreachable!("only leaves are offered, and once");
        };
        let split = leaf.split.take().expect("a leaf is offered with its split");
        let goes_left =
            |g: &ObservationGroup| split.feature.of(g.around, alphabet.levels()) <= split.most;
        let (left, right): (Vec<_>, Vec<_>) = leaf.groups.iter().copied().partition(goes_left);
        nodes[number] = GrowingNode::Split(split, branches);
        let leaf = |groups| Leaf::new(groups, alphabet, logs);
        let (left, right) = if left.len().min(right.len()) < WORTH_A_THREAD {
            (leaf(left), leaf(right))
        } else {
            rayon::join(|| leaf(left), || leaf(right))
        };
        nodes.extend([GrowingNode::Leaf(left), GrowingNode::Leaf(right)]);
        for branch in branches {
            offer(&mut open, &nodes, branch);
        }
    }
    let mut model = Model {
        tree: ContextTree::Context(0),
        distributions: Vec::new(),
    };
    model.tree = number_contexts(&nodes, 0, alphabet, &mut model.distributions);
    model
}

enum GrowingNode {
    Leaf(Leaf),
    Split(Split, [usize; 2]),
}

/// A context that may still be split.
struct Leaf {
    groups: Vec<ObservationGroup>,
    split: Option<Split>,
}

struct Split {
    /// Bits saved.
    gain: u64,
    feature: Feature,
    most: u8,
}

impl Leaf {
    fn new(groups: Vec<ObservationGroup>, alphabet: Alphabet, logs: &LogTable) -> Leaf {
        let most_symbol = groups.iter().map(|group| group.symbol).max();
        let mut counts = vec![0; most_symbol.map_or(0, |most| usize::from(most) + 1)];
        for group in &groups {
            counts[usize::from(group.symbol)] += group.count;
        }
        let mut answers = Vec::with_capacity(groups.len());
        let splits = Feature::ALL.map(|feature| {
            let answer = |group: &ObservationGroup| feature.of(group.around, alphabet.levels());
            answers.clear();
            answers.extend(groups.iter().map(answer));
            best_split(&groups, &counts, feature, &answers, logs)
        });
        // The first of the best.
        let split = splits.into_iter().flatten().rev().max_by_key(|s| s.gain);
        Leaf { groups, split }
    }
}

/// The tree below a node, with its contexts numbered from left to right.
fn number_contexts(
    nodes: &[GrowingNode],
    number: usize,
    alphabet: Alphabet,
    distributions: &mut Vec<Distribution>,
) -> ContextTree {
    match &nodes[number] {
        GrowingNode::Leaf(leaf) => {
            let mut counts = vec![0; usize::from(alphabet.most()) + 1];
            for group in &leaf.groups {
                counts[usize::from(group.symbol)] += u64::from(group.count);
            }
            distributions.push(Distribution::of_counts(&counts));
            ContextTree::Context((distributions.len() - 1) as u8)
        }
        GrowingNode::Split(split, branches) => ContextTree::Split {
            feature: split.feature,
            most: split.most,
            branches: Box::new(
                branches.map(|branch| number_contexts(nodes, branch, alphabet, distributions)),
            ),
        },
    }
}

/// The best question about a feature. `counts` says how often each symbol occurs, and `answers`
/// what the feature of each group is.
fn best_split(
    groups: &[ObservationGroup],
    counts: &[u32],
    feature: Feature,
    answers: &[u8],
    logs: &LogTable,
) -> Option<Split> {
    // Only those that occur: a context has far fewer answers and symbols than are possible.
    let symbols = counts.len();
    let least = *answers.iter().min()?;
    let greatest = *answers.iter().max()?;
    let mut by_answer = vec![0_u32; (usize::from(greatest - least) + 1) * symbols];
    for (group, answer) in groups.iter().zip(answers) {
        let answer = usize::from(answer - least);
        by_answer[answer * symbols + usize::from(group.symbol)] += group.count;
    }
    let mut left = Bits::new(vec![0; symbols], logs);
    let mut right = Bits::new(counts.to_vec(), logs);
    let all = right.bits();
    let mut best: Option<Split> = None;
    // With the greatest answer at the left, nothing would be at the right.
    for most in least..greatest {
        let here = &by_answer[usize::from(most - least) * symbols..][..symbols];
        for (symbol, &count) in here.iter().enumerate().filter(|(_, count)| **count > 0) {
            left.set(symbol, left.counts[symbol] + count);
            right.set(symbol, right.counts[symbol] - count);
        }
        let gain = (all - left.bits() - right.bits()) >> FRACTION;
        let gain = gain.max(0).cast_unsigned();
        if gain > best.as_ref().map_or(0, |best| best.gain) {
            best = Some(Split {
                gain,
                feature,
                most,
            });
        }
    }
    best
}

/// How many bits symbols take, coded by how often they occur.
struct Bits<'l> {
    logs: &'l LogTable,
    counts: Vec<u32>,
    total: u32,
    /// The sum of count · log₂ count.
    sum: i64,
}

impl Bits<'_> {
    fn new(counts: Vec<u32>, logs: &LogTable) -> Bits<'_> {
        Bits {
            logs,
            total: counts.iter().sum(),
            sum: counts.iter().map(|&count| logs.times_log(count)).sum(),
            counts,
        }
    }

    fn set(&mut self, symbol: usize, count: u32) {
        let before = std::mem::replace(&mut self.counts[symbol], count);
        self.sum += self.logs.times_log(count) - self.logs.times_log(before);
        self.total = self.total - before + count;
    }

    /// In fixed point.
    fn bits(&self) -> i64 {
        self.logs.times_log(self.total) - self.sum
    }
}

/// Fractional bits of the numbers in a [`LogTable`]. With counts up to 2^18 their sums
/// stay below 2^63.
const FRACTION: u32 = 40;

/// `n · log₂ n` for small `n`, in fixed point; 0 for 0.
pub(super) struct LogTable(Vec<i64>);

impl LogTable {
    /// A table up to `max`, at most 2^18.
    pub fn new(max: usize) -> LogTable {
        assert!(max <= 1 << 18, "counts up to {max}");
        // The logarithm of a composite number is the sum of those of its factors, so
        // that products are exact.
        let mut logs = vec![0; max + 1];
        // The least prime factor of each number; 0 for primes.
        let mut factors = vec![0; max + 1];
        for n in 2..=max {
            let factor = factors[n];
            if factor > 0 {
                logs[n] = logs[factor] + logs[n / factor];
                continue;
            }
            logs[n] = log2(n as u64);
            for multiple in (n.saturating_mul(n)..=max).step_by(n) {
                if factors[multiple] == 0 {
                    factors[multiple] = n;
                }
            }
        }
        for (n, log) in (0..).zip(&mut logs) {
            *log *= n;
        }
        LogTable(logs)
    }

    /// `count · log₂ count`.
    #[inline]
    fn times_log(&self, count: u32) -> i64 {
        self.0[count as usize]
    }
}

/// The binary logarithm of a number from 1 to 2^32, rounded to the nearest.
fn log2(number: u64) -> i64 {
    /// The mantissa's fractional bits.
    const ONE: u32 = 62;
    let whole = number.ilog2();
    let mut mantissa = u128::from(number) << (ONE - whole);
    let mut log = i64::from(whole);
    // Squaring the mantissa doubles its logarithm: the next bit is 1 if the square
    // is 2 or more. One bit more than needed, for rounding.
    for _ in 0..=FRACTION {
        mantissa = (mantissa * mantissa) >> ONE;
        let bit = mantissa >> (ONE + 1);
        mantissa >>= bit;
        log = log << 1 | bit as i64;
    }
    (log + 1) >> 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::cast_precision_loss)]
    fn logarithms_match_floating_point() {
        const MAX: u32 = 1 << 18;
        let table = LogTable::new(MAX as usize);
        let one = (1_i64 << FRACTION) as f64;
        assert_eq!(table.times_log(0), 0);
        for count in 1..=MAX {
            let expected = f64::from(count) * f64::from(count).log2();
            let error = table.times_log(count) as f64 / one - expected;
            assert!(error.abs() < 1e-5, "{count}: {error}");
        }
    }

    #[test]
    fn powers_and_products_are_exact() {
        let table = LogTable::new(1 << 10);
        for power in 0..=10 {
            let expected = i64::from(power) << (FRACTION + power);
            assert_eq!(table.times_log(1 << power), expected);
        }
        for (a, b) in [(3, 7), (6, 35), (31, 33), (2, 511)] {
            let log = |n: u32| table.times_log(n) / i64::from(n);
            assert_eq!(log(a * b), log(a) + log(b));
        }
    }
}
