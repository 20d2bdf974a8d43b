//! Searches for several lines, and contempt.

use std::collections::HashSet;
use std::sync::Arc;

use fastrand::Rng;
use krou::engine::{Aim, Engine, EngineOptions, Game, GameResult, Limits, Player, Stores};
use krou::rules::Ruleset;

use crate::support::{embedded, random_board, search, small_hash};

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
        let game = Game::from_position(rules, board, stores, Player::South).unwrap();
        let limits = Limits::default().with_depth(8);
        let report_with = |contempt| {
            let options = small_hash().with_aim(Aim::Result).with_contempt(contempt);
            let mut engine = Engine::new(rules, Some(Arc::clone(&small)), options);
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
