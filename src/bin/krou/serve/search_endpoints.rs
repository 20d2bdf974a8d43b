//! The endpoints that make the engine search.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::Response;

use super::client::Client;
use super::errors::ApiError;
use super::game::ReplyAnswer;
use super::params::{AnalysisParameters, Parameters, ReplyParameters, ReviewParameters, Rules};
use super::review::Review;
use super::{Server, events};

type Shared = State<Arc<Server>>;

/// The move of an opponent.
pub async fn reply(
    State(server): Shared,
    client: Client,
    Rules(rules): Rules,
    Parameters(query): Parameters<ReplyParameters>,
) -> Result<Json<ReplyAnswer>, ApiError> {
    let tables = server.tables.tables(rules);
    let (game, opponent) = (query.game.game(rules), query.opponent);
    let answer = move |stop: &Arc<_>| opponent.reply(&game, tables, stop);
    server.opponents.run(client, answer).await.map(Json)
}

/// What the engine thinks of a position, as events.
pub async fn analysis(
    State(server): Shared,
    client: Client,
    Rules(rules): Rules,
    Parameters(query): Parameters<AnalysisParameters>,
) -> Result<Response, ApiError> {
    let tables = server.tables.tables(rules);
    let analysis = query.analysis(rules);
    let game = analysis.position()?;
    let permit = server.analyses.admit(client).await?;
    Ok(events::respond(|events| async move {
        let infos = events.clone();
        let search = move |stop: &Arc<_>| {
            let on_info = |info: &_| infos.blocking_send("info", info);
            analysis.run(&game, tables, stop, on_info)
        };
        let last = permit.run(search).await?;
        events.send("done", &last).await;
        Ok(())
    }))
}

/// What each move of a game gave away, as events.
pub async fn review(
    State(server): Shared,
    client: Client,
    Rules(rules): Rules,
    Parameters(query): Parameters<ReviewParameters>,
) -> Result<Response, ApiError> {
    let tables = server.tables.tables(rules);
    let record = query.game.game(rules).record()?;
    let review = Review::new(record, tables, query.time);
    let permit = server.analyses.admit(client).await?;
    Ok(events::respond(|events| async move {
        review.run(client, &server.analyses, permit, events).await
    }))
}
