//! The reference solver: as plain as can be, for any ruleset and few seeds.
//!
//! It knows nothing of lines, sections or maps. It lists every board of a layer,
//! indexed or not, asks the rules for its moves, and applies the definitions
//! again and again until nothing changes. The fast solver must equal it.

use std::collections::HashMap;

use crate::index::row;
use crate::rules::{Board, Next, Ruleset};

/// What the reference solver says of one board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Truth {
    /// The value, endless play counting 0.
    pub value: i8,
    /// Plies to the next capture or end; 0 where the game is over or the value
    /// is 0.
    pub distance: u16,
    /// The value when endless play counts as the worst for the mover.
    pub lower: i8,
    /// The value when endless play counts as the best for the mover.
    pub upper: i8,
}

/// Solves all layers up to `seeds`, every board, the unreachable ones included.
pub fn solve(rules: Ruleset, seeds: u8) -> HashMap<Board, Truth> {
    let mut solved = HashMap::new();
    for n in 0..=seeds {
        let layer = solve_layer(rules, n, &solved);
        solved.extend(layer);
    }
    solved
}

/// A board of the layer with its moves: those that stay in the layer, by the
/// place of the child in the list of boards, and what the others are worth.
struct Node {
    board: Board,
    over: Option<i8>,
    quiet: Vec<usize>,
    leaving: Vec<Leaving>,
}

/// What a move that leaves the layer is worth.
struct Leaving {
    value: i8,
    lower: i8,
    upper: i8,
}

fn boards(seeds: u8) -> Vec<Board> {
    let opponents = (0..=seeds).flat_map(row::rows);
    opponents
        .flat_map(|opponent| {
            let rest = seeds - opponent.iter().sum::<u8>();
            row::rows(rest).map(move |mover| Board::trusted_rows(mover, opponent))
        })
        .collect()
}

fn solve_layer(rules: Ruleset, seeds: u8, below: &HashMap<Board, Truth>) -> HashMap<Board, Truth> {
    let boards = boards(seeds);
    let places: HashMap<Board, usize> = boards.iter().copied().zip(0..).collect();
    let nodes: Vec<Node> = boards
        .iter()
        .map(|&board| {
            let moves = rules.moves(&board);
            let (quiet, leaving): (Vec<_>, Vec<_>) =
                moves.legal().partition(|step| step.is_quiet(seeds));
            Node {
                board,
                over: moves.over(),
                quiet: quiet.iter().map(|step| places[&step.board]).collect(),
                leaving: leaving
                    .iter()
                    .map(|step| {
                        let child = below.get(&step.board);
                        let worth = |of: fn(&Truth) -> i8| step.value(child.map_or(0, of));
                        let turns = step.next == Next::Opponent;
                        Leaving {
                            value: worth(|t| t.value),
                            lower: worth(if turns { |t| t.upper } else { |t| t.lower }),
                            upper: worth(if turns { |t| t.lower } else { |t| t.upper }),
                        }
                    })
                    .collect(),
            }
        })
        .collect();

    // The best of the moves, given what the children are worth at present.
    let best = |node: &Node, leaving: fn(&Leaving) -> i8, children: &[i8]| {
        let left = node.leaving.iter().map(leaving);
        let quiet = node.quiet.iter().map(|&child| -children[child]);
        node.over
            .or_else(|| left.chain(quiet).max())
            .expect("over or a legal move")
    };
    let n = seeds.cast_signed();

    let value = until_stable(vec![0; nodes.len()], |value| {
        nodes
            .iter()
            .map(|node| best(node, |l| l.value, value))
            .collect()
    });
    let bounds = until_stable(
        (vec![-n; nodes.len()], vec![n; nodes.len()]),
        |(lower, upper)| {
            (
                nodes
                    .iter()
                    .map(|node| best(node, |l| l.lower, upper))
                    .collect(),
                nodes
                    .iter()
                    .map(|node| best(node, |l| l.upper, lower))
                    .collect(),
            )
        },
    );

    // Distances, as soon as enough is known of the children.
    let distance = until_stable(vec![None; nodes.len()], |known: &Vec<Option<u16>>| {
        let of_node = |(node, &own): (&Node, &i8)| {
            if own == 0 || node.over.is_some() {
                return Some(0);
            }
            let left = node.leaving.iter().filter(|l| l.value == own);
            let quiet = node.quiet.iter().filter(|&&child| -value[child] == own);
            let plies = (left.map(|_| Some(1))).chain(quiet.map(|&child| Some(known[child]? + 1)));
            if own > 0 {
                plies.flatten().min()
            } else {
                plies.collect::<Option<Vec<_>>>()?.into_iter().max()
            }
        };
        nodes.iter().zip(&value).map(of_node).collect()
    });

    let (lower, upper) = bounds;
    (0..nodes.len())
        .map(|place| {
            let truth = Truth {
                value: value[place],
                distance: distance[place].expect("every win is reached"),
                lower: lower[place],
                upper: upper[place],
            };
            (nodes[place].board, truth)
        })
        .collect()
}

fn until_stable<T: PartialEq>(start: T, next: impl Fn(&T) -> T) -> T {
    let mut now = start;
    loop {
        let then = next(&now);
        if then == now {
            return now;
        }
        now = then;
    }
}
