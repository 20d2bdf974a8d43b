//! `krou serve`: tables, games and searches over HTTP, and a page for the browser.
//!
//! - `connections`: accepts connections.
//! - `routes`: the endpoints: those of `krou_answers`, in `table_endpoints`; those that send
//!   events, in `search_endpoints`; those of rooms, in `room_endpoints`; `openapi`: the
//!   description of them all.
//! - `room`: a room for two players, and what they may do; `room_clock`: their clocks;
//!   `rooms`: all rooms, and their file.
//! - `params`, `body`: parse requests; `origin`: the pages that may send them.
//! - `tables`: the tables of all rulesets, and loading layers into memory.
//! - `work`, `limits`: concurrent work and resource limits; `engines`: those of searches.
//! - `errors`: error responses; `access_log`, `metrics`: for operators.
//! - `local`: the server without sockets, for tests.
//! - `http_cache`: answers that clients have already; `page`: the files of the page.

mod access_log;
mod body;
mod connections;
mod engines;
mod errors;
mod events;
mod http_cache;
mod limits;
pub mod local;
mod metrics;
mod openapi;
mod origin;
mod page;
mod params;
mod room;
mod room_clock;
mod room_endpoints;
mod rooms;
mod routes;
mod search_endpoints;
mod table_endpoints;
mod tables;
mod work;

use std::env;
use std::net::Ipv6Addr;
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::available_parallelism;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use clap::{Arg, Args};
use krou::table::reason;
use krou::tablebase::TableSet;
use krou_answers::limits::ANALYSIS_TIME;
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::args::{TableMemoryArgs, whole_number};
use crate::folder_args::{FolderArgs, HOST_PLACES, HostArgs};
use crate::interrupt::{self, on_interrupt};
use crate::messages::print_message;
use crate::system::check_threads;
use access_log::LogArgs;
use engines::Engines;
use limits::LimitArgs;
use metrics::Metrics;
use origin::OriginPolicy;
use rooms::Rooms;
use work::WorkLimiter;

/// Time after which rooms that were left are removed although no other has changed.
const HOUR: Duration = Duration::from_secs(3600);

/// Options of `krou serve`.
#[derive(Args)]
#[command(mut_args = or_variable)]
pub struct ServeArgs {
    /// Address and port to listen on.
    ///
    /// The address may be a name, such as localhost:7878. With port 0 the system chooses a
    /// free port. An address other than 127.0.0.1 or `[::1]` makes the server reachable from
    /// other machines.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7878", value_parser = parse_listen)]
    listen: String,
    #[command(flatten)]
    folders: FolderArgs,
    #[command(flatten)]
    hosts: HostArgs,
    #[command(flatten)]
    table_memory: TableMemoryArgs,
    /// Occurrence of a board that ends a game, 2 or 3, unless a request names another.
    #[arg(long, value_name = "N", default_value = "3", value_parser = whole_number(2_u8..=3))]
    repetitions: u8,
    /// File that keeps rooms over a restart. Whoever may read it may play in them.
    #[arg(long, value_name = "FILE")]
    rooms: Option<PathBuf>,
    #[command(flatten)]
    origins: OriginPolicy,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    log: LogArgs,
}

/// An option that may be given by an environment variable instead: `--max-queries` by
/// `KROU_SERVE_MAX_QUERIES`. An empty variable is as good as none.
fn or_variable(option: Arg) -> Arg {
    let name = option.get_long().unwrap_or_default().replace('-', "_");
    let name = format!("KROU_SERVE_{}", name.to_uppercase());
    match env::var_os(&name) {
        Some(value) if !value.is_empty() => option.env(name).hide_env(true),
        _ => option,
    }
}

fn parse_listen(text: &str) -> Result<String, String> {
    let is_v6 = text.parse::<Ipv6Addr>().is_ok();
    let port = text.rsplit_once(':').map(|(_, port)| port);
    match port.filter(|_| !is_v6) {
        Some(port) if port.parse::<u16>().is_ok() => Ok(text.to_owned()),
        Some(_) => Err("the port must be a whole number from 0 to 65535".to_owned()),
        None if is_v6 => Err(format!("the port is missing: write [{text}]:7878")),
        None => Err(format!("the port is missing: write {text}:7878")),
    }
}

