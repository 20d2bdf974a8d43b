//! The endpoints that send what the engine finds as events.

use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use krou::engine::{Engine, Game, SearchReport};
use krou::rules::Ruleset;
use krou_answers::{AnalysisInfo, AnalysisParameters, ReviewParameters};

use super::connections::Turns;
use super::errors::ApiError;
use super::params::{Parameters, Rules};
use super::work::{Permit, StopFlag};
use super::{Server, SharedServer, access_log, events};

/// The turns of the client that asks.
type ClientTurns = Extension<Arc<Turns>>;

/// The engine's view of a position, as events.
pub async fn analysis(
    State(server): SharedServer,
    Extension(turns): ClientTurns,
    Rules(rules): Rules,
    Parameters(query): Parameters<AnalysisParameters>,
) -> Result<Response, ApiError> {
    let mut search = query.search(rules)?;
    let permit = server.analyses.admit(Some(&turns.analyses)).await?;
    Ok(events::respond(|events| async move {
        let stopping = server.stopping.clone();
        let mut last = None;
        let step = move |mut engine: Engine, stop: &StopFlag| {
            search.run(
                &mut engine,
                stop,
                &mut |game: &Game, report: &SearchReport| {
                    let info = AnalysisInfo::new(game, report);
                    events.blocking_send("info", &info);
                    last = Some(info);
                },
            );
            let is_done = search.is_done() || stopping.is_cancelled();
            if is_done {
                events.blocking_send("done", &last);
            }
            Ok((engine, is_done))
        };
        in_turns(&server, &turns, rules, permit, None, step).await
    }))
}

/// What each move of a game gave away, as events.
pub async fn review(
    State(server): SharedServer,
    Extension(turns): ClientTurns,
    Rules(rules): Rules,
    Parameters(query): Parameters<ReviewParameters>,
) -> Result<Response, ApiError> {
    let mut review = query.review(server.tables.tables(rules))?;
    let permit = server.analyses.admit(Some(&turns.analyses)).await?;
    let step_time = Some(review.step_time());
    Ok(events::respond(|events| async move {
        let step = move |engine: Engine, stop: &StopFlag| {
            let (engine, found) = review.step(engine, stop);
            for event in &found {
                events.blocking_send(event.name(), event);
            }
            Ok((engine, review.is_done()))
        };
        in_turns(&server, &turns, rules, permit, step_time, step).await
    }))
}

/// Does all steps of a search; each returns its engine, and whether it was the last one. The
/// search waits for its turn before every step, so that it does not block others, and has an
/// engine only while it runs, so that waiting searches need no memory. Steps with a time are
/// not interrupted; others give way when requests wait.
async fn in_turns<S>(
    server: &Arc<Server>,
    turns: &Turns,
    rules: Ruleset,
    mut permit: Permit,
    step_time: Option<Duration>,
    mut step: S,
) -> Result<(), ApiError>
where
    S: FnMut(Engine, &StopFlag) -> Result<(Engine, bool), ApiError> + Send + 'static,
{
    loop {
        permit.gives_way = step_time.is_none();
        permit.work_time = step_time.unwrap_or(permit.work_time);
        let shared = Arc::clone(server);
        let run = move |stop: &StopFlag| {
            let engine = shared.engines.take(&shared.tables.tables(rules));
            let (engine, is_done) = step(engine, stop)?;
            if is_done && engine.table_errors().first().is_some() {
                access_log::table_errors(engine.table_errors());
            } else {
                // A longer search of the same game goes on from what this one has found.
                shared.engines.keep(engine);
            }
            Ok((step, is_done))
        };
        let is_done;
        (step, is_done) = permit.run(run).await?;
        if is_done {
            return Ok(());
        }
        if server.stopping.is_cancelled() {
            return Err(ApiError::Stopping);
        }
        permit = server.analyses.admit_again(&turns.analyses).await;
    }
}
