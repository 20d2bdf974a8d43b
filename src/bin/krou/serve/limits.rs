//! Resource limits of the server. `docs/server.md` documents them.

use std::num::NonZero;
use std::thread::available_parallelism;
use std::time::Duration;

/// Open connections; more wait until one is closed.
pub const CONNECTIONS: usize = 512;
/// Time to send the head of a request, and idle time before it.
pub const HEAD_TIME: Duration = Duration::from_secs(10);
/// Bytes of a request's head.
pub const HEAD_BYTES: usize = 16 << 10;
/// Bytes of a request's address.
pub const ADDRESS_BYTES: usize = 4 << 10;
/// Age at which a connection is closed, after the response in progress.
pub const CONNECTION_TIME: Duration = Duration::from_mins(5);
/// Time for responses in progress when a connection or the server closes.
pub const CLOSING_TIME: Duration = Duration::from_secs(5);

/// Moves of a game.
pub const MOVES: usize = 1000;
/// Plies of a best line.
pub const PLIES: usize = 200;

/// Time for an analysis, unless the request asks for another.
pub const ANALYSIS_TIME: Duration = Duration::from_secs(3);
/// The longest time for an analysis.
pub const MAX_ANALYSIS_TIME: Duration = Duration::from_secs(10);
/// Lines of an analysis: one for each of the mover's pits.
pub const LINES: usize = 6;
/// Depth of an analysis in plies.
pub const DEPTH: u8 = 60;

/// Time that a request waits until work may begin.
pub const QUEUE_TIME: Duration = Duration::from_secs(5);
/// Time for a probe, a best line or a game.
pub const QUERY_TIME: Duration = Duration::from_secs(10);
/// Time for the move of an opponent.
pub const OPPONENT_TIME: Duration = Duration::from_secs(5);

/// Concurrent queries: enough to keep all cores busy while some wait for the disk.
pub fn concurrent_queries() -> usize {
    2 * cores()
}

/// Concurrent opponents: half of the cores, because they take more time and memory.
pub fn concurrent_opponents() -> usize {
    cores().div_ceil(2)
}

fn cores() -> usize {
    available_parallelism().map_or(1, NonZero::get)
}
