//! Games as text in the notation OGN.

use std::collections::BTreeMap;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::AnswerError;
use crate::game::{GameParameters, REPETITIONS};
use crate::limits;
use crate::parameter::Parameter;
use crate::query::{FromQuery, Query, body, shown};
use krou::ogn::{GameDefaults, Remark, SavedGame, is_tag_name};
use krou::rules::Ruleset;

/// What a text says beside the moves: names, comments and variations.
#[derive(Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "schema",
    schemars(example = serde_json::json!(
        {"tags": {"South": "Ama"}, "remarks": [[], [{"comment": " good "}]]}
    ))
)]
#[serde(default, deny_unknown_fields)]
pub struct Annotations {
    /// Names and other tags with their values, but Variant, FEN and Repetitions, which are
    /// parameters.
    tags: BTreeMap<String, String>,
    /// Before the first move, then after each move.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Vec<crate::shapes::Remark>>"))]
    remarks: Vec<Vec<Remark>>,
}

impl Annotations {
    /// Reads the body of a request; none without one.
    ///
    /// # Errors
    /// If it has another form.
    pub fn read(text: &str) -> Result<Annotations, AnswerError> {
        match text {
            "" => Ok(Annotations::default()),
            text => body(text, "{\"tags\": {…}, \"remarks\": [[…], …]}"),
        }
    }
}

const RULES: Parameter = Parameter::text_or("rules", "Rules of a game that names none.", "abapa");
const GAME: Parameter = Parameter::number(
    "game",
    "The number of the game in a text with several.",
    1..=usize::MAX as u64,
    Some(1),
);

/// Which game of a text to read, and the rules and the board where the text names none.
#[derive(Clone, Debug)]
pub struct ImportParameters {
    defaults: GameDefaults,
    /// Counted from 1.
    game: usize,
}

impl FromQuery for ImportParameters {
    const PARAMETERS: &'static [Parameter] = &[RULES, REPETITIONS, GAME];

    fn from_query(query: &Query) -> Result<ImportParameters, AnswerError> {
        Ok(ImportParameters {
            defaults: GameDefaults {
                rules: Ruleset::from_str(query.text(&RULES)?)?,
                repetitions: query.number(&REPETITIONS)?,
            },
            game: query.number(&GAME)?,
        })
    }
}

/// A game of a text, as the parameters that other endpoints take, and its annotations.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ImportAnswer {
    rules: String,
    start: String,
    moves: String,
    repetitions: u8,
    /// How many games the text has.
    games: usize,
    /// What the text says that the moves contradict.
    notes: Vec<String>,
    #[serde(flatten)]
    annotations: Annotations,
}

impl GameParameters {
    /// The game by these rules as text, with its annotations.
    ///
    /// # Errors
    /// If a move cannot be played, or an annotation is none.
    pub fn ogn(&self, rules: Ruleset, annotations: &Annotations) -> Result<String, AnswerError> {
        let mut saved = SavedGame::new(self.record(rules)?);
        for (name, value) in &annotations.tags {
            if !is_tag_name(name) {
                let why = format!("there cannot be a tag '{}'", shown(name));
                return Err(AnswerError::Parameters(why));
            }
            saved.set_tag(name, value);
        }
        saved.set_remarks(&annotations.remarks)?;
        Ok(saved.to_string())
    }
}

impl ImportParameters {
    /// The game of a text.
    ///
    /// # Errors
    /// If the text has no such game, or this has more moves than other endpoints take.
    pub fn read(&self, text: &str) -> Result<ImportAnswer, AnswerError> {
        let mut all = SavedGame::parse_all(text, self.defaults)?;
        let (game, games) = (self.game, all.len());
        if game > games {
            return Err(AnswerError::Parameters(format!(
                "'game' cannot be {game}: the number of games in the text is {games}"
            )));
        }
        let saved = all.swap_remove(game - 1)?;
        let record = saved.record();
        let count = record.turns().len();
        if count > limits::MOVES {
            return Err(AnswerError::Parameters(format!(
                "the game has {count} moves: the limit is {}",
                limits::MOVES
            )));
        }
        let start = record.start();
        Ok(ImportAnswer {
            rules: start.rules().to_string(),
            start: start.position().to_string(),
            moves: record.letters(),
            repetitions: start.repetitions(),
            games,
            notes: saved.notes().to_vec(),
            annotations: Annotations {
                tags: saved.tags().clone().into_iter().filter(is_known).collect(),
                remarks: saved.remarks(),
            },
        })
    }
}

/// Whether a tag says something.
fn is_known((_, value): &(String, String)) -> bool {
    !["", "?", "*"].contains(&value.as_str())
}
