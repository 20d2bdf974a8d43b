//! The endpoints: what may be asked, in one list for the server, the page without a server and
//! the npm package. A new one is a line of [`endpoints`], or of [`search_endpoints`] if it makes
//! the engine search, and its entry in `openapi.json`, which a test compares.

use std::fmt::{self, Debug};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use krou::engine::TableErrors;
use krou::rules::Ruleset;
use krou::tablebase::TableSet;
use krou::tablebase::Tablebase;
use serde::Serialize;

use crate::board::SowingsAnswer;
use crate::boards::{self, BoardsAnswer, BoardsBody};
use crate::error::{AnswerError, ErrorAnswer};
use crate::game::GameParameters;
use crate::ogn::{Annotations, ImportParameters};
use crate::panel::{PanelParameters, ShortParameters};
use crate::position::LastParameters;
use crate::probe::{BoardParameters, LineParameters, best_line, probe, value};
use crate::query::{FromQuery, Query};
use crate::reply::ReplyParameters;
use crate::tables::{RulesetsAnswer, VersionAnswer};

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

/// Which pages of other sites may ask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// All: the answer comes from rules and tables.
    Open,
    /// Those that the operator allows: it costs time, or takes a body.
    Guarded,
}

/// Whether a request has a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Body {
    None,
    /// It adds to the answer.
    Optional,
    Required,
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

/// A request whose parameters are right, ready to be answered.
pub type Work = Box<dyn FnOnce(&Context<'_>) -> Result<Answer, AnswerError> + Send>;

type Read = Box<dyn Fn(Given) -> Result<Work, AnswerError> + Send + Sync>;

/// Something that may be asked.
pub struct Endpoint {
    /// Its address: `{rules}` stands for a ruleset.
    pub path: &'static str,
    pub access: Access,
    pub body: Body,
    pub cost: Cost,
    /// The names of its parameters.
    pub parameters: &'static [&'static str],
    read: Read,
}

impl Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.path)
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

    /// An endpoint without a body that all may ask.
    fn new(
        path: &'static str,
        parameters: &'static [&'static str],
        read: impl Fn(Given) -> Result<Work, AnswerError> + Send + Sync + 'static,
    ) -> Endpoint {
        Endpoint {
            path,
            access: Access::Open,
            body: Body::None,
            cost: Cost::Query,
            parameters,
            read: Box::new(read),
        }
    }

    /// An endpoint about no ruleset.
    fn general<P: FromQuery + Send + 'static, A: Serialize + 'static>(
        path: &'static str,
        answer: fn(&Context<'_>, P, &str) -> Result<A, AnswerError>,
    ) -> Endpoint {
        let read = move |given: Given| -> Result<Work, AnswerError> {
            let query: P = Query::read(given.parameters)?;
            let body = given.body.unwrap_or_default();
            Ok(Box::new(move |context| {
                answer(context, query, &body).map(|answer| json(&answer))
            }))
        };
        Endpoint {
            cost: Cost::Nothing,
            ..Endpoint::new(path, P::NAMES, read)
        }
    }

    /// An endpoint that answers from rules and tables.
    fn of_tables<P: FromQuery + Send + 'static, A: Serialize + 'static>(
        path: &'static str,
        answer: fn(&Tablebase, &P) -> Result<A, AnswerError>,
    ) -> Endpoint {
        Endpoint::with_context(path, move |tables, query, _| answer(tables, query))
    }

    fn with_context<P: FromQuery + Send + 'static, A: Serialize + 'static>(
        path: &'static str,
        answer: impl Fn(&Tablebase, &P, &Context<'_>) -> Result<A, AnswerError>
        + Copy
        + Send
        + Sync
        + 'static,
    ) -> Endpoint {
        Endpoint::new(path, P::NAMES, move |given| {
            let query: P = Query::read(given.parameters)?;
            let rules = ruleset(given.rules)?;
            Ok(Box::new(move |context| {
                answer(&context.of_ruleset(rules), &query, context).map(|answer| json(&answer))
            }))
        })
    }
}

impl Context<'_> {
    fn of_ruleset(&self, rules: Ruleset) -> Tablebase {
        self.tables.tables(rules).until(self.stop.clone())
    }

    /// # Errors
    /// If the work has to end.
    fn go_on(&self) -> Result<(), AnswerError> {
        match self.stop.load(Ordering::Relaxed) {
            true => Err(AnswerError::Stopped),
            false => Ok(()),
        }
    }
}

