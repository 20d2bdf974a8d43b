//! The endpoints that make the engine search.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use krou::answers::{AnalysisParameters, ReplyAnswer, ReplyParameters, Review, ReviewParameters};

use super::errors::ApiError;
use super::events::EventSender;
use super::params::{Parameters, Rules};
use super::work::{Permit, WorkLimiter};
use super::{SharedServer, access_log, events};

/// The move of an opponent.
pub async fn reply(
    State(server): SharedServer,
    Rules(rules): Rules,
    Parameters(query): Parameters<ReplyParameters>,
) -> Result<Json<ReplyAnswer>, ApiError> {
    let tables = server.tables.tables(rules);
    let answer = move |stop: &Arc<_>| Ok(query.answer(tables, stop, access_log::table_errors)?);
    server.opponents.run(answer).await.map(Json)
}

/// The engine's view of a position, as events.
pub async fn analysis(
    State(server): SharedServer,
    Rules(rules): Rules,
    Parameters(query): Parameters<AnalysisParameters>,
) -> Result<Response, ApiError> {
    let tables = server.tables.tables(rules);
    let game = query.position(rules)?;
    let permit = server.analyses.admit().await?;
    Ok(events::respond(|events| async move {
        let infos = events.clone();
        let search = move |stop: &Arc<_>| {
            let on_info = |info: &_| infos.blocking_send("info", info);
            Ok(query.run(&game, tables, stop, on_info, access_log::table_errors)?)
        };
        let last = permit.run(search).await?;
        events.send("done", &last).await;
        Ok(())
    }))
}

/// What each move of a game gave away, as events.
pub async fn review(
    State(server): SharedServer,
    Rules(rules): Rules,
    Parameters(query): Parameters<ReviewParameters>,
) -> Result<Response, ApiError> {
    let tables = server.tables.tables(rules);
    let review = query.review(tables)?;
    let permit = server.analyses.admit().await?;
    Ok(events::respond(|events| async move {
        run_review(review, &server.analyses, permit, events).await
    }))
}

/// Sends the events of a review. The work waits for its turn before every step, so that a
/// long game does not block others.
async fn run_review(
    mut review: Review,
    limiter: &WorkLimiter,
    first: Permit,
    events: EventSender,
) -> Result<(), ApiError> {
    let mut permit = Some(first);
    while !review.is_done() {
        let permit = match permit.take() {
            Some(first) => first,
            None => limiter.admit().await?,
        };
        let permit = permit.with_work_time(review.step_time());
        let step = move |stop: &Arc<_>| {
            let found = review.step(stop);
            Ok((review, found))
        };
        let found;
        (review, found) = permit.run(step).await?;
        for event in &found {
            events.send(event.name(), event).await;
        }
        if limiter.stopping.is_cancelled() && !review.is_done() {
            return Err(ApiError::Stopping);
        }
    }
    access_log::table_errors(review.table_errors());
    Ok(())
}
