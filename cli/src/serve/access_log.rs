//! The log on stderr: a line for each request and for what goes wrong.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::http::{Request, Response};
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use krou::engine::TableErrors;
use krou::tablebase::LoadError;
use tracing::level_filters::LevelFilter;
use tracing::{Span, error, error_span, info, warn};

use super::client::Client;
use super::errors::{Failure, Level};
use crate::messages::with_causes;

/// What is logged, and how.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Log")]
pub struct LogArgs {
    /// What to log on standard error: faults of the server, also when it is too busy, or
    /// every request.
    #[arg(long, value_name = "LEVEL", default_value = "warn")]
    log: LogLevel,
    /// Format of the log lines.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    log_format: LogFormat,
}

#[derive(Clone, Copy, Debug)]
enum LogLevel {
    Off,
    Error,
    Warn,
    Info,
}

impl ValueEnum for LogLevel {
    fn value_variants<'a>() -> &'a [LogLevel] {
        &[
            LogLevel::Off,
            LogLevel::Error,
            LogLevel::Warn,
            LogLevel::Info,
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            LogLevel::Off => PossibleValue::new("off").help("nothing"),
            LogLevel::Error => PossibleValue::new("error").help("faults of the server"),
            LogLevel::Warn => PossibleValue::new("warn").help("also refused requests when busy"),
            LogLevel::Info => PossibleValue::new("info").help("every request"),
        })
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum LogFormat {
    /// Lines for people.
    Text,
    /// An object on each line.
    Json,
}

/// Starts to log as these options say.
pub fn start(args: &LogArgs) {
    let level = match args.log {
        LogLevel::Off => LevelFilter::OFF,
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
    };
    let log = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(io::stderr)
        .with_ansi(false)
        .with_target(false);
    match args.log_format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().flatten_event(true).with_span_list(false).init(),
    }
}

/// The span of a request: what all its lines have in common.
pub fn span<B>(request: &Request<B>) -> Span {
    let client = request.extensions().get::<Client>();
    let client = client.map(ToString::to_string).unwrap_or_default();
    let (method, address) = (request.method(), request.uri());
    error_span!("request", client, %method, %address)
}

/// Writes the line of a response.
#[derive(Clone, Debug, Default)]
pub struct ResponseLog {
    busy: Arc<Throttle>,
}

impl ResponseLog {
    pub fn log<B>(&self, response: &Response<B>, latency: Duration) {
        let status = response.status().as_u16();
        let ms = (latency.as_secs_f64() * 1e5).round() / 100.0;
        match response.extensions().get() {
            Some(Failure {
                level: Level::Fault,
                cause,
            }) => error!(status, ms, "{cause}"),
            Some(Failure {
                level: Level::Load,
                cause,
            }) => match self.busy.admit() {
                None => {}
                Some(0) => warn!(status, ms, "{cause}"),
                Some(suppressed) => warn!(status, ms, suppressed, "{cause}"),
            },
            _ => info!(status, ms, "answered"),
        }
    }
}

/// Logs the failure of a response that has begun already.
pub fn late_failure(failure: &Failure) {
    match failure.level {
        Level::Client => {}
        Level::Load => warn!("{}", failure.cause),
        Level::Fault => error!("{}", failure.cause),
    }
}

/// Logs that a search could not read a table. The search went on without it.
pub fn table_errors(errors: &TableErrors) {
    if let Some(error) = errors.first() {
        error!(count = errors.count(), "{}", with_causes(error));
    }
}

/// Logs that layers could not be loaded into memory. Probes read their tables.
pub fn load_failure(error: &LoadError) {
    error!("{}", with_causes(error));
}

/// Lets one line a second through, so that the log does not grow with an attack.
#[derive(Debug)]
pub struct Throttle {
    start: Instant,
    /// The last second with a line, counted from 1.
    last: AtomicU64,
    suppressed: AtomicU64,
}

impl Default for Throttle {
    fn default() -> Throttle {
        Throttle {
            start: Instant::now(),
            last: AtomicU64::new(0),
            suppressed: AtomicU64::new(0),
        }
    }
}

impl Throttle {
    /// Whether a line may be written; then how many were suppressed since the last one.
    pub fn admit(&self) -> Option<u64> {
        let now = self.start.elapsed().as_secs() + 1;
        if self.last.swap(now, Ordering::Relaxed) == now {
            self.suppressed.fetch_add(1, Ordering::Relaxed);
            return None;
        }
        Some(self.suppressed.swap(0, Ordering::Relaxed))
    }
}
