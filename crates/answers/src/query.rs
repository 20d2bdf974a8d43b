//! Named parameters as text, each given at most once, and those that an answer needs.

use std::time::Duration;

use serde::de::DeserializeOwned;

use crate::error::AnswerError;
use crate::parameter::{Parameter, Values};

/// The parameters that an answer needs.
pub trait FromQuery: Sized {
    /// Those that there are.
    const PARAMETERS: &'static [Parameter];

    /// Reads them.
    ///
    /// # Errors
    /// If one is missing, or its value is wrong.
    fn from_query(query: &Query) -> Result<Self, AnswerError>;
}

/// No parameters at all.
impl FromQuery for () {
    const PARAMETERS: &'static [Parameter] = &[];

    fn from_query(_: &Query) -> Result<(), AnswerError> {
        Ok(())
    }
}

/// Named parameters: names and values as text.
#[derive(Clone, Debug, Default)]
pub struct Query(Vec<(String, String)>);

impl Query {
    /// Reads the parameters of an answer.
    ///
    /// # Errors
    /// If one is unknown, given twice or missing, or its value is wrong.
    pub fn read<P: FromQuery>(parameters: Vec<(String, String)>) -> Result<P, AnswerError> {
        P::from_query(&Query::new(parameters, P::PARAMETERS)?)
    }

    /// Checks the names for an answer that knows these parameters.
    fn new(parameters: Vec<(String, String)>, known: &[Parameter]) -> Result<Query, AnswerError> {
        for (place, (name, _)) in parameters.iter().enumerate() {
            if known.iter().all(|known| known.name != name) {
                return Err(AnswerError::Parameters(unknown(name, known)));
            }
            if parameters[..place].iter().any(|(other, _)| other == name) {
                let why = format!("the parameter '{name}' is given twice");
                return Err(AnswerError::Parameters(why));
            }
        }
        Ok(Query(parameters))
    }

    /// The text of a parameter, if it is given.
    pub fn given(&self, parameter: &Parameter) -> Option<&str> {
        let found = self.0.iter().find(|(name, _)| name == parameter.name);
        found.map(|(_, value)| value.as_str())
    }

    /// The text of a parameter, or its default.
    ///
    /// # Errors
    /// If there is neither.
    pub fn text(&self, parameter: &Parameter) -> Result<&str, AnswerError> {
        let default = match parameter.values {
            Values::Text { default } => default,
            Values::Letters { .. } => Some(""),
            Values::Words(_) | Values::Number { .. } => None,
        };
        let text = self.given(parameter).or(default);
        text.ok_or_else(|| missing(parameter))
    }

    /// The whole number that a parameter gives, or its default.
    ///
    /// # Errors
    /// If there is neither, or the value is not a whole number of its range.
    pub fn number<T: TryFrom<u64>>(&self, parameter: &Parameter) -> Result<T, AnswerError> {
        let Values::Number {
            least,
            most,
            default,
        } = parameter.values
        else {
            unreachable!("'{}' is a number", parameter.name);
        };
        let wrong = |text: &str| {
            AnswerError::Parameters(format!(
                "'{}' cannot be '{}': give a whole number from {least} to {most}",
                parameter.name,
                shown(text),
            ))
        };
        let Some(text) = self.given(parameter) else {
            let default = default.and_then(|number| T::try_from(number).ok());
            return default.ok_or_else(|| missing(parameter));
        };
        let number = text.parse().ok();
        let number = number.filter(|number| (least..=most).contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| wrong(text))
    }

    /// The duration that a parameter gives in milliseconds.
    ///
    /// # Errors
    /// As [`Query::number`].
    pub fn milliseconds(&self, parameter: &Parameter) -> Result<Duration, AnswerError> {
        self.number(parameter).map(Duration::from_millis)
    }
}

fn missing(parameter: &Parameter) -> AnswerError {
    AnswerError::Parameters(format!("the parameter '{}' is missing", parameter.name))
}

/// Reads a body as JSON of this form, which errors name.
///
/// # Errors
/// If it is of another form.
pub fn body<T: DeserializeOwned>(text: &str, form: &str) -> Result<T, AnswerError> {
    serde_json::from_str(text).map_err(|error| {
        let why = one_line(&error.to_string());
        AnswerError::Parameters(format!("the body must be {form}: {why}"))
    })
}

fn unknown(name: &str, known: &[Parameter]) -> String {
    let name = shown(name);
    let names: Vec<&str> = known.iter().map(|known| known.name).collect();
    match names[..] {
        [] => format!("there is no parameter '{name}': this endpoint takes none"),
        _ => format!(
            "there is no parameter '{name}': this endpoint takes {}",
            names.join(", ")
        ),
    }
}

/// Text of a client in a message: on one line, and shortened.
pub(super) fn shown(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut short: String = text.chars().take(LONGEST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    one_line(&short)
}

/// Text on one line: control characters are escaped.
pub fn one_line(text: &str) -> String {
    let mut line = String::new();
    for c in text.chars() {
        if c.is_control() {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    line
}
