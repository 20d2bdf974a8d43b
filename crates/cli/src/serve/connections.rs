//! Accepts connections within limits of number and time, and lets responses in progress end
//! when the server stops.
//!
//! `axum::serve` does not limit how long a client takes to send a request.

use std::collections::HashMap;
use std::convert::Infallible;
use std::io::{Error, ErrorKind};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Weak};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::http::HeaderMap;
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use krou::table::reason;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Mutex;
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;
use tracing::error;

use super::limits::{self, LimitArgs};
use super::metrics::{Counted, Metrics};

/// Of the requests of a client, the one whose turn it is to wait for a place, for each kind
/// of work that takes long.
#[derive(Default)]
pub struct Turns {
    pub opponents: Mutex<()>,
    pub analyses: Mutex<()>,
}

/// An open connection.
struct Connection {
    client: IpAddr,
    turns: Arc<Turns>,
    /// A reference for each request in progress, and one more.
    requests: Weak<()>,
    task: AbortHandle,
}

impl Connection {
    fn is_idle(&self) -> bool {
        self.requests.strong_count() <= 1
    }
}

/// HTTP with clients that must send requests in time.
fn http(time: Duration) -> http1::Builder {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(time)
        .max_buf_size(limits::HEAD_BYTES);
    http
}

/// A stream whose client must take responses in time.
fn prompt(stream: TcpStream, time: Duration) -> TimeoutStream<TcpStream> {
    // Responses are written at once, so Nagle's algorithm would only delay them.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(time));
    stream
}

/// The response to a request, which is in progress until its last byte has been handed over.
async fn answer(
    router: Router,
    request: hyper::Request<Incoming>,
    in_progress: Arc<()>,
) -> Result<hyper::Response<impl Body<Data = Bytes, Error = axum::Error>>, Infallible> {
    let response = router.oneshot(request).await?;
    Ok(response.map(|body| {
        body.map_err(move |error| {
            let _ = &in_progress;
            error
        })
    }))
}

/// Accepts connections until the server stops, then waits for the responses in progress.
pub async fn accept(
    listener: &TcpListener,
    router: &Router,
    limits: &LimitArgs,
    metrics: &Metrics,
    stopping: &CancellationToken,
) {
    // In the order of their beginning.
    let mut open: Vec<Connection> = Vec::new();
    let mut tasks = JoinSet::new();
    let closing = GracefulShutdown::new();
    let http = http(limits.client_timeout);
    let most = limits.connections();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stopping.cancelled() => break,
        };
        let Some((stream, peer)) = reported(accepted).await else {
            continue;
        };
        while tasks.try_join_next().is_some() {}
        open.retain(|connection| !connection.task.is_finished());
        let client = client(peer.ip());
        let Some(turns) = turns_of(client, &open, limits.max_connections_per_client) else {
            metrics.refused_connections.inc();
            continue;
        };
        if open.len() >= most {
            tokio::select! {
                () = make_room(&mut open, &mut tasks, client) => {}
                () = stopping.cancelled() => break,
            }
        }
        let requests = Arc::new(());
        let in_progress = Arc::downgrade(&requests);
        let (router, of_client) = (router.clone(), Arc::clone(&turns));
        let proxies = limits.proxies;
        let service = service_fn(move |mut request: hyper::Request<_>| {
            let sender = sender(peer.ip(), request.headers(), proxies);
            request.extensions_mut().insert(sender);
            request.extensions_mut().insert(Arc::clone(&of_client));
            answer(router.clone(), request, Arc::clone(&requests))
        });
        let stream = prompt(stream, limits.client_timeout);
        let serving = http.serve_connection(TokioIo::new(Box::pin(stream)), service);
        let serving = closing.watch(serving);
        let counted = Counted::new(&metrics.connections);
        let task = tasks.spawn(async move {
            let _counted = counted;
            // An error means that the client has gone.
            let _ = serving.await;
        });
        open.push(Connection {
            client,
            turns,
            requests: in_progress,
            task,
        });
    }
    // Connections that do not end in time are dropped.
    let _ = timeout(limits::CLOSING_TIME, closing.shutdown()).await;
}

/// The turns that the connections of a client share; `None` if it has the most that it may have.
fn turns_of(client: IpAddr, open: &[Connection], most: usize) -> Option<Arc<Turns>> {
    let of_client = || open.iter().filter(|connection| connection.client == client);
    let turns = of_client().next().map(|other| Arc::clone(&other.turns));
    (of_client().count() < most).then(|| turns.unwrap_or_default())
}

