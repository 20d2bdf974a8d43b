//! Games, boards and searches for the tests of the engine.

use std::sync::atomic::AtomicBool;

use fastrand::Rng;
use krou::engine::{Engine, EngineOptions, Game, Limits, SearchReport};
use krou::rules::{Board, Ruleset, Step};
use krou::solve::Silent;
use krou::table::Codec;
use krou::tablebase::{BuildOptions, Tablebase, build};

/// A game from a board, with empty stores and South to move.
pub fn game(rules: Ruleset, board: Board) -> Game {
    Game::from_position(rules, board).unwrap()
}

/// A game after `moves` random moves, or fewer if it would be over.
pub fn after_random_moves(mut game: Game, moves: usize, random: &mut Rng) -> Game {
    for _ in 0..moves {
        let before = game.clone();
        let legal: Vec<Step> = game.moves().legal().collect();
        game.play(legal[random.usize(..legal.len())].pit).unwrap();
        if game.outcome().is_some() {
            return before;
        }
    }
    game
}

/// A board with `seeds` seeds in random pits.
pub fn random_board(seeds: usize, random: &mut Rng) -> Board {
    let mut pits = [0; 12];
    for _ in 0..seeds {
        pits[random.usize(..12)] += 1;
    }
    Board::new(pits).unwrap()
}

/// A small transposition table, so that it fills up.
pub fn small_hash() -> EngineOptions {
    EngineOptions::default().with_hash_mib(1)
}

pub fn search(engine: &mut Engine, game: &Game, limits: &Limits) -> Option<SearchReport> {
    engine.search(game, limits, &AtomicBool::new(false), &mut |_| ())
}

/// The built-in tables of `awari`.
pub fn embedded() -> Tablebase {
    Tablebase::embedded(Ruleset::AWARI)
}

/// Tables for boards of up to this many seeds.
pub fn tables(rules: Ruleset, seeds: u8) -> Tablebase {
    let folder = tempfile::tempdir().unwrap();
    let options = BuildOptions {
        write: (Codec::Small).into(),
        ..BuildOptions::new(seeds)
    };
    build(rules, folder.path(), &options, &Silent).unwrap();
    // Open files stay readable after the folder is removed.
    Tablebase::builder(rules)
        .without_embedded()
        .folder(folder.path())
        .open()
        .unwrap()
}
