//! Counters and gauges of the server, as text for Prometheus.

use std::time::Duration;

use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use krou::tablebase::TableSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Metric, Registry};

use super::errors::ApiError;

/// Names and values of `N` labels.
type Labels<const N: usize> = [(&'static str, String); N];

/// All metrics.
pub struct Metrics {
    registry: Registry,
    requests: Family<Labels<3>, Counter>,
    durations: Family<Labels<1>, Histogram, fn() -> Histogram>,
    running: Family<Labels<1>, Gauge>,
    refused: Family<Labels<1>, Counter>,
    /// Open connections.
    pub connections: Gauge,
    /// Connections closed at once because their client has too many.
    pub refused_connections: Counter,
    /// Bytes of layers in memory.
    pub table_memory: Gauge,
}

/// The metrics of one kind of work.
#[derive(Clone, Debug, Default)]
pub struct WorkMetrics {
    pub running: Gauge,
    pub refused: Counter,
}

/// Counts as one in a gauge as long as it lives.
pub struct Counted(Gauge);

impl Counted {
    /// One more.
    pub fn new(gauge: &Gauge) -> Counted {
        gauge.inc();
        Counted(gauge.clone())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl Metrics {
    /// The metrics of a server with these tables.
    pub fn new(tables: &TableSet) -> Metrics {
        let highest = Family::<Labels<1>, Gauge>::default();
        for tables in tables.listed() {
            if let Some(seeds) = tables.highest_layer() {
                let labels = [("rules", tables.rules().to_string())];
                highest.get_or_create(&labels).set(seeds.into());
            }
        }
        let mut registry = Registry::with_prefix("krou");
        let version = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        registry.register("build", "The program", version);
        registry.register(
            "highest_layer",
            "Seeds of the highest layer with tables",
            highest,
        );
        let mut add = Registration(&mut registry);
        Metrics {
            table_memory: add.metric(
                "table_memory_bytes",
                "Memory of layers that have been loaded whole",
            ),
            requests: add.metric("requests", "Requests answered"),
            durations: add.this(
                "request_duration_seconds",
                "Time until an answer began",
                // Half a millisecond to eight seconds.
                Family::new_with_constructor(|| {
                    Histogram::new(exponential_buckets(0.0005, 4.0, 8))
                }),
            ),
            running: add.metric("running", "Work in progress"),
            refused: add.metric("refused", "Work refused as busy"),
            connections: add.metric("connections", "Open connections"),
            refused_connections: add.metric(
                "refused_connections",
                "Connections closed because their client has too many",
            ),
            registry,
        }
    }

    /// The metrics of a kind of work.
    pub fn work(&self, kind: &str) -> WorkMetrics {
        let labels = [("kind", kind.to_owned())];
        WorkMetrics {
            running: self.running.get_or_create_owned(&labels),
            refused: self.refused.get_or_create_owned(&labels),
        }
    }

    /// Counts a request and its time.
    pub fn count(&self, endpoint: &str, method: &Method, status: StatusCode, time: Duration) {
        // Clients can invent methods.
        let known = [Method::GET, Method::HEAD, Method::POST, Method::OPTIONS];
        let method = if known.contains(method) {
            method.as_str()
        } else {
            "other"
        };
        let endpoint = ("endpoint", endpoint.to_owned());
        let durations = self
            .durations
            .get_or_create_owned(std::array::from_ref(&endpoint));
        durations.observe(time.as_secs_f64());
        let status = status.as_u16().to_string();
        let labels = [endpoint, ("method", method.to_owned()), ("status", status)];
        self.requests.get_or_create(&labels).inc();
    }

    /// All metrics as text.
    pub fn answer(&self) -> Response {
        const TEXT: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
        let mut text = String::new();
        match encode(&mut text, &self.registry) {
            Ok(()) => ([(header::CONTENT_TYPE, TEXT)], text).into_response(),
            Err(error) => ApiError::Failed(error.to_string()).into_response(),
        }
    }
}

/// Makes metrics that are registered.
struct Registration<'r>(&'r mut Registry);

impl Registration<'_> {
    fn metric<M: Metric + Clone + Default>(&mut self, name: &str, help: &str) -> M {
        self.this(name, help, M::default())
    }

    fn this<M: Metric + Clone>(&mut self, name: &str, help: &str, metric: M) -> M {
        self.0.register(name, help, metric.clone());
        metric
    }
}
