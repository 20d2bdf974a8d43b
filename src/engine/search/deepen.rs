//! Iterative deepening with aspiration windows.
//!
//! Each iteration searches one ply deeper. It leaves good first moves for the next one,
//! so all iterations together cost less than the last one alone would. From some depth
//! on an iteration starts with a narrow window around the last score, which cuts off
//! more; if the score falls outside, the window is widened and the search repeated.

use super::aim::{SEED, margin_of, result_of};
use super::bounded_score::{BoundedScore, ProvenBounds};
use super::report::{GameResult, SearchReport};
use super::score::Score;
use super::tree::Tree;
use super::window::Window;
use crate::engine::table_source::TableSource;

/// The first depth with an aspiration window.
const ASPIRATION_DEPTH: u8 = 4;
/// The first reach of the window, in hundredths of a seed.
const ASPIRATION_REACH: i16 = 60;

/// The depth at which a search for the only move ends if it has a time limit.
const FORCED_DEPTH: u8 = 6;

/// Searches to one depth after the other up to `max_depth`, until the clock stops the
/// tree or the score is exact. `estimate` is the value of the board if there is no time
/// at all.
pub(super) fn deepen<S: TableSource>(
    tree: &mut Tree<S>,
    max_depth: u8,
    estimate: i16,
    on_report: &mut dyn FnMut(&SearchReport),
) -> SearchReport {
    let mut report = SearchReport {
        time: tree.clock().time(),
        ..SearchReport::new(Score::estimate(estimate), vec![tree.fallback_pit()])
    };
    let mut last = tree.lead() + estimate;
    for depth in 1..=max_depth {
        let found = aspire(tree, depth, last);
        let Some((best, pv)) = tree.pv() else {
            // Stopped before any move was searched.
            break;
        };
        report.pv = pv.to_vec();
        // If the search was stopped, the best of the moves searched so far.
        let score = found.unwrap_or(BoundedScore {
            proven: ProvenBounds::UNKNOWN,
            ..best
        });
        report.score = score_of_rest(score, tree.lead());
        report.result = result(score);
        let Some(found) = found else { break };
        last = found.score;
        report.depth = depth;
        report.selective_depth = tree.deepest_ply().max(usize::from(depth)) as u8;
        report.nodes = tree.clock().nodes();
        report.time = tree.clock().time();
        on_report(&report);
        let is_forced = tree.choices() == 1 && tree.clock().has_deadline();
        if report.score.is_exact() || is_forced && depth >= FORCED_DEPTH {
            break;
        }
    }
    report.nodes = tree.clock().nodes();
    report.time = tree.clock().time();
    report
}

/// The score of the rest of the game, for a player who is `lead` hundredths ahead.
fn score_of_rest(found: BoundedScore, lead: i16) -> Score {
    let rest = margin_of(found.score) - lead;
    match found.is_exact() {
        true => Score::exact((rest / SEED) as i8),
        false => Score::estimate(rest),
    }
}

/// The result that is certain.
fn result(found: BoundedScore) -> Option<GameResult> {
    let ProvenBounds { lower, upper } = found.proven;
    match result_of(found.score) {
        1 => Some(GameResult::Win),
        -1 => Some(GameResult::Loss),
        _ if lower > 0 => Some(GameResult::Win),
        _ if upper < 0 => Some(GameResult::Loss),
        _ if lower == 0 && upper == 0 => Some(GameResult::Draw),
        _ => None,
    }
}

/// Searches to a depth with a window around the last score, widened until it fits.
fn aspire<S: TableSource>(tree: &mut Tree<S>, depth: u8, last: i16) -> Option<BoundedScore> {
    let mut reach = ASPIRATION_REACH;
    let mut window = match depth < ASPIRATION_DEPTH {
        true => Window::FULL,
        false => Window::around(last, reach),
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
