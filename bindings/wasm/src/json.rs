//! Text in both directions: parameters as a list of pairs, answers as objects.

use krou_answers::{AnswerError, ErrorAnswer};
#[cfg(feature = "full")]
use krou_answers::{FromQuery, Query};
use serde::Serialize;

/// An answer as JSON text, or the error as JSON text, which is thrown.
pub type Text = Result<String, String>;

/// An error as text.
pub fn error(error: AnswerError) -> String {
    to_text(&ErrorAnswer::from(error))
}

/// An object as text.
pub fn to_text(object: &impl Serialize) -> String {
    serde_json::to_string(object).expect("an answer is JSON")
}

/// Reads parameters: a list of names with values, such as `[["moves","Fe"]]`.
pub fn pairs(text: &str) -> Result<Vec<(String, String)>, AnswerError> {
    serde_json::from_str(text).map_err(|_| {
        AnswerError::Parameters("the parameters must be pairs of names and values".to_owned())
    })
}

/// Reads the parameters of an answer.
#[cfg(feature = "full")]
pub fn parameters<P: FromQuery>(text: &str) -> Result<P, AnswerError> {
    Query::read(pairs(text)?)
}
