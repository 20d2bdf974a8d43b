//! The endpoints, and what applies to all of them.

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderValue, Method, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use krou_answers::{Access, Endpoint};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};
use tower_http::cors::{Any, CorsLayer};

use super::errors::ApiError;
use super::{
    Server, access_log, http_cache, limits, origin, page, search_endpoints, table_endpoints,
};
use crate::web_files::folder;

/// The addresses of the interface.
const PREFIX: &str = "/api/v1/";

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
    let group = |endpoint: &Endpoint| match endpoint.access {
        Access::Open => Open,
        Access::Guarded => Guarded,
    };
    let answered = krou_answers::endpoints().into_iter();
    let answered = answered
        .chain(krou_answers::search_endpoints())
        .map(Arc::new);
    let mut endpoints = Vec::new();
    for endpoint in answered {
        let route = || table_endpoints::route(Arc::clone(&endpoint));
        // The short address of a board.
        if endpoint.path == "{rules}" {
            endpoints.push((group(&endpoint), format!("/{}", endpoint.path), route()));
        }
        let path = format!("{PREFIX}{}", endpoint.path);
        endpoints.push((group(&endpoint), path, route()));
    }
    let others = [
        (Open, "/api/v1/openapi.json", get(table_endpoints::openapi)),
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

    /// The document has every endpoint with its parameters, and no others.
    #[test]
    fn the_openapi_document_has_every_endpoint() {
        let document: Value = serde_json::from_str(OPENAPI).unwrap();
        let documented = document["paths"].as_object().unwrap();
        let of_page = |path: &str| path == "/" || path.starts_with("/web") || path.contains('.');
        let paths: BTreeSet<String> = endpoints()
            .into_iter()
            .map(|(_, path, _)| path)
            .filter(|path| path.starts_with("/api") || !of_page(path))
            // The short address is the same endpoint.
            .filter(|path| path != "/{rules}")
            .collect();
        assert_eq!(paths, documented.keys().cloned().collect());
        for endpoint in krou_answers::endpoints()
            .into_iter()
            .chain(krou_answers::search_endpoints())
        {
            let methods = documented[&format!("{PREFIX}{}", endpoint.path)]
                .as_object()
                .unwrap();
            for (method, described) in methods {
                let listed = described["parameters"].as_array().into_iter().flatten();
                let names =
                    listed.map(|parameter| match parameter["$ref"].as_str() {
                        Some(shared) => {
                            &document["components"]["parameters"]
                                [shared.rsplit('/').next().unwrap()]["name"]
                        }
                        None => &parameter["name"],
                    });
                let names: BTreeSet<&str> = names.map(|name| name.as_str().unwrap()).collect();
                let mut given: BTreeSet<&str> = endpoint.parameters.iter().copied().collect();
                given.extend(endpoint.path.starts_with("{rules}").then_some("rules"));
                assert_eq!(names, given, "{method} {}", endpoint.path);
            }
        }
    }
}
