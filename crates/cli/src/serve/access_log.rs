//! The log on stderr: a line for each request and for what goes wrong.

use std::io;
use std::sync::Arc;
use std::time::Instant;

use axum::Extension;
use axum::extract::{MatchedPath, Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::Response;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use krou::engine::TableErrors;
use tracing::level_filters::LevelFilter;
use tracing::{Instrument, error, error_span, info, warn};

use super::Server;
use super::connections::Sender;
use super::errors::{ApiError, Cause};
use crate::messages::with_causes;

/// What is logged, and how.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Log")]
pub struct LogArgs {
    /// What to log on standard error: nothing, faults of the server, requests refused when
    /// busy, too, or every request.
    #[arg(long, value_name = "LEVEL", default_value = "warn", value_parser = level())]
    log: LevelFilter,
    /// Format of the log lines.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    log_format: LogFormat,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum LogFormat {
    /// Lines for people.
    Text,
    /// An object on each line.
    Json,
}

fn level() -> impl TypedValueParser<Value = LevelFilter> {
    let words = PossibleValuesParser::new(["off", "error", "warn", "info"]);
    words.try_map(|word| word.parse::<LevelFilter>())
}

/// Starts to log as these options say.
pub fn start(args: &LogArgs) {
    let log = tracing_subscriber::fmt()
        .with_max_level(args.log)
        .with_writer(io::stderr)
        .with_ansi(false)
        .with_target(false);
    match args.log_format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().flatten_event(true).with_span_list(false).init(),
    }
}

/// Logs and counts a request. All lines about it name the client, the method and the address.
pub async fn observe(
    State(server): State<Arc<Server>>,
    Extension(Sender(sender)): Extension<Sender>,
    path: Option<MatchedPath>,
    request: Request,
    next: Next,
) -> Response {
    let start = Instant::now();
    let method = request.method().clone();
    let client = sender.to_canonical().to_string();
    let span = error_span!("request", client, %method, address = %request.uri());
    let response = next.run(request).instrument(span.clone()).await;
    let (status, time) = (response.status(), start.elapsed());
    let endpoint = path.as_ref().map_or("none", MatchedPath::as_str);
    server.metrics.count(endpoint, &method, status, time);
    let ms = (time.as_secs_f64() * 1e5).round() / 100.0;
    let cause = response.extensions().get::<Cause>();
    span.in_scope(|| match (cause, status) {
        (Some(Cause(cause)), StatusCode::INTERNAL_SERVER_ERROR) => {
            error!(status = status.as_u16(), ms, "{cause}");
        }
        (Some(Cause(cause)), _) if status.is_server_error() => {
            warn!(status = status.as_u16(), ms, "{cause}");
        }
        _ => info!(status = status.as_u16(), ms, "answered"),
    });
    response
}

/// Logs an error that is only a part of a response.
pub fn partial_failure(error: &ApiError) {
    let (status, Cause(cause)) = (error.status(), error.cause());
    match status {
        StatusCode::INTERNAL_SERVER_ERROR => error!("{cause}"),
        _ if status.is_server_error() => warn!("{cause}"),
        _ => {}
    }
}

/// Logs that a search could not read a table. The search went on without it.
pub fn table_errors(errors: &TableErrors) {
    if let Some(error) = errors.first() {
        error!(count = errors.count(), "{}", with_causes(error));
    }
}