/// Ends a connection to make room for a new one of this client, or waits until one ends.
async fn make_room(open: &mut Vec<Connection>, tasks: &mut JoinSet<()>, client: IpAddr) {
    if let Some(place) = dispensable(open, client) {
        open.remove(place).task.abort();
    }
    // Its file is closed when its task has ended.
    tasks.join_next().await;
}

/// The connection to close for a new one of this client when there are too many: the oldest
/// idle one of the client that has most. If none is idle, one of a client that has more than
/// the new one, so that nobody can take all places.
fn dispensable(open: &[Connection], client: IpAddr) -> Option<usize> {
    let mut counts = HashMap::<IpAddr, usize>::from([(client, 1)]);
    for connection in open {
        *counts.entry(connection.client).or_default() += 1;
    }
    let count = |connection: &Connection| counts[&connection.client];
    let rank = |connection: &Connection| (connection.is_idle(), count(connection));
    let places = open.iter().enumerate().rev();
    let (place, found) = places.max_by_key(|(_, connection)| rank(connection))?;
    (found.is_idle() || count(found) > counts[&client]).then_some(place)
}

/// A connection; `None` if it cannot be accepted, which is logged, after a wait until that may have
/// changed.
async fn reported<T>(accepted: Result<T, Error>) -> Option<T> {
    const PAUSE: Duration = Duration::from_secs(1);
    use ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    let error = match accepted {
        Ok(accepted) => return Some(accepted),
        Err(error) => error,
    };
    // These are about the client, which has gone.
    if !matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset
    ) {
        error!("cannot accept a connection: {}", reason(error));
        sleep(PAUSE).await;
    }
    None
}

/// The address that sends a request: that of the connection, or of a client behind proxies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sender(pub IpAddr);

/// The sender of a request that has passed so many proxies. Each adds the address that it got the
/// request from to `X-Forwarded-For`; what stands before, the client may have written.
fn sender(peer: IpAddr, headers: &HeaderMap, proxies: usize) -> Sender {
    let lines = headers.get_all("x-forwarded-for").iter();
    let lines = lines.map(|line| line.to_str().unwrap_or_default());
    let hops: Vec<&str> = lines
        .flat_map(|line| line.split(','))
        .map(str::trim)
        .collect();
    let hop = hops
        .len()
        .checked_sub(proxies)
        .and_then(|place| hops.get(place));
    let address = hop.and_then(|hop| {
        let with_port = hop.parse::<SocketAddr>().map(|address| address.ip());
        hop.parse().or(with_port).ok()
    });
    Sender(address.unwrap_or(peer))
}

/// The addresses that count as one client: in IPv6 a network of 64 bits, since a single
/// machine may have all its addresses.
pub fn client(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proxies_tell_who_sends() {
        let peer: IpAddr = "10.0.0.1".parse().unwrap();
        let of = |lines: &[&'static str], proxies| {
            let named = lines.iter().map(|line| {
                let name = axum::http::HeaderName::from_static("x-forwarded-for");
                (name, axum::http::HeaderValue::from_static(line))
            });
            sender(peer, &named.collect(), proxies).0.to_string()
        };
        // Nobody is believed unless the operator says so.
        assert_eq!(of(&["192.0.2.1"], 0), "10.0.0.1");
        assert_eq!(of(&["198.51.100.7, 192.0.2.1"], 1), "192.0.2.1");
        assert_eq!(of(&["198.51.100.7", "192.0.2.1, 10.0.0.2"], 2), "192.0.2.1");
        assert_eq!(of(&["[2001:db8::1]:4711"], 1), "2001:db8::1");
        assert_eq!(of(&["192.0.2.1:4711"], 1), "192.0.2.1");
        // A request that has passed fewer proxies, and a header that names no address.
        assert_eq!(of(&["192.0.2.1"], 2), "10.0.0.1");
        assert_eq!(of(&["unknown"], 1), "10.0.0.1");
        assert_eq!(of(&[], 1), "10.0.0.1");
    }

    #[test]
    fn a_network_of_ipv6_is_one_client() {
        let client = |text: &str| client(text.parse().unwrap()).to_string();
        assert_eq!(client("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(client("::ffff:192.0.2.1"), "192.0.2.1");
        assert_eq!(client("192.0.2.1"), "192.0.2.1");
    }
}
