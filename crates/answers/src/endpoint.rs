//! What an endpoint is: its description, and how it answers a request.

use std::fmt::{self, Debug};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use krou::engine::TableErrors;
use krou::rules::Ruleset;
use krou::tablebase::TableSet;
use krou::tablebase::Tablebase;
use serde::Serialize;

use crate::error::{AnswerError, ErrorAnswer};
use crate::parameter::Parameter;
use crate::query::{FromQuery, Query};
use crate::schema::{Shape, Shaped};

/// What is said of an endpoint.
#[derive(Clone, Debug)]
pub struct Description {
    /// Its name for programs.
    pub name: &'static str,
    /// Its address: `{rules}` stands for a ruleset.
    pub path: &'static str,
    /// What it is, for people.
    pub summary: &'static str,
    /// What else there is to say, or nothing.
    pub details: &'static str,
    pub access: Access,
    pub cost: Cost,
    pub parameters: &'static [Parameter],
    pub body: Body,
    pub answer: Form,
}

/// Which pages of other sites may ask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// All: the answer comes from rules and tables.
    Open,
    /// Those that the operator allows: it costs time, or takes a body.
    Guarded,
    /// None: it is for operators.
    Own,
}

/// How much work an answer is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cost {
    Nothing,
    /// Probes, or the rules of a game.
    Query,
    /// A search of the engine.
    Search,
}

/// Whether a request has a body.
#[derive(Clone, Debug)]
pub enum Body {
    None,
    /// It adds to the answer.
    Optional(Form),
    Required(Form),
}

/// The form of a body or an answer.
#[derive(Clone, Debug)]
pub enum Form {
    Json(Shape),
    Text {
        media: &'static str,
        example: Option<&'static str>,
    },
    /// A stream of events, by name, with JSON.
    Events(Vec<(&'static str, Shape)>),
}

impl Description {
    /// An endpoint that all may ask, for text, without parameters and body. Its name is the end
    /// of the path.
    pub fn new(path: &'static str, summary: &'static str) -> Description {
        Description {
            name: path.rsplit('/').next().unwrap_or(path),
            path,
            summary,
            details: "",
            access: Access::Open,
            cost: Cost::Query,
            parameters: &[],
            body: Body::None,
            answer: Form::text("text/plain; charset=utf-8"),
        }
    }

    /// The same with these parameters and this form of the answer.
    #[must_use]
    pub fn with<P: FromQuery>(self, answer: Form) -> Description {
        Description {
            parameters: P::PARAMETERS,
            answer,
            ..self
        }
    }

    /// Whether it is about a ruleset, which its address names.
    pub fn is_of_ruleset(&self) -> bool {
        self.path.contains("{rules}")
    }
}

impl Form {
    pub fn json<T: Shaped>() -> Form {
        Form::Json(Shape::of::<T>())
    }

    /// Text of this media type.
    pub fn text(media: &'static str) -> Form {
        let example = None;
        Form::Text { media, example }
    }
}

/// What a request gives.
#[derive(Debug, Default)]
pub struct Given {
    /// The ruleset that it is about.
    pub rules: Option<Ruleset>,
    pub parameters: Vec<(String, String)>,
    /// The text of an upload.
    pub body: Option<String>,
}

/// What an answer is made from.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    pub tables: &'a TableSet,
    /// Ends the work early.
    pub stop: &'a Arc<AtomicBool>,
    pub front_end: &'a dyn FrontEnd,
}

/// What a front end does about errors that are no answer.
pub trait FrontEnd: Debug {
    /// What is told of the error of one of several boards.
    fn error(&self, error: AnswerError) -> ErrorAnswer {
        error.into()
    }

    /// A search could not read tables, and went on without them.
    fn table_errors(&self, _: &TableErrors) {}
}

/// An answer.
#[derive(Debug)]
pub enum Answer {
    Json(String),
    Text(String),
}

/// A request whose parameters are right, ready to be answered.
pub type Work = Box<dyn FnOnce(&Context<'_>) -> Result<Answer, AnswerError> + Send>;

type Read = Box<dyn Fn(Given) -> Result<Work, AnswerError> + Send + Sync>;

/// Something that may be asked, and is answered at once.
pub struct Endpoint {
    pub description: Description,
    read: Read,
}

impl Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.description.path)
    }
}

impl Endpoint {
    /// Checks what a request gives.
    ///
    /// # Errors
    /// If a parameter or the body is wrong.
    pub fn read(&self, given: Given) -> Result<Work, AnswerError> {
        (self.read)(given)
    }

    pub(crate) fn new(
        description: Description,
        read: impl Fn(Given) -> Result<Work, AnswerError> + Send + Sync + 'static,
    ) -> Endpoint {
        Endpoint {
            description,
            read: Box::new(read),
        }
    }

    /// An endpoint about no ruleset.
    pub(crate) fn general<P, A>(
        description: Description,
        answer: fn(&Context<'_>, P, &str) -> Result<A, AnswerError>,
    ) -> Endpoint
    where
        P: FromQuery + Send + 'static,
        A: Serialize + Shaped + 'static,
    {
        let read = move |given: Given| -> Result<Work, AnswerError> {
            let query: P = Query::read(given.parameters)?;
            let body = given.body.unwrap_or_default();
            Ok(Box::new(move |context| {
                answer(context, query, &body).map(|answer| json(&answer))
            }))
        };
        Endpoint::new(description.with::<P>(Form::json::<A>()), read)
    }

    /// An endpoint that answers from rules and tables.
    pub(crate) fn of_tables<P, A>(
        description: Description,
        answer: fn(&Tablebase, &P) -> Result<A, AnswerError>,
    ) -> Endpoint
    where
        P: FromQuery + Send + 'static,
        A: Serialize + Shaped + 'static,
    {
        Endpoint::with_context(description, move |tables, query, _| answer(tables, query))
    }

    pub(crate) fn with_context<P, A>(
        description: Description,
        answer: impl Fn(&Tablebase, &P, &Context<'_>) -> Result<A, AnswerError>
        + Copy
        + Send
        + Sync
        + 'static,
    ) -> Endpoint
    where
        P: FromQuery + Send + 'static,
        A: Serialize + Shaped + 'static,
    {
        Endpoint::new(description.with::<P>(Form::json::<A>()), move |given| {
            let query: P = Query::read(given.parameters)?;
            let rules = ruleset(given.rules)?;
            Ok(Box::new(move |context| {
                answer(&context.of_ruleset(rules), &query, context).map(|answer| json(&answer))
            }))
        })
    }
}

impl Context<'_> {
    pub(crate) fn of_ruleset(&self, rules: Ruleset) -> Tablebase {
        self.tables.tables(rules).until(self.stop.clone())
    }

    /// # Errors
    /// If the work has to end.
    pub(crate) fn go_on(&self) -> Result<(), AnswerError> {
        match self.stop.load(Ordering::Relaxed) {
            true => Err(AnswerError::Stopped),
            false => Ok(()),
        }
    }
}

pub(crate) fn json(answer: &impl Serialize) -> Answer {
    Answer::Json(serde_json::to_string(answer).expect("an answer is JSON"))
}

pub(crate) fn ruleset(given: Option<Ruleset>) -> Result<Ruleset, AnswerError> {
    let missing = || AnswerError::Parameters("the ruleset is missing".to_owned());
    given.ok_or_else(missing)
}
