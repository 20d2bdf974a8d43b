//! Accepts connections within limits of number and time, and lets responses in progress end
//! when the server stops.
//!
//! `axum::serve` does not limit how long a client takes to send a request.

use std::collections::HashMap;
use std::io::{Error, ErrorKind};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;
use tracing::error;

use super::limits::{self, LimitArgs};
use super::metrics::Metrics;

/// Accepts connections until the server stops, then waits for the responses in progress.
pub async fn accept(
    listener: &TcpListener,
    router: &Router,
    limits: &LimitArgs,
    metrics: &Metrics,
    stopping: &CancellationToken,
) {
    let places = Arc::new(Semaphore::new(limits.max_connections));
    // Each open connection of a client is a reference beside the one in this map.
    let mut clients = HashMap::<IpAddr, Arc<()>>::new();
    let open = GracefulShutdown::new();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(limits.client_timeout)
        .max_buf_size(limits::HEAD_BYTES);
    loop {
        let accepted = tokio::select! {
            accepted = next(listener, &places) => accepted,
            () = stopping.cancelled() => break,
        };
        let (place, stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                report(&error).await;
                continue;
            }
        };
        clients.retain(|_, connections| Arc::strong_count(connections) > 1);
        let of_client = Arc::clone(clients.entry(client(peer.ip())).or_default());
        if Arc::strong_count(&of_client) - 1 > limits.max_connections_per_client {
            metrics.refused_connections.inc();
            continue;
        }
        // Responses are written at once, so Nagle's algorithm would only delay them.
        let _ = stream.set_nodelay(true);
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(limits.client_timeout));
        let router = router.clone();
        let service = service_fn(move |mut request: hyper::Request<_>| {
            request.extensions_mut().insert(peer);
            router.clone().oneshot(request)
        });
        let connection = http.serve_connection(TokioIo::new(Box::pin(stream)), service);
        let connection = open.watch(connection);
        let count = metrics.connections.clone();
        tokio::spawn(async move {
            count.inc();
            // An error means that the client has gone.
            let _ = connection.await;
            count.dec();
            drop((place, of_client));
        });
    }
    // Connections that do not end in time are dropped.
    let _ = timeout(limits::CLOSING_TIME, open.shutdown()).await;
}

/// Waits for a place and a connection. While there is no place, connections wait in the
/// system's queue.
async fn next(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> Result<(OwnedSemaphorePermit, TcpStream, SocketAddr), Error> {
    let place = Arc::clone(places).acquire_owned().await;
    let place = place.map_err(Error::other)?;
    let (stream, peer) = listener.accept().await?;
    Ok((place, stream, peer))
}

/// Logs that a connection cannot be accepted, and waits until that may have changed.
async fn report(error: &Error) {
    const PAUSE: Duration = Duration::from_secs(1);
    use ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    // These are about the client, which has gone.
    if !matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset
    ) {
        error!("cannot accept a connection: {error}");
        sleep(PAUSE).await;
    }
}

/// The addresses that count as one client: in IPv6 a network of 64 bits, since a single
/// machine may have all its addresses.
fn client(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_of_ipv6_is_one_client() {
        let client = |text: &str| client(text.parse().unwrap()).to_string();
        assert_eq!(client("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(client("::ffff:192.0.2.1"), "192.0.2.1");
        assert_eq!(client("192.0.2.1"), "192.0.2.1");
    }
}
