//! Named parameters as text, each given at most once, and those that an answer needs.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use serde::de::DeserializeOwned;

use crate::error::AnswerError;

/// The parameters that an answer needs.
pub trait FromQuery: Sized {
    /// The names of its parameters.
    const NAMES: &'static [&'static str];

    /// Reads them.
    ///
    /// # Errors
    /// If one is missing, or its value is wrong.
    fn from_query(query: &Query) -> Result<Self, AnswerError>;
}

/// No parameters at all.
impl FromQuery for () {
    const NAMES: &'static [&'static str] = &[];

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
        P::from_query(&Query::new(parameters, P::NAMES)?)
    }

    /// Checks parameters for an answer that knows these names.
    fn new(
        parameters: Vec<(String, String)>,
        known: &[&'static str],
    ) -> Result<Query, AnswerError> {
        for (place, (name, _)) in parameters.iter().enumerate() {
            if !known.contains(&name.as_str()) {
                return Err(AnswerError::Parameters(unknown(name, known)));
            }
            if parameters[..place].iter().any(|(other, _)| other == name) {
                let why = format!("the parameter '{name}' is given twice");
                return Err(AnswerError::Parameters(why));
            }
        }
        Ok(Query(parameters))
    }

    /// The value of a parameter, if it is given.
    pub fn optional(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(given, _)| given == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The value of a parameter.
    ///
    /// # Errors
    /// If it is not given.
    pub fn required(&self, name: &str) -> Result<&str, AnswerError> {
        self.optional(name)
            .ok_or_else(|| AnswerError::Parameters(format!("the parameter '{name}' is missing")))
    }

    /// The duration that a parameter gives in milliseconds, or `default`.
    ///
    /// # Errors
    /// If the value is not a whole number from 1 to `longest`.
    pub fn milliseconds(
        &self,
        name: &str,
        longest: Duration,
        default: Duration,
    ) -> Result<Duration, AnswerError> {
        let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let time = self.number(name, 1..=ms(longest), ms(default))?;
        Ok(Duration::from_millis(time))
    }

    /// The whole number that a parameter gives, or `default`.
    ///
    /// # Errors
    /// If the value is not a whole number of this range.
    pub fn number<T>(
        &self,
        name: &str,
        range: RangeInclusive<T>,
        default: T,
    ) -> Result<T, AnswerError>
    where
        T: FromStr + PartialOrd + Display,
    {
        let Some(text) = self.optional(name) else {
            return Ok(default);
        };
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            AnswerError::Parameters(format!(
                "'{name}' cannot be '{}': give a whole number from {} to {}",
                shown(text),
                range.start(),
                range.end()
            ))
        })
    }
}

/// Reads a body as JSON of this form, which errors name.
///
/// # Errors
/// If it is of another form.
pub(crate) fn body<T: DeserializeOwned>(text: &str, form: &str) -> Result<T, AnswerError> {
    serde_json::from_str(text).map_err(|error| {
        let why = one_line(&error.to_string());
        AnswerError::Parameters(format!("the body must be {form}: {why}"))
    })
}

fn unknown(name: &str, known: &[&str]) -> String {
    let name = shown(name);
    match known {
        [] => format!("there is no parameter '{name}': this endpoint takes none"),
        known => format!(
            "there is no parameter '{name}': this endpoint takes {}",
            known.join(", ")
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
