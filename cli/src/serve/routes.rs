//! The endpoints, and what applies to all of them.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};
use tower_http::cors::{Any, CorsLayer};
use tower_http::trace::TraceLayer;

use super::access_log::{self, ResponseLog};
use super::errors::ApiError;
use super::{Server, http_cache, limits, metrics, page, search_endpoints, table_endpoints};

/// The addresses of the interface: those of its version, and the same without one.
const PREFIXES: [&str; 2] = ["/api/v1", ""];

/// Routers for the three kinds of endpoints, and the addresses of all of them.
#[derive(Default)]
struct Routes {
    /// Answers that any page may read.
    open: Router<Arc<Server>>,
    /// What costs time, for pages of this server.
    guarded: Router<Arc<Server>>,
    /// Files of the page, and what operators ask for.
    own: Router<Arc<Server>>,
    paths: Vec<String>,
}

impl Routes {
    fn open(&mut self, path: &str, method: MethodRouter<Arc<Server>>) {
        self.paths.push(path.to_owned());
        self.open = std::mem::take(&mut self.open).route(path, method);
    }

    fn guarded(&mut self, path: &str, method: MethodRouter<Arc<Server>>) {
        self.paths.push(path.to_owned());
        self.guarded = std::mem::take(&mut self.guarded).route(path, method);
    }

    fn own(&mut self, path: &str, method: MethodRouter<Arc<Server>>) {
        self.paths.push(path.to_owned());
        self.own = std::mem::take(&mut self.own).route(path, method);
    }

    /// All endpoints.
    fn all() -> Routes {
        let mut routes = Routes::default();
        for prefix in PREFIXES {
            let path = |rest: &str| format!("{prefix}/{rest}");
            routes.open(&path("rulesets"), get(table_endpoints::rulesets));
            routes.open(&path("{rules}"), get(table_endpoints::board));
            routes.open(&path("{rules}/mainline"), get(table_endpoints::mainline));
            routes.open(&path("{rules}/game"), get(table_endpoints::game));
            routes.guarded(&path("{rules}/reply"), get(search_endpoints::reply));
        }
        routes.open("/api/v1/version", get(table_endpoints::version));
        routes.open("/api/v1/openapi.json", get(table_endpoints::openapi));
        routes.open("/api/v1/{rules}/probe", get(table_endpoints::probe));
        routes.open("/api/v1/{rules}/ogn", get(table_endpoints::export));
        routes.guarded("/api/v1/ogn", post(table_endpoints::import));
        routes.guarded("/api/v1/{rules}/boards", post(table_endpoints::boards));
        routes.guarded("/api/v1/{rules}/analysis", get(search_endpoints::analysis));
        routes.guarded("/api/v1/{rules}/review", get(search_endpoints::review));
        routes.own("/health", get(table_endpoints::health));
        routes.own("/metrics", get(table_endpoints::metrics));
        routes.own("/", get(page::index));
        routes.own("/web/{file}", get(page::file));
        routes
    }
}

/// The router of a server.
pub fn router(server: Arc<Server>) -> Router {
    let Routes {
        open, guarded, own, ..
    } = Routes::all();
    let methods = [Method::GET, Method::HEAD, Method::POST];
    let cors = || {
        let cors = CorsLayer::new().allow_methods(methods.clone());
        cors.allow_headers([header::CONTENT_TYPE, header::IF_NONE_MATCH])
    };
    let tagged = || middleware::from_fn(http_cache::tag);
    let guard = middleware::from_fn_with_state(server.clone(), guard);
    let open = open
        .layer(tagged())
        .fallback(async || ApiError::NoAddress)
        .method_not_allowed_fallback(async || ApiError::Method)
        .layer(cors().allow_origin(Any));
    let guarded = guarded
        .layer(guard)
        .method_not_allowed_fallback(async || ApiError::Method)
        .layer(cors().allow_origin(server.origins.origins().to_vec()));
    let own = own
        .layer(tagged())
        .method_not_allowed_fallback(async || ApiError::Method);
    let compressed = SizeAbove::new(1024)
        .and(NotForContentType::SSE)
        .and(NotForContentType::IMAGES);
    let compression = CompressionLayer::new()
        .quality(CompressionLevel::Fastest)
        .compress_when(compressed);
    let log = ResponseLog::default();
    let log = TraceLayer::new_for_http()
        .make_span_with(access_log::span)
        .on_request(())
        .on_body_chunk(())
        .on_eos(())
        .on_failure(())
        .on_response(move |response: &Response<_>, latency, _: &tracing::Span| {
            log.log(response, latency);
        });
    let metrics = middleware::from_fn_with_state(server.metrics.clone(), metrics::observe);
    open.merge(guarded)
        .merge(own)
        .layer(middleware::from_fn(common))
        .layer(compression)
        .layer(metrics)
        .layer(log)
        .with_state(server)
}

