//! `krou serve`: tables, games and searches over HTTP, and a page for the browser.
//!
//! - `connections`, with `connection_registry`: accepts connections.
//! - `routes`: the endpoints, in `table_endpoints` and `search_endpoints`.
//! - `params`, `body`: what a request asks for; `client`, `origin`: who sends it.
//! - `krou::answers` computes the answers; searches are told as `events`.
//! - `table_registry`: the tables of all rulesets; `table_loading` loads layers of them into
//!   memory.
//! - `work_limiter`, `limits`: concurrent work and resource limits.
//! - `errors`: error responses; `access_log`, `metrics`: what operators see.
//! - `http_cache`: answers that clients have already; `page`: the files of the page.

mod access_log;
mod body;
mod client;
mod connection_registry;
mod connections;
mod errors;
mod events;
mod http_cache;
mod limits;
mod metrics;
mod origin;
mod page;
mod params;
mod routes;
mod search_endpoints;
mod table_endpoints;
mod table_loading;
mod table_registry;
mod work_limiter;

use std::net::IpAddr;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use clap::Args;
use krou::answers::TableSet;
use krou::answers::limits::ANALYSIS_TIME;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;

use crate::folder_args::FolderArgs;
use crate::messages::print_message;
use crate::table_memory_args::TableMemoryArgs;
use access_log::LogArgs;
use connections::Acceptor;
use limits::LimitArgs;
use metrics::Metrics;
use origin::{OriginArgs, OriginPolicy};
use table_loading::TableLoading;
use work_limiter::{WorkLimiter, WorkLimits};

/// Options of `krou serve`.
#[derive(Args)]
pub struct ServeArgs {
    /// Address and port to listen on.
    ///
    /// The address may be a name, such as localhost:7878. With port 0 the system chooses a
    /// free port. An address other than 127.0.0.1 or `[::1]` makes the server reachable from
    /// other machines.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7878", value_parser = parse_listen)]
    listen: String,
    #[command(flatten)]
    tables: FolderArgs,
    #[command(flatten)]
    table_memory: TableMemoryArgs,
    #[command(flatten)]
    origins: OriginArgs,
    /// IP address of a reverse proxy; may be given several times.
    ///
    /// Its requests count for the client that it names in X-Forwarded-For.
    #[arg(long = "trust-proxy", value_name = "ADDRESS", help_heading = "Access")]
    proxies: Vec<IpAddr>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    log: LogArgs,
}

fn parse_listen(text: &str) -> Result<String, String> {
    let port = text.rsplit_once(':').map(|(_, port)| port);
    let has_port = port.is_some_and(|port| port.parse::<u16>().is_ok());
    if text.parse::<IpAddr>().is_ok() || !text.contains(':') {
        let address = match text.contains(':') {
            true => format!("[{text}]"),
            false => text.to_owned(),
        };
        return Err(format!("the port is missing: write {address}:7878"));
    }
    match has_port {
        true => Ok(text.to_owned()),
        false => Err("the port must be a whole number from 0 to 65535".to_owned()),
    }
}

/// The state that all requests share.
struct Server {
    limits: LimitArgs,
    tables: TableSet,
    origins: OriginPolicy,
    metrics: Metrics,
    queries: WorkLimiter,
    opponents: WorkLimiter,
    analyses: WorkLimiter,
}

impl Server {
    fn new(args: &ServeArgs, stopping: &watch::Receiver<bool>) -> Result<Server> {
        let tables = table_registry::open(&args.tables)?;
        let metrics = Metrics::new(&tables);
        let limits = &args.limits;
        let limiter = |kind, concurrency, work_time: Duration| {
            let limits = WorkLimits {
                concurrency,
                share: limits.share(concurrency),
                queue_time: limits.queue_time,
                work_time,
            };
            WorkLimiter::new(limits, metrics.work(kind), stopping.clone())
        };
        Ok(Server {
            origins: OriginPolicy::new(&args.origins, &args.listen),
            queries: limiter("query", limits.queries(), limits::QUERY_TIME),
            opponents: limiter("opponent", limits.opponents(), limits::OPPONENT_TIME),
            analyses: limiter("analysis", limits.analyses(), ANALYSIS_TIME),
            limits: limits.clone(),
            tables,
            metrics,
        })
    }
}

/// Serves until Ctrl-C or a termination signal.
pub fn run(args: &ServeArgs) -> Result<ExitCode> {
    // Tables and connections share the limit. If it cannot be raised, they share less.
    let _ = rlimit::increase_nofile_limit(u64::MAX);
    let (stop, stopping) = watch::channel(false);
    let server = Arc::new(Server::new(args, &stopping)?);
    let runtime = runtime(&server).context("cannot start the server's threads")?;
    runtime.block_on(serve(args, server, stop))?;
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

async fn serve(args: &ServeArgs, server: Arc<Server>, stop: watch::Sender<bool>) -> Result<()> {
    let address = &args.listen;
    let failed =
        |error| anyhow!("cannot listen on {address} ({error}): name another address with --listen");
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let local = listener.local_addr().map_err(failed)?;
    let signal = stop_signal().context("cannot wait for signals")?;
    print_message(&format!(
        "listening on http://{local}, {}",
        table_registry::summary(&server.tables)
    ));
    access_log::start(&args.log);
    let _loading = TableLoading::start(Arc::clone(&server), args.table_memory.bytes())?;
    let stopping = stop.subscribe();
    tokio::spawn(async move {
        signal.await;
        stop.send_replace(true);
        // The receivers must not see the sender go.
        std::future::pending::<()>().await;
    });
    let metrics = server.metrics.clone();
    let router = routes::router(server);
    let proxies = args.proxies.iter().map(IpAddr::to_canonical).collect();
    let acceptor = Acceptor::new(router, args.limits.clone(), proxies, metrics);
    acceptor.accept(&listener, stopping).await;
    Ok(())
}

/// Completes when the server should stop.
#[cfg(unix)]
fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
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
