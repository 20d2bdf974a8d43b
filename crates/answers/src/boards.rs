//! Many boards at once.

use krou::tablebase::Tablebase;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::board::BoardAnswer;
use crate::error::{AnswerError, ErrorAnswer};
use crate::limits;
use crate::probe::{BoardParameters, board};
use crate::query::body;

/// A list of boards as JSON: `{"boards": ["…", […], …]}`.
#[derive(Deserialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "schema",
    schemars(example = serde_json::json!({"boards": ["0,0,0,0,0,1,2,0,0,0,0,1"]}))
)]
#[serde(deny_unknown_fields)]
pub struct BoardsBody {
    /// Each as text or as an array of twelve numbers; one that is no board gets an error of its
    /// own.
    #[serde(deserialize_with = "texts")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Vec<GivenBoard>", length(max = limits::BOARDS))
    )]
    pub boards: Vec<String>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged, expecting = "expected text or an array")]
enum GivenBoard {
    Text(String),
    Array(Vec<Value>),
}

/// Boards as text: each is given as text, or as an array.
fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let given: Vec<GivenBoard> = Vec::deserialize(deserializer)?;
    let texts = given.into_iter().map(|board| match board {
        GivenBoard::Text(text) => text,
        GivenBoard::Array(pits) => Value::Array(pits).to_string(),
    });
    Ok(texts.collect())
}

impl BoardsBody {
    /// Reads the body of a request.
    ///
    /// # Errors
    /// If it is not such a list, or too long.
    pub fn read(text: &str) -> Result<BoardsBody, AnswerError> {
        let read: BoardsBody = body(text, "{\"boards\": [\"…\", …]}")?;
        let given = read.boards.len();
        if given > limits::BOARDS {
            return Err(AnswerError::Parameters(format!(
                "'boards' has {given} boards: the limit is {}",
                limits::BOARDS
            )));
        }
        Ok(read)
    }
}

/// The answer for one of the boards.
///
/// # Errors
/// As [`board()`], or if the text is no board.
pub fn one(text: &str, tables: &Tablebase) -> Result<BoardAnswer, AnswerError> {
    let asked = BoardParameters::parse(text)?;
    board(tables, &asked.position(tables.rules())?)
}

/// Boards in the order of the request, each with its answer or its error.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoardsAnswer {
    boards: Vec<BoardResult>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum BoardResult {
    Board(Box<BoardAnswer>),
    Error(Box<ErrorAnswer>),
}

impl BoardsAnswer {
    pub fn new(boards: Vec<Result<BoardAnswer, ErrorAnswer>>) -> BoardsAnswer {
        let result = |board| match board {
            Ok(answer) => BoardResult::Board(Box::new(answer)),
            Err(error) => BoardResult::Error(Box::new(error)),
        };
        BoardsAnswer {
            boards: boards.into_iter().map(result).collect(),
        }
    }
}