/// Refuses what the pages of other sites ask for.
async fn guard(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    match server.origins.check(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    }
}

/// Applies to every endpoint: the length limit of the address, and common headers.
async fn common(request: Request, next: Next) -> Response {
    let address = request.uri().path_and_query();
    let mut response = match address.map(|text| text.as_str().len()) {
        Some(length) if length > limits::ADDRESS_BYTES => ApiError::AddressTooLong.into_response(),
        _ => next.run(request).await,
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

    use krou::answers::{
        AnalysisParameters, BoardParameters, Code, FromQuery, GameParameters, ImportParameters,
        LineParameters, ReplyParameters, ReviewParameters,
    };
    use serde_json::Value;

    use super::*;
    use crate::serve::table_endpoints::OPENAPI;

    /// The names of the parameters in the query string of a documented method.
    fn query_names(document: &Value, method: &Value) -> Vec<String> {
        let parameters = method["parameters"].as_array().unwrap().iter();
        let resolved = parameters.map(|parameter| match parameter["$ref"].as_str() {
            Some(path) => document.pointer(path.trim_start_matches('#')).unwrap(),
            None => parameter,
        });
        let of_query = resolved.filter(|parameter| parameter["in"] == "query");
        of_query
            .map(|parameter| parameter["name"].as_str().unwrap().to_owned())
            .collect()
    }

    #[test]
    fn the_openapi_document_has_every_endpoint_and_code() {
        let document: Value = serde_json::from_str(OPENAPI).unwrap();
        let documented = document["paths"].as_object().unwrap();
        let documented: BTreeSet<&str> = documented.keys().map(String::as_str).collect();
        let routes = Routes::all();
        let paths = routes.paths.iter().map(String::as_str);
        // The addresses without a version are the same endpoints.
        let own = ["/", "/web/{file}"];
        let paths: BTreeSet<&str> = paths
            .filter(|path| {
                let is_old = routes.paths.contains(&format!("/api/v1{path}"));
                !is_old && !own.contains(path)
            })
            .collect();
        assert_eq!(documented, paths);

        let parameters = [
            ("/api/v1/{rules}", BoardParameters::NAMES),
            ("/api/v1/{rules}/probe", BoardParameters::NAMES),
            ("/api/v1/{rules}/mainline", LineParameters::NAMES),
            ("/api/v1/{rules}/game", GameParameters::NAMES),
            ("/api/v1/{rules}/ogn", GameParameters::NAMES),
            ("/api/v1/{rules}/reply", ReplyParameters::NAMES),
            ("/api/v1/{rules}/analysis", AnalysisParameters::NAMES),
            ("/api/v1/{rules}/review", ReviewParameters::NAMES),
            ("/api/v1/ogn", ImportParameters::NAMES),
        ];
        for (path, names) in parameters {
            let method = document["paths"][path].as_object().unwrap().values().next();
            assert_eq!(query_names(&document, method.unwrap()), names, "{path}");
        }

        let codes = &document["components"]["schemas"]["Code"]["enum"];
        assert_eq!(*codes, serde_json::to_value(Code::ALL).unwrap());
    }
}
