//! `krou serve`: tables and games over HTTP, for programs, and a page for people.
//!
//! What a request may cost is in `limits`, what can go wrong in `errors`; the
//! handlers in `routes` only put together what the others know.

mod answers;
mod connections;
mod errors;
mod game;
mod work_limiter;
mod limits;
mod page;
mod params;
mod routes;
mod table_registry;

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use clap::Args;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};

use crate::folder_args::FolderArgs;
use crate::tell;
use work_limiter::WorkLimiter;
use table_registry::TableRegistry;

/// Options of `krou serve`.
#[derive(Args)]
pub struct ServeArgs {
    /// Address and port to listen on; with port 0 the system chooses one.
    ///
    /// A server on another address than 127.0.0.1 or `[::1]` answers whoever
    /// reaches this machine.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7878")]
    listen: String,
    #[command(flatten)]
    tables: FolderArgs,
}

/// What all requests share.
struct Server {
    shelf: TableRegistry,
    probes: WorkLimiter,
    opponents: WorkLimiter,
}

/// Serves until it is told to stop by Ctrl-C or a signal to terminate.
pub fn run(args: &ServeArgs) -> Result<ExitCode> {
    let server = Arc::new(Server {
        shelf: TableRegistry::open(&args.tables)?,
        probes: limits::probes(),
        opponents: limits::opponents(),
    });
    let runtime = runtime(&server).context("cannot start the server's threads")?;
    runtime.block_on(serve(&args.listen, server))?;
    // An opponent who is still thinking does not keep the program alive.
    runtime.shutdown_background();
    Ok(ExitCode::SUCCESS)
}

/// Threads for requests, and as many for work as there can be pieces of it.
fn runtime(server: &Server) -> std::io::Result<Runtime> {
    let work = server.probes.places() + server.opponents.places();
    Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(work)
        .build()
}

async fn serve(address: &str, server: Arc<Server>) -> Result<()> {
    let refused =
        |error| anyhow!("cannot listen on {address} ({error}): name another address with --listen");
    let listener = TcpListener::bind(address).await.map_err(refused)?;
    let local = listener.local_addr().map_err(refused)?;
    let stop = stop_signal().context("cannot wait for signals")?;
    tell(&format!("listening on http://{local}, {}", server.shelf));
    connections::accept(&listener, routes::router(server), stop).await;
    Ok(())
}

/// Ready when the program is to stop.
#[cfg(unix)]
fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Ready when the program is to stop.
#[cfg(not(unix))]
fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    Ok(async {
        // Without Ctrl-C only the system can stop the program.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
