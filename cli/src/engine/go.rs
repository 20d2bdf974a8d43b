//! Parses `go`: the limits of a search.

use std::time::Duration;

use krou::engine::{Game, Limits, Player};

use super::clock::MoveTime;
use crate::lines::shown;

/// The time for a move if `go` sets no limit.
const DEFAULT_TIME: MoveTime = MoveTime {
    target: None,
    limit: Duration::from_secs(2),
};

/// Maximum time in milliseconds: ten days.
const MAX_MILLIS: i64 = 864_000_000;

/// The clock of one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SideClock {
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
    pub south: SideClock,
    pub north: SideClock,
    pub moves_to_go: Option<u32>,
    /// Moves of the player to move in which to find a win.
    pub mate: Option<u8>,
    /// The moves to search; all if there are none.
    pub moves: Vec<(Player, u8)>,
    /// The search goes on until `stop`.
    pub infinite: bool,
    /// The search goes on until `stop` or `ponderhit`.
    pub ponder: bool,
    /// Words that were ignored.
    pub ignored: String,
}

impl Go {
    /// Whether the only limit is a time, as in games: then a move may come from a book.
    pub fn is_in_a_game(&self, to_move: Player) -> bool {
        let clock = match to_move {
            Player::South => self.south,
            Player::North => self.north,
        };
        let has_time = self.move_time.is_some() || clock.left.is_some();
        let asks_for_search = self.depth.is_some()
            || self.nodes.is_some()
            || self.mate.is_some()
            || self.infinite
            || self.ponder
            || !self.moves.is_empty();
        has_time && !asks_for_search
    }

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
                "searchmoves" => {
                    let before = go.moves.len();
                    while let Some(moves) = words.peek().and_then(|word| pits(word)) {
                        go.moves.extend(moves);
                        words.next();
                    }
                    if go.moves.len() == before {
                        ignored.push(shown(word));
                    }
                }
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
            "mate" => self.mate = Some(u8::try_from(number.max(1)).unwrap_or(u8::MAX)),
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
    pub fn time(&self, player: Player, overhead: Duration) -> Option<MoveTime> {
        let clock = match player {
            Player::South => self.south,
            Player::North => self.north,
        };
        let share = clock
            .left
            .map(|left| MoveTime::of_clock(left, clock.increment, self.moves_to_go, overhead));
        let fixed = self.move_time.map(|time| MoveTime::fixed(time, overhead));
        let limited = self.depth.is_some() || self.nodes.is_some() || self.mate.is_some();
        match (fixed, share) {
            (Some(fixed), Some(share)) => Some(fixed.min(share)),
            (None, None) => (!limited).then_some(DEFAULT_TIME),
            (fixed, share) => fixed.or(share),
        }
    }

    /// The limits of the search from its start.
    pub fn limits(&self, player: Player, overhead: Duration) -> Limits {
        let own = self.moves.iter().filter(|(mover, _)| *mover == player);
        let pits: Vec<u8> = own.map(|(_, pit)| *pit).collect();
        let mut limits = if pits.is_empty() {
            Limits::default()
        } else {
            Limits::default().with_pits(&pits)
        };
        if self.infinite {
            return limits;
        }
        limits.depth = self.depth;
        limits.nodes = self.nodes;
        if let Some(moves) = self.mate {
            // The last ply is the player's own move.
            let plies = moves.saturating_mul(2).saturating_sub(1);
            limits.depth = Some(self.depth.map_or(plies, |depth| depth.min(plies)));
            limits.until_win = true;
        }
        // Pondering does not use the engine's own clock.
        if let Some(time) = self.time(player, overhead).filter(|_| !self.ponder) {
            limits.time = Some(time.limit);
            limits.target_time = time.target;
        }
        limits
    }

    /// Whether there are moves to search and none of them is legal.
    pub fn has_no_legal_move(&self, game: &Game) -> bool {
        let is_legal = |&(player, pit): &(Player, u8)| {
            player == game.to_move() && game.moves().by_pit()[usize::from(pit)].is_ok()
        };
        !self.moves.is_empty() && !self.moves.iter().any(is_legal)
    }
}

