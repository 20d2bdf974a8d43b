//! Reviews: what each move of a game gave away, told from the last position to the first.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use krou::engine::{
    EngineOptions, Forecast, Limits, Record, ReviewedMove, ReviewedPosition, Reviewer,
};
use krou::tablebase::Tablebase;
use serde::Serialize;

use super::access_log;
use super::analysis::seeds;
use super::client::Client;
use super::errors::ApiError;
use super::events::EventSender;
use super::limits;
use super::work_limiter::{Permit, WorkLimiter};

/// A game to review, and how long to search for each position.
pub struct Review {
    record: Record,
    reviewer: Reviewer,
    time: Duration,
}

#[derive(Serialize)]
struct PositionInfo {
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

#[derive(Serialize)]
struct MoveInfo {
    /// The position that the move leads to.
    ply: usize,
    letter: char,
    /// Seeds that the move gave away.
    loss: f64,
    exact: bool,
    mark: Option<&'static str>,
}

#[derive(Serialize)]
struct DoneInfo {
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

/// What one piece of work finds out.
enum Found {
    Position(ReviewedPosition),
    Move(Box<ReviewedMove>),
}

impl Review {
    /// A review of a game, with at most `time` for each position and a limit for all of
    /// them.
    pub fn new(record: Record, tables: Arc<Tablebase>, time: Duration) -> Review {
        let positions = record.turns().len() as u32 + 1;
        let time = time.min(limits::REVIEW_TIME / positions);
        let limits = Limits::default().with_depth(limits::DEPTH).with_time(time);
        Review {
            reviewer: Reviewer::new(tables, EngineOptions::default(), limits),
            record,
            time,
        }
    }

    /// Reviews the last position, then each move from the last to the first. The work waits
    /// for its turn before every one of them, so that a long game does not block others.
    ///
    /// # Errors
    /// If a table cannot be read, or the server is busy or stops.
    pub async fn run(
        mut self,
        client: Client,
        limiter: &WorkLimiter,
        first: Permit,
        events: EventSender,
    ) -> Result<(), ApiError> {
        let last = self.record.turns().len();
        let mut turning_points = Vec::new();
        let mut permit = Some(first);
        for ply in (0..=last).rev() {
            let permit = match permit.take() {
                Some(first) => first,
                None => limiter.admit(client).await?,
            };
            // Besides the position itself, the played move may be searched.
            let permit = permit.with_work_time(2 * self.time);
            let (review, found) = permit.run(move |stop| self.step(ply, stop)).await?;
            self = review;
            match found {
                Found::Position(position) => {
                    let info = PositionInfo::of_last(ply, &position);
                    events.send("position", &info).await;
                }
                Found::Move(reviewed) => {
                    let info = PositionInfo::before(ply, &reviewed);
                    events.send("position", &info).await;
                    events
                        .send("move", &MoveInfo::new(ply + 1, &reviewed))
                        .await;
                    if reviewed.is_turning_point() {
                        turning_points.insert(0, ply + 1);
                    }
                }
            }
            if limiter.is_stopping() {
                return Err(ApiError::Stopping);
            }
        }
        access_log::table_errors(self.reviewer.table_errors());
        let done = DoneInfo {
            turning_point: turning_points.last().copied(),
            turning_points,
        };
        events.send("done", &done).await;
        Ok(())
    }

    /// Reviews the last position, or the move at another one.
    fn step(mut self, ply: usize, stop: &Arc<AtomicBool>) -> Result<(Review, Found), ApiError> {
        self.reviewer.set_stop(stop.clone());
        let found = match self.record.plies().nth(ply) {
            None => Found::Position(self.reviewer.review_position(self.record.game())?),
            Some((before, turn)) => Found::Move(Box::new(self.reviewer.review(before, turn)?)),
        };
        Ok((self, found))
    }
}
