//! The endpoints that answer at once, from the one list of [`krou_answers`], and those about
//! the server itself.

use std::sync::Arc;

use axum::Json;
use axum::body::Body as HttpBody;
use axum::extract::{FromRequest, FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use krou::engine::TableErrors;
use krou_answers::{
    Answer, AnswerError, Body, Context, Cost, Endpoint, ErrorAnswer, FrontEnd, Given,
};
use serde_json::json;

use super::body::TextBody;
use super::connections::Turns;
use super::errors::ApiError;
use super::params::{Parameters, Rules, pairs};
use super::work::StopFlag;
use super::{Server, SharedServer, access_log};

/// The route of an endpoint.
pub fn route(endpoint: Arc<Endpoint>) -> MethodRouter<Arc<Server>> {
    let body = endpoint.body;
    let respond = move |State(server): SharedServer, request: Request| {
        let endpoint = Arc::clone(&endpoint);
        async move { respond(server, &endpoint, request).await }
    };
    match body {
        Body::None => get(respond),
        Body::Optional => get(respond.clone()).post(respond),
        Body::Required => post(respond),
    }
}

async fn respond(
    server: Arc<Server>,
    endpoint: &Endpoint,
    request: Request,
) -> Result<Response, ApiError> {
    let (mut parts, body) = request.into_parts();
    let given = given(&server, endpoint, &mut parts, body).await?;
    let work = endpoint.read(given)?;
    let answer = {
        let server = Arc::clone(&server);
        move |stop: &StopFlag| {
            let context = Context {
                tables: &server.tables,
                stop,
                front_end: &Log,
            };
            Ok(work(&context)?)
        }
    };
    let answer = match endpoint.cost {
        Cost::Nothing => answer(&StopFlag::default())?,
        Cost::Query => server.queries.run(answer).await?,
        Cost::Search => {
            let turns = parts.extensions.get::<Arc<Turns>>();
            let turn = turns.map(|turns| &turns.opponents);
            server.opponents.admit(turn).await?.run(answer).await?
        }
    };
    Ok(match answer {
        Answer::Json(text) => ([(header::CONTENT_TYPE, "application/json")], text).into_response(),
        Answer::Text(text) => {
            let name = "attachment; filename=\"game.ogn\"";
            let headers = [
                (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
                (header::CONTENT_DISPOSITION, name),
            ];
            (headers, text).into_response()
        }
    })
}

/// What a request gives. A body that only adds to an answer comes from pages that may send one.
async fn given(
    server: &Arc<Server>,
    endpoint: &Endpoint,
    parts: &mut Parts,
    body: HttpBody,
) -> Result<Given, ApiError> {
    let rules = match endpoint.path.starts_with("{rules}") {
        true => Some(Rules::from_request_parts(parts, server).await?.0),
        false => None,
    };
    let body = match endpoint.body {
        Body::None => None,
        Body::Optional | Body::Required => {
            let text = Request::from_parts(parts.clone(), body);
            let TextBody(text) = TextBody::from_request(text, server).await?;
            if endpoint.body == Body::Optional && !text.is_empty() {
                server.origins.check(&parts.headers)?;
            }
            Some(text)
        }
    };
    Ok(Given {
        rules,
        parameters: pairs(parts, server, endpoint.parameters)?,
        body,
    })
}

/// Errors that are no answer go to the log.
#[derive(Debug)]
struct Log;

impl FrontEnd for Log {
    fn error(&self, error: AnswerError) -> ErrorAnswer {
        let error = ApiError::from(error);
        access_log::partial_failure(&error);
        error.into()
    }

    fn table_errors(&self, errors: &TableErrors) {
        access_log::table_errors(errors);
    }
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
