//! What a position or a move is worth in a game, and how much of that is certain.

use super::game::Game;
use super::search::{GameResult, Score, SearchReport};
use crate::rules::{Bounds, MAX_SEEDS};
use crate::tablebase::{ProbeResult, RankedMove};

/// What a position or a move is worth to the player to move there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Worth {
    pub score: Score,
    /// The bounds that are certain in the game.
    pub bounds: Bounds,
    /// Whether the score is a value of the tables, not what a search estimates.
    is_value: bool,
}

impl Worth {
    /// The worth of a probe result, whose bounds hold in the game or not.
    pub fn probed(result: ProbeResult, holds: bool) -> Worth {
        let bounds = result.bounds.unwrap_or(Bounds::of_value(result.value));
        match bounds.exact().filter(|_| holds) {
            Some(value) => Worth::exact(value),
            None => Worth {
                score: Score::estimate(100 * i16::from(result.value)),
                bounds: if holds { bounds } else { OPEN },
                is_value: true,
            },
        }
    }

    /// What a search found.
    pub fn found(report: &SearchReport) -> Worth {
        Worth {
            score: report.score,
            bounds: report.proven,
            is_value: report.score.is_exact(),
        }
    }

    /// A value that is certain.
    pub fn exact(value: i8) -> Worth {
        Worth {
            score: Score::exact(value),
            bounds: Bounds::of_value(value),
            is_value: true,
        }
    }

    /// Whether the score is a value, and its bounds decide the result of the game.
    pub fn is_decided(self, game: &Game) -> bool {
        self.score.is_exact() || self.is_value && self.result(game).is_some()
    }

    /// The result of the game for the player to move, if it is certain.
    pub fn result(self, game: &Game) -> Option<GameResult> {
        let lead = game.lead(game.to_move());
        let Bounds { lower, upper } = self.bounds;
        GameResult::within(lead.saturating_add(lower), lead.saturating_add(upper))
    }
}

/// Bounds that say nothing.
const OPEN: Bounds = Bounds {
    lower: -MAX_SEEDS.cast_signed(),
    upper: MAX_SEEDS.cast_signed(),
};

/// Whether one of several ranked moves is better than each other one, however endless play is
/// settled.
pub(super) fn has_only_move(game: &Game, moves: &[RankedMove]) -> bool {
    let bounds = |m: &RankedMove| {
        let result = m.result.filter(|_| holds_after(game, m))?;
        Some(result.bounds.unwrap_or(Bounds::of_value(result.value)))
    };
    let Some(bounds) = moves.iter().map(bounds).collect::<Option<Vec<Bounds>>>() else {
        return false;
    };
    let least = bounds.iter().map(|bounds| bounds.lower).max();
    let rivals = bounds.iter().filter(|bounds| Some(bounds.upper) >= least);
    bounds.len() > 1 && rivals.count() == 1
}

/// The worth of the best move; `None` unless all moves are known.
pub(super) fn best_of(game: &Game, moves: &[RankedMove]) -> Option<Worth> {
    let results: Option<Vec<ProbeResult>> = moves.iter().map(|m| m.result).collect();
    let results = results?;
    let bounds: Option<Vec<Bounds>> = results.iter().map(|result| result.bounds).collect();
    let bounds = bounds.and_then(|bounds| {
        Some(Bounds {
            lower: bounds.iter().map(|bounds| bounds.lower).max()?,
            upper: bounds.iter().map(|bounds| bounds.upper).max()?,
        })
    });
    let best = ProbeResult {
        value: results.iter().map(|result| result.value).max()?,
        distance: None,
        bounds,
    };
    let holds = game.bounds_hold() || moves.iter().all(|ranked| holds_after(game, ranked));
    Some(Worth::probed(best, holds))
}

/// Whether the bounds of a move are certain in the game: those of a board that it leads to, or
/// the end by repetition.
fn holds_after(game: &Game, ranked: &RankedMove) -> bool {
    game.net_of_repetition(&ranked.step).is_some() || game.bounds_hold_after(&ranked.step)
}
