//! Parses `go`: the limits of a search.

use std::time::Duration;

use krou::engine::{Limits, Player};

use super::clock::time_for_move;
use crate::lines::shown;

/// The time for a move if `go` sets no limit.
const DEFAULT_TIME: Duration = Duration::from_secs(2);

/// Maximum time in milliseconds: ten days.
const MAX_MILLIS: i64 = 864_000_000;

/// The clock of one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// The time left; `None` without a clock.
    pub left: Option<Duration>,
    /// The time added for each move.
    pub increment: Duration,
}

/// The parameters of `go`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    pub depth: Option<u8>,
    pub nodes: Option<u64>,
    pub move_time: Option<Duration>,
    pub south: Clock,
    pub north: Clock,
    pub moves_to_go: Option<u32>,
    /// The search goes on until `stop`.
    pub infinite: bool,
    /// The search goes on until `stop` or `ponderhit`.
    pub ponder: bool,
    /// Words that were ignored.
    pub ignored: String,
}

impl Go {
    /// Parses the words after `go`. Words that make no sense are collected in
    /// `ignored`, because every `go` gets a `bestmove`.
    pub fn parse<'t>(words: impl Iterator<Item = &'t str>) -> Go {
        let mut words = words.peekable();
        let mut go = Go::default();
        let mut ignored = Vec::new();
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                _ => {
                    let number = words.peek().and_then(|next| next.parse().ok());
                    match number {
                        Some(number) if go.set(word, number) => _ = words.next(),
                        _ => ignored.push(shown(word)),
                    }
                }
            }
        }
        go.ignored = ignored.join(" ");
        go
    }

    /// Sets a numeric parameter; returns whether there is one with this name.
    fn set(&mut self, name: &str, number: i64) -> bool {
        // A clock that has run out is below 0.
        let millis = number.clamp(0, MAX_MILLIS).cast_unsigned();
        let time = Duration::from_millis(millis);
        match name {
            "depth" => self.depth = Some(u8::try_from(number.max(1)).unwrap_or(u8::MAX)),
            "nodes" => self.nodes = Some(number.max(0).cast_unsigned()),
            "movetime" => self.move_time = Some(time),
            // South is white in this dialect.
            "wtime" => self.south.left = Some(time),
            "btime" => self.north.left = Some(time),
            "winc" => self.south.increment = time,
            "binc" => self.north.increment = time,
            "movestogo" => {
                self.moves_to_go = Some(u32::try_from(number.max(1)).unwrap_or(u32::MAX));
            }
            _ => return false,
        }
        true
    }

    /// Whether `bestmove` has to wait for another command.
    pub fn holds(&self) -> bool {
        self.infinite || self.ponder
    }

    /// The time for this move once the player's clock runs; `None` if there is another
    /// limit.
    pub fn time(&self, player: Player) -> Option<Duration> {
        let clock = match player {
            Player::South => self.south,
            Player::North => self.north,
        };
        let share = clock
            .left
            .map(|left| time_for_move(left, clock.increment, self.moves_to_go));
        let limited = self.depth.is_some() || self.nodes.is_some();
        let default = (!limited).then_some(DEFAULT_TIME);
        match (self.move_time, share) {
            (Some(time), Some(share)) => Some(time.min(share)),
            (time, share) => time.or(share).or(default),
        }
    }

    /// The limits of the search from its start.
    pub fn limits(&self, player: Player) -> Limits {
        if self.infinite {
            return Limits::default();
        }
        let mut limits = Limits::default();
        limits.depth = self.depth;
        limits.nodes = self.nodes;
        // Pondering does not use the engine's own clock.
        limits.time = self.time(player).filter(|_| !self.ponder);
        limits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(text: &str) -> Go {
        Go::parse(text.split_whitespace())
    }

    fn millis_for(text: &str, player: Player) -> Option<u64> {
        let time = go(text).limits(player).time?;
        Some(u64::try_from(time.as_millis()).unwrap())
    }

    #[test]
    fn each_parameter_limits_the_search() {
        let limits = go("depth 8 nodes 5000 movetime 600").limits(Player::South);
        assert_eq!((limits.depth, limits.nodes), (Some(8), Some(5000)));
        assert_eq!(limits.time, Some(Duration::from_millis(600)));
        assert_eq!(millis_for("depth 8", Player::South), None);
        assert_eq!(millis_for("nodes 8", Player::South), None);
        assert_eq!(millis_for("", Player::South), Some(2000));
        // Values out of range are clamped.
        assert_eq!(go("depth 0").depth, Some(1));
        assert_eq!(go("depth 300").depth, Some(255));
        assert_eq!(go("nodes -1").nodes, Some(0));
        assert_eq!(millis_for("movetime -5", Player::South), Some(0));
        assert_eq!(
            millis_for("movetime 9223372036854775807", Player::South),
            Some(864_000_000)
        );
    }

    #[test]
    fn white_clock_times_are_souths() {
        let clocks = "wtime 60050 btime 30050 winc 400 binc 800";
        assert_eq!(millis_for(clocks, Player::South), Some(2300));
        assert_eq!(millis_for(clocks, Player::North), Some(1600));
        assert_eq!(millis_for("wtime 60050", Player::North), Some(2000));
        assert_eq!(
            millis_for("wtime 60050 movestogo 5 movetime 100", Player::South),
            Some(100)
        );
        assert_eq!(
            millis_for("wtime 60050 movestogo 5", Player::South),
            Some(12_000)
        );
    }

    #[test]
    fn infinite_searches_have_no_time_limit_and_pondering_gets_one_at_ponderhit() {
        let infinite = go("infinite depth 3 movetime 5");
        assert!(infinite.holds());
        assert_eq!(infinite.limits(Player::South), Limits::default());
        let ponder = go("ponder depth 3 movetime 5");
        assert!(ponder.holds());
        assert_eq!(ponder.limits(Player::South).depth, Some(3));
        assert_eq!(ponder.limits(Player::South).time, None);
        let time = ponder.time(Player::South);
        assert_eq!(time, Some(Duration::from_millis(5)));
        assert!(!go("depth 3").holds());
    }

    #[test]
    fn unknown_words_and_invalid_numbers_are_ignored() {
        for (text, ignored, depth) in [
            ("searchmoves A B depth 3", "searchmoves A B", Some(3)),
            ("mate 3", "mate 3", None),
            ("depth", "depth", None),
            ("depth five", "depth five", None),
            ("wtime 1.5 depth 2", "wtime 1.5", Some(2)),
            (
                "nodes 9999999999999999999",
                "nodes 9999999999999999999",
                None,
            ),
            ("depth infinite", "depth", None),
            ("depth 3 depth", "depth", Some(3)),
        ] {
            let go = go(text);
            assert_eq!((go.ignored.as_str(), go.depth), (ignored, depth), "{text}");
        }
        assert!(go("depth infinite").infinite);
    }
}
