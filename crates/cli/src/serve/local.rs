//! The server without sockets, which fuzz targets and tests ask in their own process.

use std::env;
use std::net::Ipv4Addr;
use std::sync::Arc;

use anyhow::Result;
use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use axum::{Extension, Router};
use clap::Parser;
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt;

use super::connections::{Sender, Turns};
use super::{ServeArgs, Server, routes};

/// A server with the built-in tables, which one client asks.
#[derive(Debug)]
pub struct LocalServer {
    router: Router,
    runtime: Runtime,
}

#[derive(Parser)]
struct CommandLine {
    #[command(flatten)]
    args: ServeArgs,
}

impl LocalServer {
    /// A server that waits for requests.
    ///
    /// # Errors
    /// If the temporary folder cannot be read, or no thread can be started.
    pub fn new() -> Result<LocalServer> {
        let folder = env::temp_dir();
        let line =
            CommandLine::try_parse_from(["serve".as_ref(), "--dir".as_ref(), folder.as_os_str()])?;
        let router = routes::router(Arc::new(Server::new(&line.args)?))
            .layer(Extension(Sender(Ipv4Addr::LOCALHOST.into())))
            .layer(Extension(Arc::new(Turns::default())));
        let runtime = Builder::new_current_thread().enable_all().build()?;
        Ok(LocalServer { router, runtime })
    }

    /// The status and the body of a response.
    ///
    /// # Errors
    /// If this is not a request, such as one to an address with spaces.
    pub fn answer(&self, method: &str, address: &str, body: &[u8]) -> Result<(u16, Vec<u8>)> {
        let request = Request::builder().method(method).uri(address);
        let request = request.header(header::HOST, "localhost");
        let request = request.body(Body::from(body.to_vec()))?;
        self.runtime.block_on(async {
            let response = self.router.clone().oneshot(request).await?;
            let status = response.status().as_u16();
            let body = to_bytes(response.into_body(), usize::MAX).await?;
            Ok((status, body.into()))
        })
    }
}
