//! Scores with what is proven about them.
//!
//! The score of a search to a fixed depth is an estimate, but part of it may be proven:
//! that it is a lower bound of the board's value, or an upper bound. The two are proven
//! separately:
//!
//! - a lower bound, by one move that leaves the opponent with a proven upper bound;
//! - an upper bound, by all moves, each of which leaves the opponent with a proven
//!   lower bound.
//!
//! A score with both is exact. A proof depends neither on the window nor on the depth
//! of the search that found it, so it may cut off a search of any depth.

use super::score::Score;
use super::window::{SEED, Window};
use crate::rules::{Bounds, Next, Step};

/// The score of a board or a move in hundredths of a seed, for the mover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BoundedScore {
    pub score: i16,
    /// Whether the score is proven to be a lower bound of the value.
    pub is_lower: bool,
    /// Whether the score is proven to be an upper bound of the value.
    pub is_upper: bool,
}

impl BoundedScore {
    /// An exact value in seeds.
    pub fn exact(seeds: i8) -> BoundedScore {
        BoundedScore {
            score: i16::from(seeds) * SEED,
            is_lower: true,
            is_upper: true,
        }
    }

    /// An estimate in seeds.
    pub fn estimate_in_seeds(seeds: i8) -> BoundedScore {
        BoundedScore::estimate(i16::from(seeds) * SEED)
    }

    /// An estimate in hundredths of a seed.
    pub fn estimate(score: i16) -> BoundedScore {
        BoundedScore {
            score,
            is_lower: false,
            is_upper: false,
        }
    }

    /// The score of a step, from that of the child it leads to.
    pub fn of_step(self, step: &Step) -> BoundedScore {
        let gain = i16::from(step.gain) * SEED;
        match step.next {
            Next::Over => BoundedScore::exact(step.gain),
            Next::Again => BoundedScore {
                score: gain + self.score,
                ..self
            },
            Next::Opponent => BoundedScore {
                score: gain - self.score,
                is_lower: self.is_upper,
                is_upper: self.is_lower,
            },
        }
    }

    /// Whether it is better for the mover: a higher score, or the same score proven.
    pub fn is_better_than(self, other: BoundedScore) -> bool {
        (self.score, self.is_lower) > (other.score, other.is_lower)
    }

    /// The score as callers see it.
    pub fn to_score(self) -> Score {
        match self.is_lower && self.is_upper {
            true => Score::exact((self.score / SEED) as i8),
            false => Score::estimate(self.score),
        }
    }
}

/// The proven bounds of a board's value, in hundredths of a seed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ProvenBounds {
    lower: i16,
    upper: i16,
}

impl ProvenBounds {
    /// Nobody can win or lose more than all seeds on the board.
    pub fn of_seeds(seeds: u8) -> ProvenBounds {
        let all = i16::from(seeds) * SEED;
        ProvenBounds {
            lower: -all,
            upper: all,
        }
    }

    /// Narrowed to bounds in seeds.
    pub fn intersect(self, bounds: Bounds) -> ProvenBounds {
        ProvenBounds {
            lower: self.lower.max(i16::from(bounds.lower) * SEED),
            upper: self.upper.min(i16::from(bounds.upper) * SEED),
        }
    }

    /// Narrowed by what is proven about a score.
    pub fn narrow_by(self, known: BoundedScore) -> ProvenBounds {
        let ProvenBounds { lower, upper } = self;
        ProvenBounds {
            lower: match known.is_lower {
                true => lower.max(known.score),
                false => lower,
            },
            upper: match known.is_upper {
                true => upper.min(known.score),
                false => upper,
            },
        }
    }

    /// The score to return without a search, if the bounds leave nothing of the window.
    pub fn cutoff(self, window: Window) -> Option<BoundedScore> {
        let ProvenBounds { lower, upper } = self;
        if lower >= window.beta || lower >= upper {
            Some(self.clamp(BoundedScore::estimate(lower)))
        } else if upper <= window.alpha {
            Some(self.clamp(BoundedScore::estimate(upper)))
        } else {
            None
        }
    }

    /// A score moved into the bounds, with what they prove. The bounds of a forged
    /// table may contradict each other; the upper one counts then.
    pub fn clamp(self, found: BoundedScore) -> BoundedScore {
        let score = found.score.max(self.lower).min(self.upper);
        BoundedScore {
            score,
            is_lower: score == self.lower || found.is_lower && found.score == score,
            is_upper: score == self.upper || found.is_upper && found.score == score,
        }
    }

    /// The part of a window inside the bounds. A move worth exactly the proven lower
    /// bound is inside: it is a best move.
    pub fn narrow(self, window: Window) -> Window {
        Window {
            alpha: window.alpha.max(self.lower - 1),
            beta: window.beta.min(self.upper),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contradictory_bounds_do_not_panic() {
        let bounds = ProvenBounds::of_seeds(10).intersect(Bounds {
            lower: 3,
            upper: -2,
        });
        for score in [-1000, -200, 0, 300, 1000] {
            let clamped = bounds.clamp(BoundedScore::estimate(score));
            assert_eq!(clamped.score, -2 * SEED);
        }
        assert!(bounds.cutoff(Window::FULL).is_some());
        assert!(bounds.cutoff(Window::null(0)).is_some());
    }

    #[test]
    fn clamping_proves_only_the_bound_that_it_reaches() {
        let bounds = ProvenBounds::of_seeds(10).intersect(Bounds {
            lower: -1,
            upper: 4,
        });
        let clamped = |score| bounds.clamp(BoundedScore::estimate(score));
        let proven = |score: BoundedScore| (score.score, score.is_lower, score.is_upper);
        assert_eq!(proven(clamped(-500)), (-100, true, false));
        assert_eq!(proven(clamped(150)), (150, false, false));
        assert_eq!(proven(clamped(500)), (400, false, true));
    }
}
