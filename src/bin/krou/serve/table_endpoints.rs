//! The endpoints that answer from tables and rules, and those about the server itself.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::answers::{BoardAnswer, BoardsAnswer, LineAnswer, RulesetsAnswer};
use super::body::{BoardsBody, TextBody};
use super::client::Client;
use super::errors::{ApiError, ErrorBody};
use super::game::GameAnswer;
use super::ogn::{self, ImportAnswer};
use super::params::{
    BoardParameters, GameParameters, ImportParameters, LineParameters, NoParameters, Parameters,
    Rules,
};
use super::version::VersionAnswer;
use super::{Server, queries};

type Shared = State<Arc<Server>>;
type Answer<T> = Result<Json<T>, ApiError>;

pub async fn rulesets(
    State(server): Shared,
    Parameters(NoParameters): Parameters<NoParameters>,
) -> Json<RulesetsAnswer> {
    Json(RulesetsAnswer::new(server.tables.listed()))
}

pub async fn version(
    State(server): Shared,
    Parameters(NoParameters): Parameters<NoParameters>,
) -> Json<VersionAnswer> {
    Json(VersionAnswer::new(server.tables.listed()))
}

pub async fn board(
    State(server): Shared,
    client: Client,
    Rules(rules): Rules,
    Parameters(query): Parameters<BoardParameters>,
) -> Answer<BoardAnswer> {
    let tables = server.tables.tables(rules);
    let answer = move |_: &_| queries::board(&tables, &query.position);
    server.queries.run(client, answer).await.map(Json)
}

pub async fn boards(
    State(server): Shared,
    client: Client,
    Rules(rules): Rules,
    Parameters(NoParameters): Parameters<NoParameters>,
    BoardsBody(texts): BoardsBody,
) -> Answer<BoardsAnswer<ErrorBody>> {
    let tables = server.tables.tables(rules);
    let answer = move |stop: &Arc<_>| queries::boards(&tables, &texts, stop);
    server.queries.run(client, answer).await.map(Json)
}

pub async fn mainline(
    State(server): Shared,
    client: Client,
    Rules(rules): Rules,
    Parameters(query): Parameters<LineParameters>,
) -> Answer<LineAnswer> {
    let tables = server.tables.tables(rules);
    let answer = move |_: &_| queries::best_line(&tables, &query.position, query.plies);
    server.queries.run(client, answer).await.map(Json)
}

pub async fn game(
    State(server): Shared,
    client: Client,
    Rules(rules): Rules,
    Parameters(query): Parameters<GameParameters>,
) -> Answer<GameAnswer> {
    let tables = server.tables.tables(rules);
    let game = query.game(rules);
    let answer = move |stop: &Arc<_>| game.answer(&tables, stop);
    server.queries.run(client, answer).await.map(Json)
}

pub async fn export(
    State(server): Shared,
    client: Client,
    Rules(rules): Rules,
    Parameters(query): Parameters<GameParameters>,
) -> Result<Response, ApiError> {
    let game = query.game(rules);
    server
        .queries
        .run(client, move |_: &_| ogn::export(&game))
        .await
}

pub async fn import(
    State(server): Shared,
    client: Client,
    Parameters(query): Parameters<ImportParameters>,
    TextBody(text): TextBody,
) -> Answer<ImportAnswer> {
    let answer = move |_: &_| ogn::import(&text, query.rules);
    server.queries.run(client, answer).await.map(Json)
}

/// The description of the interface.
pub const OPENAPI: &str = include_str!("openapi.json");

pub async fn openapi(Parameters(NoParameters): Parameters<NoParameters>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI).into_response()
}

#[derive(Serialize)]
struct HealthAnswer {
    status: &'static str,
}

/// Whether the server takes requests.
pub async fn health(
    State(server): Shared,
    Parameters(NoParameters): Parameters<NoParameters>,
) -> Response {
    let (code, status) = match server.queries.is_stopping() {
        false => (StatusCode::OK, "ok"),
        true => (StatusCode::SERVICE_UNAVAILABLE, "stopping"),
    };
    (code, Json(HealthAnswer { status })).into_response()
}

pub async fn metrics(
    State(server): Shared,
    Parameters(NoParameters): Parameters<NoParameters>,
) -> Response {
    server.metrics.answer()
}
