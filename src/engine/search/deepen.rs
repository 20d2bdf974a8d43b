//! Iterative deepening: one ply deeper each time, until a limit is reached.
//!
//! Each search leaves good first moves for the next, so that all of them together
//! cost less than the last one alone would. From some depth on only scores near the
//! last one are looked for, which cuts more; where that was wrong, the window is
//! widened (*aspiration windows*).

use super::Report;
use super::claim::{Claim, Window};
use super::score::Score;
use super::tree::Tree;
use crate::engine::oracle::Oracle;

/// The first depth at which scores near the last one are expected.
const ASPIRES: u8 = 4;
/// How near, in hundredths of a seed.
const NEAR: i16 = 60;

/// Searches to one depth after the other up to `depth`, until the clock stops the tree
/// or the score is proven. `guess` is told if there is no time at all.
pub(super) fn deepen<O: Oracle>(
    tree: &mut Tree<O>,
    depth: u8,
    guess: i16,
    on_report: &mut dyn FnMut(&Report),
) -> Report {
    let mut last = Claim::estimate(guess);
    let mut report = Report {
        depth: 0,
        score: last.score(),
        line: vec![tree.first()],
        nodes: 0,
        time: tree.clock().time(),
    };
    for depth in 1..=depth {
        let claim = aspire(tree, depth, last);
        let Some((best, line)) = tree.line() else {
            // Stopped before anything was found.
            break;
        };
        let score = match claim {
            Some(claim) => claim.score(),
            // The best of the moves that were searched.
            None => Score::estimate(best.score),
        };
        report.line = line.to_vec();
        report.score = score;
        let Some(claim) = claim else { break };
        last = claim;
        report.depth = depth;
        report.nodes = tree.clock().nodes();
        report.time = tree.clock().time();
        on_report(&report);
        if report.score.is_exact() {
            break;
        }
    }
    report.nodes = tree.clock().nodes();
    report.time = tree.clock().time();
    report
}

/// Searches to a depth, with a window around what the last search said.
fn aspire<O: Oracle>(tree: &mut Tree<O>, depth: u8, last: Claim) -> Option<Claim> {
    let mut reach = NEAR;
    let mut window = match depth < ASPIRES {
        true => Window::ALL,
        false => Window::around(last.score, reach),
    };
    loop {
        let claim = tree.search(depth, window)?;
        if window.contains(claim.score) {
            return Some(claim);
        }
        reach *= 4;
        window = match reach > 16 * NEAR {
            true => Window::ALL,
            false => Window::around(claim.score, reach),
        };
    }
}
