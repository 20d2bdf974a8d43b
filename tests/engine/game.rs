//! Every ending on small boards, and random games under every ruleset against a simpler
//! model of a game.

use fastrand::Rng;
use krou::engine::{Ending, Game, Outcome, PlayError};
use krou::rules::row_seeds;
use krou::rules::{Board, Endless, IllegalMove, Next, Player, Position, Ruleset, Stores};

fn game(rules: Ruleset, text: &str, to_move: Player) -> Game {
    let board = text.parse().unwrap();
    let position = Position::new(board, Stores::default(), to_move);
    Game::from_position(rules, position).unwrap()
}

/// Plays these pits and returns the ending, the seeds of South and of North, and those that
/// count for neither.
fn ending_after(rules: Ruleset, text: &str, pits: &[u8]) -> (Ending, u8, u8, u8) {
    let mut game = game(rules, text, Player::South);
    for &pit in pits {
        assert_eq!(game.outcome(), None, "{rules} before pit {pit}");
        game.play(pit).unwrap();
    }
    let outcome = game.outcome().expect("the game is over");
    let majority = Ending::Majority(Player::South);
    assert_eq!(game.can_go_on(), outcome.ending == majority);
    if !game.can_go_on() {
        assert_eq!(game.play(0), Err(PlayError::Over));
    }
    let Stores { south, north } = outcome.stores;
    (outcome.ending, south, north, outcome.unclaimed)
}

#[test]
fn a_new_game_has_four_seeds_in_each_pit() {
    for &(_, rules) in Ruleset::NAMED {
        let mut game = Game::new(rules);
        assert_eq!((game.total(), game.to_move()), (48, Player::South));
        assert_eq!(game.outcome(), None);
        assert_eq!(game.moves().legal().count(), 6);
        let turn = game.play(0).unwrap();
        assert_eq!((turn.player, turn.taken, turn.given), (Player::South, 0, 0));
        assert_eq!(game.to_move(), Player::North);
        assert_eq!(game.position().board_from_south(), game.board().turned());
    }
}

#[test]
fn an_illegal_move_changes_nothing() {
    let mut game = game(Ruleset::AWARI, "1 0 0 0 0 1 / 0 0 0 0 0 0", Player::South);
    for (pit, reason) in [
        (0, IllegalMove::Starves { pit: 0, other: 5 }),
        (1, IllegalMove::Empty { pit: 1 }),
        (6, IllegalMove::NotYours { pit: 6 }),
        (u8::MAX, IllegalMove::NotYours { pit: u8::MAX }),
    ] {
        assert_eq!(game.play(pit), Err(PlayError::Illegal(reason)));
    }
    assert_eq!(game.board().to_string(), "1 0 0 0 0 1 / 0 0 0 0 0 0");
    assert_eq!(game.to_move(), Player::South);
}

#[test]
fn a_position_with_more_than_48_seeds_is_an_error() {
    let from = |south, north| {
        let stores = Stores { south, north };
        let position = Position::new(Board::START, stores, Player::South);
        Game::from_position(Ruleset::AWARI, position)
    };
    assert!(from(0, 0).is_ok());
    assert_eq!(from(0, 1).unwrap_err().seeds, 49);
    assert_eq!(from(255, 255).unwrap_err().seeds, 558);
}

#[test]
fn a_majority_is_more_than_half_of_all_seeds() {
    use Player::{North, South};
    let at = |rules, south, north| {
        let board = "0 0 0 0 1 1 / 2 1 0 0 0 9".parse().unwrap();
        Game::from_position(rules, Position::new(board, Stores { south, north }, South)).unwrap()
    };
    // 48 seeds: 22 + 3 are enough, 21 + 3 are not.
    let mut game = at(Ruleset::AWARI, 22, 12);
    game.play(5).unwrap();
    let outcome = game.outcome().unwrap();
    assert_eq!(outcome.ending, Ending::Majority(South));
    assert_eq!((outcome.winner(), outcome.unclaimed), (Some(South), 11));
    let mut game = at(Ruleset::AWARI, 21, 13);
    game.play(5).unwrap();
    assert_eq!(game.outcome(), None);
    // The game may be played on, and stays won.
    let stores = Stores {
        south: 24,
        north: 20,
    };
    let board = "1 0 0 0 0 1 / 1 1 0 0 0 0".parse().unwrap();
    let mut game =
        Game::from_position(Ruleset::ABAPA, Position::new(board, stores, South)).unwrap();
    for pit in [5, 1, 0, 2] {
        game.play(pit).unwrap();
        let outcome = game.outcome().unwrap();
        assert_eq!(outcome.ending, Ending::Majority(South));
        assert_eq!((outcome.stores.south, outcome.stores.north), (26, 20));
    }
    // The stores at the start count, and North can have a majority too.
    let outcome = at(Ruleset::AWARI, 8, 26).outcome().unwrap();
    assert_eq!(outcome.ending, Ending::Majority(North));
    // Seeds sown into a store count too: South would have moved again.
    let mut game = at(Ruleset::KALAH, 24, 10);
    game.play(5).unwrap();
    let outcome = game.outcome().unwrap();
    assert_eq!(outcome.ending, Ending::Majority(South));
    assert_eq!(outcome.stores.south, 25);
}

