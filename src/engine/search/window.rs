//! Alpha-beta windows.

use crate::rules::{Next, Step};

/// Hundredths of a seed in a seed.
pub(super) const SEED: i16 = 100;

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
        alpha: -49 * SEED,
        beta: 49 * SEED,
    };

    /// The scores at most `reach` away from `score`.
    pub fn around(score: i16, reach: i16) -> Window {
        Window {
            alpha: Window::FULL.alpha.max(score - reach),
            beta: Window::FULL.beta.min(score + reach),
        }
    }

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

    /// The window for the child that a step leads to.
    pub fn of_child(self, step: &Step) -> Window {
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
