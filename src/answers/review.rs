//! Reviews: what each move of a game gave away, told from the last position to the first.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::Serialize;

use super::analysis::seeds;
use super::error::AnswerError;
use super::limits;
use crate::engine::{
    EngineOptions, Forecast, Limits, Record, ReviewedMove, ReviewedPosition, Reviewer, TableErrors,
};
use crate::tablebase::Tablebase;

/// The review of a game, done step by step so that a caller can do other work between two
/// of them.
#[derive(Debug)]
pub struct Review {
    record: Record,
    reviewer: Reviewer,
    time: Duration,
    /// The position of the next step; `None` after the last one.
    ply: Option<usize>,
    turning_points: VecDeque<usize>,
}

/// What a review has found out.
#[derive(Debug, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum ReviewEvent {
    /// What a position is worth.
    Position(PositionInfo),
    /// What a move gave away.
    Move(MoveInfo),
    /// The end of the review.
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

/// What a position is worth.
#[derive(Debug, Serialize)]
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

/// What a move gave away.
#[derive(Debug, Serialize)]
pub struct MoveInfo {
    /// The position that the move leads to.
    ply: usize,
    letter: char,
    /// Seeds that the move gave away.
    loss: f64,
    exact: bool,
    mark: Option<&'static str>,
}

/// The moves that changed the winner.
#[derive(Debug, Serialize)]
pub struct DoneInfo {
    /// The last move that changed the winner.
    turning_point: Option<usize>,
    turning_points: Vec<usize>,
}

impl PositionInfo {
    fn new(ply: usize, forecast: Forecast, pv: &str, depth: u8) -> PositionInfo {
        PositionInfo {
            ply,
            net: seeds(forecast.hundredths()),
            exact: forecast.is_exact(),
            best: pv.chars().take(1).collect(),
            line: pv.to_owned(),
            depth,
        }
    }

    fn of_last(ply: usize, position: &ReviewedPosition) -> PositionInfo {
        PositionInfo::new(ply, position.forecast, &position.pv, position.depth)
    }

    fn before(ply: usize, reviewed: &ReviewedMove) -> PositionInfo {
        PositionInfo::new(ply, reviewed.before, &reviewed.pv, reviewed.depth)
    }
}

impl MoveInfo {
    fn new(ply: usize, reviewed: &ReviewedMove) -> MoveInfo {
        MoveInfo {
            ply,
            letter: reviewed.turn.letter(),
            loss: seeds(reviewed.given_away()),
            exact: reviewed.is_exact(),
            mark: reviewed.is_turning_point().then_some("turning-point"),
        }
    }
}

impl Review {
    /// A review of a game, with at most `time` for each position and a limit for all of
    /// them.
    pub fn new(record: Record, tables: Arc<Tablebase>, time: Duration) -> Review {
        let last = record.turns().len();
        let time = time.min(limits::REVIEW_TIME / (last as u32 + 1));
        let limits = Limits::default().with_depth(limits::DEPTH).with_time(time);
        Review {
            reviewer: Reviewer::new(tables, EngineOptions::default(), limits),
            record,
            time,
            ply: Some(last),
            turning_points: VecDeque::new(),
        }
    }

    /// The longest time that a step takes.
    pub fn step_time(&self) -> Duration {
        // Besides the position itself, the played move may be searched.
        2 * self.time
    }

    /// Whether all steps are done.
    pub fn is_done(&self) -> bool {
        self.ply.is_none()
    }

    /// The tables that could not be read so far.
    pub fn table_errors(&self) -> &TableErrors {
        self.reviewer.table_errors()
    }

    /// Reviews the last position, then with each call the move at the one before; after
    /// the first move it is done. Setting `stop` ends the search of this step.
    ///
    /// # Errors
    /// If a table cannot be read.
    pub fn step(&mut self, stop: &Arc<AtomicBool>) -> Result<Vec<ReviewEvent>, AnswerError> {
        let Some(ply) = self.ply else {
            return Ok(Vec::new());
        };
        self.reviewer.set_stop(stop.clone());
        let mut events = match self.record.plies().nth(ply) {
            None => {
                let position = self.reviewer.review_position(self.record.game())?;
                vec![ReviewEvent::Position(PositionInfo::of_last(ply, &position))]
            }
            Some((before, turn)) => {
                let reviewed = self.reviewer.review(before, turn)?;
                if reviewed.is_turning_point() {
                    self.turning_points.push_front(ply + 1);
                }
                vec![
                    ReviewEvent::Position(PositionInfo::before(ply, &reviewed)),
                    ReviewEvent::Move(MoveInfo::new(ply + 1, &reviewed)),
                ]
            }
        };
        self.ply = ply.checked_sub(1);
        if self.ply.is_none() {
            events.push(ReviewEvent::Done(DoneInfo {
                turning_point: self.turning_points.back().copied(),
                turning_points: self.turning_points.iter().copied().collect(),
            }));
        }
        Ok(events)
    }
}
