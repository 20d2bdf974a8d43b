//! Resource limits of the server, beside those of all answers. `docs/server.md` documents
//! them.

use std::num::NonZero;
use std::thread::available_parallelism;
use std::time::Duration;

use clap::Args;

use crate::value_parsers::parse_seconds;

/// Idle time after which a connection may be closed if there is no other place for a new
/// one.
pub const CROWDED_HEAD_TIME: Duration = Duration::from_secs(1);
/// Bytes of a request's head.
pub const HEAD_BYTES: usize = 16 << 10;
/// Bytes of a request's body.
pub const BODY_BYTES: usize = 64 << 10;
/// Bytes of a request's address.
pub const ADDRESS_BYTES: usize = 4 << 10;
/// Age at which a connection is closed, after the response in progress.
pub const CONNECTION_TIME: Duration = Duration::from_mins(5);
/// Time for responses in progress when a connection or the server closes.
pub const CLOSING_TIME: Duration = Duration::from_secs(5);

/// Time for a probe, a best line, a game or a list of boards.
pub const QUERY_TIME: Duration = Duration::from_secs(10);
/// Time for the move of an opponent.
pub const OPPONENT_TIME: Duration = Duration::from_secs(5);

/// The limits that options change.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Limits")]
pub struct LimitArgs {
    /// Open connections; more wait until one is closed.
    #[arg(long, value_name = "N", default_value_t = 512, value_parser = parse_connections)]
    pub max_connections: usize,
    /// Open connections from one address; more are refused.
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = parse_connections)]
    pub max_connections_per_client: usize,
    /// Boards, best lines and games computed at the same time [default: two for each core].
    #[arg(long, value_name = "N", value_parser = parse_concurrency)]
    max_queries: Option<usize>,
    /// Opponents that think at the same time [default: one for every two cores, at least 2].
    #[arg(long, value_name = "N", value_parser = parse_concurrency)]
    max_opponents: Option<usize>,
    /// Analyses and reviews that search at the same time [default: one for every two cores, at
    /// least 2].
    #[arg(long, value_name = "N", value_parser = parse_concurrency)]
    max_analyses: Option<usize>,
    /// Queries, opponents or analyses of one client at the same time [default: half of the
    /// limit for all].
    #[arg(long, value_name = "N", value_parser = parse_concurrency)]
    max_per_client: Option<usize>,
    /// Seconds that a client may take to send a request, or to read some of the response.
    ///
    /// The same time applies to the head of a request, with the idle time before it, and to
    /// its body.
    #[arg(long, value_name = "S", default_value = "10", value_parser = parse_timeout)]
    pub client_timeout: Duration,
    /// Seconds that a request waits for its turn before it is refused.
    #[arg(long, value_name = "S", default_value = "5", value_parser = parse_seconds)]
    pub queue_time: Duration,
}

impl LimitArgs {
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

    /// What one client may use of `concurrency`.
    pub fn share(&self, concurrency: usize) -> usize {
        let share = self.max_per_client.unwrap_or(concurrency / 2);
        share.clamp(1, concurrency)
    }
}

fn half_of_cores() -> usize {
    cores().div_ceil(2).max(2)
}

fn cores() -> usize {
    available_parallelism().map_or(1, NonZero::get)
}

/// Largest number of connections.
const MAX_CONNECTIONS: usize = 100_000;
/// Largest number of queries, opponents or analyses, each of which takes a thread.
const MAX_CONCURRENCY: usize = 1024;

fn parse_connections(text: &str) -> Result<usize, String> {
    parse_count(text, "connections", MAX_CONNECTIONS)
}

fn parse_concurrency(text: &str) -> Result<usize, String> {
    parse_count(text, "requests at a time", MAX_CONCURRENCY)
}

fn parse_timeout(text: &str) -> Result<Duration, String> {
    match parse_seconds(text) {
        Ok(Duration::ZERO) => Err("the number of seconds must be at least 1".to_owned()),
        parsed => parsed,
    }
}

fn parse_count(text: &str, what: &str, most: usize) -> Result<usize, String> {
    match text.parse() {
        Ok(count) if (1..=most).contains(&count) => Ok(count),
        _ => Err(format!(
            "the number of {what} must be a whole number from 1 to {most}"
        )),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        limits: LimitArgs,
    }

    fn limits(args: &[&str]) -> Result<LimitArgs, String> {
        let args = [&["krou"], args].concat();
        let parsed = Program::try_parse_from(args).map_err(|error| error.to_string());
        parsed.map(|program| program.limits)
    }

    #[test]
    fn one_client_gets_half_unless_set() {
        let default = limits(&[]).unwrap();
        assert!(default.opponents() >= 2 && default.analyses() >= 2);
        assert_eq!([1, 2, 8].map(|all| default.share(all)), [1, 1, 4]);
        let set = limits(&["--max-per-client", "3"]).unwrap();
        assert_eq!([1, 2, 8].map(|all| set.share(all)), [1, 2, 3]);
    }

    #[test]
    fn counts_out_of_range_are_rejected() {
        for args in [
            ["--max-connections", "0"],
            ["--max-connections", "100001"],
            ["--max-opponents", "-1"],
            ["--max-per-client", "x"],
            ["--queue-time", "1.5"],
            ["--client-timeout", "0"],
        ] {
            assert!(limits(&args).is_err(), "{args:?}");
        }
        assert_eq!(
            limits(&["--queue-time", "0"]).unwrap().queue_time,
            Duration::ZERO
        );
    }
}
