//! Every ending on a small board, and random games under every ruleset held
//! to a second, plainer account of them.

use super::*;
use crate::rules::{Board, Endless, IllegalMove, Next, Ruleset, row_seeds};

fn game(rules: Ruleset, text: &str, to_move: Player) -> Game {
    Game::from_position(rules, text.parse().unwrap(), Stores::default(), to_move).unwrap()
}

/// Plays pits and gives the ending, South's seeds, North's, and nobody's.
fn ends(rules: Ruleset, text: &str, pits: &[u8]) -> (Ending, u8, u8, u8) {
    let mut game = game(rules, text, Player::South);
    for &pit in pits {
        assert_eq!(game.outcome(), None, "{rules} before pit {pit}");
        game.play(pit).unwrap();
    }
    let outcome = game.outcome().expect("the game is over");
    assert_eq!(game.play(0), Err(PlayError::Over));
    let Stores { south, north } = outcome.stores;
    (outcome.ending, south, north, outcome.unclaimed)
}

#[test]
fn a_new_game() {
    for (_, rules) in Ruleset::NAMED {
        let mut game = Game::new(rules);
        assert_eq!((game.total(), game.to_move()), (48, Player::South));
        assert_eq!(game.outcome(), None);
        assert_eq!(game.moves().legal().count(), 6);
        let turn = game.play(0).unwrap();
        assert_eq!((turn.player, turn.taken, turn.given), (Player::South, 0, 0));
        assert_eq!(game.to_move(), Player::North);
        assert_eq!(game.board_from_south(), game.board().turned());
    }
}

#[test]
fn a_refused_move_changes_nothing() {
    let mut game = game(Ruleset::AWARI, "1 0 0 0 0 1 / 0 0 0 0 0 0", Player::South);
    for (pit, refusal) in [
        (0, IllegalMove::Starves { pit: 0, other: 5 }),
        (1, IllegalMove::Empty { pit: 1 }),
        (6, IllegalMove::NotYours { pit: 6 }),
        (u8::MAX, IllegalMove::NotYours { pit: u8::MAX }),
    ] {
        assert_eq!(game.play(pit), Err(PlayError::Illegal(refusal)));
    }
    assert_eq!(game.board().notation(), "1 0 0 0 0 1 / 0 0 0 0 0 0");
    assert_eq!(game.to_move(), Player::South);
}

#[test]
fn a_position_may_not_hold_more_seeds_than_the_game() {
    let from = |south, north| {
        let stores = Stores { south, north };
        Game::from_position(Ruleset::AWARI, Board::START, stores, Player::South)
    };
    assert!(from(0, 0).is_ok());
    assert_eq!(from(0, 1).unwrap_err().seeds, 49);
    assert_eq!(from(255, 255).unwrap_err().seeds, 558);
}

