//! Reviews: what each move of a game gave away. A reviewed move has one shape for the
//! command line, the server, the page and Python; `docs/review.md` describes it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::Serialize;

use crate::error::AnswerError;
use crate::game::{GameParameters, MOVES, REPETITIONS, START};
use crate::limits;
use crate::parameter::Parameter;
use crate::query::{FromQuery, Query};
use krou::engine::{Ending, Engine, Game, Limits};
use krou::engine::{Forecast, PlayerReviews, Record, ReviewedMove, Reviewer, key_moments};
use krou::ogn::SavedGame;
use krou::rules::{Player, Stores};
use krou::tablebase::Tablebase;

/// A move and the seeds that it gave away. All scores are in seeds.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReviewedMoveAnswer {
    /// In the notation of games.
    number: usize,
    player: &'static str,
    /// A to F for South, a to f for North.
    letter: char,
    pit: u8,
    taken: u8,
    /// Before the move, in the notation of engines.
    position: String,
    /// The score of the best move, for the player who moved.
    best: f64,
    /// The score of this move.
    played: f64,
    /// Their difference, never negative.
    given_away: f64,
    /// Whether the results before and after the move are exact.
    exact: bool,
    /// The best line from before the move on, as letters.
    line: String,
    /// South's final lead under best play from before and from after the move on.
    lead_before: f64,
    lead_after: f64,
    winner_before: Option<&'static str>,
    winner_after: Option<&'static str>,
    /// Whether the move changes the winner.
    turning_point: bool,
    /// Why the game is over after the move, if this move ended or decided it.
    ending: Option<&'static str>,
    /// Of the search, in plies; 0 if the tables alone knew.
    depth: u8,
    /// Legal moves.
    choices: u8,
    /// Whether only one of several moves keeps the value, by the tables.
    only_move: bool,
}

impl ReviewedMoveAnswer {
    /// A move of this number, played in the game `before`.
    pub fn new(number: usize, before: &Game, reviewed: &ReviewedMove) -> ReviewedMoveAnswer {
        ReviewedMoveAnswer {
            number,
            player: reviewed.turn.player.as_str(),
            letter: reviewed.turn.letter(),
            pit: reviewed.turn.step.pit,
            taken: reviewed.turn.taken,
            position: before.position().to_string(),
            best: reviewed.best.seeds(),
            played: reviewed.played.seeds(),
            given_away: f64::from(reviewed.given_away()) / 100.0,
            exact: reviewed.is_exact(),
            line: reviewed.pv.clone(),
            lead_before: reviewed.before.seeds(),
            lead_after: reviewed.after.seeds(),
            winner_before: winner(reviewed.before),
            winner_after: winner(reviewed.after),
            turning_point: reviewed.is_turning_point(),
            ending: reviewed.ending.map(Ending::as_str),
            depth: reviewed.depth,
            choices: reviewed.choices,
            only_move: reviewed.has_only_move,
        }
    }
}

/// Who wins, or `draw`; `None` if that is not certain.
fn winner(forecast: Forecast) -> Option<&'static str> {
    let winner = forecast.winner().map_or("draw", Player::as_str);
    forecast.has_certain_winner().then_some(winner)
}

/// The review of a whole game: the object of `krou review --json`.
#[derive(Debug, Serialize)]
pub struct ReviewAnswer {
    rules: String,
    start: String,
    /// The players' names.
    south: Option<String>,
    north: Option<String>,
    moves: Vec<ReviewedMoveAnswer>,
    players: PlayerReviews,
    /// The moves that gave away most, at most three.
    key_moments: Vec<usize>,
    exact_moves: usize,
    estimated_moves: usize,
    worst: Option<usize>,
    /// The final seeds, once the game is over.
    result: Option<Stores>,
    /// What the text of the game says that its moves contradict.
    notes: Vec<String>,
}

