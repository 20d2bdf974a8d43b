//! Opponents: random choices, whole games, and perfect play inside the tables.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use fastrand::Rng;
use krou::engine::{Aim, Engine, EngineOptions, Game, Limits};
use krou::engine::{Level, Opponent, Style};
use krou::rules::{Board, Player, Position, Ruleset, Stores};
use krou::tablebase::Tablebase;

fn opponent(style: Style, level: u8, rules: Ruleset, seed: u64) -> Opponent {
    let tables = Tablebase::embedded(rules);
    let level = Level::new(level).unwrap();
    Opponent::new(style, level, rules, Some(tables), seed)
}

/// The pits of a game of an opponent against itself, up to `plies` moves.
fn self_play(mut opponent: Opponent, rules: Ruleset, plies: usize) -> Vec<u8> {
    let mut game = Game::new(rules);
    let stop = AtomicBool::new(false);
    let mut pits = Vec::new();
    while pits.len() < plies
        && let Some(pit) = opponent.choose(&game, &stop)
    {
        game.play(pit).unwrap();
        pits.push(pit);
    }
    assert_eq!(
        opponent.choose(&game, &stop).is_none(),
        game.outcome().is_some()
    );
    pits
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let levels = (1..=7).map(|level| (Style::Engine, level));
    for (style, level) in levels.chain([(Style::Random, 1)]) {
        let play = |seed| {
            let opponent = opponent(style, level, Ruleset::AWARI, seed);
            self_play(opponent, Ruleset::AWARI, 30)
        };
        assert_eq!(play(7), play(7), "{style} {level}");
        assert_ne!(play(7), play(8), "{style} {level}");
    }
}

/// Few of the first moves are nearly equal, so it takes some of them.
#[test]
fn strong_opponents_play_another_game_with_another_seed() {
    let play = |seed| {
        let opponent = opponent(Style::Engine, 12, Ruleset::AWARI, seed);
        self_play(opponent, Ruleset::AWARI, 16)
    };
    let games: Vec<Vec<u8>> = (1..=3).map(play).collect();
    assert_eq!(play(1), games[0]);
    assert!(games[0] != games[1] && games[0] != games[2], "{games:?}");
}

#[test]
fn full_strength_opponents_begin_with_any_good_move() {
    let never = AtomicBool::new(false);
    for rules in [Ruleset::ABAPA, Ruleset::AWARI] {
        let mut game = Game::new(rules);
        // The best moves of both sides, with no other one near them.
        game.play(5).unwrap();
        game.play(5).unwrap();
        let options = EngineOptions::default().with_aim(Aim::Result);
        let options = options.with_hash_mib(64);
        let mut engine = Engine::new(rules, Some(Tablebase::embedded(rules)), options);
        let limits = Limits::default().with_nodes(300_000).with_lines(3);
        let best = engine.search(&game, &limits, &never, &mut |_| ()).unwrap();
        let mut good = best.lines();
        good.retain(|line| line.score.hundredths() >= best.score.hundredths() - 30);
        let good: BTreeSet<u8> = good.iter().map(|line| line.pv[0]).collect();
        assert!(good.len() > 1, "{best:?}");

        let choose = |seed| opponent(Style::Perfect, 1, rules, seed).choose(&game, &never);
        let played: BTreeSet<u8> = (0..10).filter_map(choose).collect();
        assert_eq!(played, good, "{rules}");
    }
}

#[test]
fn the_perfect_opponent_chooses_among_equal_moves() {
    let tables = Tablebase::embedded(Ruleset::AWARI);
    let mut random = Rng::with_seed(3);
    let mut opponents: Vec<Opponent> = (0..4)
        .map(|seed| opponent(Style::Perfect, 1, Ruleset::AWARI, seed))
        .collect();
    let mut varied = 0;
    for _ in 0..60 {
        let mut pits = [0; 12];
        (0..7).for_each(|_| pits[random.usize(0..12)] += 1);
        let board = Board::new(pits).unwrap();
        let game = Game::from_position(Ruleset::AWARI, board).unwrap();
        if game.outcome().is_some() {
            continue;
        }
        let value = tables.probe(&board).unwrap().value;
        let choose = |perfect: &mut Opponent| {
            let pit = perfect.choose(&game, &AtomicBool::new(false));
            pit.unwrap()
        };
        let mut played: Vec<u8> = opponents.iter_mut().map(choose).collect();
        played.sort_unstable();
        played.dedup();
        varied += usize::from(played.len() > 1);
        let moves = tables.moves(&board).unwrap();
        for pit in played {
            let ranked = moves.iter().find(|m| m.step.pit == pit).unwrap();
            assert_eq!(ranked.result.unwrap().value, value, "{board:?}");
        }
    }
    assert!(varied > 5, "{varied} boards");
}

