//! Time controls: what engines are told to think, and how long they may take.

use krou::rules::Player;
use std::str::FromStr;
use std::time::Duration;

/// How long an engine may take if only nodes or depth are limited.
const PATIENCE: Duration = Duration::from_secs(60);

/// The limits of each move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TimeControl {
    pub move_time: Option<Duration>,
    pub nodes: Option<u64>,
    pub depth: Option<u8>,
    pub clock: Option<ClockTime>,
    /// How much later than its time an answer may come; with a clock, how far it may fall
    /// below zero.
    pub grace: Duration,
    /// How long a move may take at most, if it is not `PATIENCE`.
    pub timeout: Option<Duration>,
}

/// A clock for each game and the time that it gains by each move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockTime {
    pub start: Duration,
    pub increment: Duration,
}

/// The clocks of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clocks {
    south: Duration,
    north: Duration,
}

impl FromStr for ClockTime {
    type Err = String;

    /// Seconds, as in `60` or `10+0.1`.
    fn from_str(text: &str) -> Result<ClockTime, String> {
        /// A day.
        const MOST: f64 = 86_400.0;
        let seconds = |text: &str| {
            let number: Option<f64> = text.parse().ok();
            let valid = number.filter(|seconds| (0.0..=MOST).contains(seconds));
            valid.map(Duration::from_secs_f64)
        };
        let (start, increment) = text.split_once('+').unwrap_or((text, "0"));
        match (seconds(start), seconds(increment)) {
            (Some(start), Some(increment)) if !start.is_zero() => {
                Ok(ClockTime { start, increment })
            }
            _ => Err("a clock is a number of seconds, or two such as 10+0.1".to_owned()),
        }
    }
}

impl TimeControl {
    /// The clocks at the start of a game.
    pub fn clocks(&self) -> Clocks {
        let start = self.clock.map_or(Duration::ZERO, |clock| clock.start);
        Clocks {
            south: start,
            north: start,
        }
    }

    /// The command for a move.
    pub fn go(&self, clocks: &Clocks) -> String {
        let mut words = vec!["go".to_owned()];
        if let Some(time) = self.move_time {
            words.push(format!("movetime {}", time.as_millis()));
        }
        if let Some(nodes) = self.nodes {
            words.push(format!("nodes {nodes}"));
        }
        if let Some(depth) = self.depth {
            words.push(format!("depth {depth}"));
        }
        if let Some(ClockTime { increment, .. }) = self.clock {
            let increment = increment.as_millis();
            words.push(format!(
                "wtime {} btime {} winc {increment} binc {increment}",
                clocks.south.as_millis(),
                clocks.north.as_millis()
            ));
        }
        words.join(" ")
    }

    /// How long the player may take for the next move.
    pub fn patience(&self, clocks: &Clocks, player: Player) -> Duration {
        let of_clock = self.clock.map(|_| clocks.of(player));
        let times = self.move_time.into_iter().chain(of_clock);
        let time = times.min().map(|time| time + self.grace);
        let most = self.timeout.unwrap_or(match time {
            Some(_) => Duration::MAX,
            None => PATIENCE,
        });
        time.map_or(most, |time| time.min(most))
    }

    /// Takes the time of a move off the player's clock, and adds the increment.
    pub fn spend(&self, clocks: &mut Clocks, player: Player, time: Duration) {
        if let Some(ClockTime { increment, .. }) = self.clock {
            let left = match player {
                Player::South => &mut clocks.south,
                Player::North => &mut clocks.north,
            };
            *left = left.saturating_sub(time) + increment;
        }
    }
}

impl Clocks {
    fn of(&self, player: Player) -> Duration {
        match player {
            Player::South => self.south,
            Player::North => self.north,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRACE: Duration = Duration::from_millis(50);

    #[test]
    fn each_limit_is_told_to_the_engine() {
        let mut time = TimeControl {
            move_time: Some(Duration::from_millis(100)),
            grace: GRACE,
            ..TimeControl::default()
        };
        let clocks = time.clocks();
        assert_eq!(time.go(&clocks), "go movetime 100");
        assert_eq!(time.patience(&clocks, Player::South), 3 * GRACE);
        time.depth = Some(9);
        time.nodes = Some(500);
        time.move_time = None;
        assert_eq!(time.go(&clocks), "go nodes 500 depth 9");
        assert_eq!(time.patience(&clocks, Player::South), PATIENCE);
        time.timeout = Some(GRACE);
        assert_eq!(time.patience(&clocks, Player::South), GRACE);
    }

    #[test]
    fn clocks_run_and_gain_the_increment() {
        let time = TimeControl {
            clock: Some("10+0.5".parse().unwrap()),
            grace: GRACE,
            ..TimeControl::default()
        };
        let mut clocks = time.clocks();
        time.spend(&mut clocks, Player::North, Duration::from_secs(3));
        assert_eq!(
            time.go(&clocks),
            "go wtime 10000 btime 7500 winc 500 binc 500"
        );
        let patience = time.patience(&clocks, Player::North);
        assert_eq!(patience, Duration::from_millis(7550));
        time.spend(&mut clocks, Player::North, Duration::from_secs(30));
        assert_eq!(
            time.patience(&clocks, Player::North),
            Duration::from_millis(550)
        );
    }

    #[test]
    fn invalid_clocks_are_rejected() {
        assert!("60".parse::<ClockTime>().is_ok());
        for text in ["", "0", "-1", "x", "10+", "10+x", "1e9", "NaN", "5:00"] {
            assert!(text.parse::<ClockTime>().is_err(), "{text}");
        }
    }
}
