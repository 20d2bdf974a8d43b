//! Properties that the rules imply for every board and every move, independent of the solver.

use krou::rules::Quantity;
use krou::rules::{Board, Leftovers, Next, Ruleset, Step};
use krou::solve::Silent;
use krou::solve::{Layer, Solver};
use proptest::prelude::*;

/// Layers solved for the properties of values.
const SEEDS: u8 = 7;

/// Whether the players own all seeds at the end of a game.
fn shares_all(rules: Ruleset) -> bool {
    rules
        .oware()
        .is_none_or(|oware| oware.leftovers == Leftovers::Owner)
}

#[test]
fn values_have_range_parity_and_order() {
    for rules in Ruleset::all() {
        let mut solver = Solver::new(rules);
        let mut layers: Vec<Layer> = Vec::new();
        for n in 0..=SEEDS {
            solver.solve_next(&Silent).unwrap();
            layers.push(solver.layer(n).clone());
            let layer = &layers[usize::from(n)];
            let index = layer.index();
            let n = n.cast_signed();
            for i in 0..index.len() {
                let board = index.board(i);
                let value = layer.value().get(i).get();
                assert!((-n..=n).contains(&value), "{rules} {board:?}");
                if matches!(rules, Ruleset::Stores(_)) {
                    // Without loops every seed is taken by a player.
                    assert_eq!((value - n) % 2, 0, "{rules} {board:?}");
                }
                if let Some(bounds) = layer.bounds() {
                    let both = [&bounds.lower, &bounds.upper];
                    let [lower, upper] = both.map(|b| b.get(i).get());
                    assert!(-n <= lower && upper <= n, "{rules} {board:?}");
                    // The value of endless play lies between the bounds.
                    assert!(lower <= value && value <= upper, "{rules} {board:?}");
                    if shares_all(rules) {
                        assert_eq!((lower - n) % 2, 0, "{rules} {board:?}");
                        assert_eq!((upper - n) % 2, 0, "{rules} {board:?}");
                    }
                }
                // A value is the best gain minus the child's value, and a bound follows
                // from the child's other bound.
                let moves = rules.moves(&board);
                let best = |quantity: Quantity| {
                    let value = |step: Step| {
                        let child = &layers[usize::from(step.board.seeds())];
                        let child = child.quantity(quantity).unwrap().of(&step.board);
                        let child = child.unwrap().get();
                        match step.next {
                            Next::Opponent => step.gain - child,
                            Next::Again => step.gain + child,
                            Next::Over => step.gain,
                        }
                    };
                    moves.terminal_value().or(moves.legal().map(value).max())
                };
                assert_eq!(best(Quantity::Value), Some(value), "{rules} {board:?}");
                if let Some(bounds) = layer.bounds() {
                    let both = [&bounds.lower, &bounds.upper];
                    let [lower, upper] = both.map(|b| b.get(i).get());
                    let [of_lower, of_upper] = [Quantity::Lower, Quantity::Upper].map(best);
                    assert_eq!(of_upper, Some(lower), "{rules} {board:?}");
                    assert_eq!(of_lower, Some(upper), "{rules} {board:?}");
                }
            }
        }
    }
}

#[test]
fn even_and_nobody_have_the_same_values() {
    let awari: Ruleset = Ruleset::AWARI;
    let Ruleset::Oware(mut oware) = awari else {
        unreachable!("awari is of the oware family");
    };
    oware.endless = krou::rules::Endless::Nobody;
    let mut solvers = [awari, Ruleset::Oware(oware)].map(Solver::new);
    for _ in 0..=SEEDS {
        let [one, other] = solvers.each_mut().map(|solver| {
            solver.solve_next(&Silent).unwrap();
            let last = solver.layer(solver.next_seeds() - 1);
            last.value().as_slice().to_vec()
        });
        assert_eq!(one, other);
    }
}

fn any_board() -> impl Strategy<Value = Board> {
    // Boards with few and with many seeds: up to 48 in up to 12 pits.
    (proptest::collection::vec(0..=48_u8, 12), 1..=12_usize).prop_map(|(weights, used)| {
        let mut left = 48;
        let mut pits = [0; 12];
        for (pit, weight) in weights.into_iter().enumerate() {
            pits[(pit * 5) % 12] = if pit < used { weight.min(left) } else { 0 };
            left -= pits[(pit * 5) % 12];
        }
        Board::new(pits).unwrap()
    })
}

fn any_rules() -> impl Strategy<Value = Ruleset> {
    proptest::sample::select(Ruleset::all().collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 20_000,
        rng_seed: proptest::test_runner::RngSeed::Fixed(48),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn boards_are_read_back_from_their_notation(board in any_board()) {
        prop_assert_eq!(board.to_string().parse::<Board>(), Ok(board));
        let pits = board.pits().map(|s| s.to_string()).join("-");
        prop_assert_eq!(format!("{pits}-0-0-S").parse::<Board>(), Ok(board));
        prop_assert_eq!(format!("{pits}-0-0-N").parse::<Board>(), Ok(board.turned()));
        prop_assert_eq!(board.turned().turned(), board);
    }

    #[test]
    fn any_text_is_a_board_or_a_one_line_error(text in ".{0,60}") {
        if let Err(error) = text.parse::<Board>() {
            prop_assert!(!error.to_string().contains('\n'));
        }
    }

    #[test]
    fn moves_conserve_seeds(rules in any_rules(), board in any_board()) {
        let moves = rules.moves(&board);
        let n = board.seeds();
        for step in moves.legal() {
            let left = n - step.board.seeds();
            prop_assert!(step.gain.unsigned_abs() <= left);
            prop_assert_eq!(step.gain.unsigned_abs() % 2, left % 2);
            prop_assert!(step.captured <= left);
            match step.next {
                Next::Over => prop_assert_eq!(step.board, Board::EMPTY),
                Next::Again => prop_assert!(matches!(rules, Ruleset::Stores(_))),
                Next::Opponent => {}
            }
            prop_assert_eq!(rules.play(&board, step.pit), Ok(step));
        }
        if let Some(result) = moves.terminal_value() {
            prop_assert!(result.unsigned_abs() <= n);
        }
    }

    /// In the oware family the pit that was played is empty, so a move never
    /// leads out of the index; in the store family every board is in it.
    #[test]
    fn moves_lead_to_indexed_boards(rules in any_rules(), board in any_board()) {
        for step in rules.moves(&board).legal() {
            let index = krou::index::LayerIndex::new(rules, step.board.seeds());
            let i = index.index(&step.board);
            prop_assert_eq!(i.map(|i| index.board(i)), Some(step.board));
        }
    }
}
