//! Accepts connections, limits their number and time, and shuts down gracefully.
//!
//! `axum::serve` has no such limits.

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

/// Accepts connections until `stop` completes, then finishes responses in progress.
pub async fn accept(listener: &TcpListener, router: Router, stop: impl Future<Output = ()>) {
    /// Pause after a failed accept.
    const PAUSE: Duration = Duration::from_millis(50);
    let permits = Arc::new(Semaphore::new(limits::CONNECTIONS));
    let (closing, closed) = watch::channel(());
    let mut stop = std::pin::pin!(stop);
    loop {
        let next = async {
            let permit = permits.clone().acquire_owned().await;
            (permit, listener.accept().await)
        };
        match tokio::select! { next = next => next, () = &mut stop => break } {
            (Ok(permit), Ok((stream, _))) => {
                let (router, mut closed) = (router.clone(), closed.clone());
                tokio::spawn(async move {
                    let _permit = permit;
                    let closing = async {
                        // An error means the same: the sender is gone.
                        let _ = closed.changed().await;
                    };
                    answer(stream, router, closing).await;
                });
            }
            _ => sleep(PAUSE).await,
        }
    }
    drop(closing);
    let all = permits.acquire_many(limits::CONNECTIONS as u32);
    // Connections that do not finish in time are dropped.
    let _ = timeout(limits::CLOSING_TIME, all).await;
}

/// Serves a connection until it is closed or too old.
async fn answer(stream: TcpStream, router: Router, closing: impl Future<Output = ()>) {
    // Responses are written at once, so Nagle's algorithm would only delay them.
    let _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits::HEAD_TIME)
        .max_buf_size(limits::HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    let mut connection = std::pin::pin!(connection);
    // Errors are ignored: the client has gone.
    tokio::select! {
        _ = connection.as_mut() => return,
        () = closing => {}
        () = sleep(limits::CONNECTION_TIME) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = timeout(limits::CLOSING_TIME, connection).await;
}
