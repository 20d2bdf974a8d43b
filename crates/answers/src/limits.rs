//! How much one request may ask for. `docs/server.md` documents these limits.

use std::time::Duration;

/// Moves of a game.
pub const MOVES: usize = 1000;
/// Plies of a best line.
pub const PLIES: usize = 200;
/// Boards of one request.
pub const BOARDS: usize = 1000;
/// Lines of an analysis: one for each of the mover's pits.
pub const LINES: usize = 6;
/// Depth of an analysis in plies.
pub const DEPTH: u8 = 60;

/// The longest time that an opponent searches for its best move.
pub const REPLY_TIME: Duration = Duration::from_secs(4);
/// The longest time for an analysis.
pub const ANALYSIS_TIME: Duration = Duration::from_secs(10);
/// Time for a whole review.
pub const REVIEW_TIME: Duration = Duration::from_secs(120);
/// The longest time for each position of a review.
pub const POSITION_TIME: Duration = Duration::from_secs(1);
/// Nodes for a whole review that counts them, and for each of its positions.
pub const REVIEW_NODES: u64 = 100_000_000;
pub const POSITION_NODES: u64 = 2_000_000;
