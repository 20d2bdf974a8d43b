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
#[serde(deny_unknown_fields)]
pub struct BoardsBody {
    #[serde(deserialize_with = "texts")]
    pub boards: Vec<String>,
}

/// Boards as text: each is given as text, or as an array.
fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected text or an array")]
    enum BoardJson {
        Text(String),
        Array(Vec<Value>),
    }
    let given: Vec<BoardJson> = Vec::deserialize(deserializer)?;
    let texts = given.into_iter().map(|board| match board {
        BoardJson::Text(text) => text,
        BoardJson::Array(pits) => Value::Array(pits).to_string(),
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
pub struct BoardsAnswer {
    boards: Vec<BoardResult>,
}

#[derive(Debug, Serialize)]
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
