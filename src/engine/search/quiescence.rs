//! Quiescence search: captures beyond the horizon of the search tree.
//!
//! A static evaluation is wrong by all that the next capture takes. At the horizon the
//! mover may either accept the evaluation or capture, and so on, until no capture is left
//! that could change the result.

use super::aim::SEED;
use super::bounded_score::ProvenBounds;
use super::evaluate::evaluate_packed;
use super::node::{Found, Node};
use super::packed::{can_capture, captures, has_moves, moves};
use super::tree::Tree;
use super::window::Window;
use crate::engine::table_source::SearchSource;
use crate::rules::{Next, Ruleset};

/// The most that the evaluation is expected to change by a capture apart from the seeds
/// captured, in hundredths of a seed.
const CAPTURE_MARGIN: i16 = 300;

impl<S: SearchSource> Tree<'_, S> {
    /// The score at the horizon: of the board, or of a capture.
    pub fn search_horizon(&mut self, node: &Node, window: Window) -> Option<Found> {
        self.root.deepest_ply = self.root.deepest_ply.max(node.ply);
        let proven = self
            .proven_by_count(node)
            .and_then(|proven| self.proven_by_tables(node, 0, window, proven));
        let proven = match proven {
            Ok(proven) => proven,
            Err(score) => return Some(Found::free(score)),
        };
        if !has_moves(self.rules, node.board)
            && let Some(value) = moves(self.rules, node.board, node.seeds).over()
        {
            return Some(self.ended(node, value));
        }
        let estimate = evaluate_packed(self.rules, node.board, node.seeds);
        let estimate = i16::from(node.lead) * SEED + estimate;
        let accepted = proven.clamp_estimate(self.scale(node), estimate);
        let is_oware = matches!(self.rules, Ruleset::Oware(_));
        if !self.settings.selective || !is_oware || accepted.score >= window.beta {
            return Some(Found::free(accepted));
        }
        self.search_captures(node, proven, window, estimate)
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
        if !can_capture(node.board) {
            return Some(Found::free(best));
        }
        let captures = captures(self.rules, node.board, node.seeds);
        for found in captures.as_slice() {
            self.source.prefetch(found.board, found.seeds);
        }
        for found in captures.as_slice() {
            // The most that this capture could still change.
            let reach = estimate + i16::from(found.gain) * SEED + CAPTURE_MARGIN;
            if proven.clamp_estimate(self.scale(node), reach).score <= window.alpha {
                break;
            }
            let score = if found.next == Next::Over {
                let margin = node.lead + found.gain;
                self.scale(node).score(margin)
            } else {
                self.clock.tick()?;
                let child = node.child(found);
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
