//! Reviews as answers: of a whole game at once, and step by step as events. What they say is
//! the engine's [`Review`], which `docs/review.md` describes.

use std::mem;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::Serialize;

use crate::error::AnswerError;
use crate::game::{GameParameters, MOVES, REPETITIONS, START};
use crate::limits;
use crate::parameter::Parameter;
use crate::query::{FromQuery, Query};
use krou::engine::{
    Engine, Forecast, Limits, PlayerReviews, Record, Review, ReviewedMove, Reviewer,
};
use krou::ogn::SavedGame;
use krou::rules::Stores;
use krou::tablebase::Tablebase;

/// The review of a whole game: the object of `krou review --json`.
#[derive(Debug, Serialize)]
pub struct ReviewAnswer {
    rules: String,
    start: String,
    /// The players' names.
    south: Option<String>,
    north: Option<String>,
    #[serde(flatten)]
    review: Review,
    /// The final seeds, once the game is over.
    result: Option<Stores>,
    /// What the text of the game says that its moves contradict.
    notes: Vec<String>,
}

impl ReviewAnswer {
    /// The review of this game.
    pub fn new(game: &SavedGame, review: Review) -> ReviewAnswer {
        let record = game.record();
        let name = |tag| game.tag(tag).map(str::to_owned);
        ReviewAnswer {
            rules: record.game().rules().to_string(),
            start: record.start().position().to_string(),
            south: name("South"),
            north: name("North"),
            review,
            result: record.game().outcome().map(|end| end.stores),
            notes: game.notes().to_vec(),
        }
    }
}

const MOVETIME: Parameter = Parameter::number(
    "movetime",
    "Milliseconds of search for each position.",
    1..=limits::POSITION_TIME.as_millis() as u64,
    Some(100),
);
const NODES: Parameter = Parameter::number(
    "nodes",
    "Nodes of search for each position in place of a time, so that a game has the same review everywhere; 0 for none.",
    0..=limits::POSITION_NODES,
    Some(0),
);

/// A game, and how long to search for each of its positions.
#[derive(Clone, Debug)]
pub struct ReviewParameters {
    pub game: GameParameters,
    time: Duration,
    nodes: u64,
}

impl FromQuery for ReviewParameters {
    const PARAMETERS: &'static [Parameter] = &[START, MOVES, REPETITIONS, MOVETIME, NODES];

    fn from_query(query: &Query) -> Result<ReviewParameters, AnswerError> {
        Ok(ReviewParameters {
            time: query.milliseconds(&MOVETIME)?,
            nodes: query.number(&NODES)?,
            game: GameParameters::from_query(query)?,
        })
    }
}

impl ReviewParameters {
    /// The review by the rules of these tables, ready to begin. All its steps together have
    /// a time limit as well.
    ///
    /// # Errors
    /// If a move cannot be played.
    pub fn review(&self, tables: Tablebase) -> Result<ReviewInProgress, AnswerError> {
        let record = self.game.record(tables.rules())?;
        let last = record.turns().len();
        let positions = last as u32 + 1;
        let limits = Limits::default().with_depth(limits::DEPTH);
        let limits = if self.nodes > 0 {
            limits.with_nodes(self.nodes.min(limits::REVIEW_NODES / u64::from(positions)))
        } else {
            limits.with_time(self.time.min(limits::REVIEW_TIME / positions))
        };
        Ok(ReviewInProgress {
            record,
            tables,
            limits,
            ply: Some(last),
            moves: Vec::new(),
        })
    }
}

/// The review of a game, told from the last position to the first. It is done step by step
/// so that a caller can do other work between two of them.
#[derive(Debug)]
pub struct ReviewInProgress {
    record: Record,
    tables: Tablebase,
    limits: Limits,
    /// The position of the next step; `None` after the last one.
    ply: Option<usize>,
    /// The moves reviewed so far, from the last one on.
    moves: Vec<ReviewedMove>,
}

/// A result of a step.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum ReviewEvent {
    Position(PositionInfo),
    Move(MoveInfo),
    Done(DoneInfo),
}

