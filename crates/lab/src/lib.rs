//! Shared by the benches and the commands: `awari` on one thread.

pub mod samples;

use krou::index::LayerIndex;
use krou::rules::{Board, Ruleset};
use krou::solve::Silent;
use krou::solve::Solver;
use rayon::ThreadPoolBuilder;

/// Makes this thread the only one that does parallel work, so that a benchmark measures
/// all of it.
pub fn use_one_thread() {
    let pool = ThreadPoolBuilder::new().num_threads(1).use_current_thread();
    // This fails if the thread has such a pool already. The pool must never end.
    if let Ok(pool) = pool.build() {
        std::mem::forget(pool);
    }
}

/// A solver whose next layer has `seeds` seeds.
///
/// # Panics
/// Never: there is no memory budget.
pub fn solver_before(seeds: u8) -> Solver {
    let mut solver = Solver::new(Ruleset::AWARI);
    for _ in 0..seeds {
        solver.solve_next(&Silent).expect("no memory budget");
    }
    solver
}

/// Some boards of a layer, the same at each run, in no particular order.
pub fn boards(seeds: u8, count: u64) -> Vec<Board> {
    /// A prime that divides no layer: each step leads to another board.
    const STEP: u64 = 4_294_967_291;
    let index = LayerIndex::new(Ruleset::AWARI, seeds);
    let indices = (0..count).map(|i| (i * STEP) % index.len());
    indices.map(|i| index.board(i)).collect()
}