#[test]
fn the_random_opponent_plays_all_legal_moves_equally_often() {
    let mut random = opponent(Style::Random, 1, Ruleset::AWARI, 1);
    let board = "1 0 2 0 0 1 / 0 1 0 0 3 0".parse().unwrap();
    let (stores, to_move) = (Stores::default(), Player::South);
    let game = Game::from_position(Ruleset::AWARI, Position::new(board, stores, to_move)).unwrap();
    let mut played = [0; 6];
    for _ in 0..100 {
        let pit = random.choose(&game, &AtomicBool::new(false)).unwrap();
        played[usize::from(pit)] += 1;
    }
    for (pit, times) in played.into_iter().enumerate() {
        let legal = game.moves().by_pit()[pit].is_ok();
        assert_eq!(legal, times > 0, "pit {pit}: {played:?}");
        // The expected number is 33.
        assert!(!legal || times > 15, "pit {pit}: {played:?}");
    }
}

/// The points of the first of two players, at most `games`; each begins half of the games.
fn points(mut players: [impl FnMut(&Game) -> u8; 2], games: usize) -> f64 {
    let play = |number| {
        let mut game = Game::new(Ruleset::ABAPA);
        while game.outcome().is_none() {
            let south = game.to_move() == Player::South;
            let pit = players[usize::from(south == (number % 2 == 1))](&game);
            game.play(pit).unwrap();
        }
        match game.outcome().unwrap().winner() {
            None => 0.5,
            Some(winner) => f64::from((winner == Player::South) == (number % 2 == 0)),
        }
    };
    (0..games).map(play).sum()
}

/// The pit of an opponent who plays one game after another.
fn choosing(style: Style, level: u8, seed: u64) -> Box<dyn FnMut(&Game) -> u8> {
    let mut player = opponent(style, level, Ruleset::ABAPA, seed);
    Box::new(move |game| player.choose(game, &AtomicBool::new(false)).unwrap())
}

/// Captures as much as it can, and among equal moves plays the last.
fn greedy() -> Box<dyn FnMut(&Game) -> u8> {
    Box::new(|game| {
        let moves = game.moves();
        let most = moves.legal().max_by_key(|step| step.captured);
        most.unwrap().pit
    })
}

#[test]
fn the_lowest_level_is_between_chance_and_greed() {
    let random = choosing(Style::Random, 1, 5);
    let beaten = points([choosing(Style::Engine, 1, 6), random], 40);
    assert!((24.0..=38.0).contains(&beaten), "{beaten} of 40");
    let lost = points([choosing(Style::Engine, 1, 7), greedy()], 40);
    assert!(lost < 12.0, "{lost} of 40");
}

/// Level 5 hardly overlooks a capture; level 1 overlooks most.
#[test]
fn low_levels_overlook_captures() {
    // Pit 5 captures three seeds.
    let board: Board = "1 0 0 0 1 1 / 2 0 0 0 0 1".parse().unwrap();
    let game = Game::from_position(Ruleset::ABAPA, board).unwrap();
    let captures = |level| {
        let choose = |seed| opponent(Style::Engine, level, Ruleset::ABAPA, seed);
        let pits = (0..60).filter_map(|seed| choose(seed).choose(&game, &AtomicBool::new(false)));
        pits.filter(|pit| *pit == 5).count()
    };
    let captures = [1, 2, 3, 4, 5].map(captures);
    assert!(captures.is_sorted(), "{captures:?}");
    assert!(captures[0] < 35 && captures[4] > 54, "{captures:?}");
}

#[test]
fn random_games_end_under_every_ruleset() {
    for rules in Ruleset::all() {
        let pits = self_play(opponent(Style::Random, 1, rules, 1), rules, 10_000);
        assert!((1..10_000).contains(&pits.len()), "{rules}");
    }
}

#[test]
fn stopped_and_hurried_opponents_choose_a_legal_move() {
    let (stop, go_on) = (AtomicBool::new(true), AtomicBool::new(false));
    for &(_, rules) in Ruleset::NAMED {
        for (style, level) in [
            (Style::Random, 1),
            (Style::Engine, 1),
            (Style::Engine, 12),
            (Style::Perfect, 1),
        ] {
            let game = Game::new(rules);
            let stopped = opponent(style, level, rules, 1).choose(&game, &stop);
            let mut hurried = opponent(style, level, rules, 1).with_time_limit(Duration::ZERO);
            for pit in [stopped, hurried.choose(&game, &go_on)] {
                assert!(game.moves().by_pit()[usize::from(pit.unwrap())].is_ok());
            }
        }
    }
}

#[test]
fn levels_are_1_to_14() {
    let levels: Vec<u8> = (0..=255).filter_map(Level::new).map(Level::get).collect();
    assert_eq!(levels, (1..=14).collect::<Vec<u8>>());
    assert_eq!(Level::new(14), Some(Level::MAX));
    for level in levels.into_iter().filter_map(Level::new) {
        assert_eq!(level.to_string().parse(), Ok(level));
    }
    for text in ["0", "15", "-1", "", "ten", "5.0"] {
        assert!(text.parse::<Level>().is_err(), "{text}");
    }
}
