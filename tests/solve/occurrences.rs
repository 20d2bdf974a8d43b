//! Games that end when a board occurs for the second or the third time have values between the
//! bounds, from every board with a fresh history.
//!
//! The value of such a game depends on the boards that have been visited, so it is found by
//! searching all plays. A capture clears the history: the boards after it have values of their
//! own.

use std::collections::HashMap;

use krou::rules::row_seeds;
use krou::rules::{Board, Bounds, Next, Ruleset};
use krou::solve::Silent;
use krou::solve::Solver;

/// The highest layer that is searched.
const SEEDS: u8 = 3;

/// The game that ends when a board occurs as often as this.
struct Game<'a> {
    rules: Ruleset,
    occurrences: u32,
    /// The bounds of the boards of the layer, with which moves are ordered.
    bounds: &'a HashMap<Board, Bounds>,
    /// The values of boards with fewer seeds, from a fresh history.
    values: &'a HashMap<Board, i8>,
    /// How often the boards of the layer have occurred. Those of one player have other numbers
    /// of plies before them than those of the other one, so the player is part of the key.
    seen: HashMap<(Board, bool), u32>,
}

fn division(board: &Board) -> i8 {
    let [own, other] = [board.mover(), board.opponent()].map(|row| row_seeds(&row).cast_signed());
    own - other
}

impl Game<'_> {
    /// The value of a board for the mover if it is between `alpha` and `beta`, else a bound on
    /// that side.
    fn value(&mut self, board: &Board, player: bool, mut alpha: i8, beta: i8) -> i8 {
        let moves = self.rules.moves(board);
        if let Some(over) = moves.terminal_value() {
            return over;
        }
        let seen = self.seen.entry((*board, player)).or_default();
        *seen += 1;
        if *seen >= self.occurrences {
            *seen -= 1;
            return division(board);
        }
        let seeds = board.seeds();
        let mut steps: Vec<_> = moves.legal().collect();
        // The best moves by the bounds first: usually no other has to be searched.
        steps.sort_by_key(|step| match step.is_quiet(seeds) {
            true => self.bounds[&step.board].upper,
            false => i8::MIN,
        });
        let mut best = i8::MIN;
        for step in steps {
            let value = match step.next {
                Next::Over => step.gain,
                _ if step.is_quiet(seeds) => -self.value(&step.board, !player, -beta, -alpha),
                _ => step.value(self.values[&step.board]),
            };
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        *self.seen.get_mut(&(*board, player)).expect("counted above") -= 1;
        best
    }
}

/// Every board with this many seeds that a move can lead to, with its bounds.
fn layers(rules: Ruleset, seeds: u8) -> Vec<HashMap<Board, Bounds>> {
    let mut solver = Solver::new(rules);
    let layers = (0..=seeds).map(|n| {
        solver.solve_next(&Silent).unwrap();
        let layer = solver.layer(n);
        let bounds = layer.bounds().expect("by side");
        let boards = layer.index().boards().zip(0..);
        boards
            .map(|(board, i)| {
                let [lower, upper] = [&bounds.lower, &bounds.upper].map(|bound| bound.get(i).get());
                (board, Bounds { lower, upper })
            })
            .collect()
    });
    layers.collect()
}

#[test]
fn values_of_games_that_end_by_repetition_are_between_the_bounds() {
    let third = [(Ruleset::ABAPA, 3)];
    let second = [Ruleset::ABAPA, Ruleset::AWALE, Ruleset::AWALE_INFO].map(|rules| (rules, 2));
    for (rules, occurrences) in third.into_iter().chain(second) {
        let mut values = HashMap::new();
        let mut open = 0;
        for bounds in layers(rules, SEEDS) {
            let of_layer = bounds.iter().map(|(board, Bounds { lower, upper })| {
                let mut game = Game {
                    rules,
                    occurrences,
                    bounds: &bounds,
                    values: &values,
                    seen: HashMap::new(),
                };
                let value = game.value(board, true, lower - 1, upper + 1);
                assert!(
                    (*lower..=*upper).contains(&value),
                    "{rules} {board}: {value}"
                );
                (*board, value)
            });
            let of_layer: Vec<_> = of_layer.collect();
            open += bounds
                .values()
                .filter(|bounds| bounds.exact().is_none())
                .count();
            values.extend(of_layer);
        }
        assert!(open > 50, "{rules}: {open}");
    }
}
