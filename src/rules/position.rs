//! A moment of a game: a board, the player to move and both stores.
//!
//! A board is always seen from the player to move, so it does not say which player
//! that is. Names and stores stay with the players.

use std::fmt;

use super::board::Board;

/// One of the two players. South's row is drawn below North's.
///
/// ```
/// use krou::rules::Player;
///
/// assert_eq!(Player::North.as_str(), "north");
/// assert_eq!(Player::North.to_string(), "North");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Player {
    /// Moves first in a new game.
    South,
    /// Moves second in a new game.
    North,
}

impl Player {
    /// `south` or `north`, as programs write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Player::South => "south",
            Player::North => "north",
        }
    }

    /// The other player.
    #[must_use]
    pub fn opponent(self) -> Player {
        match self {
            Player::South => Player::North,
            Player::North => Player::South,
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Player::South => "South",
            Player::North => "North",
        })
    }
}

/// The seeds that each player has taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Stores {
    /// South's seeds.
    pub south: u8,
    /// North's seeds.
    pub north: u8,
}

impl Stores {
    /// The seeds of one player.
    pub fn of(&self, player: Player) -> u8 {
        match player {
            Player::South => self.south,
            Player::North => self.north,
        }
    }
}

/// A moment of a game: a board with both stores and the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// The board, from the side of the player to move.
    pub board: Board,
    /// The seeds that each player has taken.
    pub stores: Stores,
    /// The player to move.
    pub to_move: Player,
}

impl Position {
    /// A position of these parts.
    pub fn new(board: Board, stores: Stores, to_move: Player) -> Position {
        Position {
            board,
            stores,
            to_move,
        }
    }

    /// The board, seen by South.
    pub fn board_from_south(&self) -> Board {
        match self.to_move {
            Player::South => self.board,
            Player::North => self.board.turned(),
        }
    }
}

impl From<Board> for Position {
    /// South to move, and empty stores.
    fn from(board: Board) -> Position {
        Position {
            board,
            stores: Stores::default(),
            to_move: Player::South,
        }
    }
}
