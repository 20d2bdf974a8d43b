//! The endpoints of rooms: making one, acting in it, and the stream of its states.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::{Extension, Json};
use krou::engine::Game;
use krou::rules::{Player, Position};
use krou_answers::{Access, AnswerError, Body, Description, ErrorAnswer, Form, Shape, body};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::time::timeout;

use super::body::TextBody;
use super::connections::{Sender, client};
use super::errors::ApiError;
use super::params::{Parameters, Rules};
use super::room::{Action, Room, RoomAnswer, RoomError, RoomToken, Seat};
use super::room_clock::Pace;
use super::{SharedServer, events};

/// Time after which a room is sent again although it has not changed, so that a loss of the
/// line shows.
const PULSE: Duration = Duration::from_secs(15);

/// The body of a request for a room.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewRoom {
    #[schemars(with = "String", regex(pattern = "^[0-9a-f]{32}$"))]
    token: RoomToken,
    /// The side of who makes the room.
    side: RoomSide,
    /// Without one there are no clocks.
    clock: Option<Pace>,
    /// Where the games start; by default four seeds in every pit.
    start: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum RoomSide {
    South,
    North,
}

/// The body of a request to act.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ActionBody {
    #[schemars(with = "String", regex(pattern = "^[0-9a-f]{32}$"))]
    token: RoomToken,
    action: Action,
    /// Of a move: A to F for South, a to f for North.
    letter: Option<char>,
    /// Of a move: the number of moves before it.
    ply: Option<usize>,
}

/// A room, and the seat of who asks.
#[derive(Serialize, JsonSchema)]
pub struct SeatAnswer {
    /// Its id.
    room: String,
    /// Null for those who watch.
    seat: Option<Seat>,
    #[serde(flatten)]
    state: RoomAnswer,
}

pub fn creation() -> Description {
    Description {
        name: "makeRoom",
        access: Access::Guarded,
        body: Body::Required(Form::json::<NewRoom>()),
        answer: Form::json::<SeatAnswer>(),
        ..Description::new("{rules}/rooms", "A room for a game of two players")
    }
}

pub fn action() -> Description {
    Description {
        name: "act",
        access: Access::Guarded,
        body: Body::Required(Form::json::<ActionBody>()),
        answer: Form::json::<SeatAnswer>(),
        ..Description::new("rooms/{room}", "What a player does in a room")
    }
}

pub fn states() -> Description {
    let events = vec![
        ("room", Shape::of::<RoomAnswer>()),
        ("error", Shape::of::<ErrorAnswer>()),
    ];
    Description {
        name: "watchRoom",
        details: "An event `room` at first, after each change, and every 15 seconds.",
        access: Access::Guarded,
        answer: Form::Events(events),
        ..Description::new("rooms/{room}/events", "A room, whenever it has changed")
    }
}

/// Makes a room.
pub async fn create(
    State(server): SharedServer,
    Extension(Sender(sender)): Extension<Sender>,
    Rules(rules): Rules,
    Parameters(()): Parameters<()>,
    TextBody(text): TextBody,
) -> Result<Json<SeatAnswer>, ApiError> {
    let given: NewRoom = body(&text, "{\"token\": \"…\", \"side\": \"south\"}")?;
    if !given.clock.is_none_or(Pace::is_valid) {
        return Err(ApiError::parameters(
            "a clock has 1 to 180 minutes and at most 180 seconds a move",
        ));
    }
    let side = match given.side {
        RoomSide::South => Player::South,
        RoomSide::North => Player::North,
    };
    let start = given.start.as_deref().unwrap_or("startpos");
    let start: Position = start.parse().map_err(AnswerError::from)?;
    let game = Game::from_position(rules, start).expect("a position that was read");
    if game.outcome().is_some() {
        return Err(RoomError::Over.into());
    }
    let game = game.with_repetitions(server.repetitions);
    let room = Room::new(&game, given.token, side, given.clock);
    let state = room.answer()?;
    let room = server.rooms.add(room, client(sender));
    let room = room.map_err(|error| ApiError::Failed(error.to_string()))?;
    let seat = Some(Seat::First);
    Ok(Json(SeatAnswer { room, seat, state }))
}

/// The id of a room in the path.
type Id = Result<Path<String>, PathRejection>;

/// Does what a player asks for.
pub async fn act(
    State(server): SharedServer,
    id: Id,
    Parameters(()): Parameters<()>,
    TextBody(text): TextBody,
) -> Result<Json<SeatAnswer>, ApiError> {
    let Path(room) = id.map_err(|_| RoomError::NoRoom)?;
    let given: ActionBody = body(&text, "{\"token\": \"…\", \"action\": \"…\"}")?;
    let played = match (given.action, given.ply, given.letter) {
        (Action::Play, Some(ply), Some(letter)) => (ply, letter),
        (Action::Play, ..) => {
            return Err(ApiError::parameters("a move has 'letter' and 'ply'"));
        }
        _ => (0, ' '),
    };
    let (state, seat) = server.rooms.act(&room, given.token, given.action, played)?;
    Ok(Json(SeatAnswer { room, seat, state }))
}

/// The states of a room as events, as long as the client listens.
pub async fn watch(
    State(server): SharedServer,
    id: Id,
    Parameters(()): Parameters<()>,
) -> Result<Response, ApiError> {
    let Path(id) = id.map_err(|_| RoomError::NoRoom)?;
    let mut changes = server.rooms.changes(&id)?;
    let stream = Arc::clone(&server.rooms.streams).try_acquire_owned();
    let stream = stream.map_err(|_| ApiError::Busy)?;
    Ok(events::respond(|events| async move {
        let _stream = stream;
        loop {
            events.send("room", &server.rooms.answer(&id)?).await;
            tokio::select! {
                // If the room has gone, its answer is an error.
                _ = timeout(PULSE, changes.changed()) => {}
                () = server.stopping.cancelled() => return Err(ApiError::Stopping),
            }
        }
    }))
}
