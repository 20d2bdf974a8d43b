//! Parameters of requests: the ruleset in the path, and the query string.

use std::str::FromStr;
use std::sync::Arc;

use axum::extract::{FromRequestParts, Path, Query};
use axum::http::request::Parts;
use krou::rules::Ruleset;
use krou_answers::{self as answers, FromQuery, Parameter, REPETITIONS};

use super::Server;
use super::errors::ApiError;

/// The ruleset in the path.
pub struct Rules(pub Ruleset);

impl<S: Send + Sync> FromRequestParts<S> for Rules {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Rules, ApiError> {
        let Path(name) = Path::<String>::from_request_parts(parts, state)
            .await
            .map_err(|_| ApiError::NoAddress)?;
        Ok(Rules(Ruleset::from_str(&name)?))
    }
}

/// The parameters of the query string.
pub struct Parameters<T>(pub T);

impl<T: FromQuery> FromRequestParts<Arc<Server>> for Parameters<T> {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut Parts,
        server: &Arc<Server>,
    ) -> Result<Parameters<T>, ApiError> {
        let pairs = pairs(parts, server, T::PARAMETERS)?;
        Ok(Parameters(answers::Query::read(pairs)?))
    }
}

/// The parameters of the query string as pairs. Where an endpoint takes `repetitions`, the
/// server has a default.
///
/// # Errors
/// If it cannot be read.
pub fn pairs(
    parts: &Parts,
    server: &Server,
    known: &[Parameter],
) -> Result<Vec<(String, String)>, ApiError> {
    let Ok(Query(mut pairs)) = Query::<Vec<(String, String)>>::try_from_uri(&parts.uri) else {
        return Err(ApiError::parameters(
            "the query string cannot be read: write name=value pairs joined by '&'",
        ));
    };
    let name = REPETITIONS.name;
    let is_known = known.iter().any(|known| known.name == name);
    if is_known && pairs.iter().all(|(given, _)| given != name) {
        pairs.push((name.to_owned(), server.repetitions.to_string()));
    }
    Ok(pairs)
}
