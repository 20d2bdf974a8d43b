//! Parameters as values: what documents, errors and parsing need to know of each, said once.

use std::ops::RangeInclusive;

/// A named parameter of a request.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    pub name: &'static str,
    /// What it means, for people.
    pub about: &'static str,
    pub values: Values,
    pub is_required: bool,
    pub example: Option<&'static str>,
}

/// What a parameter may be.
#[derive(Clone, Copy, Debug)]
pub enum Values {
    Text {
        default: Option<&'static str>,
    },
    /// The letters of at most this many moves; none by default.
    Letters {
        most: usize,
    },
    Words(fn() -> Vec<&'static str>),
    /// A whole number.
    Number {
        least: u64,
        most: u64,
        default: Option<u64>,
    },
}

impl Parameter {
    const fn new(name: &'static str, about: &'static str, values: Values) -> Parameter {
        Parameter {
            name,
            about,
            values,
            is_required: false,
            example: None,
        }
    }

    /// Text, which must be given.
    pub const fn text(name: &'static str, about: &'static str) -> Parameter {
        let values = Values::Text { default: None };
        Parameter::new(name, about, values).required()
    }

    /// Text, with a default.
    pub(crate) const fn text_or(
        name: &'static str,
        about: &'static str,
        default: &'static str,
    ) -> Parameter {
        let default = Some(default);
        Parameter::new(name, about, Values::Text { default })
    }

    /// The letters of moves.
    pub(crate) const fn letters(name: &'static str, about: &'static str, most: usize) -> Parameter {
        Parameter::new(name, about, Values::Letters { most })
    }

    /// One of some words, which must be given.
    pub(crate) const fn word(
        name: &'static str,
        about: &'static str,
        words: fn() -> Vec<&'static str>,
    ) -> Parameter {
        Parameter::new(name, about, Values::Words(words)).required()
    }

    /// A whole number of this range.
    pub(crate) const fn number(
        name: &'static str,
        about: &'static str,
        range: RangeInclusive<u64>,
        default: Option<u64>,
    ) -> Parameter {
        let (least, most) = (*range.start(), *range.end());
        let values = Values::Number {
            least,
            most,
            default,
        };
        Parameter::new(name, about, values)
    }

    const fn required(self) -> Parameter {
        Parameter {
            is_required: true,
            ..self
        }
    }

    /// The same, which may be left out.
    pub(crate) const fn optional(self) -> Parameter {
        Parameter {
            is_required: false,
            ..self
        }
    }

    /// The same with an example.
    #[must_use]
    pub const fn with_example(self, example: &'static str) -> Parameter {
        Parameter {
            example: Some(example),
            ..self
        }
    }
}
