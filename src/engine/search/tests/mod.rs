//! Tests of the search, and the helpers that they share.

mod inside_tables;
mod lines;
mod repetitions;
mod scores;

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use super::{Engine, EngineOptions, Limits, SearchReport};
use crate::engine::game::Game;
use crate::engine::table_source::{SearchSource, TableSource};
use crate::engine::test_random::Lcg;
use crate::rules::{Board, Bounds, Player, Ruleset, Step, Stores};
use crate::solve::Silent;
use crate::solve::reference::Truth;
use crate::tablebase::{BuildOptions, Tablebase, build};

/// The results of the reference solver.
type Truths = HashMap<Board, Truth>;

/// The reference solver as a source of values.
struct Reference<'t> {
    rules: Ruleset,
    truths: &'t Truths,
}

impl TableSource for Reference<'_> {
    fn value(&mut self, board: &Board) -> Option<i8> {
        self.truths.get(board).map(|truth| truth.value)
    }

    fn bounds(&mut self, board: &Board) -> Option<Bounds> {
        let truth = self.truths.get(board)?;
        Some(match self.rules.has_bounds() {
            true => Bounds {
                lower: truth.lower,
                upper: truth.upper,
            },
            false => Bounds::of_value(truth.value),
        })
    }
}

impl SearchSource for Reference<'_> {}

fn game(rules: Ruleset, board: Board) -> Game {
    Game::from_position(rules, board).unwrap()
}

/// A game after `moves` random moves, or fewer if it would be over.
fn after_random_moves(mut game: Game, moves: usize, random: &mut Lcg) -> Game {
    for _ in 0..moves {
        let before = game.clone();
        let legal: Vec<Step> = game.moves().legal().collect();
        game.play(legal[random.below(legal.len())].pit).unwrap();
        if game.outcome().is_some() {
            return before;
        }
    }
    game
}

/// A board with `seeds` seeds in random pits.
fn random_board(seeds: usize, random: &mut Lcg) -> Board {
    let mut pits = [0; 12];
    for _ in 0..seeds {
        pits[random.below(12)] += 1;
    }
    Board::new(pits).unwrap()
}

/// A small transposition table, so that it fills up.
fn small_hash() -> EngineOptions {
    EngineOptions::default().with_hash_mib(1)
}

fn search(engine: &mut Engine, game: &Game, limits: &Limits) -> Option<SearchReport> {
    engine.search(game, limits, &AtomicBool::new(false), &mut |_| ())
}

fn tables(rules: Ruleset, seeds: u8, distance: bool) -> Tablebase {
    let folder = tempfile::tempdir().unwrap();
    let options = BuildOptions {
        distance,
        write: (crate::table::Codec::Small).into(),
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
