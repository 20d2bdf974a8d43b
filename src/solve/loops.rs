//! Loops: entries that depend on endless play, where each player takes the seeds of their own
//! row.
//!
//! An endless play visits some boards for ever. On each of them the division by row is worth
//! the mover's seeds minus the opponent's, `d`. A player P can count on the worst of these
//! boards for them. What P secures then is
//!
//! ```text
//! V = least Y of greatest X of   max(best move by Y, min(d, best move by X))
//! ```
//!
//! where P moves; where the other player does, all signs are turned. There are two arrays: one
//! for the boards where P moves, one for those where the other player does, each computed from
//! the other. `docs/solver.md` explains the formula.
//!
//! It need not be applied to whole layers. Every `V` lies between the solution of the ordinary
//! equations with endless play worst for P and the one with endless play best for P. Where these
//! are equal, endless play does not matter. The other boards are *open*: a graph of their own,
//! usually a small one.

use std::collections::VecDeque;

use rayon::prelude::*;

use super::array::LayerArray;
use super::entry::Value;
use super::observer::Observer;
use crate::index::LayerIndex;
use crate::rules::{Board, MAX_SEEDS, Ruleset, row_seeds};

/// Two arrays that are computed from one another: entries where P moves, and where the other
/// player does.
type Pair<'a> = [&'a LayerArray<Value>; 2];

/// Whether endless play in a layer may matter to the bounds of its boards. For named rulesets
/// it was measured where it does not any more (`docs/measurements.md`), and `krou verify` proves
/// it for each layer that it checks.
pub(super) fn matter(rules: Ruleset, seeds: u8) -> bool {
    let last = match rules {
        Ruleset::ABAPA | Ruleset::AWALE => 10,
        Ruleset::AWALE_INFO => 11,
        _ => MAX_SEEDS,
    };
    rules.counts_loops() && seeds <= last
}

/// The entries of the open boards: for each of two arrays, numbers of boards and their entries.
pub(super) struct Settled([Vec<(u64, Value)>; 2]);

impl Settled {
    /// Writes the entries into arrays, which must be a solution of the ordinary equations.
    pub fn write(self, arrays: &mut [LayerArray<Value>; 2]) {
        for (array, entries) in arrays.iter_mut().zip(self.0) {
            for (board, entry) in entries {
                array.set(board, entry);
            }
        }
    }
}

/// Finds the entries that depend on endless play. `least` and `greatest` are the solutions with
/// endless play worst and best for P, and `conversions` the best conversions for each array.
pub(super) fn settle(
    rules: Ruleset,
    least: Pair<'_>,
    greatest: Pair<'_>,
    conversions: Pair<'_>,
    observer: &dyn Observer,
) -> Settled {
    let open: [Vec<u64>; 2] = std::array::from_fn(|side| {
        let pairs = least[side].as_slice().par_iter();
        let pairs = pairs.zip(greatest[side].as_slice()).enumerate();
        let open = pairs.filter(|(_, (least, greatest))| least != greatest);
        open.map(|(number, _)| number as u64).collect()
    });
    if open.iter().all(Vec::is_empty) {
        return Settled(Default::default());
    }
    let graph = Graph::new(rules, &open, least, conversions);
    let start = |pair: Pair<'_>| -> Vec<i8> {
        let entries = |side: usize| open[side].iter().map(move |&at| pair[side].get(at).get());
        entries(0).chain(entries(1)).collect()
    };
    let entries = graph.solve(start(least), &start(greatest), observer);
    let (first, second) = entries.split_at(open[0].len());
    let numbered = |open: &[u64], entries: &[i8]| {
        let entries = entries.iter().map(|&entry| Value::new(entry));
        open.iter().copied().zip(entries).collect()
    };
    Settled([numbered(&open[0], first), numbered(&open[1], second)])
}

/// The open boards of both arrays, P's first, and their quiet moves to other open boards.
struct Graph {
    nodes: Vec<Node>,
    /// How many of them are P's.
    of_player: usize,
    /// The children of all nodes, and the parents.
    children: Edges,
    parents: Edges,
}

/// An open board.
struct Node {
    /// The best of the moves that do not lead to an open board.
    floor: i8,
    /// The division by row, for the player to move.
    division: i8,
}

/// The nodes at the other end of each node's moves.
struct Edges {
    /// Where the list of a node starts, and at last where the last one ends.
    starts: Vec<usize>,
    ends: Vec<u32>,
}

