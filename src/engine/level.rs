//! The levels of opponents and the search parameters of each.
//!
//! A level limits the search by nodes instead of time, so that an opponent's moves depend
//! on the game and the random seed alone, on any machine.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The strength of an opponent, 1 to 10.
///
/// ```
/// use krou::engine::Level;
///
/// assert_eq!("5".parse(), Ok(Level::DEFAULT));
/// assert!("11".parse::<Level>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

impl Level {
    /// The level unless another one is chosen.
    pub const DEFAULT: Level = Level(5);

    /// The highest level.
    pub const MAX: Level = Level(10);

    /// A level; `None` unless it is 1 to 10.
    pub fn new(level: u8) -> Option<Level> {
        (1..=10).contains(&level).then_some(Level(level))
    }

    /// The level as a number, 1 to 10.
    pub const fn get(self) -> u8 {
        self.0
    }

    pub(super) fn strength(self) -> Strength {
        STRENGTHS[usize::from(self.0) - 1]
    }
}

impl Default for Level {
    fn default() -> Level {
        Level::DEFAULT
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Level {
    type Err = ParseLevelError;

    fn from_str(text: &str) -> Result<Level, ParseLevelError> {
        let level = text.parse().ok().and_then(Level::new);
        level.ok_or(ParseLevelError)
    }
}

/// A text is not a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a level is a whole number from 1 to 10")]
#[non_exhaustive]
pub struct ParseLevelError;

/// The parameters of a level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strength {
    /// Nodes of a search.
    pub nodes: u64,
    /// The largest random change of a move's score, up or down, in hundredths of a seed.
    pub noise: i16,
    /// Whether the engine probes tables.
    pub tables: bool,
}

const fn strength(nodes: u64, noise: i16, tables: bool) -> Strength {
    Strength {
        nodes,
        noise,
        tables,
    }
}

/// Levels 1 to 10; `docs/play.md` shows them as a table, with the results of matches.
///
/// Each level loses about a quarter fewer seeds a move than the one below, as `krou-lab
/// accuracy` measures it.
const STRENGTHS: [Strength; 10] = [
    strength(100, 450, false),
    strength(300, 350, false),
    strength(1_000, 300, false),
    strength(3_000, 240, false),
    strength(10_000, 200, false),
    strength(30_000, 170, true),
    strength(100_000, 120, true),
    strength(300_000, 70, true),
    strength(1_000_000, 40, true),
    strength(4_000_000, 2, true),
];
