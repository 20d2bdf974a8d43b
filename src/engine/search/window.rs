//! Alpha-beta windows.

use super::aim::{SEED, WON};

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
