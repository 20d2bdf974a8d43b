//! Distances where there is no distance table: how soon can seeds be made to leave?
//!
//! Values alone do not tell how to win: of two moves that keep the value one may go
//! round. So among the boards with as many seeds as there are now, those that can be
//! reached by moves which keep the value are listed, nearest first. One side
//! *hurries*: it wants seeds to leave soon. The other one *delays*. As soon as the
//! boards listed show that the first side can force it, the distance is known: it is
//! that of a distance table (`docs/proof.md`).
//!
//! Where a board has bounds, the side that hurries keeps what it is sure of.

use std::collections::HashMap;

use super::limits::Clock;
use crate::engine::oracle::Oracle;
use crate::rules::{Board, Next, Ruleset};

/// Boards listed at most: some 40 MB.
const MOST: usize = 1 << 18;

/// Longer than any distance.
const UNKNOWN: u16 = u16::MAX;

/// A race in which one side hurries and the other one delays.
pub(super) struct Race<'a, 's, O> {
    rules: Ruleset,
    oracle: &'a mut O,
    clock: &'a mut Clock<'s>,
    /// What the side that hurries is sure of, in net seeds.
    target: i8,
    nodes: Vec<Node>,
    places: HashMap<(Board, bool), usize>,
}

/// A board that was listed.
struct Node {
    board: Board,
    /// Whether the side to move hurries.
    hurries: bool,
    /// Moves that keep the value and leave the layer, by pit.
    leaving: Vec<u8>,
    /// Moves that keep the value and stay: pit, and place of the board.
    staying: Vec<(u8, usize)>,
    parents: Vec<usize>,
    /// Plies until seeds leave, as far as they are known.
    plies: u16,
}

impl<'a, 's, O: Oracle> Race<'a, 's, O> {
    /// A race for `target` net seeds, from the view of the side that hurries.
    pub fn new(
        rules: Ruleset,
        oracle: &'a mut O,
        clock: &'a mut Clock<'s>,
        target: i8,
    ) -> Race<'a, 's, O> {
        Race {
            rules,
            oracle,
            clock,
            target,
            nodes: Vec::new(),
            places: HashMap::new(),
        }
    }

    /// The pits that are best in the race from a board on which there are moves. `None`
    /// if that is not found out: the clock stops it, a table does not answer, or there
    /// are too many boards.
    pub fn best(mut self, board: &Board, hurries: bool) -> Option<Vec<u8>> {
        let root = self.place(*board, hurries);
        let mut frontier = vec![root];
        for level in 1.. {
            let mut next = Vec::new();
            for place in frontier {
                self.expand(place, &mut next)?;
                self.settle(place);
            }
            // All ways to get it over within so many plies have been seen, or all
            // there are.
            let plies = self.nodes[root].plies;
            if plies <= level || next.is_empty() && plies < UNKNOWN {
                return Some(self.best_pits(root));
            }
            if next.is_empty() || self.nodes.len() > MOST {
                return None;
            }
            frontier = next;
        }
        None
    }

    fn place(&mut self, board: Board, hurries: bool) -> usize {
        *self.places.entry((board, hurries)).or_insert_with(|| {
            self.nodes.push(Node {
                board,
                hurries,
                leaving: Vec::new(),
                staying: Vec::new(),
                parents: Vec::new(),
                plies: UNKNOWN,
            });
            self.nodes.len() - 1
        })
    }

    /// Lists the moves of a board; boards that are new go to `next`.
    fn expand(&mut self, place: usize, next: &mut Vec<usize>) -> Option<()> {
        self.clock.tick()?;
        let Node { board, hurries, .. } = self.nodes[place];
        let target = if hurries { self.target } else { -self.target };
        let moves = self.rules.moves(&board);
        if moves.over().is_some() {
            self.nodes[place].plies = 0;
        }
        for step in moves.legal() {
            let (lower, upper) = match step.next {
                Next::Over => (0, 0),
                Next::Again | Next::Opponent => self.oracle.bounds(&step.board)?,
            };
            if step.value(if hurries { upper } else { lower }) != target {
                continue;
            }
            if !step.is_quiet(board.seeds()) {
                self.nodes[place].leaving.push(step.pit);
                continue;
            }
            let known = self.nodes.len();
            let child = self.place(step.board, !hurries);
            if child == known {
                next.push(child);
            }
            self.nodes[child].parents.push(place);
            self.nodes[place].staying.push((step.pit, child));
        }
        Some(())
    }

    /// Takes a board's plies from its moves, and hands news on to where it comes from.
    fn settle(&mut self, place: usize) {
        let mut open = vec![place];
        while let Some(place) = open.pop() {
            let plies = self.plies(&self.nodes[place]);
            if plies < self.nodes[place].plies || plies == 0 {
                self.nodes[place].plies = plies;
                open.extend(&self.nodes[place].parents);
            }
        }
    }

    fn plies(&self, node: &Node) -> u16 {
        let leaving = node.leaving.iter().map(|_| 1);
        let staying = node.staying.iter().map(|&(_, child)| self.plies_by(child));
        let all = leaving.chain(staying);
        let best = if node.hurries { all.min() } else { all.max() };
        // Without moves the game is over; before they are listed nothing is known.
        best.unwrap_or(node.plies)
    }

    fn plies_by(&self, child: usize) -> u16 {
        self.nodes[child].plies.saturating_add(1)
    }

    fn best_pits(&self, root: usize) -> Vec<u8> {
        let root = &self.nodes[root];
        let leaving = root.leaving.iter().map(|&pit| (pit, 1));
        let staying = root.staying.iter();
        let staying = staying.map(|&(pit, child)| (pit, self.plies_by(child)));
        let best = leaving
            .chain(staying)
            .filter(|&(_, plies)| plies == root.plies);
        best.map(|(pit, _)| pit).collect()
    }
}
