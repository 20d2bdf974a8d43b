//! Claims: what a search says of a board, and which part of that is proven.
//!
//! A search to a fixed depth says a number. Part of what it says may be more
//! than an estimate: that the board is worth *at least* so much, or *at most*.
//! The two are proven apart from each other:
//!
//! - at least: by one move whose opponent gets at most so much;
//! - at most: by all moves, each of which leaves the opponent at least so much.
//!
//! A score is exact where both are proven. That does not depend on the window
//! or the depth it was found with, so such knowledge cuts at any depth.

use super::score::Score;
use crate::rules::{Next, Step};

/// Hundredths of a seed in a seed.
const SEED: i16 = 100;

/// What is said of a board or a move, in hundredths of a seed, for the mover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Claim {
    pub score: i16,
    /// It is proven that the worth is not less.
    pub at_least: bool,
    /// It is proven that the worth is not more.
    pub at_most: bool,
}

impl Claim {
    /// A worth that is known, in seeds.
    pub fn exact(seeds: i8) -> Claim {
        Claim {
            score: i16::from(seeds) * SEED,
            at_least: true,
            at_most: true,
        }
    }

    /// A guess of so many seeds.
    pub fn guess(seeds: i8) -> Claim {
        Claim::estimate(i16::from(seeds) * SEED)
    }

    /// An estimate, in hundredths of a seed.
    pub fn estimate(score: i16) -> Claim {
        Claim {
            score,
            at_least: false,
            at_most: false,
        }
    }

    /// What the claim about the board that a step leads to says of the step.
    pub fn before(self, step: &Step) -> Claim {
        let gain = i16::from(step.gain) * SEED;
        match step.next {
            Next::Over => Claim::exact(step.gain),
            Next::Again => Claim {
                score: gain + self.score,
                ..self
            },
            Next::Opponent => Claim {
                score: gain - self.score,
                at_least: self.at_most,
                at_most: self.at_least,
            },
        }
    }

    /// Whether it is the better news for the mover: more, or the same with proof.
    pub fn is_better(self, than: Claim) -> bool {
        (self.score, self.at_least) > (than.score, than.at_least)
    }

    /// The same for people who ask what a board is worth.
    pub fn score(self) -> Score {
        match self.at_least && self.at_most {
            true => Score::exact((self.score / SEED) as i8),
            false => Score::estimate(self.score),
        }
    }
}

/// What is proven of a board before it is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Proven {
    lower: i16,
    upper: i16,
}

impl Proven {
    /// No more than all seeds can be won or lost.
    pub fn of_seeds(seeds: u8) -> Proven {
        let most = i16::from(seeds) * SEED;
        Proven {
            lower: -most,
            upper: most,
        }
    }

    /// Narrowed to bounds in seeds.
    pub fn between(self, lower: i8, upper: i8) -> Proven {
        Proven {
            lower: self.lower.max(i16::from(lower) * SEED),
            upper: self.upper.min(i16::from(upper) * SEED),
        }
    }

    /// Narrowed by what a claim proves.
    pub fn and(self, claim: Claim) -> Proven {
        let Proven { lower, upper } = self;
        Proven {
            lower: if claim.at_least {
                lower.max(claim.score)
            } else {
                lower
            },
            upper: if claim.at_most {
                upper.min(claim.score)
            } else {
                upper
            },
        }
    }

    /// The claim that makes a search needless, if there is one.
    pub fn settles(self, window: Window) -> Option<Claim> {
        let Proven { lower, upper } = self;
        if lower >= window.beta || lower >= upper {
            Some(self.holds(Claim::estimate(lower)))
        } else if upper <= window.alpha {
            Some(self.holds(Claim::estimate(upper)))
        } else {
            None
        }
    }

    /// The claim no further than what is proven, and with that.
    pub fn holds(self, claim: Claim) -> Claim {
        let score = claim.score.clamp(self.lower, self.upper);
        Claim {
            score,
            at_least: score == self.lower || claim.at_least && claim.score == score,
            at_most: score == self.upper || claim.at_most && claim.score == score,
        }
    }

    /// What of a window is still open. A move that is worth just as much as is
    /// proven is inside: it is a best move.
    pub fn narrows(self, window: Window) -> Window {
        Window {
            alpha: window.alpha.max(self.lower - 1),
            beta: window.beta.min(self.upper),
        }
    }
}

/// Between which scores an answer matters: at or below `alpha` it may be too much,
/// at or above `beta` too little.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Window {
    pub alpha: i16,
    pub beta: i16,
}

impl Window {
    /// Every score there is.
    pub const ALL: Window = Window {
        alpha: -49 * SEED,
        beta: 49 * SEED,
    };

    /// Scores no further from `score` than `reach`.
    pub fn around(score: i16, reach: i16) -> Window {
        Window {
            alpha: Window::ALL.alpha.max(score - reach),
            beta: Window::ALL.beta.min(score + reach),
        }
    }

    /// Only whether a score is above `alpha`.
    pub fn scout(alpha: i16) -> Window {
        Window {
            alpha,
            beta: alpha + 1,
        }
    }

    /// Whether a score is strictly within.
    pub fn contains(self, score: i16) -> bool {
        self.alpha < score && score < self.beta
    }

    /// Whether it asks for more than one bit.
    pub fn is_open(self) -> bool {
        self.beta > self.alpha + 1
    }

    /// The window for the board that a step leads to.
    pub fn behind(self, step: &Step) -> Window {
        let gain = i16::from(step.gain) * SEED;
        match step.next {
            Next::Opponent => Window {
                alpha: gain - self.beta,
                beta: gain - self.alpha,
            },
            Next::Again | Next::Over => Window {
                alpha: self.alpha - gain,
                beta: self.beta - gain,
            },
        }
    }
}
