//! What a text is read as: a game with its tags and remarks, or an error.

use std::collections::BTreeMap;

use thiserror::Error;

use crate::engine::Game;
use crate::engine::Record;
use crate::rules::{ParseBoardError, Ruleset, UnknownRuleset};

/// A game with tags, such as the names of the players.
///
/// The record has the ruleset, the start and the moves; the tags have everything else that is
/// known. `Display` writes OGN, with the comments, variations and signs of the text that was
/// read.
///
/// ```
/// use krou::ogn::SavedGame;
/// use krou::rules::Ruleset;
///
/// let text = "[South \"Ama\"]\n\n1. C f 2. F";
/// let mut saved = SavedGame::parse(text, Ruleset::AWARI)?;
/// assert_eq!(saved.record().letters(), "CfF");
/// assert_eq!(saved.tag("South"), Some("Ama"));
/// saved.set_tag("North", "Kofi");
/// let again = SavedGame::parse(&saved.to_string(), Ruleset::KALAH)?;
/// assert_eq!(again.record().game().rules(), Ruleset::AWARI);
/// # Ok::<(), krou::ogn::ReadGameError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SavedGame {
    pub(super) tags: BTreeMap<String, String>,
    pub(super) record: Record,
    pub(super) notes: Vec<String>,
    /// Before the first move, then after each move.
    pub(super) remarks: Vec<Vec<Written>>,
}

/// What a game has where its text does not say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameDefaults {
    /// The ruleset.
    pub rules: Ruleset,
    /// The occurrence of a board that ends the game.
    pub repetitions: u8,
}

#[doc(hidden)]
impl From<Ruleset> for GameDefaults {
    /// The third occurrence of a board ends the game.
    fn from(rules: Ruleset) -> GameDefaults {
        GameDefaults {
            rules,
            repetitions: Game::REPETITIONS,
        }
    }
}

/// The tag of the ruleset, which is part of the record.
pub(super) const VARIANT: &str = "Variant";
/// The tag of the start, which is part of the record.
pub(super) const START: &str = "FEN";
/// The tag of the occurrence of a board that ends the game, which is part of the record.
pub(super) const REPETITIONS: &str = "Repetitions";
/// The tag of the final score.
pub(super) const RESULT: &str = "Result";

/// Aualé's name for the only ruleset that it plays.
pub(super) const AUALE_RULES: (&str, Ruleset) = ("Oware Abapa", Ruleset::ABAPA);

impl SavedGame {
    /// The maximum length of a text in bytes.
    pub const MAX_BYTES: usize = 1 << 20;

    /// The maximum number of moves. A record keeps the game before each move, and whole
    /// games have a tenth of this number.
    pub const MAX_MOVES: usize = 2000;

    /// A game without tags.
    pub fn new(record: Record) -> SavedGame {
        SavedGame {
            tags: BTreeMap::new(),
            record,
            notes: Vec::new(),
            remarks: Vec::new(),
        }
    }

    /// This game's tags with another record, such as the same game with more moves. Remarks
    /// stay with the moves that both have.
    #[must_use]
    pub fn with_record(mut self, record: Record) -> SavedGame {
        let turns = self.record.turns().iter().zip(record.turns());
        let same = turns.take_while(|(one, other)| one == other).count();
        self.remarks.truncate(same + 1);
        self.record = record;
        self
    }

    /// The game.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// The game without its tags.
    pub fn into_record(self) -> Record {
        self.record
    }

    /// The remarks before the first move, then after each move.
    pub fn remarks(&self) -> Vec<Vec<Remark>> {
        let mut remarks: Vec<_> = self.remarks.iter().map(|all| unwritten(all)).collect();
        remarks.resize(self.record.turns().len() + 1, Vec::new());
        remarks
    }

    /// What the text said that the moves contradict, a sentence for each: seeds that a move
    /// does not take, or another result.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// All tags with their values, but `Variant`, `FEN` and `Repetitions`, which are part of
    /// the record.
    pub fn tags(&self) -> &BTreeMap<String, String> {
        &self.tags
    }

    /// The value of a tag. It is `None` for `Variant`, `FEN` and `Repetitions`, which are
    /// part of the record.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.get(name).map(String::as_str)
    }

    /// Sets a tag. Control characters in the value become spaces.
    ///
    /// # Panics
    /// If the name has other characters than ASCII letters, digits and underscores, or
    /// is `Variant`, `FEN` or `Repetitions`.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        assert!(is_tag_name(name), "{name}");
        let value = value.replace(char::is_control, " ");
        self.tags.insert(name.to_owned(), value);
    }
}

