//! What every bench works on: `awari`, on one thread.

use krou::index::LayerIndex;
use krou::rules::{Board, Ruleset};
use krou::solve::{Silent, Solver};
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
