//! How much of the machine requests may have. `docs/server.md` tells these
//! numbers to those who ask.

use std::num::NonZero;
use std::thread::available_parallelism;
use std::time::Duration;

use super::work_limiter::WorkLimiter;

/// Connections open at a time; more wait until one is closed.
pub const CONNECTIONS: usize = 512;
/// Time to send the head of a request, and to be idle before it.
pub const HEAD_TIME: Duration = Duration::from_secs(10);
/// Bytes of a request's head.
pub const HEAD_BYTES: usize = 16 << 10;
/// Bytes of a request's address.
pub const ADDRESS_BYTES: usize = 4 << 10;
/// Age at which a connection is closed after the answer at work.
pub const CONNECTION_TIME: Duration = Duration::from_mins(5);
/// Time for the answers at work when a connection or the server closes.
pub const CLOSING_TIME: Duration = Duration::from_secs(5);

/// Moves of a game.
pub const MOVES: usize = 1000;
/// Plies of a best line.
pub const PLIES: usize = 200;

/// Probes: as many at once as keep all cores busy while some wait for a disk.
pub fn probes() -> WorkLimiter {
    WorkLimiter::new(2 * cores(), Duration::from_secs(5), Duration::from_secs(10))
}

/// Opponents think longer and take memory: half of the cores.
pub fn opponents() -> WorkLimiter {
    let places = cores().div_ceil(2);
    WorkLimiter::new(places, Duration::from_secs(5), Duration::from_secs(5))
}

fn cores() -> usize {
    available_parallelism().map_or(1, NonZero::get)
}
