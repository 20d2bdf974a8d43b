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
//! the other. `docs/internals/solver.md` explains the formula.
//!
//! It need not be applied to whole layers. Every `V` lies between the solution of the ordinary
//! equations with endless play worst for P and the one with endless play best for P. Where these
//! are equal, endless play does not matter. The other boards are *open*: a graph of their own,
//! usually a small one.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::array::LayerArray;
use super::entry::{Entry, Value};
use super::error::SolveError;
use super::memory::all_of;
use super::observer::{Observer, Stopped};
use super::spill::{Buffer, SpillError};
use crate::index::LayerIndex;
use crate::rules::{Board, MAX_SEEDS, Ruleset, row_seeds};

/// Two arrays that are computed from one another: entries where P moves, and where the other
/// player does.
type Pair<'a> = [&'a LayerArray<Value>; 2];

/// Whether endless play in a layer may matter to the bounds of its boards. For named rulesets
/// it was measured where it does not any more (`docs/internals/measurements.md`), and `krou verify`
/// proves it for each layer that it checks.
pub(super) fn matter_to_bounds(rules: Ruleset, seeds: u8) -> bool {
    let [last, _] = last_layers(rules);
    rules.counts_loops() && seeds <= last
}

/// The same for the values.
pub(super) fn matter_to_values(rules: Ruleset, seeds: u8) -> bool {
    let [_, last] = last_layers(rules);
    rules.counts_loops() && seeds <= last
}

/// The largest layers in which endless play matters to bounds and to values.
fn last_layers(rules: Ruleset) -> [u8; 2] {
    match rules {
        Ruleset::ABAPA | Ruleset::AWALE => [10, 13],
        Ruleset::AWALE_INFO => [11, 11],
        _ => [MAX_SEEDS; 2],
    }
}

/// The entries of the open boards: for each of two arrays, numbers of boards and their entries.
pub(super) struct Settled([Vec<(u64, Value)>; 2]);

impl Settled {
    /// Writes the entries into arrays, which must be a solution of the ordinary equations.
    pub fn write(self, arrays: &mut [LayerArray<Value>; 2]) -> Result<(), SpillError> {
        for (array, settled) in arrays.iter_mut().zip(self.0) {
            let mut settled = settled.into_iter().peekable();
            array.change(|start, entries| {
                let end = (start + entries.len()) as u64;
                while let Some((board, entry)) = settled.next_if(|&(board, _)| board < end) {
                    entries[board as usize - start] = entry;
                }
                Ok::<_, SpillError>(())
            })?;
        }
        Ok(())
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
) -> Result<Settled, SolveError> {
    let open = all_of([0, 1].map(|side| open_boards(least[side], greatest[side])))?;
    if open.iter().all(Vec::is_empty) {
        return Ok(Settled(Default::default()));
    }
    let graph = Graph::new(rules, &open, least, conversions)?;
    let start = |pair: Pair<'_>| -> Result<Vec<i8>, SpillError> {
        let pair = pair.map(LayerArray::reader);
        let pair = &pair;
        let entry = |side: usize, at| Ok(pair[side].at(at)?.get());
        let entries = |side: usize| open[side].iter().map(move |&at| entry(side, at));
        entries(0).chain(entries(1)).collect()
    };
    let entries = graph.solve(&start(least)?, &start(greatest)?, observer)?;
    let (first, second) = entries.split_at(open[0].len());
    let numbered = |open: &[u64], entries: &[i8]| {
        let entries = entries.iter().map(|&entry| Value::new(entry));
        open.iter().copied().zip(entries).collect()
    };
    Ok(Settled([
        numbered(&open[0], first),
        numbered(&open[1], second),
    ]))
}

/// The boards whose entries differ between two arrays.
fn open_boards(
    least: &LayerArray<Value>,
    greatest: &LayerArray<Value>,
) -> Result<Vec<u64>, SpillError> {
    let (mut open, mut buffers) = (Vec::new(), [Buffer::empty(), Buffer::empty()]);
    for range in least.ranges() {
        let start = range.start;
        let [of_least, of_greatest] = &mut buffers;
        let least = least.read(range.clone(), of_least)?;
        let greatest = greatest.read(range, of_greatest)?;
        let pairs = least.par_iter().zip(greatest).enumerate();
        let differ = pairs.filter(|(_, (least, greatest))| least != greatest);
        let differ: Vec<_> = differ.map(|(at, _)| (start + at) as u64).collect();
        open.extend(differ);
    }
    Ok(open)
}

/// The open boards of both arrays, P's first, and their quiet moves to other open boards.
struct Graph {
    nodes: Vec<OpenNode>,
    /// How many of them are P's.
    of_player: usize,
    /// The children of all nodes, and the parents.
    children: Edges,
    parents: Edges,
}

/// No move leads away from the open boards.
const NO_MOVE: i8 = i8::MIN;

