//! Quiescence search: captures beyond the horizon of the search tree.
//!
//! A static evaluation is wrong by all that the next capture takes. At the horizon the
//! mover may either accept the evaluation or capture, and so on, until no capture is left
//! that could change the result.

use super::aim::{Aim, SEED};
use super::bounded_score::ProvenBounds;
use super::evaluate::evaluate_packed;
use super::node::{Found, Node};
use super::packed::{can_capture, captures, has_moves, moves};
use super::tree::Tree;
use super::window::Window;
use crate::engine::table_source::{Place, SearchSource};
use crate::rules::{Next, ROW, Ruleset};

/// The most that the evaluation is expected to change by a capture apart from the seeds
/// captured, in hundredths of a seed.
const CAPTURE_MARGIN: i16 = 300;

impl<S: SearchSource> Tree<'_, S> {
    /// The score at the horizon: of the board as it is, or of a capture.
    pub fn search_horizon(&mut self, node: &Node, window: Window) -> Option<Found> {
        self.root.deepest_ply = self.root.deepest_ply.max(node.ply);
        let settled = |score| Some(Found::free(score));
        let mut proven = match self.proven_by_count(node) {
            Ok(proven) => proven,
            Err(score) => return settled(score),
        };
        if !node.tables_last {
            proven = match self.proven_by_tables(node, 0, window, proven) {
                Ok(proven) => proven,
                Err(score) => return settled(score),
            };
        }
        let estimate = match self.stand_pat(node, proven, window) {
            Ok(estimate) => estimate,
            Err(found) => return Some(found),
        };
        if !node.tables_last {
            return self.search_captures(node, proven, window, estimate);
        }
        // The estimate does not refute the move to this node. If no capture does either, the
        // tables are asked; their entry is fetched meanwhile.
        let place = self.place_of(node);
        let node = &Node { place, ..*node };
        let found = self.search_captures(node, proven, window, estimate)?;
        if found.score.score >= window.beta {
            return Some(self.without_tables(node, found));
        }
        match self.proven_by_tables(node, 0, window, proven) {
            Ok(proven) => {
                // The mover may still stop here, with an estimate that the tables limit.
                let stopped = proven.clamp_estimate(self.scale(node), estimate);
                let best = found.score.score.max(stopped.score);
                settled(proven.clamp(self.scale(node), best))
            }
            Err(score) => settled(score),
        }
    }

    /// The estimate of a board with these bounds in hundredths of a seed, or the score if
    /// captures need not be searched.
    #[inline(always)]
    fn stand_pat(
        &mut self,
        node: &Node,
        proven: ProvenBounds,
        window: Window,
    ) -> Result<i16, Found> {
        if !has_moves(self.rules, node.board)
            && let Some(value) = moves(self.rules, node.board, node.seeds).over()
        {
            return Err(self.ended(node, value));
        }
        let estimate = evaluate_packed(self.rules, node.board, node.seeds);
        let estimate = i16::from(node.lead) * SEED + estimate;
        let score = proven.clamp_estimate(self.scale(node), estimate);
        let is_oware = matches!(self.rules, Ruleset::Oware(_));
        if self.settings.selective && is_oware && score.score < window.beta {
            return Ok(estimate);
        }
        let found = Found::free(score);
        Err(match node.tables_last {
            true => self.without_tables(node, found),
            false => found,
        })
    }

    /// A score at or above the window, found without asking the tables. If the engine plays
    /// for the result, they might have limited it to that of a draw, but not to less.
    fn without_tables(&self, node: &Node, mut found: Found) -> Found {
        if self.settings.aim == Aim::Result {
            found.score.score = found.score.score.min(self.scale(node).open_score(0));
        }
        found
    }

    /// The score of a board with these bounds and this estimate, or of a capture.
    fn search_captures(
        &mut self,
        node: &Node,
        proven: ProvenBounds,
        mut window: Window,
        estimate: i16,
    ) -> Option<Found> {
        let mut best = proven.clamp_estimate(self.scale(node), estimate);
        window.alpha = window.alpha.max(best.score);
        let tables_last = self.tables_only_refute(node, window);
        if !can_capture(node.board) {
            return Some(Found::free(best));
        }
        let captures = captures(self.rules, node.board, node.seeds);
        let mut places = [Place::UNKNOWN; ROW];
        if !tables_last {
            for (place, found) in places.iter_mut().zip(captures.as_slice()) {
                *place = self.source.locate(found.board, found.seeds);
            }
        }
        for (found, place) in captures.as_slice().iter().zip(places) {
            // The most that this capture could still change.
            let reach = estimate + i16::from(found.gain) * SEED + CAPTURE_MARGIN;
            if proven.clamp_estimate(self.scale(node), reach).score <= window.alpha {
                break;
            }
            let child = Node {
                place,
                tables_last,
                ..node.child(found)
            };
            let score = if found.next == Next::Over {
                let margin = node.lead + found.gain;
                self.scale(node).score(margin)
            } else {
                self.clock.tick()?;
                -self.search_horizon(&child, window.turned())?.score.score
            };
            if score > best.score {
                best = proven.clamp(self.scale(node), score);
                if best.score >= window.beta {
                    break;
                }
                window.alpha = window.alpha.max(best.score);
            }
        }
        Some(Found::free(best))
    }
}