impl ReviewEvent {
    /// Its name for programs.
    pub fn name(&self) -> &'static str {
        match self {
            ReviewEvent::Position(_) => "position",
            ReviewEvent::Move(_) => "move",
            ReviewEvent::Done(_) => "done",
        }
    }
}

/// The value of a position.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PositionInfo {
    /// 0 for the start.
    ply: usize,
    /// South's final lead in seeds, including the stores.
    net: f64,
    exact: bool,
    /// The best move and the line that begins with it; empty once the game is over.
    best: String,
    line: String,
    depth: u8,
}

/// The review of the whole game. Moves are given as the positions that they lead to.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DoneInfo {
    /// The last move that changed the winner.
    turning_point: Option<usize>,
    /// All of them.
    turning_points: Vec<usize>,
    /// The moves that gave away most.
    key_moments: Vec<usize>,
    #[cfg_attr(feature = "schema", schemars(with = "crate::shapes::PlayerReviews"))]
    players: PlayerReviews,
}

/// A reviewed move, and the names that its loss had first.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MoveInfo {
    /// The position that the move leads to.
    ply: usize,
    /// The same as `given_away`.
    loss: f64,
    /// Whether the move changes the winner.
    mark: Option<&'static str>,
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schemars(with = "crate::shapes::ReviewedMove"))]
    reviewed: ReviewedMove,
}

impl PositionInfo {
    fn new(ply: usize, forecast: Forecast, pv: String, depth: u8) -> PositionInfo {
        PositionInfo {
            ply,
            net: forecast.seeds(),
            exact: forecast.is_exact(),
            best: pv.chars().take(1).collect(),
            line: pv,
            depth,
        }
    }
}

impl ReviewInProgress {
    /// The longest time that a step takes.
    pub fn step_time(&self) -> Duration {
        // Besides the position itself, the played move may be searched.
        let time = self.limits.time.map(|time| 2 * time);
        time.unwrap_or(limits::REVIEW_TIME)
    }

    /// Whether all steps are done.
    pub fn is_done(&self) -> bool {
        self.ply.is_none()
    }

    /// Reviews the last position, then with each call the move at the one before; after
    /// the first move it is done. Setting `stop` ends the search of this step. Returns the
    /// engine as well, for the next step or for other work.
    pub fn step(
        &mut self,
        mut engine: Engine,
        stop: &Arc<AtomicBool>,
    ) -> (Engine, Vec<ReviewEvent>) {
        let mut events = Vec::new();
        let Some(ply) = self.ply else {
            return (engine, events);
        };
        if self.limits.nodes.is_some() {
            // What the engine remembers of other searches would change this one.
            engine.clear_hash();
        }
        let mut reviewer =
            Reviewer::with_engine(self.tables.until(stop.clone()), engine, self.limits);
        reviewer.set_stop(stop.clone());
        if let Some(reviewed) = reviewer.review_move(&self.record, ply) {
            let (net, line) = (reviewed.before, reviewed.pv.clone());
            let position = PositionInfo::new(ply, net, line, reviewed.depth);
            events.push(ReviewEvent::Position(position));
            self.moves.push(reviewed.clone());
            events.push(ReviewEvent::Move(MoveInfo {
                ply: ply + 1,
                loss: reviewed.seeds_given_away(),
                mark: reviewed.is_turning_point().then_some("turning-point"),
                reviewed,
            }));
        } else {
            let last = reviewer.review_position(self.record.game());
            let position = PositionInfo::new(ply, last.forecast, last.pv, last.depth);
            events.push(ReviewEvent::Position(position));
        }
        self.ply = ply.checked_sub(1);
        if self.ply.is_none() {
            events.push(self.done());
        }
        (reviewer.into_engine(), events)
    }

    /// The review of the whole game.
    fn done(&mut self) -> ReviewEvent {
        let mut moves = mem::take(&mut self.moves);
        moves.reverse();
        let review = Review::new(moves);
        let turning_points: Vec<usize> = review.turning_points().map(|place| place + 1).collect();
        let key_moments = review.key_moments.iter();
        ReviewEvent::Done(DoneInfo {
            turning_point: turning_points.last().copied(),
            turning_points,
            key_moments: key_moments.map(|place| place + 1).collect(),
            players: review.players,
        })
    }
}
