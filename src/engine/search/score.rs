//! Scores: of callers, of the search, and what is proven about them.
//!
//! A score of the search belongs to the *margin* at the end of the game: the seeds that the
//! mover will have taken in the whole game minus those of the opponent. An estimate is in
//! hundredths of a seed. If the engine plays for the result, a margin that is known to be above
//! 0 is a won game and scores more than any estimate.
//!
//! Apart from its score, a board has proven bounds of its margin:
//!
//! - a lower bound, by one move whose margin has that lower bound;
//! - an upper bound, by all moves together.
//!
//! A proof depends neither on the window nor on the depth of the search that found it,
//! so it may cut off a search of any depth.

use std::fmt;

use crate::rules::{Bounds, MAX_SEEDS};

/// What the rest of a game is worth to the player to move, in hundredths of a seed:
/// the seeds that they will still take minus those that the opponent will. Seeds in
/// the stores do not count, as they do not in the values of tables.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Score {
    hundredths: i16,
    exact: bool,
}

impl Score {
    /// An exact score: from tables, or from a search that reached the end of every
    /// line.
    pub fn exact(seeds: i8) -> Score {
        Score {
            hundredths: i16::from(seeds) * 100,
            exact: true,
        }
    }

    /// An estimate.
    pub fn estimate(hundredths: i16) -> Score {
        Score {
            hundredths,
            exact: false,
        }
    }

    /// The score in hundredths of a seed.
    pub fn hundredths(self) -> i16 {
        self.hundredths
    }

    /// The score in seeds.
    pub fn seeds(self) -> f64 {
        f64::from(self.hundredths) / 100.0
    }

    /// Whether the score is exact.
    pub fn is_exact(self) -> bool {
        self.exact
    }
}

impl fmt::Display for Score {
    /// `+3` for an exact score, `+2.85` for an estimate.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.exact, self.hundredths) {
            (true, 0) => f.write_str("0"),
            (true, hundredths) => write!(f, "{:+}", hundredths / 100),
            (false, _) => write!(f, "{:+.2}", self.seeds()),
        }
    }
}

/// What the engine maximises.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Aim {
    /// The seeds taken in the rest of the game, as the values of tables count them.
    #[default]
    Seeds,
    /// The result of the game, win, draw or loss; seeds come second.
    Result,
}

/// Hundredths of a seed in a seed.
pub(super) const SEED: i16 = 100;

/// Added to the score of a won game: more than any estimate, since no margin exceeds
/// 48 seeds.
pub(super) const WON: i16 = 10_000;

/// The scores of margins, for the player to move on some board.
#[derive(Debug)]
pub(super) struct Scale {
    /// What is added to the score of a won game.
    bonus: i16,
    /// The score of a drawn game, in hundredths of a seed.
    draw: i16,
    /// The score of each margin, by its bits.
    scores: [i16; 1 << i8::BITS],
}

impl Scale {
    /// Under [`Aim::Seeds`] a draw is a margin like others, whatever `draw` is.
    pub fn new(aim: Aim, draw: i16) -> Scale {
        let (bonus, draw) = match aim {
            Aim::Seeds => (0, 0),
            Aim::Result => (WON, draw),
        };
        let scores = [0; 1 << i8::BITS];
        let mut scale = Scale {
            bonus,
            draw,
            scores,
        };
        for margin in i8::MIN..=i8::MAX {
            let score = scale.open_score(margin) + bonus * i16::from(margin.signum());
            scale.scores[usize::from(margin.cast_unsigned())] = score;
        }
        scale
    }

    /// The score of a certain margin in seeds.
    pub fn score(&self, margin: i8) -> i16 {
        self.scores[usize::from(margin.cast_unsigned())]
    }

    /// The score of a margin in seeds that is no result yet.
    fn open_score(&self, margin: i8) -> i16 {
        if margin == 0 {
            self.draw
        } else {
            i16::from(margin) * SEED
        }
    }
}

/// The margin of a score in hundredths of a seed, without the bonus of a won game.
pub(super) fn margin_of(score: i16) -> i16 {
    score - WON * result_of(score)
}

