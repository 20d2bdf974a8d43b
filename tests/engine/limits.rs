//! Limits: when a search ends, which moves it looks at, and what it reports.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use fastrand::Rng;
use krou::engine::{Aim, Engine, EngineOptions, Game, GameResult, Limits, SearchReport};
use krou::rules::{Player, Ruleset, Step};
use krou::tablebase::Tablebase;

use crate::support::{after_random_moves, embedded, game, random_board, search, small_hash};

/// Without the stop this search would continue to depths that take hours.
#[test]
fn stopped_searches_end() {
    let mut engine = Engine::new(Ruleset::AWARI, Some(embedded()), EngineOptions::default());
    let game = Game::new(Ruleset::AWARI);
    let stop = AtomicBool::new(false);
    let report = engine.search(&game, &Limits::default(), &stop, &mut |report| {
        if report.depth == 8 {
            stop.store(true, Ordering::Relaxed);
        }
    });
    // The next depths have so many nodes that the search stops within them.
    assert!((8..=10).contains(&report.unwrap().depth));
}

#[test]
fn every_search_finds_a_move_regardless_of_its_limits() {
    let limits = [
        Limits::default().with_time(Duration::ZERO),
        Limits::default().with_nodes(0),
        Limits::default().with_depth(0),
        Limits::default().with_depth(1).with_time(Duration::MAX),
    ];
    let mut random = Rng::with_seed(6);
    for &(_, rules) in Ruleset::NAMED {
        let tables = (rules == Ruleset::AWARI).then(embedded);
        let mut engine = Engine::new(rules, tables, small_hash());
        for moves in [0, 10, 40] {
            let game = after_random_moves(Game::new(rules), moves, &mut random);
            let is_legal = |report: &SearchReport| rules.play(&game.board(), report.pv[0]).is_ok();
            for limits in &limits {
                let report = search(&mut engine, &game, limits).unwrap();
                assert!(is_legal(&report));
                // Even if it is stopped before it begins.
                let stop = AtomicBool::new(true);
                let report = engine.search(&game, limits, &stop, &mut |_| ()).unwrap();
                assert!(is_legal(&report));
                assert!(report.depth == 0 && report.nodes == 0);
            }
        }
    }
}

#[test]
fn depth_and_node_limits_are_kept_and_searches_are_deterministic() {
    let game = after_random_moves(Game::new(Ruleset::AWARI), 12, &mut Rng::with_seed(7));
    let mut engine = Engine::new(Ruleset::AWARI, Some(embedded()), small_hash());
    for limits in [
        Limits::default().with_depth(9),
        Limits::default().with_nodes(54_321),
    ] {
        let mut runs = (0..2).map(|_| {
            engine.clear_hash();
            let mut reports = Vec::new();
            let mut keep = |report: &SearchReport| {
                let mut report = report.clone();
                report.time = Duration::ZERO;
                reports.push(report);
            };
            let stop = AtomicBool::new(false);
            let last = engine.search(&game, &limits, &stop, &mut keep).unwrap();
            assert!(limits.depth.is_none_or(|depth| last.depth == depth));
            assert!(limits.nodes.is_none_or(|nodes| last.nodes == nodes));
            assert!(reports.iter().map(|report| report.depth).eq(1..=last.depth));
            (reports, last.pv, last.score)
        });
        assert_eq!(runs.next(), runs.next());
    }
}

/// Otherwise the first search of an engine would depend on how many layers are in memory,
/// where more nodes probe them.
#[test]
fn searches_without_a_time_limit_wait_for_the_layers_in_memory() {
    let board = "0 1 0 2 3 1 / 1 3 2 1 0 2".parse().unwrap();
    let game = game(Ruleset::AWARI, board);
    let options = small_hash().with_table_memory(1 << 20);
    for limits in [
        Limits::default().with_nodes(5_000),
        Limits::default().with_depth(7),
    ] {
        let tables = embedded();
        let mut engine = Engine::new(Ruleset::AWARI, Some(tables.clone()), options);
        let mut result = || {
            engine.clear_hash();
            let report = search(&mut engine, &game, &limits).unwrap();
            (report.nodes, report.pv, report.score)
        };
        let first = result();
        assert!(tables.is_resident(9));
        assert_eq!(first, result());
    }
}