impl Edges {
    fn new(lists: impl Iterator<Item = Vec<u32>>) -> Edges {
        let mut edges = Edges {
            starts: vec![0],
            ends: Vec::new(),
        };
        for list in lists {
            edges.ends.extend(list);
            edges.starts.push(edges.ends.len());
        }
        edges
    }

    fn of(&self, node: usize) -> &[u32] {
        &self.ends[self.starts[node]..self.starts[node + 1]]
    }

    /// The same edges from the other end.
    fn reversed(&self) -> Edges {
        let nodes = self.starts.len() - 1;
        let mut lists = vec![Vec::new(); nodes];
        for node in 0..nodes {
            for &end in self.of(node) {
                lists[end as usize].push(node as u32);
            }
        }
        Edges::new(lists.into_iter())
    }
}

impl Graph {
    fn new(rules: Ruleset, open: &[Vec<u64>; 2], known: Pair<'_>, conversions: Pair<'_>) -> Graph {
        let index = known[0].index();
        let node = |side: usize, at: u64| {
            let board = index.board(at);
            let (mut floor, mut children) = (conversions[side].get(at).get(), Vec::new());
            for child in quiet_children(rules, index, &board) {
                match open[1 - side].binary_search(&child) {
                    Ok(place) => children.push((place + [open[0].len(), 0][side]) as u32),
                    Err(_) => floor = floor.max(-known[1 - side].get(child).get()),
                }
            }
            let division = row_seeds(&board.mover()) as i8 - row_seeds(&board.opponent()) as i8;
            (Node { floor, division }, children)
        };
        let boards = |side: usize| open[side].par_iter().map(move |&at| (side, at));
        let nodes = boards(0).chain(boards(1)).map(|(side, at)| node(side, at));
        let (nodes, children): (Vec<Node>, Vec<Vec<u32>>) = nodes.unzip();
        let children = Edges::new(children.into_iter());
        Graph {
            nodes,
            of_player: open[0].len(),
            parents: children.reversed(),
            children,
        }
    }

    /// The best of a node's moves, given the entries of all nodes.
    fn best_move(&self, node: usize, entries: &[i8]) -> i8 {
        let children = self.children.of(node).iter();
        let moves = children.map(|&child| -entries[child as usize]);
        moves.fold(self.nodes[node].floor, i8::max)
    }

    /// The nested fixpoint, from the solutions with endless play worst and best for P.
    fn solve(&self, least: Vec<i8>, greatest: &[i8], observer: &dyn Observer) -> Vec<i8> {
        let mut outer = least;
        loop {
            // Each round starts from above again: entries that the last one has lowered may
            // be too low for this one.
            let inner = self.greatest_inner(&outer, greatest.to_vec(), observer);
            if inner == outer {
                return outer;
            }
            outer = inner;
        }
    }

    /// The greatest `X` for a `Y`.
    fn greatest_inner(&self, outer: &[i8], from: Vec<i8>, observer: &dyn Observer) -> Vec<i8> {
        /// Nodes between two calls of the observer, which may stop the work.
        const BATCH: u64 = 1 << 16;
        let by_outer: Vec<i8> = (0..self.nodes.len())
            .map(|node| self.best_move(node, outer))
            .collect();
        let mut inner = from;
        let mut due: VecDeque<u32> = (0..self.nodes.len() as u32).collect();
        let mut is_due = vec![true; self.nodes.len()];
        let mut count: u64 = 0;
        while let Some(node) = due.pop_front() {
            let node = node as usize;
            is_due[node] = false;
            let division = self.nodes[node].division;
            let best = self.best_move(node, &inner);
            let entry = if node < self.of_player {
                by_outer[node].max(division.min(best))
            } else {
                by_outer[node].min(division.max(best))
            };
            if entry != inner[node] {
                inner[node] = entry;
                for &parent in self.parents.of(node) {
                    if !std::mem::replace(&mut is_due[parent as usize], true) {
                        due.push_back(parent);
                    }
                }
            }
            count += 1;
            if count.is_multiple_of(BATCH) {
                observer.advance(0);
            }
        }
        inner
    }
}

/// The indices of the boards that quiet moves lead to.
fn quiet_children(rules: Ruleset, index: &LayerIndex, board: &Board) -> impl Iterator<Item = u64> {
    let moves = rules.moves(board);
    let quiet: Vec<_> = moves
        .legal()
        .filter(|step| step.is_quiet(index.seeds()))
        .collect();
    quiet.into_iter().map(|step| {
        let child = index.index(&step.board);
        child.expect("moves lead to indexed boards")
    })
}
