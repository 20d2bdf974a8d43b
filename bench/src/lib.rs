//! What every bench works on: `awari`, on one thread, and games by chance.

use std::sync::Arc;

use krou::engine::Game;
use krou::index::LayerIndex;
use krou::rules::{Board, Ruleset};
use krou::solve::{Silent, Solver};
use krou::tablebase::{OpenError, Tablebase};
use rayon::ThreadPoolBuilder;

/// From now on this thread does its parallel work alone: what is measured is one
/// thread's work, and none of it is lost to another thread.
pub fn work_alone() {
    let pool = ThreadPoolBuilder::new().num_threads(1).use_current_thread();
    // It fails if this thread is alone already. The pool must never end.
    if let Ok(pool) = pool.build() {
        std::mem::forget(pool);
    }
}

/// A solver that goes on with the layer of `seeds` seeds.
///
/// # Panics
/// Never: its memory has no limit.
pub fn solver_before(seeds: u8) -> Solver {
    let mut solver = Solver::new(Ruleset::AWARI);
    for _ in 0..seeds {
        solver.solve_next(&Silent).expect("memory without a limit");
    }
    solver
}

/// Some boards of a layer, the same at each run, in no particular order.
pub fn boards(seeds: u8, count: u64) -> Vec<Board> {
    /// A prime that divides no layer: each step leads to another board.
    const STEP: u64 = 4_294_967_291;
    let index = LayerIndex::new(Ruleset::AWARI, seeds);
    let places = (0..count).map(|i| (i * STEP) % index.len());
    places.map(|place| index.board(place)).collect()
}

/// Numbers by chance, the same at each run: Knuth's MMIX generator.
pub struct Chance(u64);

impl Chance {
    /// Numbers that depend on `seed` alone.
    pub fn new(seed: u64) -> Chance {
        let mut chance = Chance(seed);
        // Neighbouring seeds begin alike.
        for _ in 0..8 {
            chance.below(1);
        }
        chance
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// A game after some moves by chance, which depend on `number` alone; it is not over.
///
/// # Panics
/// Never: the moves are legal.
pub fn opening(rules: Ruleset, number: u64, plies: usize) -> Game {
    let mut chance = Chance::new(number);
    loop {
        let mut game = Game::new(rules);
        for _ in 0..plies {
            if game.outcome().is_some() {
                break;
            }
            let legal: Vec<_> = game.moves().legal().collect();
            let step = legal[chance.below(legal.len())];
            game.play(step.pit).expect("a legal move");
        }
        if game.outcome().is_none() {
            return game;
        }
    }
}

/// The `awari` tables of a folder, or none of them if it is called `none`.
///
/// # Errors
/// If the folder is not there, or a table is damaged.
pub fn tables(folder: &str) -> Result<Option<Arc<Tablebase>>, OpenError> {
    Ok(match folder {
        "none" => None,
        folder => Some(Arc::new(Tablebase::open(Ruleset::AWARI, &[folder])?)),
    })
}
