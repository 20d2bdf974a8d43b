//! Answers for programs: the serialisable objects that every front end gives, and the
//! parameters that it takes for them.
//!
//! The command line prints them, the server sends them, the page without a server gets them
//! from a worker, and Python has classes with the same fields. `docs/server.md` describes
//! the fields. This crate knows nothing of terminals, networks or browsers, nor of the
//! format: answers implement [`serde::Serialize`].
//!
//! - [`endpoints`]: what may be asked, and what answers it; [`Description`]: what is said of it.
//! - [`Parameter`]: a named parameter; [`Query`]: their texts; [`FromQuery`]: those that an answer
//!   needs.
//! - [`BoardAnswer`], [`MovesAnswer`], [`SowingsAnswer`], [`LineAnswer`]: boards and moves;
//!   [`probe()`], [`board()`] and [`best_line`] answer from tables.
//! - [`GameParameters`], [`ReplyParameters`], [`AnalysisParameters`], [`ReviewParameters`],
//!   [`ImportParameters`]: games and searches; [`Annotations`] of games as text.
//! - [`ReviewAnswer`]: the review of a whole game.
//! - [`RulesetsAnswer`], [`VersionAnswer`]: what there is.
//! - [`Verdict`]: what bounds decide about the end of a game.
//! - [`AnswerError`]: why there is no answer; [`ErrorAnswer`]: the same as an object.
//! - [`limits`]: how much may be asked for.
//! - [`body()`]: reads the body of a request; [`one_line`]: text without control characters.

// `docs/server.md` describes the fields.
#![allow(missing_docs)]

mod analysis;
mod board;
mod boards;
mod endpoint;
mod endpoints;
mod error;
mod game;
pub mod limits;
mod ogn;
mod panel;
mod parameter;
mod position;
mod probe;
mod query;
mod reply;
mod review;
mod schema;
#[cfg(feature = "schema")]
mod shapes;
mod tables;
mod verdict;
#[cfg(feature = "schema")]
mod vocabulary;

pub use analysis::{AnalysisInfo, AnalysisParameters};
pub use board::{
    BoardAnswer, BoardFields, Known, LineAnswer, LineFields, MoveAnswer, MovesAnswer, ResultFields,
    SowingsAnswer, StepAnswer, known,
};
pub use endpoint::{
    Access, Answer, Body, Context, Cost, Description, Endpoint, Form, FrontEnd, Given, Work,
};
pub use endpoints::{analysis, endpoints, review, search_endpoints};
pub use error::{AnswerError, Code, ErrorAnswer};
pub use game::{GameAnswer, GameParameters, OutcomeAnswer, REPETITIONS, TurnAnswer};
pub use ogn::{Annotations, ImportAnswer, ImportParameters};
pub use parameter::{Parameter, Values};
pub use probe::{BoardParameters, LineParameters, best_line, board, probe};
pub use query::{FromQuery, Query, body, one_line};
pub use reply::{ReplyAnswer, ReplyParameters};
pub use review::{
    DoneInfo, MoveInfo, PositionInfo, ReviewAnswer, ReviewEvent, ReviewInProgress, ReviewParameters,
};
pub use schema::{Shape, Shaped};
pub use tables::{RulesetFields, RulesetsAnswer, VersionAnswer};
pub use verdict::Verdict;
#[cfg(feature = "schema")]
pub use vocabulary::narrow;