#[test]
fn the_ruleset_decides_who_takes_the_seeds_of_a_terminal_position() {
    let no_move = Ending::NoLegalMove(Player::South);
    let unfed = "1 2 0 0 0 0 / 0 0 0 0 0 0";
    assert_eq!(ending_after(Ruleset::AWARI, unfed, &[]), (no_move, 3, 0, 0));
    assert_eq!(
        ending_after(Ruleset::AWALE_C, unfed, &[]),
        (no_move, 0, 0, 3)
    );
    let empty = "0 0 0 0 0 0 / 1 2 0 0 0 0";
    assert_eq!(ending_after(Ruleset::ABAPA, empty, &[]), (no_move, 0, 3, 0));
    assert_eq!(
        ending_after(Ruleset::AWALE_INFO, empty, &[]),
        (no_move, 0, 0, 3)
    );
    assert_eq!(ending_after(Ruleset::KALAH, empty, &[]), (no_move, 0, 3, 0));
    assert_eq!(ending_after(Ruleset::IFMG, empty, &[]), (no_move, 3, 0, 0));
    for &(_, rules) in Ruleset::NAMED {
        assert_eq!(
            ending_after(rules, &Board::EMPTY.to_string(), &[]),
            (no_move, 0, 0, 0)
        );
    }
    // North cannot feed South back, one move later.
    let no_move = Ending::NoLegalMove(Player::North);
    let text = "0 0 0 0 0 1 / 0 0 1 0 0 0";
    assert_eq!(ending_after(Ruleset::AWARI, text, &[5]), (no_move, 0, 2, 0));
    assert_eq!(
        ending_after(Ruleset::AWALE_C, text, &[5]),
        (no_move, 0, 0, 2)
    );
}

#[test]
fn moves_that_end_the_game_distribute_the_remaining_seeds() {
    let slam = Ending::GrandSlam(Player::South);
    let starved = Ending::Starved(Player::South);
    let empty = Ending::EmptyRow;
    let [awari, pratt] = [Ruleset::AWARI, Ruleset::PRATT];
    let [kalah, ifmg] = [Ruleset::KALAH, Ruleset::IFMG];
    for (rules, text, pit, end) in [
        (awari, "0 0 0 0 0 1 / 1 0 0 0 0 0", 5, (slam, 2, 0, 0)),
        (pratt, "5 0 0 0 0 1 / 1 0 0 0 0 0", 5, (slam, 7, 0, 0)),
        (pratt, "1 0 0 0 0 1 / 0 0 0 0 0 0", 0, (starved, 0, 2, 0)),
        (kalah, "0 0 0 0 0 1 / 0 0 2 0 0 3", 5, (empty, 1, 5, 0)),
        (ifmg, "0 0 0 0 0 1 / 0 0 2 0 0 3", 5, (empty, 6, 0, 0)),
        // The opponent's row is empty, and under Kalah the mover takes the rest.
        (kalah, "1 0 0 0 0 4 / 0 0 0 0 7 0", 0, (empty, 12, 0, 0)),
        (ifmg, "1 0 0 0 0 4 / 0 0 0 0 7 0", 0, (empty, 8, 4, 0)),
    ] {
        assert_eq!(ending_after(rules, text, &[pit]), end, "{rules} {text}");
    }
}

/// Two seeds chase each other: after these moves the board repeats.
const ROUND: [u8; 12] = [5, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5];

#[test]
fn the_number_of_repetitions_can_be_set() {
    let board: Board = "1 0 0 0 0 1 / 0 0 0 0 0 0".parse().unwrap();
    let new = || Game::from_position(Ruleset::ABAPA, board).unwrap();
    for (mut game, occurrences) in [(new(), 3), (new().with_repetitions(2), 2)] {
        assert_eq!(game.repetitions(), occurrences);
        for round in 1..occurrences {
            for pit in [5, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5] {
                assert_eq!(game.outcome(), None, "round {round}");
                game.play(pit).unwrap();
            }
        }
        assert_eq!(game.outcome().unwrap().ending, Ending::Repetition);
    }
}

#[test]
fn the_third_occurrence_ends_the_game_as_the_ruleset_says() {
    let twice = [ROUND, ROUND].concat();
    let text = "1 0 0 0 0 1 / 0 0 0 0 0 0";
    for (rules, south, north, nobody) in [
        (Ruleset::AWARI, 1, 1, 0),
        (Ruleset::AWALE_C, 0, 0, 2),
        (Ruleset::PRATT, 0, 0, 2),
        (Ruleset::AWALE, 2, 0, 0),
        (Ruleset::ABAPA, 2, 0, 0),
        (Ruleset::AWALE_INFO, 2, 0, 0),
    ] {
        let expected = (Ending::Repetition, south, north, nobody);
        assert_eq!(ending_after(rules, text, &twice), expected, "{rules}");
    }
}

