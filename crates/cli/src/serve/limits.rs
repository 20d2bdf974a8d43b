//! Resource limits of the server, beside those of all answers. `docs/server.md` documents
//! them.

use std::num::NonZero;
use std::thread::available_parallelism;
use std::time::Duration;

use clap::Args;

use crate::args::{seconds, whole_number};

/// Bytes of a request's head.
pub const HEAD_BYTES: usize = 16 << 10;
/// Bytes of a request's body.
pub const BODY_BYTES: usize = 64 << 10;
/// Bytes of a request's address.
pub const ADDRESS_BYTES: usize = 4 << 10;
/// Time for responses in progress when the server stops.
pub const CLOSING_TIME: Duration = Duration::from_secs(5);

/// Time for a probe, a best line, a game or a list of boards.
pub const QUERY_TIME: Duration = Duration::from_secs(10);
/// Time for the move of an opponent.
pub const OPPONENT_TIME: Duration = Duration::from_secs(5);

/// The limits that options change.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Limits")]
pub struct LimitArgs {
    /// Open connections, at most half of the files that the system lets krou open.
    ///
    /// For one more, an idle one is closed; if none is idle, it waits.
    #[arg(long, value_name = "N", default_value = "512", value_parser = whole_number(1_usize..=100_000))]
    max_connections: usize,
    /// Open connections from one address; more are closed at once.
    ///
    /// A connection has one request at a time, so this limits what one client can ask for at
    /// the same time. Behind a reverse proxy all connections come from one address: there,
    /// give this the same number as --max-connections.
    #[arg(long, value_name = "N", default_value = "128", value_parser = whole_number(1_usize..=100_000))]
    pub max_connections_per_client: usize,
    /// Boards, best lines and games computed at the same time, beside at most 32 that wait for
    /// each host of tables [default: two for each core].
    #[arg(long, value_name = "N", value_parser = whole_number(1_usize..=1024))]
    max_queries: Option<usize>,
    /// Opponents that think at the same time [default: one for every two cores, at least 2].
    #[arg(long, value_name = "N", value_parser = whole_number(1_usize..=1024))]
    max_opponents: Option<usize>,
    /// Analyses and reviews that search at the same time [default: one for every two cores, at
    /// least 2].
    #[arg(long, value_name = "N", value_parser = whole_number(1_usize..=1024))]
    max_analyses: Option<usize>,
    /// Rooms at a time; for one more, one of the client that made most goes.
    #[arg(long, value_name = "N", default_value = "1000", value_parser = whole_number(1_usize..=100_000))]
    pub max_rooms: usize,
    /// Reverse proxies between clients and the server. Each of them adds to X-Forwarded-For.
    ///
    /// The address that the farthest of them added is the client's, for rooms and in the log.
    /// With 0 the header is not read: anybody may write it.
    #[arg(long, value_name = "N", default_value = "0", value_parser = whole_number(0_usize..=10))]
    pub proxies: usize,
    /// Seconds that a client may take to send a request, or to read some of the response.
    ///
    /// The same time applies to the head of a request, with the idle time before it, and to
    /// its body.
    #[arg(long, value_name = "S", default_value = "10", value_parser = seconds(1..))]
    pub client_timeout: Duration,
    /// Seconds that a request waits for its turn before it is refused.
    #[arg(long, value_name = "S", default_value = "5", value_parser = seconds(0..))]
    pub queue_time: Duration,
}

impl LimitArgs {
    /// The most open connections. Tables and hosts need files too, and without a free one the
    /// server cannot accept a connection, nor close an idle one for it.
    pub fn connections(&self) -> usize {
        #[cfg(unix)]
        let most = rlimit::Resource::NOFILE.get_soft().unwrap_or(u64::MAX);
        #[cfg(not(unix))]
        let most = u64::MAX;
        let half = usize::try_from(most / 2).unwrap_or(usize::MAX);
        self.max_connections.min(half.max(1))
    }

    /// Enough to keep all cores busy while some queries wait for the disk.
    pub fn queries(&self) -> usize {
        self.max_queries.unwrap_or_else(|| 2 * cores())
    }

    /// Half of the cores, because opponents take more time and memory; at least 2, so that
    /// nobody waits for a single other client.
    pub fn opponents(&self) -> usize {
        self.max_opponents.unwrap_or_else(half_of_cores)
    }

    /// As many as opponents.
    pub fn analyses(&self) -> usize {
        self.max_analyses.unwrap_or_else(half_of_cores)
    }
}

fn half_of_cores() -> usize {
    cores().div_ceil(2).max(2)
}

fn cores() -> usize {
    available_parallelism().map_or(1, NonZero::get)
}
