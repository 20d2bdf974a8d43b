//! The endpoints that answer from tables and rules, and those about the server itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use krou::tablebase::Tablebase;
use krou_answers::{
    self as answers, Annotations, AnswerError, BoardAnswer, BoardParameters, ErrorAnswer,
    FromQuery, GameParameters, ImportAnswer, ImportParameters, LineParameters, RulesetsAnswer,
    SowingsAnswer, VersionAnswer,
};
use serde::Serialize;
use serde_json::json;

use super::body::{self, BoardsBody, TextBody};
use super::errors::ApiError;
use super::panel::PanelParameters;
use super::params::{Parameters, Rules};
use super::work::StopFlag;
use super::{Server, SharedServer, access_log};

type Answer<T> = Result<Json<T>, ApiError>;

pub async fn rulesets(
    State(server): SharedServer,
    Parameters(()): Parameters<()>,
) -> Json<RulesetsAnswer> {
    Json(RulesetsAnswer::new(server.tables.listed()))
}

pub async fn version(
    State(server): SharedServer,
    Parameters(()): Parameters<()>,
) -> Json<VersionAnswer> {
    Json(VersionAnswer::new(server.tables.listed()))
}

/// An endpoint that answers from rules and tables.
fn answered<Q, A>(
    answer: fn(&Tablebase, &Q, &AtomicBool) -> Result<A, AnswerError>,
) -> MethodRouter<Arc<Server>>
where
    Q: FromQuery + Send + 'static,
    A: Serialize + Send + 'static,
{
    let respond = move |State(server): SharedServer, Rules(rules), Parameters(query)| async move {
        let tables = server.tables.tables(rules);
        let answer = move |stop: &StopFlag| Ok(answer(&tables.until(stop.clone()), &query, stop)?);
        server.queries.run(answer).await.map(Json)
    };
    get(respond)
}

pub fn board() -> MethodRouter<Arc<Server>> {
    answered(|tables, query: &BoardParameters, _| {
        answers::board(tables, &query.position(tables.rules())?)
    })
}

/// The same, but a board without a table is an answer and no error.
pub fn probe() -> MethodRouter<Arc<Server>> {
    answered(|tables, query: &BoardParameters, _| {
        answers::probe(tables, &query.position(tables.rules())?)
    })
}

/// The same in the form of other tablebases.
pub fn panel() -> MethodRouter<Arc<Server>> {
    answered(|tables, query: &PanelParameters, _| query.answer(tables))
}

pub fn mainline() -> MethodRouter<Arc<Server>> {
    answered(|tables, query: &LineParameters, _| {
        answers::best_line(tables, &query.board.position(tables.rules())?, query.plies)
    })
}

pub fn sowings() -> MethodRouter<Arc<Server>> {
    answered(|tables, query: &BoardParameters, _| {
        let rules = tables.rules();
        Ok(SowingsAnswer::new(rules, &query.position(rules)?))
    })
}

pub fn game() -> MethodRouter<Arc<Server>> {
    answered(|tables, query: &GameParameters, stop| query.answer(tables, stop))
}

/// Boards in the order of the request, each with its answer or its error.
#[derive(Serialize)]
pub struct BoardsAnswer {
    boards: Vec<BoardResult>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum BoardResult {
    Board(Box<BoardAnswer>),
    Error(Box<ErrorAnswer>),
}

impl From<Result<BoardAnswer, ApiError>> for BoardResult {
    fn from(answer: Result<BoardAnswer, ApiError>) -> BoardResult {
        match answer {
            Ok(answer) => BoardResult::Board(Box::new(answer)),
            Err(error) => {
                access_log::partial_failure(&error);
                BoardResult::Error(Box::new(error.into()))
            }
        }
    }
}

pub async fn boards(
    State(server): SharedServer,
    Rules(rules): Rules,
    Parameters(()): Parameters<()>,
    BoardsBody { boards: texts }: BoardsBody,
) -> Answer<BoardsAnswer> {
    let tables = server.tables.tables(rules);
    let answer = move |stop: &StopFlag| {
        let tables = tables.until(stop.clone());
        let mut boards = Vec::new();
        for text in texts {
            if stop.load(Ordering::Relaxed) {
                return Err(ApiError::OutOfTime);
            }
            let answer = BoardParameters::parse(&text)
                .and_then(|board| answers::board(&tables, &board.position(rules)?))
                .map_err(ApiError::from);
            boards.push(answer.into());
        }
        Ok(BoardsAnswer { boards })
    };
    server.queries.run(answer).await.map(Json)
}

/// A game as text; a body has its annotations, and comes from pages that may send one.
pub async fn export(
    State(server): SharedServer,
    headers: HeaderMap,
    Rules(rules): Rules,
    Parameters(query): Parameters<GameParameters>,
    TextBody(body): TextBody,
) -> Result<Response, ApiError> {
    let annotations = if body.is_empty() {
        Annotations::default()
    } else {
        server.origins.check(&headers)?;
        body::json(&body, "{\"tags\": {…}, \"remarks\": [[…], …]}")?
    };
    let text = move |_: &_| Ok(query.ogn(rules, &annotations)?);
    let text = server.queries.run(text).await?;
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"game.ogn\"",
        ),
    ];
    Ok((headers, text).into_response())
}

pub async fn import(
    State(server): SharedServer,
    Parameters(query): Parameters<ImportParameters>,
    TextBody(text): TextBody,
) -> Answer<ImportAnswer> {
    let answer = move |_: &_| Ok(query.read(&text)?);
    server.queries.run(answer).await.map(Json)
}

/// The description of the interface.
pub const OPENAPI: &str = include_str!("openapi.json");

pub async fn openapi(Parameters(()): Parameters<()>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI).into_response()
}

/// Whether the server takes requests.
pub async fn health(State(server): SharedServer, Parameters(()): Parameters<()>) -> Response {
    let (code, status) = if server.stopping.is_cancelled() {
        (StatusCode::SERVICE_UNAVAILABLE, "stopping")
    } else {
        (StatusCode::OK, "ok")
    };
    (code, Json(json!({ "status": status }))).into_response()
}

pub async fn metrics(State(server): SharedServer, Parameters(()): Parameters<()>) -> Response {
    server.metrics.answer()
}
