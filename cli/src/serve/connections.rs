//! Accepts connections, limits their number and time, and shuts down gracefully.
//!
//! `axum::serve` has no such limits.

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::response::Response;
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;
use tracing::{error, warn};

use super::access_log::Throttle;
use super::client::Client;
use super::connection_registry::{Answering, Connection, ConnectionRegistry};
use super::limits::{self, LimitArgs};
use super::metrics::Metrics;

/// Accepts the connections of a server.
pub struct Acceptor {
    router: Router,
    limits: LimitArgs,
    /// Proxies, whose connections are those of many clients.
    proxies: Arc<[IpAddr]>,
    metrics: Metrics,
    permits: Arc<Semaphore>,
    registry: Arc<ConnectionRegistry>,
    refused: Throttle,
}

impl Acceptor {
    pub fn new(
        router: Router,
        limits: LimitArgs,
        proxies: Vec<IpAddr>,
        metrics: Metrics,
    ) -> Acceptor {
        Acceptor {
            router,
            permits: Arc::new(Semaphore::new(limits.max_connections)),
            limits,
            proxies: proxies.into(),
            metrics,
            registry: Arc::default(),
            refused: Throttle::default(),
        }
    }

    /// Accepts connections until `stopping` is true, then finishes responses in progress.
    pub async fn accept(self, listener: &TcpListener, stopping: watch::Receiver<bool>) {
        /// Pause after a failed accept.
        const PAUSE: Duration = Duration::from_millis(50);
        let failed = Throttle::default();
        let mut stopped = stopping.clone();
        let mut stopped = std::pin::pin!(is_stopping(&mut stopped));
        loop {
            let next = async {
                let (stream, peer) = listener.accept().await?;
                Ok::<_, std::io::Error>(match self.add(peer) {
                    Some(connection) => Some((stream, peer, connection, self.permit().await)),
                    None => {
                        refuse(&stream);
                        None
                    }
                })
            };
            match tokio::select! { next = next => next, () = &mut stopped => break } {
                Ok(Some((stream, peer, connection, permit))) => {
                    let (router, stopping) = (self.router.clone(), stopping.clone());
                    let open = self.metrics.connections.clone();
                    let client_timeout = self.limits.client_timeout;
                    let service = Service {
                        router,
                        peer: peer.ip(),
                        proxies: self.proxies.clone(),
                        connection,
                    };
                    tokio::spawn(async move {
                        let _permit = permit;
                        open.inc();
                        service.serve(stream, client_timeout, stopping).await;
                        open.dec();
                    });
                }
                Ok(None) => {}
                Err(error) => {
                    if let Some(suppressed) = failed.admit() {
                        error!(suppressed, "cannot accept a connection: {error}");
                    }
                    sleep(PAUSE).await;
                }
            }
        }
        let all = self
            .permits
            .acquire_many(self.limits.max_connections as u32);
        // Connections that do not finish in time are dropped.
        let _ = timeout(limits::CLOSING_TIME, all).await;
    }

    /// Registers a connection; `None` if its client has too many.
    fn add(&self, peer: SocketAddr) -> Option<Arc<Connection>> {
        let limit = match self.proxies.contains(&peer.ip().to_canonical()) {
            true => usize::MAX,
            false => self.limits.max_connections_per_client,
        };
        let connection = self.registry.add(Client::from(peer.ip()), limit);
        if connection.is_none() {
            self.metrics.refused_connections.inc();
            if let Some(suppressed) = self.refused.admit() {
                let client = peer.ip();
                warn!(%client, suppressed, "refused a connection: {limit} are open already");
            }
        }
        connection
    }

    /// Waits for a place. If there is none, connections that wait for a request are closed.
    async fn permit(&self) -> Option<OwnedSemaphorePermit> {
        /// Pause until another connection may have become idle.
        const PAUSE: Duration = Duration::from_millis(100);
        loop {
            let permit = self.permits.clone().acquire_owned();
            if let Ok(permit) = timeout(PAUSE, permit).await {
                return permit.ok();
            }
            if self
                .registry
                .close_longest_waiting(limits::CROWDED_HEAD_TIME)
            {
                self.metrics.evicted_connections.inc();
            }
        }
    }
}

/// Completes when the server stops.
async fn is_stopping(stopping: &mut watch::Receiver<bool>) {
    // An error means the same: the sender is gone.
    let _ = stopping.wait_for(|stopping| *stopping).await;
}

/// Says why a connection is closed, if the system takes it at once.
fn refuse(stream: &TcpStream) {
    const BODY: &str = "{\"error\":\"this address has too many connections to the server: close some \
        of them\",\"code\":\"busy\"}";
    let response = format!(
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\n\
         retry-after: 1\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{BODY}",
        BODY.len()
    );
    let _ = stream.try_write(response.as_bytes());
}

/// What answers the requests of a connection.
struct Service {
    router: Router,
    peer: IpAddr,
    proxies: Arc<[IpAddr]>,
    connection: Arc<Connection>,
}

impl Service {
    /// Serves a connection until it is closed or too old.
    async fn serve(
        self,
        stream: TcpStream,
        client_timeout: Duration,
        mut stopping: watch::Receiver<bool>,
    ) {
        // Responses are written at once, so Nagle's algorithm would only delay them.
        let _ = stream.set_nodelay(true);
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(client_timeout));
        let connection = self.connection.clone();
        let exchange = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(client_timeout)
            .max_buf_size(limits::HEAD_BYTES)
            .serve_connection(
                TokioIo::new(Box::pin(stream)),
                service_fn(|request| self.answer(request)),
            );
        let mut exchange = std::pin::pin!(exchange);
        // Errors are ignored: the client has gone.
        tokio::select! {
            _ = exchange.as_mut() => return,
            () = connection.closed() => return,
            () = is_stopping(&mut stopping) => {}
            () = sleep(limits::CONNECTION_TIME) => {}
        }
        exchange.as_mut().graceful_shutdown();
        let _ = timeout(limits::CLOSING_TIME, exchange).await;
    }

    async fn answer(
        &self,
        mut request: hyper::Request<Incoming>,
    ) -> Result<Response<TrackedBody>, Infallible> {
        let answering = self.connection.answering();
        let client = Client::of_request(self.peer, request.headers(), &self.proxies);
        request.extensions_mut().insert(client);
        let response = self.router.clone().oneshot(request).await?;
        Ok(response.map(|body| TrackedBody {
            body,
            _answering: answering,
        }))
    }
}

/// The body of a response. The connection counts as answering until it is written.
struct TrackedBody {
    body: Body,
    _answering: Answering,
}

impl HttpBody for TrackedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
