//! The endpoints, and what applies to all of them.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::routing::get;
use axum::{Json, Router};

use super::answers::{BoardAnswer, LineAnswer, RulesetsAnswer};
use super::errors::{ApiError, Failure, log_failure};
use super::game::{GameAnswer, ReplyAnswer};
use super::params::{
    AnalysisParameters, BoardParameters, GameParameters, LineParameters, NoParameters, Parameters,
    ReplyParameters, Rules,
};
use super::{Server, events, limits, page, queries};

type Shared = State<Arc<Server>>;
type Answer<T> = Result<Json<T>, ApiError>;

/// The addresses of the interface: its version first, and those of old without one.
const PREFIXES: [&str; 2] = ["/api/v1", ""];

/// All endpoints.
pub fn router(server: Arc<Server>) -> Router {
    let mut router = Router::new()
        .route("/", get(page::index))
        .route("/web/{file}", get(page::file));
    for prefix in PREFIXES {
        router = router
            .route(&format!("{prefix}/rulesets"), get(rulesets))
            .route(&format!("{prefix}/{{rules}}"), get(board))
            .route(&format!("{prefix}/{{rules}}/mainline"), get(mainline))
            .route(&format!("{prefix}/{{rules}}/game"), get(game))
            .route(&format!("{prefix}/{{rules}}/reply"), get(reply));
    }
    router
        .route("/api/v1/{rules}/analysis", get(analysis))
        .fallback(async || ApiError::NoAddress)
        .method_not_allowed_fallback(async || ApiError::Method)
        .layer(middleware::from_fn(common))
        .with_state(server)
}

async fn rulesets(
    State(server): Shared,
    Parameters(NoParameters): Parameters<NoParameters>,
) -> Json<RulesetsAnswer> {
    Json(RulesetsAnswer::new(server.tables.listed()))
}

async fn board(
    State(server): Shared,
    Rules(rules): Rules,
    Parameters(query): Parameters<BoardParameters>,
) -> Answer<BoardAnswer> {
    let tables = server.tables.tables(rules);
    let answer = move |_: &_| queries::board(&tables, &query.position);
    server.queries.run(answer).await.map(Json)
}

async fn mainline(
    State(server): Shared,
    Rules(rules): Rules,
    Parameters(query): Parameters<LineParameters>,
) -> Answer<LineAnswer> {
    let tables = server.tables.tables(rules);
    let answer = move |_: &_| queries::best_line(&tables, &query.position, query.plies);
    server.queries.run(answer).await.map(Json)
}

async fn game(
    State(server): Shared,
    Rules(rules): Rules,
    Parameters(query): Parameters<GameParameters>,
) -> Answer<GameAnswer> {
    let tables = server.tables.tables(rules);
    let game = query.game(rules);
    let answer = move |stop: &_| game.answer(&tables, stop);
    server.queries.run(answer).await.map(Json)
}

async fn reply(
    State(server): Shared,
    Rules(rules): Rules,
    Parameters(query): Parameters<ReplyParameters>,
) -> Answer<ReplyAnswer> {
    let tables = server.tables.tables(rules);
    let (game, opponent) = (query.game.game(rules), query.opponent);
    let answer = move |stop: &_| opponent.reply(&game, tables, stop);
    server.opponents.run(answer).await.map(Json)
}

async fn analysis(
    State(server): Shared,
    Rules(rules): Rules,
    Parameters(query): Parameters<AnalysisParameters>,
) -> Result<Response, ApiError> {
    let tables = server.tables.tables(rules);
    let analysis = query.analysis(rules);
    let game = analysis.position()?;
    let permit = server.analyses.admit().await?;
    Ok(events::respond(|events| async move {
        let infos = events.clone();
        let search = move |stop: &_| {
            let on_info = |info: &_| infos.blocking_send("info", info);
            Ok(analysis.run(&game, tables, stop, on_info))
        };
        let last = permit.run(search).await?;
        events.send("done", &last).await;
        Ok(())
    }))
}

/// Applies to every endpoint: the length limit of the address, common headers, and
/// the log.
async fn common(request: Request, next: Next) -> Response {
    let (method, address) = (request.method().clone(), request.uri().clone());
    let mut response = match address.path_and_query() {
        Some(text) if text.as_str().len() > limits::ADDRESS_BYTES => {
            axum::response::IntoResponse::into_response(ApiError::AddressTooLong)
        }
        _ => next.run(request).await,
    };
    if let Some(Failure { level, cause }) = response.extensions().get() {
        log_failure(&format!("{method} {address}"), *level, cause);
    }
    let headers = response.headers_mut();
    let json = headers
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind == "application/json");
    if json {
        let any_origin = HeaderValue::from_static("*");
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, any_origin);
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    }
    let nosniff = HeaderValue::from_static("nosniff");
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, nosniff);
    response
}
