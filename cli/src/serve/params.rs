//! Parameters of requests: the ruleset in the path, and the query string.

use std::str::FromStr;

use axum::extract::{FromRequestParts, Path, Query};
use axum::http::request::Parts;
use krou::answers::{self, FromQuery};
use krou::rules::Ruleset;

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

impl<T: FromQuery, S: Send + Sync> FromRequestParts<S> for Parameters<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Parameters<T>, ApiError> {
        let Ok(Query(pairs)) = Query::try_from_uri(&parts.uri) else {
            return Err(ApiError::parameters(
                "the query string cannot be read: write name=value pairs joined by '&'",
            ));
        };
        Ok(Parameters(answers::Query::read(pairs)?))
    }
}
