//! Counters and gauges of the server, as text for Prometheus.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::{Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use krou::answers::TableSet;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;

use super::errors::ApiError;

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct RequestLabels {
    endpoint: String,
    method: &'static str,
    status: u16,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct EndpointLabels {
    endpoint: String,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct KindLabels {
    kind: &'static str,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct RulesLabels {
    rules: String,
}

/// All metrics. Clones share them.
#[derive(Clone)]
pub struct Metrics {
    registry: Arc<Registry>,
    requests: Family<RequestLabels, Counter>,
    durations: Family<EndpointLabels, Histogram, fn() -> Histogram>,
    running: Family<KindLabels, Gauge>,
    refused: Family<KindLabels, Counter>,
    /// Open connections.
    pub connections: Gauge,
    /// Connections refused because their client has too many.
    pub refused_connections: Counter,
    /// Connections closed to make place for others.
    pub evicted_connections: Counter,
    /// Bytes of layers in memory.
    pub table_memory: Gauge,
}

/// The metrics of one kind of work.
#[derive(Clone, Debug, Default)]
pub struct WorkMetrics {
    pub running: Gauge,
    pub refused: Counter,
}

impl Metrics {
    /// The metrics of a server with these tables.
    pub fn new(tables: &TableSet) -> Metrics {
        /// Half a millisecond to eight seconds.
        const BUCKETS: fn() -> Histogram = || Histogram::new(exponential_buckets(0.0005, 4.0, 8));
        let mut registry = Registry::with_prefix("krou");
        let metrics = Metrics {
            registry: Arc::default(),
            requests: Family::default(),
            durations: Family::new_with_constructor(BUCKETS),
            running: Family::default(),
            refused: Family::default(),
            connections: Gauge::default(),
            refused_connections: Counter::default(),
            evicted_connections: Counter::default(),
            table_memory: Gauge::default(),
        };
        let highest = Family::<RulesLabels, Gauge>::default();
        for tables in tables.listed() {
            if let Some(seeds) = tables.highest_layer() {
                let rules = tables.rules().to_string();
                highest
                    .get_or_create(&RulesLabels { rules })
                    .set(seeds.into());
            }
        }
        let version = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        registry.register("build", "The program", version);
        registry.register(
            "highest_layer",
            "Seeds of the highest layer with tables",
            highest,
        );
        registry.register(
            "table_memory_bytes",
            "Memory of layers that have been loaded whole",
            metrics.table_memory.clone(),
        );
        registry.register("requests", "Requests answered", metrics.requests.clone());
        registry.register(
            "request_duration_seconds",
            "Time until an answer began",
            metrics.durations.clone(),
        );
        registry.register("running", "Work in progress", metrics.running.clone());
        registry.register("refused", "Work refused as busy", metrics.refused.clone());
        registry.register(
            "connections",
            "Open connections",
            metrics.connections.clone(),
        );
        registry.register(
            "refused_connections",
            "Connections refused because their client has too many",
            metrics.refused_connections.clone(),
        );
        registry.register(
            "evicted_connections",
            "Idle connections closed to make place for others",
            metrics.evicted_connections.clone(),
        );
        Metrics {
            registry: registry.into(),
            ..metrics
        }
    }

    /// The metrics of a kind of work.
    pub fn work(&self, kind: &'static str) -> WorkMetrics {
        let labels = KindLabels { kind };
        WorkMetrics {
            running: self.running.get_or_create_owned(&labels),
            refused: self.refused.get_or_create_owned(&labels),
        }
    }

    fn count(&self, endpoint: &str, method: &Method, status: StatusCode, time: Duration) {
        let endpoint = endpoint.to_owned();
        let labels = EndpointLabels {
            endpoint: endpoint.clone(),
        };
        self.durations
            .get_or_create(&labels)
            .observe(time.as_secs_f64());
        let labels = RequestLabels {
            endpoint,
            // Clients can invent methods.
            method: match *method {
                Method::GET => "GET",
                Method::HEAD => "HEAD",
                Method::POST => "POST",
                Method::OPTIONS => "OPTIONS",
                _ => "other",
            },
            status: status.as_u16(),
        };
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

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}

/// Counts a request and its time.
pub async fn observe(
    State(metrics): State<Metrics>,
    path: Option<MatchedPath>,
    request: Request,
    next: Next,
) -> Response {
    let (start, method) = (Instant::now(), request.method().clone());
    let response = next.run(request).await;
    let endpoint = path.as_ref().map_or("none", MatchedPath::as_str);
    metrics.count(endpoint, &method, response.status(), start.elapsed());
    response
}
