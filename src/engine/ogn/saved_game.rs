//! A game with its tags.

use std::collections::BTreeMap;

use crate::engine::record::Record;
use crate::rules::Ruleset;

/// A game with tags, such as the names of the players.
///
/// The record has the ruleset, the start and the moves; the tags have everything else.
/// `Display` writes OGN.
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
    pub(super) tags: BTreeMap<String, String>,
    pub(super) record: Record,
}

/// The tag of the ruleset, which is part of the record.
pub(super) const VARIANT: &str = "Variant";
/// The tag of the start, which is part of the record.
pub(super) const START: &str = "FEN";
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
        }
    }

    /// The game.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// The game without its tags.
    pub fn into_record(self) -> Record {
        self.record
    }

    /// The value of a tag. It is `None` for `Variant` and `FEN`, which are part of the
    /// record.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.get(name).map(String::as_str)
    }

    /// Sets a tag. Control characters in the value become spaces.
    ///
    /// # Panics
    /// If the name has other characters than ASCII letters, digits and underscores, or
    /// is `Variant` or `FEN`.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        assert!(!name.is_empty() && name.chars().all(is_tag_char), "{name}");
        assert!(![VARIANT, START].contains(&name), "{name}");
        let value = value.replace(char::is_control, " ");
        self.tags.insert(name.to_owned(), value);
    }
}

/// Whether the name of a tag may have this character.
pub(super) fn is_tag_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Whether a word is a final score such as `25-20`, or `*` for an unfinished game.
pub(super) fn is_result(word: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let scores = word.split_once('-');
    ["*", "1/2-1/2"].contains(&word)
        || scores.is_some_and(|(south, north)| is_number(south) && is_number(north))
}
