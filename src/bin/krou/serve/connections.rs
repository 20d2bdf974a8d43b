//! Connections: so many at a time, none that is slow or old, and a quiet end.
//!
//! `axum::serve` sets no limits, so connections are accepted here.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};

use super::limits;

/// Accepts connections until `stop` is ready, then lets the answers at work be
/// finished.
pub async fn accept(listener: &TcpListener, router: Router, stop: impl Future<Output = ()>) {
    /// Between two tries when the system has no connections to give.
    const PAUSE: Duration = Duration::from_millis(50);
    let places = Arc::new(Semaphore::new(limits::CONNECTIONS));
    let (closing, closed) = watch::channel(());
    let mut stop = std::pin::pin!(stop);
    loop {
        let next = async {
            let place = places.clone().acquire_owned().await;
            (place, listener.accept().await)
        };
        match tokio::select! { next = next => next, () = &mut stop => break } {
            (Ok(place), Ok((stream, _))) => {
                let (router, mut closed) = (router.clone(), closed.clone());
                tokio::spawn(async move {
                    let _place = place;
                    let closing = async {
                        // Until then there is nothing to hear.
                        let _ = closed.changed().await;
                    };
                    answer(stream, router, closing).await;
                });
            }
            _ => sleep(PAUSE).await,
        }
    }
    drop(closing);
    let all = places.acquire_many(limits::CONNECTIONS as u32);
    // Who does not finish in time is cut off.
    let _ = timeout(limits::CLOSING_TIME, all).await;
}

/// Answers the requests of a connection until it is closed or too old.
async fn answer(stream: TcpStream, router: Router, closing: impl Future<Output = ()>) {
    // Answers are written whole; a delay would only add to them.
    let _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits::HEAD_TIME)
        .max_buf_size(limits::HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    let mut connection = std::pin::pin!(connection);
    // However it ends, nobody is left to be told.
    tokio::select! {
        _ = connection.as_mut() => return,
        () = closing => {}
        () = sleep(limits::CONNECTION_TIME) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = timeout(limits::CLOSING_TIME, connection).await;
}