fn json(answer: &impl Serialize) -> Answer {
    Answer::Json(serde_json::to_string(answer).expect("an answer is JSON"))
}

fn ruleset(given: Option<Ruleset>) -> Result<Ruleset, AnswerError> {
    let missing = || AnswerError::Parameters("the ruleset is missing".to_owned());
    given.ok_or_else(missing)
}

/// The endpoints that answer from rules and tables.
pub fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::general("rulesets", |context, (), _| {
            Ok(RulesetsAnswer::new(context.tables.listed()))
        }),
        Endpoint::general("version", |context, (), _| {
            Ok(VersionAnswer::new(context.tables.listed()))
        }),
        Endpoint {
            access: Access::Guarded,
            body: Body::Required,
            cost: Cost::Query,
            ..Endpoint::general("ogn", |_, query: ImportParameters, text| query.read(text))
        },
        Endpoint::of_tables("{rules}", |tables, query: &ShortParameters| {
            query.answer(tables)
        }),
        Endpoint::of_tables("{rules}/tablebase", |tables, query: &PanelParameters| {
            query.answer(tables)
        }),
        Endpoint::of_tables("{rules}/probe", |tables, query: &BoardParameters| {
            probe(tables, &query.position(tables.rules())?)
        }),
        Endpoint::of_tables("{rules}/value", |tables, query: &BoardParameters| {
            value(tables, &query.position(tables.rules())?)
        }),
        Endpoint::of_tables("{rules}/moves", |tables, query: &BoardParameters| {
            query.pits(tables.rules())
        }),
        Endpoint::of_tables("{rules}/mainline", |tables, query: &LineParameters| {
            best_line(tables, &query.board.position(tables.rules())?, query.plies)
        }),
        Endpoint::of_tables("{rules}/sowings", |tables, query: &BoardParameters| {
            let rules = tables.rules();
            Ok(SowingsAnswer::new(rules, &query.position(rules)?))
        }),
        Endpoint::with_context("{rules}/game", |tables, query: &GameParameters, context| {
            query.answer(tables, context.stop)
        }),
        Endpoint::of_tables("{rules}/position", |tables, query: &LastParameters| {
            query.answer(tables)
        }),
        Endpoint {
            access: Access::Guarded,
            body: Body::Required,
            ..Endpoint::new("{rules}/boards", <()>::NAMES, |given| {
                let () = Query::read(given.parameters)?;
                let rules = ruleset(given.rules)?;
                let body = BoardsBody::read(&given.body.unwrap_or_default())?;
                Ok(Box::new(move |context| {
                    let tables = context.of_ruleset(rules);
                    let answer = |text: &String| {
                        context.go_on()?;
                        let found = boards::one(text, &tables);
                        Ok(found.map_err(|error| context.front_end.error(error)))
                    };
                    let found: Result<Vec<_>, AnswerError> =
                        body.boards.iter().map(answer).collect();
                    found.map(|boards| json(&BoardsAnswer::new(boards)))
                }))
            })
        },
        Endpoint {
            body: Body::Optional,
            ..Endpoint::new("{rules}/ogn", GameParameters::NAMES, |given| {
                let game: GameParameters = Query::read(given.parameters)?;
                let rules = ruleset(given.rules)?;
                let annotations = Annotations::read(&given.body.unwrap_or_default())?;
                Ok(Box::new(move |_| {
                    game.ogn(rules, &annotations).map(Answer::Text)
                }))
            })
        },
    ]
}

/// The endpoints that make the engine search, other than those that send events.
pub fn search_endpoints() -> Vec<Endpoint> {
    vec![Endpoint {
        access: Access::Guarded,
        cost: Cost::Search,
        ..Endpoint::with_context(
            "{rules}/reply",
            |tables, query: &ReplyParameters, context| {
                query.answer(tables.clone(), context.stop, |errors| {
                    context.front_end.table_errors(errors);
                })
            },
        )
    }]
}