/// The state that all requests share.
struct Server {
    limits: LimitArgs,
    repetitions: u8,
    tables: TableSet,
    origins: OriginPolicy,
    metrics: Metrics,
    queries: WorkLimiter,
    opponents: WorkLimiter,
    analyses: WorkLimiter,
    engines: Engines,
    rooms: Rooms,
    /// Cancelled when the server is to stop.
    stopping: CancellationToken,
}

/// The server, as handlers get it.
type SharedServer = axum::extract::State<Arc<Server>>;

impl ServeArgs {
    /// Queries at a time: each host has places of its own, so that those who wait for it leave
    /// room for others.
    fn queries(&self) -> usize {
        self.limits.queries() + self.hosts.hosts().len() * HOST_PLACES
    }
}

impl Server {
    fn new(args: &ServeArgs) -> Result<Server> {
        let folders = args.folders.with_hosts(args.hosts.impatient_hosts());
        let tables = TableSet::open(|rules| folders.open(rules))?;
        let metrics = Metrics::new(&tables);
        let limits = &args.limits;
        // The rest of the connections is for requests.
        let streams = limits.connections().div_ceil(2);
        let rooms = Rooms::open(args.rooms.as_deref(), limits.max_rooms, streams)?;
        let stopping = CancellationToken::new();
        let limiter = |kind, concurrency, work_time: Duration| WorkLimiter {
            permits: Arc::new(Semaphore::new(concurrency)),
            waiting: Arc::default(),
            queue_time: limits.queue_time,
            work_time,
            metrics: metrics.work(kind),
            stopping: stopping.clone(),
        };
        Ok(Server {
            origins: args.origins.clone().listening_on(&args.listen),
            queries: limiter("query", args.queries(), limits::QUERY_TIME),
            opponents: limiter("opponent", limits.opponents(), limits::OPPONENT_TIME),
            analyses: limiter("analysis", limits.analyses(), ANALYSIS_TIME),
            engines: Engines::default(),
            rooms,
            limits: limits.clone(),
            repetitions: args.repetitions,
            tables,
            metrics,
            stopping,
        })
    }
}

/// Serves until Ctrl-C or a termination signal.
pub fn run(args: &ServeArgs) -> Result<ExitCode> {
    let server = Arc::new(Server::new(args)?);
    let limits = &args.limits;
    let work = args.queries() + limits.opponents() + limits.analyses();
    let workers = available_parallelism().map_or(1, NonZero::get);
    // And one that loads tables.
    check_threads(workers + 1).context("cannot start the server's threads")?;
    let runtime = Builder::new_multi_thread()
        .enable_all()
        .worker_threads(workers)
        // One more loads tables, and one writes rooms.
        .max_blocking_threads(work + 2)
        .build()
        .context("cannot start the server's threads")?;
    runtime.block_on(serve(args, server))?;
    // A search in progress does not keep the process alive.
    runtime.shutdown_background();
    Ok(ExitCode::SUCCESS)
}

async fn serve(args: &ServeArgs, server: Arc<Server>) -> Result<()> {
    let address = &args.listen;
    let failed = |error| {
        let why = reason(error);
        anyhow!("cannot listen on {address} ({why}): name another address with --listen")
    };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let local = listener.local_addr().map_err(failed)?;
    let stopping = server.stopping.clone();
    let stop = stopping.clone();
    let interrupted = on_interrupt()?;
    tokio::spawn(async move {
        while !interrupted.load(Ordering::Relaxed) {
            sleep(interrupt::PERIOD).await;
        }
        stop.cancel();
    });
    print_message(&format!(
        "listening on http://{local}, {}",
        tables::summary(&server.tables)
    ));
    access_log::start(&args.log);
    let (loading, memory) = (Arc::clone(&server), args.table_memory.bytes);
    spawn_blocking(move || tables::load(&loading, memory));
    let router = routes::router(Arc::clone(&server));
    tokio::spawn(keep_rooms(Arc::clone(&server)));
    connections::accept(&listener, &router, &args.limits, &server.metrics, &stopping).await;
    server.rooms.save();
    Ok(())
}

/// Writes the rooms after a change, at most once a second, and every hour removes old ones.
async fn keep_rooms(server: Arc<Server>) {
    loop {
        let _ = timeout(HOUR, server.rooms.changed.notified()).await;
        let saving = Arc::clone(&server);
        let _ = spawn_blocking(move || saving.rooms.save()).await;
        sleep(Duration::from_secs(1)).await;
    }
}
