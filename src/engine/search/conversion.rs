//! The conversion search: distances where there is no distance table.
//!
//! Values alone do not tell how to win, since of two moves that keep the value one may
//! only repeat. So this search lists the boards of the layer that moves keeping the
//! value can reach, breadth first. The winner *hurries* to the next conversion and the
//! loser *delays* it. As soon as the boards listed show that the winner can force a
//! conversion, its distance is known: it is that of a distance table
//! (`docs/proof.md`).
//!
//! On boards with bounds, the side that hurries keeps its lower bound.

use std::collections::HashMap;

use super::clock::Clock;
use crate::engine::table_source::TableSource;
use crate::rules::{Board, Bounds, Next, Ruleset};

/// The maximum number of boards listed, which take some 40 MB.
const MAX_NODES: usize = 1 << 18;

/// Longer than any distance.
const UNKNOWN: u16 = u16::MAX;

/// A search in which one side hurries and the other one delays.
pub(super) struct ConversionSearch<'a, 's, S> {
    rules: Ruleset,
    source: &'a mut S,
    clock: &'a mut Clock<'s>,
    /// The value that the side that hurries keeps, in net seeds.
    target: i8,
    nodes: Vec<ConversionNode>,
    node_of: HashMap<(Board, bool), usize>,
}

/// A board that was listed.
struct ConversionNode {
    board: Board,
    /// Whether the side to move hurries.
    hurries: bool,
    /// Conversions that keep the value, by pit.
    conversions: Vec<u8>,
    /// Quiet moves that keep the value: pit and child.
    quiet_moves: Vec<(u8, usize)>,
    parents: Vec<usize>,
    /// Plies to the next conversion, as far as they are known.
    distance: u16,
}

impl<'a, 's, S: TableSource> ConversionSearch<'a, 's, S> {
    /// A search in which the side that hurries keeps `target` net seeds.
    pub fn new(
        rules: Ruleset,
        source: &'a mut S,
        clock: &'a mut Clock<'s>,
        target: i8,
    ) -> ConversionSearch<'a, 's, S> {
        ConversionSearch {
            rules,
            source,
            clock,
            target,
            nodes: Vec::new(),
            node_of: HashMap::new(),
        }
    }

    /// The pits with the best distance on a board that has legal moves. `None` if the
    /// clock stops the search, a table is missing, or there are too many boards.
    pub fn best(mut self, board: &Board, hurries: bool) -> Option<Vec<u8>> {
        let root = self.node(*board, hurries);
        let mut frontier = vec![root];
        for level in 1.. {
            let mut next = Vec::new();
            for node in frontier {
                self.expand(node, &mut next)?;
                self.propagate(node);
            }
            // Either all lines of up to `level` plies are listed, or all there are.
            let distance = self.nodes[root].distance;
            if distance <= level || next.is_empty() && distance < UNKNOWN {
                return Some(self.best_pits(root));
            }
            if next.is_empty() || self.nodes.len() > MAX_NODES {
                return None;
            }
            frontier = next;
        }
        None
    }

    /// The node of a board, which is added if it is new.
    fn node(&mut self, board: Board, hurries: bool) -> usize {
        *self.node_of.entry((board, hurries)).or_insert_with(|| {
            self.nodes.push(ConversionNode {
                board,
                hurries,
                conversions: Vec::new(),
                quiet_moves: Vec::new(),
                parents: Vec::new(),
                distance: UNKNOWN,
            });
            self.nodes.len() - 1
        })
    }

    /// Lists the moves of a node; children that are new go to `next`.
    fn expand(&mut self, node: usize, next: &mut Vec<usize>) -> Option<()> {
        self.clock.tick()?;
        // Its probes may read from files.
        self.clock.read_soon();
        let ConversionNode { board, hurries, .. } = self.nodes[node];
        let target = if hurries { self.target } else { -self.target };
        let moves = self.rules.moves(&board);
        if moves.terminal_value().is_some() {
            self.nodes[node].distance = 0;
        }
        for step in moves.legal() {
            let bounds = match step.next {
                Next::Over => Bounds::of_value(0),
                Next::Again | Next::Opponent => self.source.bounds(&step.board)?,
            };
            if step.value(if hurries { bounds.upper } else { bounds.lower }) != target {
                continue;
            }
            if !step.is_quiet(board.seeds()) {
                self.nodes[node].conversions.push(step.pit);
                continue;
            }
            let count = self.nodes.len();
            let child = self.node(step.board, !hurries);
            if child == count {
                next.push(child);
            }
            self.nodes[child].parents.push(node);
            self.nodes[node].quiet_moves.push((step.pit, child));
        }
        Some(())
    }

    /// Computes the distance of a node from its moves, and those of its ancestors if it
    /// changed.
    fn propagate(&mut self, node: usize) {
        let mut worklist = vec![node];
        while let Some(node) = worklist.pop() {
            let distance = self.distance(&self.nodes[node]);
            if distance < self.nodes[node].distance || distance == 0 {
                self.nodes[node].distance = distance;
                worklist.extend(&self.nodes[node].parents);
            }
        }
    }

    fn distance(&self, node: &ConversionNode) -> u16 {
        let conversions = node.conversions.iter().map(|_| 1);
        let quiet_moves = node.quiet_moves.iter();
        let quiet_moves = quiet_moves.map(|&(_, child)| self.distance_by(child));
        let all = conversions.chain(quiet_moves);
        let best = if node.hurries { all.min() } else { all.max() };
        // A node without moves is terminal or not expanded yet.
        best.unwrap_or(node.distance)
    }

    /// The distance of a move to a child.
    fn distance_by(&self, child: usize) -> u16 {
        self.nodes[child].distance.saturating_add(1)
    }

    fn best_pits(&self, root: usize) -> Vec<u8> {
        let root = &self.nodes[root];
        let conversions = root.conversions.iter().map(|&pit| (pit, 1));
        let quiet_moves = root.quiet_moves.iter();
        let quiet_moves = quiet_moves.map(|&(pit, child)| (pit, self.distance_by(child)));
        let best = conversions
            .chain(quiet_moves)
            .filter(|&(_, distance)| distance == root.distance);
        best.map(|(pit, _)| pit).collect()
    }
}
