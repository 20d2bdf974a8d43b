//! Grades: how hard the solution of a puzzle is to find.
//!
//! A search without tables looks deeper and deeper. The *depth* of a puzzle is that from
//! which on the search prefers the solution, up to [`DEEPEST`] plies.

use std::ops::RangeInclusive;
use std::sync::atomic::AtomicBool;

use super::line::quiet_plies;
use super::proof::ValuedMove;
use krou::engine::{Engine, EngineOptions, Game, Limits, SearchReport};
use krou::rules::{Ruleset, Step};

/// Grades from the easiest to the hardest.
pub const GRADES: RangeInclusive<u8> = 1..=5;

/// The deepest search, in plies.
const DEEPEST: u8 = 12;

/// Searches up to this depth must not prefer the solution.
const SHALLOW: u8 = 2;

/// With two moves a guess is right half of the time, so that the puzzle must be worth a thought.
const LEAST_WITH_TWO_MOVES: u8 = 3;

/// Grades puzzles of one ruleset.
pub(super) struct Grader {
    engine: Engine,
}

impl Grader {
    pub fn new(rules: Ruleset) -> Grader {
        // A grade must not depend on the machine: one thread, and depth alone as the limit.
        let options = EngineOptions::default().with_hash_mib(1);
        Grader {
            engine: Engine::new(rules, None, options),
        }
    }

    /// The grade; `None` if a shallow search prefers the solution, or a guess is as good.
    ///
    /// # Panics
    /// If the game is over.
    pub fn grade(&mut self, game: &Game, moves: &[ValuedMove], line: &[Step]) -> Option<u8> {
        let solution = moves[0].step;
        let depth = self.depth(game, solution.pit)?;
        let is_tempting =
            |m: &&ValuedMove| m.step.captured > 0 && m.step.captured >= solution.captured;
        let tempting = moves[1..].iter().filter(is_tempting).count();
        let quiet = quiet_plies(&game.board(), line);
        let points = 2 * usize::from(depth) + 2 * tempting.min(2) + quiet.min(6);
        let grade = grade_of(points);
        (moves.len() > 2 || grade >= LEAST_WITH_TWO_MOVES).then_some(grade)
    }

    /// The depth from which on the search prefers a pit, or one more than the deepest if it
    /// never does; `None` if a shallow search prefers it.
    fn depth(&mut self, game: &Game, pit: u8) -> Option<u8> {
        self.engine.clear_hash();
        if self.searches(game, SHALLOW).contains(&pit) {
            return None;
        }
        let best = self.searches(game, DEEPEST);
        let agreeing = best.iter().rev().take_while(|best| **best == pit);
        match agreeing.count() {
            0 => Some(DEEPEST + 1),
            // A search that has found all there is does not go on.
            agreeing => Some((best.len() - agreeing) as u8 + 1),
        }
    }

    /// The pits that the search prefers at depths 1, 2 and so on, until it is exact.
    fn searches(&mut self, game: &Game, depth: u8) -> Vec<u8> {
        let limits = Limits::default().with_depth(depth);
        let never = AtomicBool::new(false);
        let mut best = Vec::new();
        let mut add = |report: &SearchReport| best.push(report.pv[0]);
        self.engine.search(game, &limits, &never, &mut add);
        best
    }
}

fn grade_of(points: usize) -> u8 {
    const LEAST: [usize; 4] = [10, 14, 20, 27];
    let above = LEAST.iter().filter(|least| points >= **least);
    GRADES.start() + above.count() as u8
}
