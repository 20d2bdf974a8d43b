//! Text in both directions: parameters as a list of pairs, answers as objects.

use krou_answers::{AnswerError, ErrorAnswer, FromQuery, Query};
use serde::Serialize;

/// An answer as JSON text, or the error as JSON text, which is thrown.
pub type Text = Result<String, String>;

/// An answer as text.
pub fn text(answer: Result<impl Serialize, AnswerError>) -> Text {
    answer.map(|answer| to_text(&answer)).map_err(error)
}

/// The answer to these parameters as text.
pub fn answer<P: FromQuery, A: Serialize>(
    given: &str,
    find: impl FnOnce(P) -> Result<A, AnswerError>,
) -> Text {
    text(parameters(given).and_then(find))
}

/// An error as text.
pub fn error(error: AnswerError) -> String {
    to_text(&ErrorAnswer::from(error))
}

/// An object as text.
pub fn to_text(object: &impl Serialize) -> String {
    serde_json::to_string(object).expect("an answer is JSON")
}

/// Reads parameters: a list of names with values, such as `[["moves","Fe"]]`.
pub fn parameters<P: FromQuery>(text: &str) -> Result<P, AnswerError> {
    let pairs = serde_json::from_str(text).map_err(|_| {
        AnswerError::Parameters("the parameters must be pairs of names and values".to_owned())
    })?;
    Query::read(pairs)
}
