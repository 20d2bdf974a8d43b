//! The levels of opponents and the search parameters of each.
//!
//! A level limits the search by nodes instead of time, so that an opponent's moves depend
//! on the game and the random seed alone, on any machine.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::rules::ROW;

/// The strength of an opponent, 1 to 10.
///
/// ```
/// use krou::internal::engine::Level;
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
    pub fn get(self) -> u8 {
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
    /// Depth of the search in plies.
    pub depth: u8,
    /// Nodes of a search.
    pub nodes: u64,
    /// Number of moves that get a score.
    pub lines: usize,
    /// The largest random change of a move's score, up or down, in hundredths of a seed.
    pub noise: i16,
    /// How much worse than the best move another one may be to be played as well, in
    /// hundredths of a seed.
    pub variety: i16,
    /// Whether the engine probes tables.
    pub tables: bool,
    /// Whether moves come from the opening book where it has the position.
    pub book: bool,
}

/// A level that errs.
const fn weak(depth: u8, nodes: u64, noise: i16, tables: bool) -> Strength {
    Strength {
        depth,
        nodes,
        lines: ROW,
        noise,
        variety: 0,
        tables,
        book: false,
    }
}

/// A level that only chooses among moves that are nearly equal. Nodes alone limit it: how
/// deep as many nodes reach depends much on the position.
const fn strong(nodes: u64, variety: i16, book: bool) -> Strength {
    Strength {
        depth: u8::MAX,
        nodes,
        lines: 3,
        noise: 0,
        variety,
        tables: true,
        book,
    }
}

/// Levels 1 to 10; `docs/play.md` shows them as a table, with the results of matches.
const STRENGTHS: [Strength; 10] = [
    weak(2, 60_000, 500, false),
    weak(2, 60_000, 250, false),
    weak(3, 60_000, 150, false),
    weak(4, 60_000, 100, false),
    weak(5, 120_000, 60, false),
    weak(6, 300_000, 40, true),
    strong(30_000, 70, false),
    strong(125_000, 60, false),
    strong(600_000, 50, false),
    strong(4_000_000, 15, true),
];