/// An open board.
#[derive(Clone, Copy)]
struct OpenNode {
    /// The best of the moves that do not lead to an open board, or [`NO_MOVE`].
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
    fn new(
        rules: Ruleset,
        open: &[Vec<u64>; 2],
        known: Pair<'_>,
        conversions: Pair<'_>,
    ) -> Result<Graph, SpillError> {
        let index = known[0].index();
        let [conversions, known] = [conversions, known].map(|pair| pair.map(LayerArray::reader));
        let node = |side: usize, at: u64| {
            let board = index.board(at);
            let mut floor = match conversions[side].at(at)? {
                Value::NONE => NO_MOVE,
                value => value.get(),
            };
            let mut children = Vec::new();
            for child in quiet_children(rules, index, &board) {
                match open[1 - side].binary_search(&child) {
                    Ok(place) => children.push((place + [open[0].len(), 0][side]) as u32),
                    Err(_) => floor = floor.max(-known[1 - side].at(child)?.get()),
                }
            }
            let division = row_seeds(&board.mover()) as i8 - row_seeds(&board.opponent()) as i8;
            Ok((OpenNode { floor, division }, children))
        };
        let boards = |side: usize| open[side].par_iter().map(move |&at| (side, at));
        let nodes = boards(0).chain(boards(1)).map(|(side, at)| node(side, at));
        let nodes = nodes.collect::<Result<Vec<_>, SpillError>>()?;
        let (nodes, children): (Vec<OpenNode>, Vec<Vec<u32>>) = nodes.into_iter().unzip();
        let children = Edges::new(children.into_iter());
        Ok(Graph {
            nodes,
            of_player: open[0].len(),
            parents: children.reversed(),
            children,
        })
    }

    /// The nested fixpoint, between the solutions with endless play worst and best for P: for
    /// each threshold, the boards from which P gets as much.
    fn solve(
        &self,
        least: &[i8],
        greatest: &[i8],
        observer: &dyn Observer,
    ) -> Result<Vec<i8>, Stopped> {
        // An entry is the division of a board, the value of a move that leaves the open boards,
        // or one that is known.
        let numbers = |node: usize| {
            let OpenNode { floor, division } = self.nodes[node];
            let numbers = [floor, division, least[node], greatest[node]].into_iter();
            let numbers = numbers.filter(|&number| number != NO_MOVE);
            numbers.map(move |number| self.for_player(node, number))
        };
        let thresholds: BTreeSet<i8> = (0..self.nodes.len()).flat_map(numbers).collect();
        let thresholds: Vec<i8> = thresholds.into_iter().collect();
        let reached = thresholds.par_iter().map(|&threshold| {
            observer.advance(0)?;
            let reaches = |entries: &[i8]| -> Vec<bool> {
                let entries = entries.iter().enumerate();
                let for_player = entries.map(|(node, &entry)| self.for_player(node, entry));
                for_player.map(|entry| entry >= threshold).collect()
            };
            Ok(self.reached(threshold, reaches(least), &reaches(greatest)))
        });
        let reached = reached.collect::<Result<Vec<Vec<bool>>, Stopped>>()?;
        let entry = |node: usize| {
            let mut highest = thresholds.iter().zip(&reached).rev();
            let found = highest.find(|(_, reached)| reached[node]);
            let (&threshold, _) = found.expect("the lowest is always reached");
            self.for_player(node, threshold)
        };
        Ok((0..self.nodes.len()).map(entry).collect())
    }

    /// A number of a node for P, or such a number back for the player to move.
    fn for_player(&self, node: usize, number: i8) -> i8 {
        match node < self.of_player {
            true => number,
            false => -number,
        }
    }

    /// The nodes from which P gets `threshold`: those where it is known, and those where P
    /// keeps the play for ever on boards whose division is as good, or reaches known ones.
    /// `possible` are the only ones that may be.
    fn reached(&self, threshold: i8, mut known: Vec<bool>, possible: &[bool]) -> Vec<bool> {
        let unknown = (0..self.nodes.len()).filter(|&node| possible[node] && !known[node]);
        let mut unknown: Vec<u32> = unknown.map(|node| node as u32).collect();
        loop {
            // The greatest set of boards on which P can stay, or leave them for known ones. It
            // is found by removing boards.
            let mut kept = possible.to_vec();
            let stays = |node: u32| {
                let division = self.nodes[node as usize].division;
                self.for_player(node as usize, division) >= threshold
                    || self.leads_to(threshold, node, &known)
            };
            let removed = unknown.iter().copied().filter(|&node| !stays(node));
            let mut removed: Vec<u32> = removed.collect();
            for &node in &removed {
                kept[node as usize] = false;
            }
            while let Some(node) = removed.pop() {
                for &parent in self.parents.of(node as usize) {
                    let at = parent as usize;
                    if kept[at] && !known[at] && !self.leads_to(threshold, parent, &kept) {
                        kept[at] = false;
                        removed.push(parent);
                    }
                }
            }
            let before = unknown.len();
            unknown.retain(|&node| !kept[node as usize]);
            if unknown.len() == before {
                return known;
            }
            known = kept;
        }
    }

    /// Whether P can go on to a move worth `threshold` or a node in the set.
    fn leads_to(&self, threshold: i8, node: u32, set: &[bool]) -> bool {
        let node = node as usize;
        let floor = self.nodes[node].floor;
        let mut children = self.children.of(node).iter();
        if node < self.of_player {
            floor >= threshold || children.any(|&child| set[child as usize])
        } else {
            // That holds for no move, too.
            floor <= -threshold && children.all(|&child| set[child as usize])
        }
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
