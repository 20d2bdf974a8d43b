//! The endpoints, and what applies to all of them.

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderValue, Method, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};
use tower_http::cors::{Any, CorsLayer};

use super::errors::ApiError;
use super::{
    Server, access_log, http_cache, limits, origin, page, search_endpoints, table_endpoints,
};
use crate::web_files::folder;

/// The addresses of the interface: those of its version, and the same without one.
const PREFIXES: [&str; 2] = ["/api/v1", ""];

/// Who may use an endpoint.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EndpointGroup {
    /// Any page may read its answers.
    Open,
    /// It costs time or takes a body: only pages of this server and of allowed origins.
    Guarded,
    /// A file of the page, or for operators: pages of other sites cannot read it.
    Own,
}

/// All endpoints.
fn endpoints() -> Vec<(EndpointGroup, String, MethodRouter<Arc<Server>>)> {
    use EndpointGroup::{Guarded, Open, Own};
    let mut endpoints = Vec::new();
    for prefix in PREFIXES {
        let shared = [
            (Open, "rulesets", get(table_endpoints::rulesets)),
            (Open, "{rules}", table_endpoints::board()),
            (Open, "{rules}/mainline", table_endpoints::mainline()),
            (Open, "{rules}/game", table_endpoints::game()),
            (Guarded, "{rules}/reply", get(search_endpoints::reply)),
        ];
        endpoints.extend(
            shared.map(|(access, path, method)| (access, format!("{prefix}/{path}"), method)),
        );
    }
    let others = [
        (Open, "/api/v1/version", get(table_endpoints::version)),
        (Open, "/api/v1/openapi.json", get(table_endpoints::openapi)),
        (Open, "/api/v1/{rules}/probe", table_endpoints::probe()),
        (Open, "/api/v1/{rules}/tablebase", table_endpoints::panel()),
        (Open, "/api/v1/{rules}/sowings", table_endpoints::sowings()),
        (
            Open,
            "/api/v1/{rules}/ogn",
            get(table_endpoints::export).post(table_endpoints::export),
        ),
        (Guarded, "/api/v1/ogn", post(table_endpoints::import)),
        (
            Guarded,
            "/api/v1/{rules}/boards",
            post(table_endpoints::boards),
        ),
        (
            Guarded,
            "/api/v1/{rules}/analysis",
            get(search_endpoints::analysis),
        ),
        (
            Guarded,
            "/api/v1/{rules}/review",
            get(search_endpoints::review),
        ),
        (Own, "/health", get(table_endpoints::health)),
        (Own, "/metrics", get(table_endpoints::metrics)),
        (Own, "/", get(page::index)),
        (Own, "/favicon.ico", get(page::icon)),
        (Own, "/robots.txt", get(page::robots)),
        (Own, "/web/{*file}", get(page::plain_file)),
    ];
    endpoints.extend(others.map(|(access, path, method)| (access, path.to_owned(), method)));
    let files = format!("/{}/{{*file}}", folder());
    endpoints.push((Own, files, get(page::file)));
    endpoints
}

/// The router of a server.
pub fn router(server: Arc<Server>) -> Router {
    let endpoints = endpoints();
    let of = |wanted: EndpointGroup| {
        endpoints
            .iter()
            .filter(|(access, ..)| *access == wanted)
            .fold(Router::new(), |router, (_, path, method)| {
                router.route(path, method.clone())
            })
            .method_not_allowed_fallback(async || ApiError::Method)
    };
    let cors = CorsLayer::new()
        .allow_methods([Method::GET, Method::HEAD, Method::POST])
        .allow_headers([header::CONTENT_TYPE, header::IF_NONE_MATCH]);
    let tag = middleware::from_fn(http_cache::tag);
    let open = of(EndpointGroup::Open)
        .layer(tag.clone())
        .fallback(async || ApiError::NoAddress)
        .layer(cors.clone().allow_origin(Any));
    let guarded = of(EndpointGroup::Guarded)
        .layer(middleware::from_fn_with_state(server.clone(), guard))
        .layer(cors.allow_origin(server.origins.origins.clone()));
    let own = of(EndpointGroup::Own).layer(tag);
    let compressed = SizeAbove::new(1024)
        .and(NotForContentType::SSE)
        .and(NotForContentType::IMAGES);
    let compression = CompressionLayer::new()
        .quality(CompressionLevel::Fastest)
        .compress_when(compressed);
    let observe = middleware::from_fn_with_state(server.clone(), access_log::observe);
    open.merge(guarded)
        .merge(own)
        .layer(DefaultBodyLimit::max(limits::BODY_BYTES))
        .layer(middleware::from_fn(common))
        .layer(compression)
        .layer(observe)
        .with_state(server)
}

/// Refuses requests from the pages of other sites.
async fn guard(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    match server.origins.check(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    }
}

/// Applies to every endpoint: the length limit of the address, its host, and common headers.
async fn common(mut request: Request, next: Next) -> Response {
    let address = request.uri().path_and_query();
    let is_long = address.is_some_and(|text| text.as_str().len() > limits::ADDRESS_BYTES);
    let mut response = if is_long {
        ApiError::AddressTooLong.into_response()
    } else if let Err(error) = origin::set_host(&mut request) {
        error.into_response()
    } else {
        next.run(request).await
    };
    let headers = response.headers_mut();
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-cache"));
    let nosniff = HeaderValue::from_static("nosniff");
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, nosniff);
    response
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;
    use crate::serve::table_endpoints::OPENAPI;

    #[test]
    fn the_openapi_document_has_every_endpoint() {
        let document: Value = serde_json::from_str(OPENAPI).unwrap();
        let documented = document["paths"].as_object().unwrap();
        let documented: BTreeSet<&str> = documented.keys().map(String::as_str).collect();
        let paths: BTreeSet<String> = endpoints().into_iter().map(|(_, path, _)| path).collect();
        // The addresses without a version are the same endpoints.
        let of_page = |path: &str| path == "/" || path.starts_with("/web") || path.contains('.');
        let paths: BTreeSet<&str> = paths
            .iter()
            .map(String::as_str)
            .filter(|path| !paths.contains(&format!("/api/v1{path}")))
            .filter(|path| path.starts_with("/api") || !of_page(path))
            .collect();
        assert_eq!(documented, paths);
    }
}