/// A change to the search changes these numbers.
#[test]
fn node_counts_at_depth_10_are_unchanged() {
    let found = [
        (Ruleset::AWARI, ""),
        (Ruleset::AWARI, "FeCbAaBd"),
        (Ruleset::KALAH, ""),
    ]
    .map(|(rules, moves)| {
        let mut game = Game::new(rules);
        for letter in moves.chars() {
            let (_, pit) = Player::from_letter(letter).unwrap();
            game.play(pit).unwrap();
        }
        let tables = Tablebase::embedded(rules);
        let mut engine = Engine::new(rules, Some(tables), EngineOptions::default());
        let limits = Limits::default().with_depth(10);
        search(&mut engine, &game, &limits).unwrap().nodes
    });
    assert_eq!(found, [8_964, 3_474, 6_158]);
}

#[test]
fn the_principal_variation_is_legal() {
    let mut random = Rng::with_seed(8);
    for &(_, rules) in Ruleset::NAMED {
        let mut engine = Engine::new(rules, None, small_hash());
        let game = after_random_moves(Game::new(rules), 8, &mut random);
        let report = search(&mut engine, &game, &Limits::default().with_depth(7)).unwrap();
        assert!(report.pv.len() > 2, "{rules}: {report:?}");
        let mut board = game.board();
        for &pit in &report.pv {
            board = rules.play(&board, pit).unwrap().board;
        }
    }
}

/// On a board where play repeats, a search without limits ends at the maximum depth and
/// does not overflow the stack.
#[test]
fn a_search_without_limits_ends_at_the_maximum_depth() {
    let board = "1 0 0 0 0 1 / 0 0 0 0 0 0".parse().unwrap();
    let game = game(Ruleset::AWALE, board);
    let mut engine = Engine::new(Ruleset::AWALE, None, small_hash());
    let report = search(&mut engine, &game, &Limits::default()).unwrap();
    let at_max = report.depth == 120;
    assert!(report.score.is_exact() || at_max, "{report:?}");
}

#[test]
fn forced_moves_end_early_if_time_or_nodes_are_limited() {
    let board = "0 0 0 0 0 9 / 4 4 4 4 4 4".parse().unwrap();
    let game = game(Ruleset::AWARI, board);
    let mut engine = Engine::new(Ruleset::AWARI, None, small_hash());
    for limits in [
        Limits::default().with_time(Duration::MAX),
        Limits::default().with_nodes(u64::MAX),
        Limits::default().with_target_time(Duration::from_secs(100)),
    ] {
        let report = search(&mut engine, &game, &limits).unwrap();
        assert_eq!((report.depth, report.pv[0]), (4, 5));
    }
    let report = search(&mut engine, &game, &Limits::default().with_depth(9)).unwrap();
    assert_eq!(report.depth, 9);
}

#[test]
fn no_iteration_begins_after_two_thirds_of_the_target_time() {
    let mut engine = Engine::new(Ruleset::AWARI, None, small_hash());
    let game = Game::new(Ruleset::AWARI);
    let target = Duration::from_millis(30);
    let limits = Limits::default().with_target_time(target);
    let mut ends = Vec::new();
    let stop = AtomicBool::new(false);
    engine.search(&game, &limits, &stop, &mut |report| ends.push(report.time));
    let (last, before) = ends.split_last().unwrap();
    assert!(*last > target / 2, "{ends:?}");
    // An iteration begins a moment after the report of the one before.
    assert!(before.iter().all(|&end| end <= target / 3 * 2), "{ends:?}");
}

