//! What a search says a board is worth.

use std::fmt;

/// What the rest of a game is worth to the player to move, in hundredths of a seed:
/// the seeds that he still takes less those that his opponent still takes. Seeds
/// already in the stores are not part of it, as they are not part of a table's values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Score {
    hundredths: i16,
    exact: bool,
}

impl Score {
    /// A value that is known: from tables, or from a search that went to the end of
    /// every line.
    pub fn exact(seeds: i8) -> Score {
        Score {
            hundredths: i16::from(seeds) * 100,
            exact: true,
        }
    }

    /// A value that somewhere rests on an estimate.
    pub fn estimate(hundredths: i16) -> Score {
        Score {
            hundredths,
            exact: false,
        }
    }

    /// Hundredths of a seed.
    pub fn hundredths(self) -> i16 {
        self.hundredths
    }

    /// Seeds.
    pub fn seeds(self) -> f64 {
        f64::from(self.hundredths) / 100.0
    }

    /// Whether no estimate went into it.
    pub fn is_exact(self) -> bool {
        self.exact
    }
}

impl fmt::Display for Score {
    /// `+3` if it is exact, `+2.85` if it is an estimate.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.exact, self.hundredths) {
            (true, 0) => f.write_str("0"),
            (true, hundredths) => write!(f, "{:+}", hundredths / 100),
            (false, _) => write!(f, "{:+.2}", self.seeds()),
        }
    }
}
