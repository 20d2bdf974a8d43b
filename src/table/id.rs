//! What a table is: its identity, its kind of content, its codec.
//!
//! The identity is what the header of a file tells; the file's name is made
//! from it, and never read back.

use std::fmt;

use crate::rules::Ruleset;

/// What the entries of a table say about their boards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Values: net seeds from the mover's view, one plane of `i8`.
    Value,
    /// Distances: plies to the next capture or to the end, one plane of `u8`.
    Distance,
    /// Bounds of the value: a plane of lower ones, then a plane of upper ones,
    /// `i8` each.
    Bounds,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 3] = [Kind::Value, Kind::Distance, Kind::Bounds];

    /// How many bytes there are for each board, each in a plane of its own.
    pub fn planes(self) -> usize {
        match self {
            Kind::Value | Kind::Distance => 1,
            Kind::Bounds => 2,
        }
    }

    /// The word for it on the command line and in file names.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Value => "value",
            Kind::Distance => "distance",
            Kind::Bounds => "bounds",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// How the blocks of a table are compressed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Codec {
    /// Not at all.
    Raw,
    /// Each by itself with Zstandard.
    Zstd,
    /// Tile by tile with an entropy coder, in which entries are predicted from
    /// their neighbours. Where a move that leaves the layer is worth as much as
    /// the board, nothing is stored: a probe looks at these moves.
    Packed,
    /// As packed, but only of boards whose mover has at least half of the seeds:
    /// a probe of another board looks at its moves.
    Small,
}

impl Codec {
    /// Every codec.
    pub const ALL: [Codec; 4] = [Codec::Raw, Codec::Zstd, Codec::Packed, Codec::Small];

    /// The word for it on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Codec::Raw => "raw",
            Codec::Zstd => "zstd",
            Codec::Packed => "packed",
            Codec::Small => "small",
        }
    }

    /// Whether every entry is what it says. In other tables an entry may be less
    /// than its board is worth, where a move that leaves the layer is worth as
    /// much, and may not be stored at all.
    pub fn is_exact(self) -> bool {
        match self {
            Codec::Raw | Codec::Zstd => true,
            Codec::Packed | Codec::Small => false,
        }
    }
}

impl fmt::Display for Codec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Which table: of what game, of which layer, with what in it.
///
/// ```
/// use krou::rules::Ruleset;
/// use krou::table::{Kind, TableId};
///
/// let id = TableId { rules: Ruleset::AWARI, seeds: 9, kind: Kind::Value };
/// assert_eq!(id.to_string(), "awari-09.value");
/// assert_eq!(id.file_name(), "awari-09.value.krou");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TableId {
    /// The game.
    pub rules: Ruleset,
    /// Seeds on each board, 0 to [`MAX_SEEDS`](crate::rules::MAX_SEEDS).
    pub seeds: u8,
    /// What the entries say.
    pub kind: Kind,
}

impl TableId {
    /// The name of the file that holds this table.
    pub fn file_name(&self) -> String {
        format!("{self}.krou")
    }
}

impl fmt::Display for TableId {
    /// The file's name without its extension.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:02}.{}", self.rules, self.seeds, self.kind)
    }
}
