//! Games as text: plain lists of moves, and OGN, the Oware Game Notation.
//!
//! OGN is what the program Aualé saves: tags as in chess's PGN, a blank line, and
//! numbered moves. `docs/review.md` tells what is read and what is written.
//!
//! - [`SavedGame`]: a game with its tags; [`SavedGame::parse`] reads it, `Display`
//!   writes it.
//! - [`ReadGameError`]: what is wrong with a text, and where.

mod error;
mod read;
mod write;

use std::collections::BTreeMap;

pub use error::ReadGameError;

use super::record::Record;
use crate::rules::Ruleset;

/// A game with what is said of it: who played, when, and where.
///
/// Ruleset, start and moves are the record's; all else is in the tags. `Display`
/// writes OGN.
///
/// ```
/// use krou::engine::SavedGame;
/// use krou::rules::Ruleset;
///
/// let text = "[South \"Ama\"]\n\n1. C f 2. F";
/// let mut saved = SavedGame::parse(text, Ruleset::AWARI)?;
/// assert_eq!(saved.record().letters(), "CfF");
/// assert_eq!(saved.tag("South"), Some("Ama"));
/// saved.set_tag("North", "Kofi");
/// let again = SavedGame::parse(&saved.to_string(), Ruleset::KALAH)?;
/// assert_eq!(again.record().game().rules(), Ruleset::AWARI);
/// # Ok::<(), krou::engine::ReadGameError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SavedGame {
    tags: BTreeMap<String, String>,
    record: Record,
}

/// The tag with the ruleset, which belongs to the record.
const VARIANT: &str = "Variant";
/// The tag with the start of the game, which belongs to the record.
const START: &str = "FEN";
/// The tag with the final score.
const RESULT: &str = "Result";
/// What Aualé calls the only rules that it plays.
const AUALE_RULES: (&str, Ruleset) = ("Oware Abapa", Ruleset::ABAPA);

impl SavedGame {
    /// The most bytes that are read as a game.
    pub const MOST_BYTES: usize = 1 << 20;

    /// The most moves that are read. A record keeps the game before each of them,
    /// and games that are played to the end are a tenth as long.
    pub const MOST_MOVES: usize = 2000;

    /// A game without tags.
    pub fn new(record: Record) -> SavedGame {
        SavedGame {
            tags: BTreeMap::new(),
            record,
        }
    }

    /// Reads a list of moves or OGN. Where no tag tells the ruleset, it is
    /// `default_rules`.
    ///
    /// # Errors
    /// If the text is too long or no game, or one of its moves is illegal.
    pub fn parse(text: &str, default_rules: Ruleset) -> Result<SavedGame, ReadGameError> {
        read::read(text, default_rules)
    }

    /// The game with all its moves.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// The game with all its moves, without its tags.
    pub fn into_record(self) -> Record {
        self.record
    }

    /// What a tag says; `None` for the tags `Variant` and `FEN`, which the record
    /// knows.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.get(name).map(String::as_str)
    }

    /// Sets a tag. Control characters become blanks.
    ///
    /// # Panics
    /// If the name is not made of ASCII letters, digits and underscores, or is that
    /// of a tag which the record knows.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        assert!(!name.is_empty() && name.chars().all(is_of_name), "{name}");
        assert!(![VARIANT, START].contains(&name), "{name}");
        let value = value.replace(char::is_control, " ");
        self.tags.insert(name.to_owned(), value);
    }
}

/// Whether names of tags are made of this.
fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Whether a word is a final score such as `25-20`, or `*` for a game that goes on.
fn is_result(word: &str) -> bool {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let scores = word.split_once('-');
    ["*", "1/2-1/2"].contains(&word)
        || scores.is_some_and(|(south, north)| number(south) && number(north))
}
