//! The conversion search: distances where there is no distance table.
//!
//! Values alone do not tell how to win, since of two moves that keep the value one may
//! only repeat. So this search lists the boards of the layer that moves keeping the
//! value can reach, breadth first. The winner *hurries* to the next conversion and the
//! loser *delays* it. As soon as the boards listed show that the winner can force a
//! conversion, its distance is known: it is that of a distance table
//! (`docs/internals/proof.md`).
//!
//! On boards with bounds, the side that hurries keeps its lower bound. Where endless play counts
//! by the boards that recur in it, a loop may attain that bound, and a conversion need not. If the
//! boards that are listed show that no conversion can be forced, those loops are found on which
//! every board is worth enough, as the solver finds them (`src/solve/reference.rs`).
//!
//! A board of the game that ends it by one more occurrence is worth what that end gives. So the
//! moves that are found keep the value in the game with its history.

use std::collections::{HashMap, HashSet};

use super::clock::Clock;
use crate::engine::game::{Game, net_of_endless};
use crate::engine::table_source::TableSource;
use crate::rules::{Board, Bounds, Next, PackedBoard, Ruleset, Step};

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
    /// The boards that end the game if they occur once more, each with whether the side to move
    /// hurries.
    stopping: HashSet<(Board, bool)>,
    /// Whether the side to move at the root hurries.
    hurries: bool,
    nodes: Vec<ConversionNode>,
    node_of: HashMap<(Board, bool), usize>,
}

/// A board that was listed.
struct ConversionNode {
    board: Board,
    /// Whether the side to move hurries.
    hurries: bool,
    /// Conversions that keep the value, and moves to ends of the game that do, by pit.
    conversions: Vec<u8>,
    /// Quiet moves that keep the value: pit and child.
    quiet_moves: Vec<(u8, usize)>,
    /// Whether the side that delays can end the game by a repetition that does not keep the
    /// value.
    is_broken: bool,
    parents: Vec<usize>,
    /// Plies to the next conversion, as far as they are known.
    distance: u16,
}

impl<'a, 's, S: TableSource> ConversionSearch<'a, 's, S> {
    /// A search from the current board of a game, which has legal moves. The side that hurries
    /// keeps `target` net seeds; `hurries` says whether it is to move.
    pub fn new(
        game: &Game,
        source: &'a mut S,
        clock: &'a mut Clock<'s>,
        target: i8,
        hurries: bool,
    ) -> ConversionSearch<'a, 's, S> {
        let is_own = |player| player == game.to_move();
        let stopping = game
            .boards_near_repetition()
            .map(|(player, board)| (board, is_own(player) == hurries))
            .collect();
        ConversionSearch {
            rules: game.rules(),
            source,
            clock,
            target,
            stopping,
            hurries,
            nodes: Vec::new(),
            node_of: HashMap::new(),
        }
    }

    /// The pits with the best distance on this board, or those that lead to a loop that keeps
    /// the value. `None` if the clock stops the search, a table is missing, there are too many
    /// boards, or the history of the game does not let the value be kept.
    pub fn best(mut self, board: &Board) -> Option<Vec<u8>> {
        let root = self.node(*board, self.hurries);
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
            if next.is_empty() {
                return self.looping_pits(root);
            }
            if self.nodes.len() > MAX_NODES {
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
                is_broken: false,
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
            if let Some(net) = self.net_of_end(&step, hurries) {
                let node = &mut self.nodes[node];
                if net == target || hurries && net > target {
                    node.conversions.push(step.pit);
                }
                node.is_broken |= !hurries && net > target;
                continue;
            }
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

    /// What the end of the game is worth to the side that makes this step, if it ends the game by
    /// repetition.
    fn net_of_end(&self, step: &Step, hurries: bool) -> Option<i8> {
        let is_end = step.next == Next::Opponent && self.stopping.contains(&(step.board, !hurries));
        let endless = self.rules.oware().filter(|_| is_end)?.endless;
        Some(-net_of_endless(endless, &step.board))
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
        if node.is_broken {
            return UNKNOWN;
        }
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

    /// The pits of the root that keep the value by a loop, if all boards are listed and no
    /// conversion can be forced.
    ///
    /// A set of boards keeps the value if the side that hurries can stay in it and each board is
    /// worth enough to it when play is stopped there. A board that leads into such a set may be
    /// worth less itself, since play does not come back to it; and so on.
    fn looping_pits(&mut self, root: usize) -> Option<Vec<u8>> {
        if !self.rules.counts_loops() {
            return None;
        }
        let mut safe = vec![false; self.nodes.len()];
        loop {
            let mut kept = vec![true; self.nodes.len()];
            loop {
                self.clock.read_soon();
                self.clock.tick()?;
                let mut is_stable = true;
                for number in (0..kept.len()).rev() {
                    let node = &self.nodes[number];
                    let keeps =
                        node.leads_into(&safe) || self.is_enough(node) && node.leads_into(&kept);
                    is_stable &= keeps || !kept[number];
                    kept[number] &= keeps;
                }
                if is_stable {
                    break;
                }
            }
            if kept[root] {
                let node = &self.nodes[root];
                let into = match node.leads_into(&safe) {
                    true => &safe,
                    false => &kept,
                };
                let quiet = node.quiet_moves.iter().filter(|&&(_, child)| into[child]);
                let pits = quiet
                    .map(|&(pit, _)| pit)
                    .chain(node.conversions.iter().copied());
                return Some(pits.collect());
            }
            if kept == safe {
                return None;
            }
            safe = kept;
        }
    }

    /// Whether the side that hurries gets enough if play is stopped at a node.
    fn is_enough(&self, node: &ConversionNode) -> bool {
        let net = PackedBoard::of(&node.board).net_of_rows();
        (if node.hurries { net } else { -net }) >= self.target
    }
}

impl ConversionNode {
    /// Whether the side that hurries converts next or gets into a set of nodes, whatever the
    /// other one does.
    fn leads_into(&self, set: &[bool]) -> bool {
        let mut quiet = self.quiet_moves.iter().map(|&(_, child)| set[child]);
        if self.distance == 0 {
            return true;
        }
        match self.hurries {
            true => !self.conversions.is_empty() || quiet.any(|inside| inside),
            false => {
                let has_moves = self.conversions.len() + self.quiet_moves.len() > 0;
                has_moves && !self.is_broken && quiet.all(|inside| inside)
            }
        }
    }
}
