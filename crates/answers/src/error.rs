//! Why there is no answer: message and code.

#[cfg(feature = "schema")]
use std::borrow::Cow;

use serde::{Serialize, Serializer};
use thiserror::Error;

use crate::board::BoardAnswer;
use krou::ogn::{ReadGameError, SetupError};
use krou::ranges::FileRange;
use krou::rules::{ParseBoardError, Ruleset, UnknownRuleset};
use krou::table::TableError;
use krou::tablebase::ProbeError;

/// Why there is no answer. `Display` is one sentence.
#[derive(Debug, Error)]
pub enum AnswerError {
    #[error(transparent)]
    Rules(#[from] UnknownRuleset),
    #[error("{0}")]
    Parameters(String),
    #[error(transparent)]
    Board(#[from] ParseBoardError),
    #[error(transparent)]
    Move(#[from] SetupError),
    #[error("the game is over: there is no player to move")]
    Over,
    #[error("there is no table for {rules} with {seeds} seeds")]
    Missing {
        rules: Ruleset,
        seeds: u8,
        /// The board and its moves, which need no table.
        board: Box<BoardAnswer>,
    },
    #[error(transparent)]
    Ogn(#[from] ReadGameError),
    /// The caller has stopped the work before there was an answer.
    #[error("the request takes too long: ask for less")]
    Stopped,
    #[error(transparent)]
    Probe(#[from] ProbeError),
}

impl From<TableError> for AnswerError {
    fn from(error: TableError) -> AnswerError {
        ProbeError::from(error).into()
    }
}

impl AnswerError {
    /// What programs tell errors apart by.
    pub fn code(&self) -> Code {
        match self {
            AnswerError::Rules(_) => Code::UnknownRuleset,
            AnswerError::Parameters(_) => Code::Parameter,
            AnswerError::Board(_) => Code::Board,
            AnswerError::Move(_) => Code::Move,
            AnswerError::Over => Code::GameOver,
            AnswerError::Missing { .. } => Code::MissingTable,
            AnswerError::Ogn(error) => ogn_code(error),
            AnswerError::Stopped => Code::Timeout,
            AnswerError::Probe(ProbeError::Table(_) | ProbeError::Damaged { .. }) => Code::Table,
            AnswerError::Probe(_) => Code::Internal,
        }
    }
}

krou::words! {
    /// The kinds of errors, as words that do not change; `docs/server.md` explains them.
    /// Those of connections and requests are among them: clients know one list.
    "code": pub enum Code {
        NotFound = "not-found",
        UnknownRuleset = "unknown-ruleset",
        Method = "method",
        TooLong = "too-long",
        Parameter = "parameter",
        Board = "board",
        Move = "move",
        GameOver = "game-over",
        MissingTable = "missing-table",
        Forbidden = "forbidden",
        Busy = "busy",
        Timeout = "timeout",
        Table = "table",
        Internal = "internal",
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Code {
    fn schema_name() -> Cow<'static, str> {
        "Code".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let about = "What programs tell errors apart by.";
        schemars::json_schema!({"type": "string", "description": about, "enum": Code::ALL})
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

fn ogn_code(error: &ReadGameError) -> Code {
    match error {
        ReadGameError::TooLong { .. } => Code::TooLong,
        ReadGameError::Rules { .. } => Code::UnknownRuleset,
        ReadGameError::Start { .. } => Code::Board,
        ReadGameError::Move { .. } => Code::Move,
        _ => Code::Parameter,
    }
}

/// An error as an object: its message, its code, and what is known all the same.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ErrorAnswer {
    /// A sentence for people.
    error: String,
    code: Code,
    #[serde(flatten)]
    known: Option<KnownAnswer>,
}

/// What is known in spite of an error.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum KnownAnswer {
    /// Of the code `move`.
    Move {
        /// The move that cannot be played, counted from 1.
        ply: usize,
        /// Its letter.
        letter: String,
        /// The legal moves before it.
        moves: String,
    },
    /// Of the code `missing-table`: the board and its moves.
    Board(Box<BoardAnswer>),
    /// Ranges of the tables on a host that have yet to be fetched, by the page: the server
    /// fetches them itself.
    #[cfg_attr(feature = "schema", schemars(skip))]
    Lacking { lacking: Vec<LackingRange> },
}

/// A range of a file: its number in the host's index, the first byte and the one after the last.
#[derive(Debug, Serialize)]
struct LackingRange {
    file: usize,
    start: u64,
    end: u64,
}

/// What an answer lacks that needs tables on a host.
fn lacking(error: &ProbeError) -> Option<KnownAnswer> {
    let ProbeError::Table(error) = error else {
        return None;
    };
    let ranges = error.lacking_ranges()?.into_iter();
    let lacking = ranges.map(|FileRange { file, start, end }| LackingRange { file, start, end });
    Some(KnownAnswer::Lacking {
        lacking: lacking.collect(),
    })
}

impl ErrorAnswer {
    /// An error with nothing but its message.
    pub fn new(message: impl Into<String>, code: Code) -> ErrorAnswer {
        ErrorAnswer {
            error: message.into(),
            code,
            known: None,
        }
    }
}

impl From<AnswerError> for ErrorAnswer {
    fn from(error: AnswerError) -> ErrorAnswer {
        let answer = ErrorAnswer::new(error.to_string(), error.code());
        let known = match error {
            AnswerError::Missing { board, .. } => Some(KnownAnswer::Board(board)),
            AnswerError::Move(error) => Some(KnownAnswer::Move {
                ply: error.ply,
                letter: error.written,
                moves: error.before,
            }),
            AnswerError::Probe(error) => lacking(&error),
            _ => None,
        };
        ErrorAnswer { known, ..answer }
    }
}