impl ReviewAnswer {
    /// The review of a game with all its moves.
    pub fn new(game: &SavedGame, reviewed: &[ReviewedMove]) -> ReviewAnswer {
        let record = game.record();
        let games = record.plies().map(|(before, _)| before);
        let moves = record.numbers().zip(games).zip(reviewed);
        let name = |tag| game.tag(tag).map(str::to_owned);
        let exact_moves = reviewed.iter().filter(|m| m.is_exact()).count();
        let moments = key_moments(reviewed);
        let given_away = |&place: &usize| reviewed[place].given_away();
        ReviewAnswer {
            rules: record.game().rules().to_string(),
            start: record.start().position().to_string(),
            south: name("South"),
            north: name("North"),
            moves: moves
                .map(|((number, before), m)| ReviewedMoveAnswer::new(number, before, m))
                .collect(),
            players: PlayerReviews::of(reviewed),
            worst: moments.iter().rev().copied().max_by_key(given_away),
            key_moments: moments,
            exact_moves,
            estimated_moves: reviewed.len() - exact_moves,
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

/// A game, and how long to search for each of its positions.
#[derive(Clone, Debug)]
pub struct ReviewParameters {
    pub game: GameParameters,
    time: Duration,
}

impl FromQuery for ReviewParameters {
    const PARAMETERS: &'static [Parameter] = &[START, MOVES, REPETITIONS, MOVETIME];

    fn from_query(query: &Query) -> Result<ReviewParameters, AnswerError> {
        Ok(ReviewParameters {
            time: query.milliseconds(&MOVETIME)?,
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
    pub fn review(&self, tables: Tablebase) -> Result<Review, AnswerError> {
        let record = self.game.record(tables.rules())?;
        let last = record.turns().len();
        let time = self.time.min(limits::REVIEW_TIME / (last as u32 + 1));
        let limits = Limits::default().with_depth(limits::DEPTH).with_time(time);
        Ok(Review {
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
pub struct Review {
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
    #[cfg_attr(
        feature = "schema",
        schemars(with = "crate::vocabulary::PlayerReviews")
    )]
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
    reviewed: ReviewedMoveAnswer,
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

impl Review {
    /// The longest time that a step takes.
    pub fn step_time(&self) -> Duration {
        // Besides the position itself, the played move may be searched.
        2 * self.limits.time.unwrap_or_default()
    }

    /// Whether all steps are done.
    pub fn is_done(&self) -> bool {
        self.ply.is_none()
    }

    /// Reviews the last position, then with each call the move at the one before; after
    /// the first move it is done. Setting `stop` ends the search of this step. Returns the
    /// engine as well, for the next step or for other work.
    pub fn step(&mut self, engine: Engine, stop: &Arc<AtomicBool>) -> (Engine, Vec<ReviewEvent>) {
        let mut events = Vec::new();
        let Some(ply) = self.ply else {
            return (engine, events);
        };
        let mut reviewer =
            Reviewer::with_engine(self.tables.until(stop.clone()), engine, self.limits);
        reviewer.set_stop(stop.clone());
        if let Some((before, turn)) = self.record.plies().nth(ply) {
            let m = reviewer.review(before, turn);
            let number = self.record.numbers().nth(ply).unwrap_or_default();
            let reviewed = ReviewedMoveAnswer::new(number, before, &m);
            let position = PositionInfo::new(ply, m.before, m.pv.clone(), m.depth);
            events.push(ReviewEvent::Position(position));
            self.moves.push(m);
            events.push(ReviewEvent::Move(MoveInfo {
                ply: ply + 1,
                loss: reviewed.given_away,
                mark: reviewed.turning_point.then_some("turning-point"),
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
        self.moves.reverse();
        let moves = (1..).zip(&self.moves);
        let turning = moves.filter(|(_, m)| m.is_turning_point());
        let turning_points: Vec<usize> = turning.map(|(ply, _)| ply).collect();
        let moments = key_moments(&self.moves).into_iter();
        ReviewEvent::Done(DoneInfo {
            turning_point: turning_points.last().copied(),
            turning_points,
            key_moments: moments.map(|place| place + 1).collect(),
            players: PlayerReviews::of(&self.moves),
        })
    }
}
