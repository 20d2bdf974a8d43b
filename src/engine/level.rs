//! The levels of opponents and the search parameters of each.
//!
//! The lower levels overlook much; the upper ones search. A level limits the search by nodes
//! instead of time, so that an opponent's moves depend on the game and the random seed alone,
//! on any machine.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::glance::Glance;

/// The strength of an opponent, from 1 to [`Level::MAX`].
///
/// ```
/// use krou::engine::Level;
///
/// assert_eq!("1".parse(), Ok(Level::DEFAULT));
/// assert!("99".parse::<Level>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

impl Level {
    /// The level unless another one is chosen: that of a first game.
    pub const DEFAULT: Level = Level(1);

    /// The highest level.
    pub const MAX: Level = Level(STRENGTHS.len() as u8);

    /// A level; `None` unless it is 1 to [`Level::MAX`].
    pub fn new(level: u8) -> Option<Level> {
        (1..=Level::MAX.0).contains(&level).then_some(Level(level))
    }

    /// The level as a number.
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
#[error("a level is a whole number from 1 to {}", Level::MAX)]
#[non_exhaustive]
pub struct ParseLevelError;

/// The parameters of a level.
#[derive(Clone, Copy, Debug)]
pub(super) enum Strength {
    Glance(Glance),
    Search(SearchStrength),
}

/// The parameters of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchStrength {
    pub nodes: u64,
    /// The largest random change of a move's score, up or down, in hundredths of a seed.
    pub noise: i16,
    /// Whether the engine probes tables.
    pub tables: bool,
}

const fn glance(own: u8, replies: u8) -> Strength {
    Strength::Glance(Glance { own, replies })
}

const fn search(nodes: u64, noise: i16, tables: bool) -> Strength {
    Strength::Search(SearchStrength {
        nodes,
        noise,
        tables,
    })
}

/// The levels from 1 on; `docs/play.md` shows them as a table.
///
/// Each level should score 70 to 85 % against the one below in a `krou-lab match`.
const STRENGTHS: [Strength; 14] = [
    glance(75, 92),
    glance(38, 68),
    glance(20, 32),
    glance(9, 13),
    glance(1, 1),
    search(100, 580, false),
    search(150, 400, false),
    search(300, 310, false),
    search(700, 240, false),
    search(2_000, 190, false),
    search(5_000, 170, true),
    search(20_000, 140, true),
    search(100_000, 100, true),
    search(4_000_000, 2, true),
];
