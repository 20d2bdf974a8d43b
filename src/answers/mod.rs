//! Answers for programs: the serialisable objects that every front end gives, and the
//! parameters that it takes for them.
//!
//! `krou probe --json`, `krou moves --json` and `krou rules --json` print some of them, the
//! server sends them, and the page without a server gets them from a worker.
//! `docs/server.md` describes the fields. This module knows nothing of terminals, networks
//! or browsers, nor of the format: answers implement [`serde::Serialize`].
//!
//! - [`Query`]: named parameters as text; [`FromQuery`]: what an answer needs of them, such
//!   as [`BoardParameters`] or [`GameParameters`].
//! - [`ProbeAnswer`], [`MovesAnswer`]: a board on the command line.
//! - [`probe_moves`], [`board()`], [`boards`], [`best_line`]: boards and lines from tables.
//! - [`GameSpec`], [`OpponentSpec`], [`AnalysisSpec`], [`Review`]: games and searches.
//! - [`export_ogn`], [`import_ogn`]: games as text.
//! - [`RulesetsAnswer`], [`RulesetsListing`], [`VersionAnswer`]: what there is.
//! - [`TableSet`]: the tables of all rulesets.
//! - [`AnswerError`]: why there is no answer; [`ErrorAnswer`]: the same as an object.
//! - [`limits`]: how much may be asked for.
//! - [`ending_sentence`], [`result_sentence`]: the end of a game in words.

mod analysis;
mod board;
mod error;
mod fields;
mod game;
pub mod limits;
mod moves;
mod ogn;
mod parameters;
mod probe;
mod queries;
mod query;
mod reply;
mod review;
mod rulesets;
mod sentences;
mod table_set;
mod version;

pub use analysis::{AnalysisInfo, AnalysisSpec};
pub use board::{BoardAnswer, BoardResult, BoardsAnswer, LineAnswer};
pub use error::{AnswerError, Code, ErrorAnswer};
pub use fields::{Known, known};
pub use game::{GameAnswer, GameSpec};
pub use moves::MovesAnswer;
pub use ogn::{ImportAnswer, export as export_ogn, import as import_ogn};
pub use parameters::{
    AnalysisParameters, BoardParameters, FromQuery, GameParameters, ImportParameters,
    LineParameters, NoParameters, ReplyParameters, ReviewParameters,
};
pub use probe::ProbeAnswer;
pub use queries::{best_line, board, boards, probe_moves};
pub use query::Query;
pub use reply::{OpponentSpec, ReplyAnswer};
pub use review::{DoneInfo, MoveInfo, PositionInfo, Review, ReviewEvent};
pub use rulesets::{RulesetFields, RulesetsAnswer, RulesetsListing};
pub use sentences::{ending_sentence, result_sentence};
pub use table_set::TableSet;
pub use version::VersionAnswer;
