//! The score of a board or a move, as callers see it.

use std::fmt;

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
