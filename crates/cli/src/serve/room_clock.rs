//! The clocks of a room's game: how much time each player has left.

use std::time::Instant;

use krou::rules::Player;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The time that each player has for a game.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pace {
    #[schemars(range(min = 1, max = 180))]
    minutes: u16,
    /// More seconds for each move.
    #[schemars(range(max = 180))]
    seconds: u16,
}

impl Pace {
    /// Whether it is in the ranges of its description.
    pub fn is_valid(self) -> bool {
        (1..=180).contains(&self.minutes) && self.seconds <= 180
    }
}

/// Two clocks. The one of the player to move may run.
#[derive(Serialize, Deserialize)]
pub struct RoomClock {
    pace: Pace,
    /// Milliseconds that South and North had left when the clock of one of them started.
    left: [u64; 2],
    /// When it started. The time while the server is down does not count.
    #[serde(skip, default = "Instant::now")]
    pub since: Instant,
}

/// Both clocks as everybody sees them.
#[derive(Serialize, JsonSchema)]
pub struct ClockAnswer {
    #[serde(flatten)]
    pace: Pace,
    /// Milliseconds that South has left.
    pub south_left: u64,
    pub north_left: u64,
    /// Whether that of the player to move runs: from the second move on.
    pub running: bool,
}

fn index(player: Player) -> usize {
    usize::from(player == Player::North)
}

impl RoomClock {
    /// The clocks before a game.
    pub fn new(pace: Pace) -> RoomClock {
        RoomClock {
            pace,
            left: [60_000 * u64::from(pace.minutes); 2],
            since: Instant::now(),
        }
    }

    /// The clocks before another game.
    pub fn again(&self) -> RoomClock {
        RoomClock::new(self.pace)
    }

    /// What the player to move has left while their clock runs.
    pub fn left(&self, player: Player) -> u64 {
        let passed = u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.left[index(player)].saturating_sub(passed)
    }

    /// The clock of the player to move has run until now.
    pub fn stop(&mut self, player: Player) {
        self.left[index(player)] = self.left(player);
        self.start();
    }

    /// The clock of the player to move starts now.
    pub fn start(&mut self) {
        self.since = Instant::now();
    }

    /// A player has made a move.
    pub fn add(&mut self, player: Player) {
        self.left[index(player)] += 1000 * u64::from(self.pace.seconds);
    }

    /// Both clocks, where that of `to_move` may run.
    pub fn answer(&self, to_move: Player, running: bool) -> ClockAnswer {
        let left = |player| match running && player == to_move {
            true => self.left(player),
            false => self.left[index(player)],
        };
        ClockAnswer {
            pace: self.pace,
            south_left: left(Player::South),
            north_left: left(Player::North),
            running,
        }
    }
}