/// 1 for the score of a won game, -1 for that of a lost one, 0 if that is open or drawn.
pub(super) fn result_of(score: i16) -> i16 {
    i16::from(score >= WON) - i16::from(score <= -WON)
}

/// What a search found out about a board or a move, for the mover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Found {
    pub score: i16,
    pub proven: ProvenBounds,
    /// The earliest ply of the path on which the score rests because a board below
    /// repeats the one there; [`Found::NOWHERE`] if there is none.
    pub rests_on: u8,
}

impl Found {
    /// A ply beyond all others.
    pub const NOWHERE: u8 = u8::MAX;

    /// A score that does not rest on the path.
    pub fn new(score: i16, proven: ProvenBounds) -> Found {
        Found {
            score,
            proven,
            rests_on: Found::NOWHERE,
        }
    }

    /// A margin that is certain.
    pub fn certain(scale: &Scale, margin: i8) -> Found {
        Found::new(scale.score(margin), ProvenBounds::exact(margin))
    }

    /// The same for the other player.
    pub fn turned(self) -> Found {
        Found {
            score: -self.score,
            proven: self.proven.turned(),
            ..self
        }
    }

    pub fn is_exact(self) -> bool {
        self.proven.lower == self.proven.upper
    }
}

/// The proven bounds of a margin, in seeds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ProvenBounds {
    pub lower: i8,
    pub upper: i8,
}

impl ProvenBounds {
    /// Nothing is proven.
    pub const UNKNOWN: ProvenBounds = ProvenBounds {
        lower: -MAX_SEEDS.cast_signed(),
        upper: MAX_SEEDS.cast_signed(),
    };

    /// The bounds of a mover who is `lead` seeds ahead, on a board with this many seeds:
    /// nobody can take more than all of them.
    pub fn of_seeds(lead: i8, seeds: u8) -> ProvenBounds {
        ProvenBounds {
            lower: lead - seeds.cast_signed(),
            upper: lead + seeds.cast_signed(),
        }
    }

    /// A margin that is known.
    pub fn exact(margin: i8) -> ProvenBounds {
        ProvenBounds {
            lower: margin,
            upper: margin,
        }
    }

    /// The bounds of a value, for a mover who is `lead` seeds ahead.
    pub fn of_value(lead: i8, bounds: Bounds) -> ProvenBounds {
        ProvenBounds {
            lower: lead.saturating_add(bounds.lower),
            upper: lead.saturating_add(bounds.upper),
        }
    }

    /// The same bounds for the other player.
    pub fn turned(self) -> ProvenBounds {
        ProvenBounds {
            lower: -self.upper,
            upper: -self.lower,
        }
    }

    /// What both bounds prove. The bounds of a forged table may contradict others; the
    /// upper one counts then.
    pub fn intersect(self, other: ProvenBounds) -> ProvenBounds {
        let upper = self.upper.min(other.upper);
        ProvenBounds {
            lower: self.lower.max(other.lower).min(upper),
            upper,
        }
    }

    /// The score to return without a search, if the bounds leave nothing of the window.
    pub fn cutoff(self, scale: &Scale, window: Window) -> Option<Found> {
        let (lower, upper) = (scale.score(self.lower), scale.score(self.upper));
        let score = if lower >= window.beta || lower >= upper {
            lower
        } else if upper <= window.alpha {
            upper
        } else {
            return None;
        };
        Some(Found::new(score, self))
    }

    /// A score found for a board with these bounds.
    pub fn clamp(self, scale: &Scale, score: i16) -> Found {
        let score = score
            .min(scale.score(self.upper))
            .max(scale.score(self.lower));
        Found::new(score, self)
    }

    /// An estimate of the margin of a board with these bounds, as a score.
    pub fn clamp_estimate(self, scale: &Scale, estimate: i16) -> Found {
        let [lower, upper] = [self.lower, self.upper].map(|margin| scale.open_score(margin));
        let score = estimate.min(upper).max(lower);
        // A result that is certain has a sign.
        let sign = i16::from(self.lower > 0) - i16::from(self.upper < 0);
        Found::new(score + sign * scale.bonus, self)
    }