#[test]
fn odd_seeds_of_an_endless_game_count_for_neither() {
    // Random games with three seeds. Some end by repetition.
    let mut found = 0;
    for seed in 0..2000 {
        let outcome = random_game(Ruleset::AWARI, Some("1 0 0 0 0 1 / 0 0 1 0 0 0"), seed).0;
        if outcome.ending == Ending::Repetition && outcome.unclaimed == 1 {
            assert_eq!((outcome.stores.south, outcome.stores.north), (1, 1));
            found += 1;
        }
    }
    assert!(found > 0);
}

/// Plays a random game to its end and compares each move with a simple model: a board,
/// South's net seeds, and a list of all boards. Returns the outcome and the number of
/// moves.
fn random_game(rules: Ruleset, text: Option<&str>, seed: u64) -> (Outcome, usize) {
    const BOUND: usize = 10_000;
    let mut random = Rng::with_seed(seed);
    let mut game = text.map_or_else(|| Game::new(rules), |text| game(rules, text, Player::South));
    let (mut board, mut sign, mut net) = (game.board(), 1, 0);
    let mut history = vec![(sign, board)];
    for plies in 0..BOUND {
        let Stores { south, north } = game.stores();
        assert_eq!(board.seeds() + south + north, game.total());
        assert_eq!(i32::from(south) - i32::from(north), net);
        assert_eq!(game.board(), board);
        assert_eq!(game.to_move() == Player::South, sign == 1);

        let legal: Vec<_> = rules.moves(&board).legal().collect();
        assert_eq!(legal, game.moves().legal().collect::<Vec<_>>());
        let times = history.iter().filter(|&&p| p == (sign, board)).count();
        let majority = 2 * south.max(north) > game.total();
        let repeats = matches!(rules, Ruleset::Oware(_)) && times == 3;
        if let Some(outcome) = game.outcome() {
            let kept = outcome.stores.south + outcome.stores.north;
            assert_eq!(kept + outcome.unclaimed, game.total());
            match outcome.ending {
                Ending::Majority(player) => {
                    assert!(majority);
                    assert_eq!(outcome.winner(), Some(player));
                    assert_eq!(outcome.stores, game.stores());
                }
                Ending::NoLegalMove(player) => {
                    assert_eq!(player, game.to_move());
                    net += sign * i32::from(rules.moves(&board).terminal_value().unwrap());
                }
                Ending::Repetition => {
                    assert!(repeats);
                    if rules.has_bounds() {
                        let own = i32::from(row_seeds(&board.mover()));
                        net += sign * (own - i32::from(row_seeds(&board.opponent())));
                    }
                    let Ruleset::Oware(choices) = rules else {
                        panic!("{rules} cannot repeat");
                    };
                    let nobody = match choices.endless {
                        Endless::Even => board.seeds() % 2,
                        Endless::Nobody => board.seeds(),
                        Endless::BySide | Endless::Open => 0,
                        other => panic!("{other}"),
                    };
                    assert_eq!(outcome.unclaimed, nobody);
                }
                Ending::GrandSlam(_) | Ending::Starved(_) | Ending::EmptyRow => {
                    assert_eq!((board, outcome.unclaimed), (Board::EMPTY, 0));
                }
                other => panic!("{other:?}"),
            }
            let Stores { south, north } = outcome.stores;
            assert_eq!(i32::from(south) - i32::from(north), net);
            return (outcome, plies);
        }
        assert!(!majority && !repeats && !legal.is_empty());

        let step = legal[random.usize(..legal.len())];
        let turn = game.play(step.pit).unwrap();
        assert_eq!(turn.step, step);
        net += sign * i32::from(step.gain);
        board = step.board;
        if step.next == Next::Opponent {
            sign = -sign;
        }
        history.push((sign, board));
    }
    panic!("{rules}: a game of more than {BOUND} moves");
}

#[test]
fn random_games_agree_with_the_model_under_every_ruleset() {
    let mut endings = std::collections::HashSet::new();
    for rules in Ruleset::all() {
        for seed in 0..60 {
            endings.insert(std::mem::discriminant(
                &random_game(rules, None, seed).0.ending,
            ));
        }
        // Few seeds, for the endings that a majority would prevent.
        for seed in 0..60 {
            let text = "1 0 2 0 0 1 / 0 1 0 0 3 0";
            let outcome = random_game(rules, Some(text), seed).0;
            endings.insert(std::mem::discriminant(&outcome.ending));
        }
    }
    assert_eq!(endings.len(), 6, "every ending occurred");
}