#[test]
fn majority_counts_all_seeds_of_the_game() {
    use Player::{North, South};
    let at = |rules, south, north| {
        let board = "0 0 0 0 1 1 / 2 1 0 0 0 9".parse().unwrap();
        Game::from_position(rules, board, Stores { south, north }, South).unwrap()
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
    // Stores given at the start count, and so does North.
    let outcome = at(Ruleset::AWARI, 8, 26).outcome().unwrap();
    assert_eq!(outcome.ending, Ending::Majority(North));
    // Seeds in a kalah store: here the player would have moved again.
    let mut game = at(Ruleset::KALAH, 24, 10);
    game.play(5).unwrap();
    let outcome = game.outcome().unwrap();
    assert_eq!(outcome.ending, Ending::Majority(South));
    assert_eq!(outcome.stores.south, 25);
}

#[test]
fn no_legal_move_is_settled_by_the_ruleset() {
    let stuck = Ending::NoLegalMove(Player::South);
    let unfed = "1 2 0 0 0 0 / 0 0 0 0 0 0";
    assert_eq!(ends(Ruleset::AWARI, unfed, &[]), (stuck, 3, 0, 0));
    assert_eq!(ends(Ruleset::AWALE_C, unfed, &[]), (stuck, 0, 0, 3));
    let empty = "0 0 0 0 0 0 / 1 2 0 0 0 0";
    assert_eq!(ends(Ruleset::ABAPA, empty, &[]), (stuck, 0, 3, 0));
    assert_eq!(ends(Ruleset::AWALE_INFO, empty, &[]), (stuck, 0, 0, 3));
    assert_eq!(ends(Ruleset::KALAH, empty, &[]), (stuck, 0, 3, 0));
    assert_eq!(ends(Ruleset::IFMG, empty, &[]), (stuck, 3, 0, 0));
    for (_, rules) in Ruleset::NAMED {
        assert_eq!(ends(rules, &Board::EMPTY.notation(), &[]), (stuck, 0, 0, 0));
    }
    // North cannot feed South back, one move later.
    let stuck = Ending::NoLegalMove(Player::North);
    let text = "0 0 0 0 0 1 / 0 0 1 0 0 0";
    assert_eq!(ends(Ruleset::AWARI, text, &[5]), (stuck, 0, 2, 0));
    assert_eq!(ends(Ruleset::AWALE_C, text, &[5]), (stuck, 0, 0, 2));
}

#[test]
fn moves_that_end_the_game_give_each_side_its_seeds() {
    let slam = Ending::GrandSlam(Player::South);
    let forced = "0 0 0 0 0 1 / 1 0 0 0 0 0";
    assert_eq!(ends(Ruleset::AWARI, forced, &[5]), (slam, 2, 0, 0));
    let choice = "5 0 0 0 0 1 / 1 0 0 0 0 0";
    assert_eq!(ends(Ruleset::PRATT, choice, &[5]), (slam, 7, 0, 0));
    let starved = Ending::Starved(Player::South);
    let unfed = "1 0 0 0 0 1 / 0 0 0 0 0 0";
    assert_eq!(ends(Ruleset::PRATT, unfed, &[0]), (starved, 0, 2, 0));
    let text = "0 0 0 0 0 1 / 0 0 2 0 0 3";
    assert_eq!(
        ends(Ruleset::KALAH, text, &[5]),
        (Ending::EmptyRow, 1, 5, 0)
    );
    assert_eq!(ends(Ruleset::IFMG, text, &[5]), (Ending::EmptyRow, 6, 0, 0));
    // The opponent's row is the empty one, and he takes what is left.
    let text = "1 0 0 0 0 4 / 0 0 0 0 7 0";
    assert_eq!(
        ends(Ruleset::KALAH, text, &[0]),
        (Ending::EmptyRow, 12, 0, 0)
    );
    assert_eq!(ends(Ruleset::IFMG, text, &[0]), (Ending::EmptyRow, 8, 4, 0));
}

/// Two seeds that chase each other: after this many moves the board is back.
const ROUND: [u8; 12] = [5, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5];

#[test]
fn endless_play_is_settled_at_the_third_time_by_the_ruleset() {
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
        assert_eq!(ends(rules, text, &twice), expected, "{rules}");
    }
}

#[test]
fn an_odd_seed_is_not_shared() {
    // A third seed makes the game go round another way; find it by search.
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

/// Knuth's MMIX generator: the games are the same on every machine.
pub(super) struct Lcg(pub u64);

impl Lcg {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % n
    }
}

/// Plays at random to the end and checks each move against plain rules: one
/// board, net seeds from South's side, and the whole history in a list.
/// Returns the outcome and the number of moves.
fn random_game(rules: Ruleset, text: Option<&str>, seed: u64) -> (Outcome, usize) {
    const BOUND: usize = 10_000;
    let mut random = Lcg(seed);
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
                    net += sign * i32::from(rules.moves(&board).over().unwrap());
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
                        Endless::BySide => 0,
                    };
                    assert_eq!(outcome.unclaimed, nobody);
                }
                Ending::GrandSlam(_) | Ending::Starved(_) | Ending::EmptyRow => {
                    assert_eq!((board, outcome.unclaimed), (Board::EMPTY, 0));
                }
            }
            let Stores { south, north } = outcome.stores;
            assert_eq!(i32::from(south) - i32::from(north), net);
            return (outcome, plies);
        }
        assert!(!majority && !repeats && !legal.is_empty());

        let step = legal[random.below(legal.len())];
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
fn random_games_under_every_ruleset() {
    let mut endings = std::collections::HashSet::new();
    for rules in Ruleset::all() {
        for seed in 0..60 {
            endings.insert(std::mem::discriminant(
                &random_game(rules, None, seed).0.ending,
            ));
        }
        // Few seeds: the endings that a majority would forestall.
        for seed in 0..60 {
            let text = "1 0 2 0 0 1 / 0 1 0 0 3 0";
            let outcome = random_game(rules, Some(text), seed).0;
            endings.insert(std::mem::discriminant(&outcome.ending));
        }
    }
    assert_eq!(endings.len(), 6, "every ending came up");
}
