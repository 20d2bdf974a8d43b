//! The reference solver: as plain as possible, for any ruleset and few seeds.
//!
//! It knows nothing of lines, sections or maps. It lists every board of a layer, indexed
//! or not, asks the rules for its moves, and applies the definitions again and again
//! until nothing changes. The fast solver must equal it.

use std::collections::HashMap;

use crate::index::row;
use crate::rules::{Board, Next, Ruleset};

/// What the reference solver finds for one board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Truth {
    /// The value, endless play counting 0.
    pub value: i8,
    /// Plies to the next conversion; 0 for terminal positions and where the value is
    /// 0.
    pub distance: u16,
    /// The value when endless play counts as the worst for the mover.
    pub lower: i8,
    /// The value when endless play counts as the best for the mover.
    pub upper: i8,
}

/// Solves all boards of all layers up to `seeds`, whether they are indexed or not.
pub fn solve(rules: Ruleset, seeds: u8) -> HashMap<Board, Truth> {
    let mut solved = HashMap::new();
    for n in 0..=seeds {
        let layer = solve_layer(rules, n, &solved);
        solved.extend(layer);
    }
    solved
}

/// A board of the layer with its moves: the quiet ones, by the number of the child in
/// the list of boards, and the values of the conversions.
struct Node {
    board: Board,
    terminal: Option<i8>,
    quiet: Vec<usize>,
    conversions: Vec<Conversion>,
}

/// The value and bounds of a conversion.
struct Conversion {
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
    let numbers: HashMap<Board, usize> = boards.iter().copied().zip(0..).collect();
    let nodes: Vec<Node> = boards
        .iter()
        .map(|&board| {
            let moves = rules.moves(&board);
            let (quiet, conversions): (Vec<_>, Vec<_>) =
                moves.legal().partition(|step| step.is_quiet(seeds));
            Node {
                board,
                terminal: moves.over(),
                quiet: quiet.iter().map(|step| numbers[&step.board]).collect(),
                conversions: conversions
                    .iter()
                    .map(|step| {
                        let child = below.get(&step.board);
                        let value = |of: fn(&Truth) -> i8| step.value(child.map_or(0, of));
                        let turns = step.next == Next::Opponent;
                        Conversion {
                            value: value(|t| t.value),
                            lower: value(if turns { |t| t.upper } else { |t| t.lower }),
                            upper: value(if turns { |t| t.lower } else { |t| t.upper }),
                        }
                    })
                    .collect(),
            }
        })
        .collect();

    // The best of the moves, given the present values of the children.
    let best = |node: &Node, conversion: fn(&Conversion) -> i8, children: &[i8]| {
        let conversions = node.conversions.iter().map(conversion);
        let quiet = node.quiet.iter().map(|&child| -children[child]);
        node.terminal
            .or_else(|| conversions.chain(quiet).max())
            .expect("a terminal position or a legal move")
    };
    let n = seeds.cast_signed();

    let value = until_stable(vec![0; nodes.len()], |value| {
        nodes
            .iter()
            .map(|node| best(node, |c| c.value, value))
            .collect()
    });
    let bounds = until_stable(
        (vec![-n; nodes.len()], vec![n; nodes.len()]),
        |(lower, upper)| {
            (
                nodes
                    .iter()
                    .map(|node| best(node, |c| c.lower, upper))
                    .collect(),
                nodes
                    .iter()
                    .map(|node| best(node, |c| c.upper, lower))
                    .collect(),
            )
        },
    );

    // Distances, once enough children have theirs.
    let distance = until_stable(vec![None; nodes.len()], |known: &Vec<Option<u16>>| {
        let of_node = |(node, &own): (&Node, &i8)| {
            if own == 0 || node.terminal.is_some() {
                return Some(0);
            }
            let conversions = node.conversions.iter().filter(|c| c.value == own);
            let quiet = node.quiet.iter().filter(|&&child| -value[child] == own);
            let plies =
                (conversions.map(|_| Some(1))).chain(quiet.map(|&child| Some(known[child]? + 1)));
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
        .map(|number| {
            let truth = Truth {
                value: value[number],
                distance: distance[number].expect("every win is reached"),
                lower: lower[number],
                upper: upper[number],
            };
            (nodes[number].board, truth)
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
