//! Growing a model: which questions about an entry's surroundings tell most
//! about it.
//!
//! Entries of a sample of tiles are counted by their surroundings. Then, again
//! and again, that context is split in two, by that question, which saves the
//! most bits, until there are enough contexts or a further one would cost more
//! than it saves.

// Bits are estimated, in numbers far below 2^52.
#![allow(clippy::cast_precision_loss, clippy::cast_sign_loss)]

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rayon::prelude::*;

use super::alphabet::Alphabet;
use super::ans::Distribution;
use super::contexts::{Feature, MAX_CONTEXTS, Surroundings, Tree};
use super::model::Model;

/// Entries with the same surroundings that are the same symbol.
#[derive(Clone, Copy)]
struct Group {
    around: Surroundings,
    symbol: u8,
    count: u32,
}

/// An entry with its surroundings, in one number.
pub(super) fn observation(around: Surroundings, symbol: u8) -> u32 {
    u32::from_le_bytes([symbol, around.upper, around.left, around.hint])
}

fn groups(mut observations: Vec<u32>) -> Vec<Group> {
    observations.par_sort_unstable();
    let same = observations.chunk_by(|a, b| a == b);
    same.map(|same| {
        let [symbol, upper, left, hint] = same[0].to_le_bytes();
        Group {
            around: Surroundings { hint, left, upper },
            symbol,
            count: same.len() as u32,
        }
    })
    .collect()
}

/// What a further context takes where it is written down, roughly, in bits.
const COST: f64 = 400.0;

/// The model that suits what was observed. Each observation stands for `weight`
/// entries.
pub(super) fn grow(observations: Vec<u32>, alphabet: Alphabet, weight: f64) -> Model {
    let root = Leaf::new(groups(observations), alphabet);
    let mut open = BinaryHeap::new();
    let mut nodes = vec![Node::Leaf(root)];
    let offer = |open: &mut BinaryHeap<_>, nodes: &[Node], place: usize| {
        if let Node::Leaf(leaf) = &nodes[place]
            && let Some(split) = &leaf.split
            && split.gain as f64 * weight > COST
        {
            // Among equals the first.
            open.push((split.gain, Reverse(place)));
        }
    };
    offer(&mut open, &nodes, 0);
    for _ in 1..MAX_CONTEXTS {
        let Some((_, Reverse(place))) = open.pop() else {
            break;
        };
        let branches = [nodes.len(), nodes.len() + 1];
        let Node::Leaf(leaf) = &mut nodes[place] else {
            unreachable!("only leaves are offered, and once");
        };
        let split = leaf.split.take().expect("a leaf is offered with its split");
        let goes_left = |g: &Group| split.feature.of(g.around, alphabet.levels()) <= split.most;
        let (left, right) = leaf.groups.iter().copied().partition(goes_left);
        nodes[place] = Node::Split(split, branches);
        let (left, right) =
            rayon::join(|| Leaf::new(left, alphabet), || Leaf::new(right, alphabet));
        nodes.extend([Node::Leaf(left), Node::Leaf(right)]);
        for place in branches {
            offer(&mut open, &nodes, place);
        }
    }
    let mut model = Model {
        tree: Tree::Context(0),
        distributions: Vec::new(),
    };
    model.tree = number(&nodes, 0, alphabet, &mut model.distributions);
    model
}

enum Node {
    Leaf(Leaf),
    Split(Split, [usize; 2]),
}

/// A context that may still be split.
struct Leaf {
    groups: Vec<Group>,
    split: Option<Split>,
}

struct Split {
    /// Bits saved.
    gain: u64,
    feature: Feature,
    most: u8,
}

impl Leaf {
    fn new(groups: Vec<Group>, alphabet: Alphabet) -> Leaf {
        // The first of the best.
        let splits = Feature::ALL.map(|feature| best_split(&groups, feature, alphabet));
        let split = splits.into_iter().flatten().rev().max_by_key(|s| s.gain);
        Leaf { groups, split }
    }
}

/// The tree from a node on, with its contexts numbered from left to right.
fn number(
    nodes: &[Node],
    place: usize,
    alphabet: Alphabet,
    distributions: &mut Vec<Distribution>,
) -> Tree {
    match &nodes[place] {
        Node::Leaf(leaf) => {
            let mut counts = vec![0; usize::from(alphabet.most()) + 1];
            for group in &leaf.groups {
                counts[usize::from(group.symbol)] += u64::from(group.count);
            }
            distributions.push(Distribution::of_counts(&counts));
            Tree::Context((distributions.len() - 1) as u8)
        }
        Node::Split(split, branches) => Tree::Split {
            feature: split.feature,
            most: split.most,
            branches: Box::new(
                branches.map(|branch| number(nodes, branch, alphabet, distributions)),
            ),
        },
    }
}

/// The best question about a feature.
fn best_split(groups: &[Group], feature: Feature, alphabet: Alphabet) -> Option<Split> {
    let symbols = usize::from(alphabet.most()) + 1;
    let mut answers = vec![0_u32; (usize::from(u8::MAX) + 1) * symbols];
    let (mut least, mut greatest) = (u8::MAX, 0);
    let mut right = Bits::new(symbols);
    for group in groups {
        let answer = feature.of(group.around, alphabet.levels());
        (least, greatest) = (least.min(answer), greatest.max(answer));
        answers[usize::from(answer) * symbols + usize::from(group.symbol)] += group.count;
        right.counts[usize::from(group.symbol)] += u64::from(group.count);
    }
    right.recount();
    let all = right.bits();
    let mut left = Bits::new(symbols);
    let mut best: Option<Split> = None;
    // With the greatest answer at the left nothing would be at the right.
    for most in least..greatest {
        let here = &answers[usize::from(most) * symbols..][..symbols];
        for (symbol, &count) in here.iter().enumerate().filter(|(_, count)| **count > 0) {
            left.change(symbol, i64::from(count));
            right.change(symbol, -i64::from(count));
        }
        // Whole bits: the last digits of logarithms differ between machines.
        #[allow(clippy::cast_sign_loss)]
        let gain = (all - left.bits() - right.bits()).max(0.0) as u64;
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
struct Bits {
    counts: Vec<u64>,
    total: u64,
    /// The sum of count · log₂ count.
    sum: f64,
}

impl Bits {
    fn new(symbols: usize) -> Bits {
        Bits {
            counts: vec![0; symbols],
            total: 0,
            sum: 0.0,
        }
    }

    fn recount(&mut self) {
        self.total = self.counts.iter().sum();
        self.sum = self.counts.iter().map(|&count| times_log(count)).sum();
    }

    fn change(&mut self, symbol: usize, by: i64) {
        let count = &mut self.counts[symbol];
        self.sum -= times_log(*count);
        *count = count.wrapping_add_signed(by);
        self.total = self.total.wrapping_add_signed(by);
        self.sum += times_log(*count);
    }

    fn bits(&self) -> f64 {
        times_log(self.total) - self.sum
    }
}

fn times_log(count: u64) -> f64 {
    let count = count as f64;
    if count > 1.0 {
        count * count.log2()
    } else {
        0.0
    }
}