/// Whether a tag that is not part of the record may have this name.
pub fn is_tag_name(name: &str) -> bool {
    let is_own = [VARIANT, START, REPETITIONS].contains(&name);
    !is_own && !name.is_empty() && name.chars().all(is_tag_char)
}

/// Whether the name of a tag may have this character.
pub(super) fn is_tag_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// A remark about a move, or before the first move.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Remark {
    /// A sign such as `!?` or `$4`.
    Sign(String),
    /// A comment: what its braces have inside.
    Comment(String),
    /// Moves in place of this one.
    Variation(Variation),
    /// A variation that cannot be played, with its parentheses.
    Text(String),
}

/// Moves in place of others.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Variation {
    /// The letters of the moves.
    pub moves: String,
    /// The remarks before the first move, then after each move.
    pub remarks: Vec<Vec<Remark>>,
}

/// A remark and its text, which is written again as it was read.
#[derive(Clone, Debug)]
pub(super) struct Written {
    pub remark: Remark,
    pub text: String,
}

impl AsRef<str> for Written {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

/// Remarks without their text.
pub(super) fn unwritten(remarks: &[Written]) -> Vec<Remark> {
    let remarks = remarks.iter().map(|written| written.remark.clone());
    remarks.collect()
}

/// Why a text cannot be read as a game. Lines are counted from 1, and moves have the
/// numbers of OGN: `2. C` and `2... c`.
///
/// The `Display` of each error is a whole sentence that includes its source.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReadGameError {
    /// The text is longer than [`SavedGame::MAX_BYTES`].
    #[error(
        "the text has {bytes} bytes, but a game has at most {}",
        SavedGame::MAX_BYTES
    )]
    TooLong {
        /// Its length in bytes.
        bytes: usize,
    },
    /// The game has more moves than [`SavedGame::MAX_MOVES`].
    #[error("line {line}: a game has at most {} moves", SavedGame::MAX_MOVES)]
    TooManyMoves {
        /// The line of the first move beyond the limit.
        line: usize,
    },
    /// The text has neither tags nor moves.
    #[error("the text has neither tags nor moves")]
    Empty,
    /// A bracket is not followed by a tag.
    #[error("line {line}: a tag is written [Name \"value\"]")]
    Tag {
        /// The line on which it begins.
        line: usize,
    },
    /// The ruleset is unknown.
    #[error("line {line}: {why}")]
    Rules {
        /// The line of the tag.
        line: usize,
        /// The error, with the name.
        why: UnknownRuleset,
    },
    /// The start is not a position.
    #[error("line {line}: the tag FEN is not a position: {why}")]
    Start {
        /// The line of the tag.
        line: usize,
        /// The error.
        why: ParseBoardError,
    },
    /// The tag of the occurrence that ends the game is not a number from 2 to 255.
    #[error("line {line}: the tag Repetitions is a number from 2 on")]
    Repetitions {
        /// The line of the tag.
        line: usize,
    },
    /// A comment or a variation does not end.
    #[error("line {line}: '{open}' is not closed")]
    Unclosed {
        /// The line on which it begins.
        line: usize,
        /// Its opening bracket.
        open: char,
    },
    /// A word is neither a move nor anything else that a game may have.
    #[error(
        "line {line}: '{word}' is not a move: South plays A to F or 0 to 5, North a to f or 6 to 11"
    )]
    Word {
        /// Its line.
        line: usize,
        /// The word, shortened if it is long.
        word: String,
    },
    /// There is something after the result, and it is not the tags of another game.
    #[error("line {line}: '{word}' comes after the result: the next game begins with its tags")]
    AfterResult {
        /// Its line.
        line: usize,
        /// The word, shortened if it is long.
        word: String,
    },
    /// The text has more than one game.
    #[error("the text has {games} games: choose one of them")]
    Several {
        /// How many.
        games: usize,
    },
    /// Pits have numbers, and the moves are legal whether these begin with 0 or 1.
    #[error("line {line}: the first pit may be 0 or 1: write letters instead of numbers")]
    Numbering {
        /// The line of the first number.
        line: usize,
    },
    /// The move is illegal, or the pit belongs to the player who is not to move.
    #[error("line {line}: move {name}: {why}")]
    Move {
        /// Its line.
        line: usize,
        /// Its number, and the move as written.
        name: String,
        /// Why it cannot be played.
        why: String,
    },
}
