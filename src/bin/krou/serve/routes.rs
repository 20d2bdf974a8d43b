//! Which address asks for what.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::routing::get;
use axum::{Json, Router};

use super::answers::{BoardAnswer, LineAnswer, RulesetsAnswer};
use super::errors::{ApiError, Failure, Level};
use super::game::{GameAnswer, ReplyAnswer};
use super::params::{
    BoardParameters, GameParameters, LineParameters, Parameters, ReplyParameters, Rules,
};
use super::{Server, limits, page};
use crate::tell;

type Shared = State<Arc<Server>>;
type Answer<T> = Result<Json<T>, ApiError>;

/// Every address there is.
pub fn router(server: Arc<Server>) -> Router {
    Router::new()
        .route("/", get(page::index))
        .route("/web/{file}", get(page::file))
        .route("/rulesets", get(rulesets))
        .route("/{rules}", get(board))
        .route("/{rules}/mainline", get(mainline))
        .route("/{rules}/game", get(game))
        .route("/{rules}/reply", get(reply))
        .fallback(async || ApiError::NoAddress)
        .method_not_allowed_fallback(async || ApiError::Method)
        .layer(middleware::from_fn(around))
        .with_state(server)
}

async fn rulesets(State(server): Shared) -> Json<RulesetsAnswer> {
    Json(RulesetsAnswer::new(server.shelf.listed()))
}

async fn board(
    State(server): Shared,
    Rules(rules): Rules,
    Parameters(asked): Parameters<BoardParameters>,
) -> Answer<BoardAnswer> {
    let tables = server.shelf.tables(rules);
    let position = asked.position()?;
    let answer = move |_: &_| BoardAnswer::new(&tables, &position);
    server.probes.run(answer).await.map(Json)
}

async fn mainline(
    State(server): Shared,
    Rules(rules): Rules,
    Parameters(asked): Parameters<LineParameters>,
) -> Answer<LineAnswer> {
    let tables = server.shelf.tables(rules);
    let (position, plies) = (asked.position()?, asked.plies()?);
    let answer = move |_: &_| LineAnswer::new(&tables, &position, plies);
    server.probes.run(answer).await.map(Json)
}

async fn game(
    State(server): Shared,
    Rules(rules): Rules,
    Parameters(asked): Parameters<GameParameters>,
) -> Answer<GameAnswer> {
    let tables = server.shelf.tables(rules);
    let script = asked.script(rules)?;
    let answer = move |stop: &_| script.tell(&tables, stop);
    server.probes.run(answer).await.map(Json)
}

async fn reply(
    State(server): Shared,
    Rules(rules): Rules,
    Parameters(asked): Parameters<ReplyParameters>,
) -> Answer<ReplyAnswer> {
    let tables = server.shelf.tables(rules);
    let (script, rival) = (asked.script(rules)?, asked.rival()?);
    let answer = move |stop: &_| rival.reply(&script, tables, stop);
    server.opponents.run(answer).await.map(Json)
}

/// What holds for every address: how long it may be, who may read the answer,
/// and what is logged.
async fn around(request: Request, next: Next) -> Response {
    let (method, address) = (request.method().clone(), request.uri().clone());
    let mut response = match address.path_and_query() {
        Some(text) if text.as_str().len() > limits::ADDRESS_BYTES => {
            axum::response::IntoResponse::into_response(ApiError::AddressTooLong)
        }
        _ => next.run(request).await,
    };
    if let Some(Failure { level, cause }) = response.extensions().get() {
        match level {
            Level::Client => {}
            Level::Load => tell(&format!("warning: {method} {address}: {cause}")),
            Level::Broken => tell(&format!("error: {method} {address}: {cause}")),
        }
    }
    let headers = response.headers_mut();
    let json = headers
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind == "application/json");
    if json {
        let everybody = HeaderValue::from_static("*");
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, everybody);
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    }
    let nosniff = HeaderValue::from_static("nosniff");
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, nosniff);
    response
}
