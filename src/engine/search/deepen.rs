//! Iterative deepening with aspiration windows.
//!
//! Each iteration searches one ply deeper. It leaves good first moves for the next one,
//! so all iterations together cost less than the last one alone would. From some depth
//! on an iteration starts with a narrow window around the last score, which cuts off
//! more; if the score falls outside, the window is widened and the search repeated.

use super::bounded_score::BoundedScore;
use super::report::SearchReport;
use super::score::Score;
use super::tree::Tree;
use super::window::Window;
use crate::engine::table_source::TableSource;

/// The first depth with an aspiration window.
const ASPIRATION_DEPTH: u8 = 4;
/// The first reach of the window, in hundredths of a seed.
const ASPIRATION_REACH: i16 = 60;

/// Searches to one depth after the other up to `max_depth`, until the clock stops the
/// tree or the score is exact. `estimate` is the score if there is no time at all.
pub(super) fn deepen<S: TableSource>(
    tree: &mut Tree<S>,
    max_depth: u8,
    estimate: i16,
    on_report: &mut dyn FnMut(&SearchReport),
) -> SearchReport {
    let mut last = BoundedScore::estimate(estimate);
    let mut report = SearchReport {
        time: tree.clock().time(),
        ..SearchReport::new(last.to_score(), vec![tree.fallback_pit()])
    };
    for depth in 1..=max_depth {
        let found = aspire(tree, depth, last);
        let Some((best, pv)) = tree.pv() else {
            // Stopped before any move was searched.
            break;
        };
        let score = match found {
            Some(found) => found.to_score(),
            // The best of the moves searched so far.
            None => Score::estimate(best.score),
        };
        report.pv = pv.to_vec();
        report.score = score;
        let Some(found) = found else { break };
        last = found;
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

/// Searches to a depth with a window around the last score, widened until it fits.
fn aspire<S: TableSource>(
    tree: &mut Tree<S>,
    depth: u8,
    last: BoundedScore,
) -> Option<BoundedScore> {
    let mut reach = ASPIRATION_REACH;
    let mut window = match depth < ASPIRATION_DEPTH {
        true => Window::FULL,
        false => Window::around(last.score, reach),
    };
    loop {
        let found = tree.search(depth, window)?;
        if window.contains(found.score) {
            return Some(found);
        }
        reach *= 4;
        window = match reach > 16 * ASPIRATION_REACH {
            true => Window::FULL,
            false => Window::around(found.score, reach),
        };
    }
}
