//! Parses `go`: the limits of a search.

use std::time::Duration;

use krou::engine::{Game, Limits};
use krou::rules::Player;

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
    /// Count the sequences of this many moves instead of searching.
    pub perft: Option<u8>,
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
            "perft" => self.perft = Some(u8::try_from(number.max(0)).unwrap_or(u8::MAX)),
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
