//! Answers for programs: the serialisable objects that every front end gives, and the
//! parameters that it takes for them.
//!
//! `krou probe --json`, `krou moves --json` and `krou rules --json` print some of them, the
//! server sends them, and the page without a server gets them from a worker.
//! `docs/server.md` describes the fields. This module knows nothing of terminals, networks
//! or browsers, nor of the format: answers implement [`serde::Serialize`].
//!
//! - [`Query`]: named parameters as text; [`FromQuery`]: what an answer needs of them.
//! - [`BoardAnswer`], [`MovesAnswer`], [`LineAnswer`]: boards, their moves and best lines;
//!   [`probe`], [`board()`], [`boards`] and [`best_line`] answer from tables.
//! - [`GameParameters`], [`ReplyParameters`], [`AnalysisParameters`], [`ReviewParameters`],
//!   [`ImportParameters`]: games and searches.
//! - [`ReviewAnswer`]: the review of a whole game.
//! - [`RulesetsAnswer`], [`RulesetsListing`], [`VersionAnswer`]: what there is.
//! - [`TableSet`]: the tables of all rulesets.
//! - [`AnswerError`]: why there is no answer; [`ErrorAnswer`]: the same as an object.
//! - [`limits`]: how much may be asked for.
//! - [`ending_sentence`], [`result_sentence`]: the end of a game in words.

mod analysis;
mod board;
mod error;
mod game;
pub mod limits;
mod ogn;
mod query;
mod reply;
mod review;
mod rulesets;
mod sentences;
mod table_set;
mod version;

pub use analysis::{AnalysisInfo, AnalysisParameters};
pub use board::{
    BoardAnswer, BoardFields, BoardParameters, BoardResult, BoardsAnswer, Known, LineAnswer,
    LineParameters, MoveAnswer, MovesAnswer, ResultFields, StepAnswer, best_line, board, boards,
    known, probe,
};
pub use error::{AnswerError, Code, ErrorAnswer};
pub use game::{GameAnswer, GameParameters, OutcomeAnswer, TurnAnswer};
pub use ogn::{ImportAnswer, ImportParameters};
pub use query::{FromQuery, NoParameters, Query};
pub use reply::{ReplyAnswer, ReplyParameters};
pub use review::{
    MoveInfo, PositionInfo, Review, ReviewAnswer, ReviewEvent, ReviewParameters,
    ReviewedMoveAnswer, worst,
};
pub use rulesets::{RulesetFields, RulesetsAnswer, RulesetsListing};
pub use sentences::{ending_sentence, result_sentence};
pub use table_set::TableSet;
pub use version::VersionAnswer;