/// The pits of a word such as `A` or `BF`, if all its letters are those of pits. No
/// parameter of `go` is such a word.
fn pits(word: &str) -> Option<Vec<(Player, u8)>> {
    word.chars().map(Player::from_letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(text: &str) -> Go {
        Go::parse(text.split_whitespace())
    }

    fn millis_for(text: &str, player: Player) -> Option<u64> {
        let limits = go(text).limits(player, Duration::from_millis(50));
        let time = limits.target_time.or(limits.time)?;
        Some(u64::try_from(time.as_millis()).unwrap())
    }

    fn limits(text: &str, player: Player) -> Limits {
        go(text).limits(player, Duration::ZERO)
    }

    #[test]
    fn each_parameter_limits_the_search() {
        let limits = limits("depth 8 nodes 5000 movetime 600", Player::South);
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
            Some(863_999_950)
        );
    }

    #[test]
    fn only_clocks_set_a_target_time() {
        let fixed = limits("movetime 600", Player::South);
        assert_eq!(
            (fixed.target_time, fixed.time),
            (None, Some(Duration::from_millis(600)))
        );
        let clock = limits("wtime 60000 btime 30000", Player::North);
        assert_eq!(clock.target_time, Some(Duration::from_secs(1)));
        assert_eq!(clock.time, Some(Duration::from_secs(3)));
        let both = limits("wtime 60000 movetime 500", Player::South);
        assert_eq!(both.target_time, Some(Duration::from_secs(2)));
        assert_eq!(both.time, Some(Duration::from_millis(500)));
    }

    #[test]
    fn searchmoves_names_the_moves_of_the_player_to_move() {
        let text = "searchmoves A CF d depth 3";
        let south = limits(text, Player::South);
        let allowed: Vec<u8> = (0..6).filter(|&pit| south.allows(pit)).collect();
        assert_eq!((allowed, south.depth), (vec![0, 2, 5], Some(3)));
        let north = limits(text, Player::North);
        assert!(north.allows(3) && !north.allows(0));
        assert!(limits("infinite searchmoves B", Player::South).allows(1));
        assert!(!limits("infinite searchmoves B", Player::South).allows(0));
        let game = Game::new(krou::rules::Ruleset::AWARI);
        assert!(go("searchmoves a").has_no_legal_move(&game));
        assert!(!go("searchmoves a A").has_no_legal_move(&game));
        assert!(!go("depth 3").has_no_legal_move(&game));
    }

    #[test]
    fn mate_limits_the_depth_to_the_moves_of_one_player() {
        let three = limits("mate 3", Player::South);
        assert_eq!(
            (three.depth, three.until_win, three.time),
            (Some(5), true, None)
        );
        assert_eq!(limits("mate 3 depth 2", Player::South).depth, Some(2));
        assert_eq!(limits("mate 200", Player::South).depth, Some(254));
        assert_eq!(limits("mate -1", Player::South).depth, Some(1));
        assert!(!limits("depth 2", Player::South).until_win);
    }

    #[test]
    fn white_clock_times_are_souths() {
        let clocks = "wtime 60050 btime 30050 winc 400 binc 800";
        assert_eq!(millis_for(clocks, Player::South), Some(2300));
        assert_eq!(millis_for(clocks, Player::North), Some(1600));
        assert_eq!(millis_for("wtime 60050", Player::North), Some(2000));
        assert_eq!(
            millis_for("wtime 60050 movestogo 5", Player::South),
            Some(12_000)
        );
    }

    #[test]
    fn infinite_searches_have_no_time_limit_and_pondering_gets_one_at_ponderhit() {
        let infinite = go("infinite depth 3 movetime 5");
        assert!(infinite.holds());
        assert_eq!(
            limits("infinite depth 3 movetime 5", Player::South),
            Limits::default()
        );
        let ponder = go("ponder depth 3 movetime 5");
        assert!(ponder.holds());
        let before_hit = limits("ponder depth 3 movetime 5", Player::South);
        assert_eq!((before_hit.depth, before_hit.time), (Some(3), None));
        let time = ponder.time(Player::South, Duration::ZERO);
        assert_eq!(time.unwrap().limit, Duration::from_millis(5));
        assert!(!go("depth 3").holds());
    }

    #[test]
    fn unknown_words_and_invalid_numbers_are_ignored() {
        for (text, ignored, depth) in [
            ("searchmoves depth 3", "searchmoves", Some(3)),
            ("searchmoves A x depth 3", "x", Some(3)),
            ("mate soon", "mate soon", None),
            ("sideways 3 depth 2", "sideways 3", Some(2)),
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
