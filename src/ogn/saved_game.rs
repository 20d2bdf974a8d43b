//! A game with its tags.

use std::collections::BTreeMap;

use super::claims::halves;
use crate::engine::Game;
use crate::engine::Record;
use crate::rules::Ruleset;

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
    /// Comments, variations and signs as written: before the first move, then after each move.
    pub(super) remarks: Vec<Vec<String>>,
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

/// Whether a word is a final score such as `25-20` or `24.5-23.5`, or `*` for an unfinished
/// game.
pub(super) fn is_result(word: &str) -> bool {
    let is_score = |(south, north)| halves(south).is_some() && halves(north).is_some();
    ["*", "1/2-1/2", "½-½"].contains(&word) || word.split_once('-').is_some_and(is_score)
}