#[test]
fn a_search_that_is_stopped_within_a_depth_ends_with_a_lower_bound() {
    let mut engine = Engine::new(Ruleset::AWARI, Some(embedded()), small_hash());
    let mut random = Rng::with_seed(11);
    let mut bounds = 0;
    for _ in 0..20 {
        let game = after_random_moves(Game::new(Ruleset::AWARI), 20, &mut random);
        let mut reports: Vec<SearchReport> = Vec::new();
        let stop = AtomicBool::new(false);
        let limits = Limits::default().with_nodes(20_000);
        let last = engine.search(&game, &limits, &stop, &mut |report| {
            reports.push(report.clone());
        });
        let last = last.unwrap();
        assert!(reports.iter().all(|report| !report.is_lower_bound));
        assert!(!last.pv.is_empty());
        assert!(!last.is_lower_bound || !last.score.is_exact());
        bounds += u32::from(last.is_lower_bound);
    }
    assert!(bounds > 0);
}

#[test]
fn searches_count_table_hits_and_the_use_of_the_transposition_table() {
    let board = "0 1 0 2 0 1 / 1 3 0 1 0 2".parse().unwrap();
    let game = game(Ruleset::AWARI, board);
    for threads in [1, 2] {
        let options = small_hash().with_threads(threads);
        let mut engine = Engine::new(Ruleset::AWARI, Some(embedded()), options);
        // So many nodes that the sample of the transposition table has entries for sure.
        let limits = Limits::default().with_nodes(100_000);
        let report = search(&mut engine, &game, &limits).unwrap();
        assert!(
            report.table_hits > 10 && report.table_hits <= report.nodes,
            "{report:?}"
        );
        assert!((1..=1000).contains(&report.hash_full), "{report:?}");
        let mut engine = Engine::new(Ruleset::AWARI, None, options);
        let report = search(&mut engine, &game, &Limits::default().with_depth(6)).unwrap();
        assert_eq!(report.table_hits, 0);
    }
}

/// Whether a player can get more than half of all seeds, or win in another way, within
/// some plies, whatever the opponent does.
fn can_win(game: &Game, player: Player, plies: usize) -> bool {
    if let Some(outcome) = game.outcome() {
        return outcome.winner() == Some(player);
    }
    if game.lead(player) > game.board().seeds().cast_signed() {
        return true;
    }
    let wins = |step: Step| {
        let mut after = game.clone();
        after.play(step.pit).unwrap();
        can_win(&after, player, plies - 1)
    };
    let moves = game.moves();
    match (plies, game.to_move() == player) {
        (0, _) => false,
        (_, true) => moves.legal().any(wins),
        (_, false) => moves.legal().all(wins),
    }
}

/// Also with a transposition table that holds results of selective searches.
#[test]
fn a_search_until_a_win_finds_every_win_within_its_depth() {
    let mut random = Rng::with_seed(41);
    let options = small_hash().with_aim(Aim::Result);
    let mut found = [0; 2];
    for rules in [Ruleset::ABAPA, Ruleset::AWARI, Ruleset::KALAH] {
        let mut engine = Engine::new(rules, None, options);
        for round in 0..200 {
            let game = game(rules, random_board(8 + round % 8, &mut random));
            if game.outcome().is_some() {
                continue;
            }
            search(&mut engine, &game, &Limits::default().with_depth(8)).unwrap();
            for depth in [1, 3, 5] {
                let limits = Limits::default().with_depth(depth).with_until_win();
                let report = search(&mut engine, &game, &limits).unwrap();
                let expected = can_win(&game, game.to_move(), usize::from(depth));
                let is_won = report.result == Some(GameResult::Win);
                assert_eq!(is_won, expected, "{rules}: {:?} to {depth}", game.board());
                found[usize::from(is_won)] += 1;
            }
        }
    }
    assert!(found.iter().all(|&count| count > 20), "{found:?}");
}
