//! The endpoints, and what applies to all of them.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderValue, Method, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use krou_answers::{Access, Description};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};
use tower_http::cors::{Any, CorsLayer};

use super::errors::ApiError;
use super::params::Parameters;
use super::{
    Server, access_log, http_cache, limits, openapi, origin, page, room_endpoints,
    search_endpoints, table_endpoints,
};
use crate::web_files::folder;

/// The addresses of the interface.
const PREFIX: &str = "/api/v1/";

/// An address, who may use it, and what answers it.
struct Route {
    path: String,
    access: Access,
    handler: MethodRouter<Arc<Server>>,
}

impl Route {
    fn own(path: &str, handler: MethodRouter<Arc<Server>>) -> Route {
        Route {
            path: path.to_owned(),
            access: Access::Own,
            handler,
        }
    }
}

/// The endpoints that programs use, each with its address and its description.
fn described() -> Vec<(String, Description, MethodRouter<Arc<Server>>)> {
    let answered = krou_answers::endpoints().into_iter();
    let answered = answered.chain(krou_answers::search_endpoints());
    let answered = answered.map(table_endpoints::route);
    let events = [
        (krou_answers::analysis(), get(search_endpoints::analysis)),
        (krou_answers::review(), get(search_endpoints::review)),
    ];
    let rooms = [
        (room_endpoints::creation(), post(room_endpoints::create)),
        (room_endpoints::action(), post(room_endpoints::act)),
        (room_endpoints::states(), get(room_endpoints::watch)),
    ];
    let of_api = answered.chain(events).chain(rooms);
    let of_api = of_api.map(|(description, handler)| {
        (
            format!("{PREFIX}{}", description.path),
            description,
            handler,
        )
    });
    let of_operators = [
        (openapi::health(), get(table_endpoints::health)),
        (openapi::metrics(), get(table_endpoints::metrics)),
    ];
    let of_operators = of_operators
        .map(|(description, handler)| (format!("/{}", description.path), description, handler));
    of_api.chain(of_operators).collect()
}

/// All routes.
fn routes() -> Vec<Route> {
    let described = described();
    let document = openapi::document(described.iter().map(|(path, of, _)| (path.as_str(), of)));
    let document = Bytes::from(document.to_string());
    let answer = async move |Parameters(()): Parameters<()>| {
        (
            [(header::CONTENT_TYPE, "application/json")],
            document.clone(),
        )
    };
    let mut routes = vec![
        Route {
            path: openapi::PATH.to_owned(),
            access: Access::Open,
            handler: get(answer),
        },
        Route::own("/", get(page::index)),
        Route::own("/favicon.ico", get(page::icon)),
        Route::own("/robots.txt", get(page::robots)),
        Route::own("/web/{*file}", get(page::plain_file)),
        Route::own(&format!("/{}/{{*file}}", folder()), get(page::file)),
    ];
    for (
        path,
        Description {
            path: short,
            access,
            ..
        },
        handler,
    ) in described
    {
        // The short address of a board.
        if short == "{rules}" {
            routes.push(Route {
                path: format!("/{short}"),
                access,
                handler: handler.clone(),
            });
        }
        routes.push(Route {
            path,
            access,
            handler,
        });
    }
    routes
}

/// The router of a server.
pub fn router(server: Arc<Server>) -> Router {
    let routes = routes();
    let of = |wanted: Access| {
        routes
            .iter()
            .filter(|route| route.access == wanted)
            .fold(Router::new(), |router, route| {
                router.route(&route.path, route.handler.clone())
            })
            .method_not_allowed_fallback(async || ApiError::Method)
    };
    let cors = CorsLayer::new()
        .allow_methods([Method::GET, Method::HEAD, Method::POST])
        .allow_headers([header::CONTENT_TYPE, header::IF_NONE_MATCH]);
    let tag = middleware::from_fn(http_cache::tag);
    let open = of(Access::Open)
        .layer(tag.clone())
        .fallback(async || ApiError::NoAddress)
        .layer(cors.clone().allow_origin(Any));
    let guarded = of(Access::Guarded)
        .layer(middleware::from_fn_with_state(server.clone(), guard))
        .layer(cors.allow_origin(server.origins.origins.clone()));
    let own = of(Access::Own).layer(tag);
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
    // The page itself reads its query, and tells people what is wrong with it.
    let is_long = request.uri().path() != "/"
        && address.is_some_and(|text| text.as_str().len() > limits::ADDRESS_BYTES);
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
