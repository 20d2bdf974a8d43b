//! The reference solver: as plain as possible, for any ruleset and few seeds.
//!
//! It knows nothing of lines, sections or maps. It lists every board of a layer, indexed
//! or not, asks the rules for its moves, and applies the definitions again and again
//! until nothing changes. The fast solver must equal it.

use std::collections::HashMap;

use crate::index::row;
use crate::rules::{Board, Next, Ruleset, Step, row_seeds};

/// What the reference solver finds for one board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Truth {
    /// The value.
    pub value: i8,
    /// Plies to the next conversion; 0 for terminal positions and where there is none: the
    /// value is 0, or a loop alone attains it.
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
struct ReferenceNode {
    board: Board,
    terminal: Option<i8>,
    /// The mover's seeds minus the opponent's.
    division: i8,
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
    let nodes = nodes(rules, seeds, below);
    let best = |of: fn(&Conversion) -> i8, children: &[i8]| -> Vec<i8> {
        nodes.iter().map(|node| node.best(of, children)).collect()
    };
    let n = seeds.cast_signed();
    let all = |entry: i8| vec![entry; nodes.len()];
    let (lower, upper) = if rules.counts_loops() {
        recurring(&nodes, [|c| c.lower, |c| c.upper])
    } else {
        until_stable((all(-n), all(n)), |(lower, upper)| {
            (best(|c| c.lower, upper), best(|c| c.upper, lower))
        })
    };
    let value = if rules.counts_loops() {
        // The mover gets a value above 0 by the worst of the boards that recur, and one below
        // 0 by the best of them.
        let (worst, best) = recurring(&nodes, [|c| c.value; 2]);
        let middle = |(&worst, &best): (&i8, &i8)| worst.max(best.min(0));
        worst.iter().zip(&best).map(middle).collect()
    } else {
        until_stable(all(0), |value| best(|c| c.value, value))
    };
    // Distances, once enough children have theirs.
    let distance = until_stable(vec![None; nodes.len()], |known: &Vec<Option<u16>>| {
        let nodes = nodes.iter().zip(&value);
        nodes
            .map(|(node, &own)| node.distance(own, &value, known))
            .collect()
    });
    let truth = |(number, node): (usize, &ReferenceNode)| {
        let is_reached = distance[number].is_some();
        assert!(is_reached || rules.counts_loops(), "every win is reached");
        let truth = Truth {
            value: value[number],
            distance: distance[number].unwrap_or(0),
            lower: lower[number],
            upper: upper[number],
        };
        (node.board, truth)
    };
    nodes.iter().enumerate().map(truth).collect()
}

/// All boards of a layer with their moves.
fn nodes(rules: Ruleset, seeds: u8, below: &HashMap<Board, Truth>) -> Vec<ReferenceNode> {
    let boards = boards(seeds);
    let numbers: HashMap<Board, usize> = boards.iter().copied().zip(0..).collect();
    let conversion = |step: &Step| {
        let child = below.get(&step.board);
        let value = |of: fn(&Truth) -> i8| step.value(child.map_or(0, of));
        let turns = step.next == Next::Opponent;
        Conversion {
            value: value(|t| t.value),
            lower: value(if turns { |t| t.upper } else { |t| t.lower }),
            upper: value(if turns { |t| t.lower } else { |t| t.upper }),
        }
    };
    let node = |&board: &Board| {
        let moves = rules.moves(&board);
        let (quiet, conversions): (Vec<_>, Vec<_>) =
            moves.legal().partition(|step| step.is_quiet(seeds));
        ReferenceNode {
            board,
            terminal: moves.terminal_value(),
            division: row_seeds(&board.mover()) as i8 - row_seeds(&board.opponent()) as i8,
            quiet: quiet.iter().map(|step| numbers[&step.board]).collect(),
            conversions: conversions.iter().map(conversion).collect(),
        }
    };
    boards.iter().map(node).collect()
}

impl ReferenceNode {
    /// The best of the moves, given the present numbers of the children.
    fn best(&self, of: fn(&Conversion) -> i8, children: &[i8]) -> i8 {
        let conversions = self.conversions.iter().map(of);
        let quiet = self.quiet.iter().map(|&child| -children[child]);
        self.terminal
            .or_else(|| conversions.chain(quiet).max())
            .expect("a terminal position or a legal move")
    }

    /// The distance, if enough children have theirs.
    fn distance(&self, own: i8, values: &[i8], known: &[Option<u16>]) -> Option<u16> {
        if own == 0 || self.terminal.is_some() {
            return Some(0);
        }
        let conversions = self.conversions.iter().filter(|c| c.value == own);
        let quiet = self.quiet.iter().filter(|&&child| -values[child] == own);
        let plies = conversions.map(|_| Some(1));
        let plies = plies.chain(quiet.map(|&child| Some(known[child]? + 1)));
        if own > 0 {
            plies.flatten().min()
        } else {
            plies.collect::<Option<Vec<_>>>()?.into_iter().max()
        }
    }
}

/// What the mover secures if endless play is worth the worst of the boards that recur in it,
/// by row, and what they can hope for if it is worth the best. This is the definition in
/// `docs/rules.md`, with two numbers for each board: that of player P if P moves there, and that
/// of the mover if the other player does.
///
/// ```text
/// least Y of greatest X of   max(best move by Y, min(division, best move by X))
/// ```
fn recurring(nodes: &[ReferenceNode], of: [fn(&Conversion) -> i8; 2]) -> (Vec<i8>, Vec<i8>) {
    const BEYOND: i8 = i8::MAX;
    let all = |entry: i8| vec![entry; nodes.len()];
    let (mut y, mut y_of_other) = (all(-BEYOND), all(BEYOND));
    loop {
        let (mut x, mut x_of_other) = (all(BEYOND), all(-BEYOND));
        let by_y = nodes.iter().map(|node| node.best(of[0], &y_of_other));
        let by_y: Vec<i8> = by_y.collect();
        let by_y_of_other = nodes.iter().map(|node| node.best(of[1], &y));
        let by_y_of_other: Vec<i8> = by_y_of_other.collect();
        loop {
            let mut is_stable = true;
            for (i, node) in nodes.iter().enumerate() {
                let own = node
                    .best(of[0], &x_of_other)
                    .min(node.division)
                    .max(by_y[i]);
                let other = node
                    .best(of[1], &x)
                    .max(node.division)
                    .min(by_y_of_other[i]);
                is_stable &= (own, other) == (x[i], x_of_other[i]);
                (x[i], x_of_other[i]) = (own, other);
            }
            if is_stable {
                break;
            }
        }
        if (&x, &x_of_other) == (&y, &y_of_other) {
            return (x, x_of_other);
        }
        (y, y_of_other) = (x, x_of_other);
    }
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