    /// The part of a window inside the bounds. A move worth exactly the proven lower
    /// bound is inside: it is a best move.
    pub fn narrow(self, scale: &Scale, window: Window) -> Window {
        Window {
            alpha: window.alpha.max(scale.score(self.lower) - 1),
            beta: window.beta.min(scale.score(self.upper)),
        }
    }
}

/// A window: a score at or below `alpha` is only an upper bound of the true one, a
/// score at or above `beta` only a lower bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Window {
    pub alpha: i16,
    pub beta: i16,
}

impl Window {
    /// All possible scores.
    pub const FULL: Window = Window {
        alpha: -WON - 100 * SEED,
        beta: WON + 100 * SEED,
    };

    /// A null window, which only asks whether a score is above `alpha`.
    pub fn null(alpha: i16) -> Window {
        Window {
            alpha,
            beta: alpha + 1,
        }
    }

    /// Whether a score is strictly inside.
    pub fn contains(self, score: i16) -> bool {
        self.alpha < score && score < self.beta
    }

    /// Whether no score is strictly inside.
    pub fn is_null(self) -> bool {
        self.beta <= self.alpha + 1
    }

    /// The window for the other player.
    pub fn turned(self) -> Window {
        Window {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contradictory_bounds_do_not_panic() {
        let forged = Bounds {
            lower: 3,
            upper: -2,
        };
        for scale in [Aim::Result, Aim::Seeds].map(|aim| Scale::new(aim, 0)) {
            let bounds = ProvenBounds::of_seeds(0, 10).intersect(ProvenBounds::of_value(0, forged));
            for score in [-1000, -200, 0, 300, 1000] {
                assert_eq!(bounds.clamp(&scale, score).score, scale.score(-2));
                assert_eq!(bounds.clamp_estimate(&scale, score).score, scale.score(-2));
            }
            assert!(bounds.cutoff(&scale, Window::FULL).is_some());
            assert!(bounds.cutoff(&scale, Window::null(0)).is_some());
        }
        let forged = Bounds {
            lower: i8::MAX,
            upper: i8::MIN,
        };
        let bounds = ProvenBounds::of_seeds(-48, 0).intersect(ProvenBounds::of_value(-48, forged));
        assert!(bounds.lower <= bounds.upper);
    }

    #[test]
    fn won_games_score_above_all_estimates() {
        let won = ProvenBounds { lower: 1, upper: 9 };
        let open = ProvenBounds {
            lower: -48,
            upper: 48,
        };
        let scale = Scale::new(Aim::Result, 0);
        let score = |bounds: ProvenBounds, estimate| {
            let found = bounds.clamp_estimate(&scale, estimate);
            (found.score, margin_of(found.score))
        };
        assert_eq!(score(won, -500), (WON + 100, 100));
        assert_eq!(score(won, 250), (WON + 250, 250));
        assert_eq!(score(won.turned(), 500), (-WON - 100, -100));
        assert!(score(open, 9_600).0 < score(won, -9_600).0);
        assert_eq!(score(open, 9_600), (4_800, 4_800));
        assert_eq!(score(open, 430), (430, 430));
        assert_eq!(scale.score(0), 0);
        assert_eq!(Scale::new(Aim::Seeds, 0).score(-3), -300);
    }

    #[test]
    fn draws_score_as_the_scale_says() {
        let scale = Scale::new(Aim::Result, -75);
        assert_eq!(
            [-1, 0, 1].map(|margin| scale.score(margin)),
            [-10_100, -75, 10_100]
        );
        // An estimate may be worse than a draw only if the game may be lost.
        let not_lost = ProvenBounds { lower: 0, upper: 9 };
        assert_eq!(not_lost.clamp_estimate(&scale, -300).score, -75);
        assert_eq!(not_lost.clamp_estimate(&scale, 40).score, 40);
        let not_won = ProvenBounds {
            lower: -9,
            upper: 0,
        };
        assert_eq!(not_won.clamp_estimate(&scale, 40).score, -75);
        assert_eq!(not_won.clamp_estimate(&scale, -300).score, -300);
    }
}
