//! The number of nodes of searches to one depth, which changes only if the search does. With
//! one thread, without tables and from an empty transposition table it is the same everywhere.

use std::sync::atomic::AtomicBool;

use krou::engine::{Aim, Engine, EngineOptions, Game, Limits};
use krou::rules::{Position, Ruleset};

/// A beginning, two boards of the middle game and one of the endgame, as in
/// `krou-lab search`.
const POSITIONS: [&str; 4] = [
    "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S",
    "3-4-2-4-2-5-3-3-4-2-5-3-4-4-S",
    "2-3-1-3-1-4-2-2-3-1-4-2-10-10-N",
    "0-3-1-2-0-4-1-2-3-0-4-2-13-13-S",
];

#[test]
fn the_signature_of_the_engine_is_unchanged() {
    let options = EngineOptions::default()
        .with_aim(Aim::Result)
        .with_hash_mib(16);
    let limits = Limits::default().with_depth(7);
    let mut nodes = 0;
    for &(_, rules) in Ruleset::NAMED {
        for position in POSITIONS {
            let game = Game::from_position(rules, position.parse::<Position>().unwrap()).unwrap();
            let mut engine = Engine::new(rules, None, options);
            let report = engine.search(&game, &limits, &AtomicBool::new(false), &mut |_| ());
            nodes += report.unwrap().nodes;
        }
    }
    assert_eq!(nodes, 48_619);
}
