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
    Answer, AnswerError, Body, Context, Cost, Description, Endpoint, ErrorAnswer, FrontEnd, Given,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::body::TextBody;
use super::connections::Turns;
use super::errors::ApiError;
use super::params::{Parameters, Rules, pairs};
use super::work::StopFlag;
use super::{Server, SharedServer, access_log};

/// The description of an endpoint, and what answers it.
pub fn route(endpoint: Endpoint) -> (Description, MethodRouter<Arc<Server>>) {
    let description = endpoint.description.clone();
    let endpoint = Arc::new(endpoint);
    let respond = move |State(server): SharedServer, request: Request| {
        let endpoint = Arc::clone(&endpoint);
        async move { respond(server, &endpoint, request).await }
    };
    let handler = match description.body {
        Body::None => get(respond),
        Body::Optional(_) => get(respond.clone()).post(respond),
        Body::Required(_) => post(respond),
    };
    (description, handler)
}

async fn respond(
    server: Arc<Server>,
    endpoint: &Endpoint,
    request: Request,
) -> Result<Response, ApiError> {
    let (mut parts, body) = request.into_parts();
    let given = given(&server, &endpoint.description, &mut parts, body).await?;
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
    let answer = match endpoint.description.cost {
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
    described: &Description,
    parts: &mut Parts,
    body: HttpBody,
) -> Result<Given, ApiError> {
    let rules = match described.is_of_ruleset() {
        true => Some(Rules::from_request_parts(parts, server).await?.0),
        false => None,
    };
    let body = match described.body {
        Body::None => None,
        Body::Optional(_) | Body::Required(_) => {
            let text = Request::from_parts(parts.clone(), body);
            let TextBody(text) = TextBody::from_request(text, server).await?;
            if matches!(described.body, Body::Optional(_)) && !text.is_empty() {
                server.origins.check(&parts.headers)?;
            }
            Some(text)
        }
    };
    Ok(Given {
        rules,
        parameters: pairs(parts, server, described.parameters)?,
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

/// Whether the server takes requests.
#[derive(Serialize, JsonSchema)]
pub struct HealthAnswer {
    status: Health,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Health {
    Ok,
    Stopping,
}

pub async fn health(State(server): SharedServer, Parameters(()): Parameters<()>) -> Response {
    let (code, status) = if server.stopping.is_cancelled() {
        (StatusCode::SERVICE_UNAVAILABLE, Health::Stopping)
    } else {
        (StatusCode::OK, Health::Ok)
    };
    (code, Json(HealthAnswer { status })).into_response()
}

pub async fn metrics(State(server): SharedServer, Parameters(()): Parameters<()>) -> Response {
    server.metrics.answer()
}
