//! Searches for several lines, and contempt.

use std::collections::HashSet;

use fastrand::Rng;
use krou::engine::{Aim, Engine, EngineOptions, Game, GameResult, Limits, SearchLine};
use krou::rules::{Player, Position, Ruleset, Stores};

use crate::support::{embedded, game, random_board, search, small_hash, tables};

#[test]
fn a_stopped_search_reports_all_lines_that_it_found() {
    let game = Game::new(Ruleset::AWARI);
    let mut engine = Engine::new(Ruleset::AWARI, None, small_hash());
    for nodes in (1_000..20_000).step_by(777) {
        let limits = Limits::default().with_nodes(nodes).with_lines(4);
        let report = search(&mut engine, &game, &limits).unwrap();
        let lines = report.lines();
        assert_eq!(lines.len(), 4, "{report:?}");
        let pits: HashSet<u8> = lines.iter().map(|line| line.pv[0]).collect();
        assert_eq!(pits.len(), 4, "{report:?}");
    }
}

#[test]
fn contempt_changes_estimates_and_no_exact_score() {
    let rules = Ruleset::AWARI;
    let small = embedded();
    let mut random = Rng::with_seed(15);
    let (mut exact, mut drawn, mut changed) = (0, 0, 0);
    for _ in 0..200 {
        let board = random_board(8 + random.usize(..8), &mut random);
        // Leads, so that some of the games are drawn.
        let (south, north) = (random.usize(..5) as u8, random.usize(..5) as u8);
        let stores = Stores { south, north };
        let game = Game::from_position(rules, Position::new(board, stores, Player::South)).unwrap();
        let limits = Limits::default().with_depth(8);
        let report_with = |contempt| {
            let options = small_hash().with_aim(Aim::Result).with_contempt(contempt);
            let mut engine = Engine::new(rules, Some(small.clone()), options);
            search(&mut engine, &game, &limits)
        };
        let [Some(plain), Some(averse), Some(fond)] = [0, 300, -300].map(report_with) else {
            continue;
        };
        for other in [&averse, &fond] {
            changed += usize::from(other.score != plain.score);
            if plain.score.is_exact() && other.score.is_exact() {
                exact += 1;
                assert_eq!(other.score, plain.score, "{board:?}");
                drawn += usize::from(other.result == Some(GameResult::Draw));
            }
        }
    }
    assert!(
        exact > 50 && drawn > 0 && changed > 4,
        "{exact} {drawn} {changed}"
    );
    let options = EngineOptions::default().with_contempt(i16::MAX);
    assert_eq!(options.contempt, EngineOptions::MAX_CONTEMPT);
}

#[test]
fn lines_are_sorted_and_the_first_is_that_of_a_search_for_one() {
    let mut random = Rng::with_seed(13);
    for &(name, rules) in Ruleset::NAMED {
        for tables in [None, Some(tables(rules, 5))] {
            let mut engine = Engine::new(rules, tables, small_hash());
            for seeds in [5, 12, 30] {
                let game = game(rules, random_board(seeds, &mut random));
                let one = Limits::default().with_depth(7);
                engine.clear_hash();
                let Some(single) = search(&mut engine, &game, &one) else {
                    continue;
                };
                engine.clear_hash();
                let all = search(&mut engine, &game, &one.with_lines(3)).unwrap();
                let choices = game.moves().legal().count();
                assert_eq!(all.others.len(), choices.min(3) - 1, "{name}");
                let scores = all.others.iter().map(|line| line.score.hundredths());
                assert!(scores.is_sorted_by(|a, b| a >= b), "{name}: {all:?}");
                if single.score.is_exact() {
                    assert_eq!(all.score, single.score, "{name}: {game:?}");
                    let best = all.score.hundredths();
                    let is_no_better = |line: &SearchLine| line.score.hundredths() <= best;
                    assert!(all.others.iter().all(is_no_better), "{name}: {all:?}");
                }
            }
        }
    }
}
