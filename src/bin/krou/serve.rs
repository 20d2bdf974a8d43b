//! `krou serve`: tables and games over HTTP as JSON, and a page for the browser.
//!
//! - `connections`: accepts connections.
//! - `routes`: the endpoints; `params`, `query_string`: their parameters.
//! - `analysis`, with `search_lines`: what the engine thinks, as `events`.
//! - `queries`, `game`: compute the answers; `answers`: their JSON.
//! - `table_registry`: the tables of all rulesets.
//! - `work_limiter`, `limits`: concurrent work and resource limits.
//! - `errors`: error responses.
//! - `page`: the files of the page.

mod analysis;
mod answers;
mod connections;
mod errors;
mod events;
mod game;
mod limits;
mod page;
mod params;
mod queries;
mod query_string;
mod routes;
mod search_lines;
mod table_registry;
mod work_limiter;

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use clap::Args;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};

use crate::folder_args::FolderArgs;
use crate::messages::print_message;
use table_registry::TableRegistry;
use work_limiter::WorkLimiter;

/// Options of `krou serve`.
#[derive(Args)]
pub struct ServeArgs {
    /// Address and port to listen on.
    ///
    /// With port 0 the system chooses a free port. An address other than 127.0.0.1 or
    /// `[::1]` makes the server reachable from other machines.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7878")]
    listen: String,
    #[command(flatten)]
    tables: FolderArgs,
}

/// The state that all requests share.
struct Server {
    tables: TableRegistry,
    queries: WorkLimiter,
    opponents: WorkLimiter,
    analyses: WorkLimiter,
}

/// Serves until Ctrl-C or a termination signal.
pub fn run(args: &ServeArgs) -> Result<ExitCode> {
    let server = Arc::new(Server {
        tables: TableRegistry::open(&args.tables)?,
        queries: WorkLimiter::new(
            limits::concurrent_queries(),
            limits::QUEUE_TIME,
            limits::QUERY_TIME,
        ),
        opponents: WorkLimiter::new(
            limits::concurrent_opponents(),
            limits::QUEUE_TIME,
            limits::OPPONENT_TIME,
        ),
        analyses: WorkLimiter::new(
            limits::concurrent_opponents(),
            limits::QUEUE_TIME,
            limits::MAX_ANALYSIS_TIME,
        ),
    });
    let runtime = runtime(&server).context("cannot start the server's threads")?;
    runtime.block_on(serve(&args.listen, server))?;
    // A search in progress does not keep the process alive.
    runtime.shutdown_background();
    Ok(ExitCode::SUCCESS)
}

/// Threads for requests, and enough for all concurrent work.
fn runtime(server: &Server) -> std::io::Result<Runtime> {
    let work = [&server.queries, &server.opponents, &server.analyses];
    let work = work.map(WorkLimiter::concurrency).iter().sum();
    Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(work)
        .build()
}

async fn serve(address: &str, server: Arc<Server>) -> Result<()> {
    let failed =
        |error| anyhow!("cannot listen on {address} ({error}): name another address with --listen");
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let local = listener.local_addr().map_err(failed)?;
    let stop = stop_signal().context("cannot wait for signals")?;
    print_message(&format!("listening on http://{local}, {}", server.tables));
    connections::accept(&listener, routes::router(server), stop).await;
    Ok(())
}

/// Completes when the server should stop.
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

/// Completes when the server should stop.
#[cfg(not(unix))]
fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    Ok(async {
        // If Ctrl-C cannot be caught, the default handler ends the program.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
