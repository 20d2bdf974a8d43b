//! Scores of the search, with what is proven about them.
//!
//! A score belongs to the *margin* at the end of the game: the seeds that the mover will
//! have taken in the whole game minus those of the opponent. An estimate is in hundredths
//! of a seed. If the engine plays for the result, a margin that is known to be above 0 is
//! a won game and scores more than any estimate (`aim`).
//!
//! Apart from its score, a board has proven bounds of its margin:
//!
//! - a lower bound, by one move whose margin has that lower bound;
//! - an upper bound, by all moves together.
//!
//! A proof depends neither on the window nor on the depth of the search that found it,
//! so it may cut off a search of any depth.

use super::aim::Scale;
use super::window::Window;
use crate::rules::{Bounds, MAX_SEEDS};

/// The score of a board or a move for the mover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BoundedScore {
    pub score: i16,
    pub proven: ProvenBounds,
}

impl BoundedScore {
    /// The same score for the other player.
    pub fn turned(self) -> BoundedScore {
        BoundedScore {
            score: -self.score,
            proven: self.proven.turned(),
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
    pub fn cutoff(self, scale: &Scale, window: Window) -> Option<BoundedScore> {
        let (lower, upper) = (scale.score(self.lower), scale.score(self.upper));
        let score = if lower >= window.beta || lower >= upper {
            lower
        } else if upper <= window.alpha {
            upper
        } else {
            return None;
        };
        Some(BoundedScore {
            score,
            proven: self,
        })
    }

    /// A score found for a board with these bounds.
    pub fn clamp(self, scale: &Scale, score: i16) -> BoundedScore {
        let score = score
            .min(scale.score(self.upper))
            .max(scale.score(self.lower));
        BoundedScore {
            score,
            proven: self,
        }
    }

    /// An estimate of the margin of a board with these bounds, as a score.
    pub fn clamp_estimate(self, scale: &Scale, estimate: i16) -> BoundedScore {
        let [lower, upper] = [self.lower, self.upper].map(|margin| scale.open_score(margin));
        let score = estimate.min(upper).max(lower);
        // A result that is certain has a sign.
        let sign = i16::from(self.lower > 0) - i16::from(self.upper < 0);
        BoundedScore {
            score: score + sign * scale.bonus,
            proven: self,
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::search::aim::{Aim, WON, margin_of};

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
