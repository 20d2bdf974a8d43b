//! The two players and their stores.
//!
//! A board is always seen from the player to move, so it does not say which player
//! that is. Names and stores stay with the players.

use std::fmt;

use crate::rules::ROW;

/// One of the two players. South's row is drawn below North's.
///
/// ```
/// use krou::engine::Player;
///
/// assert_eq!(Player::North.word(), "north");
/// assert_eq!(Player::North.to_string(), "North");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Player {
    /// Moves first in a new game.
    South,
    /// Moves second in a new game.
    North,
}

/// The letters of the pits: South's are capitals.
const LETTERS: [[char; ROW]; 2] = [
    ['A', 'B', 'C', 'D', 'E', 'F'],
    ['a', 'b', 'c', 'd', 'e', 'f'],
];

impl Player {
    /// `south` or `north`, as programs write it.
    #[doc(hidden)]
    pub fn word(self) -> &'static str {
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

    /// The number of the player's first pit among all twelve: 0 for South, 6 for North.
    #[doc(hidden)]
    pub fn first_pit(self) -> u8 {
        match self {
            Player::South => 0,
            Player::North => ROW as u8,
        }
    }

    /// The letter of one of the player's pits, 0 to 5, as oware programs write moves:
    /// `A` to `F` for South, `a` to `f` for North.
    ///
    /// # Panics
    /// If `pit` is not 0 to 5.
    #[doc(hidden)]
    pub fn letter(self, pit: u8) -> char {
        LETTERS[self as usize][usize::from(pit)]
    }

    /// The player and the pit, 0 to 5, of a letter.
    ///
    /// ```
    /// use krou::engine::Player;
    ///
    /// assert_eq!(Player::from_letter('c'), Some((Player::North, 2)));
    /// assert_eq!(Player::North.letter(2), 'c');
    /// assert_eq!(Player::from_letter('g'), None);
    /// ```
    #[doc(hidden)]
    pub fn from_letter(letter: char) -> Option<(Player, u8)> {
        [Player::South, Player::North]
            .into_iter()
            .find_map(|player| {
                let pit = LETTERS[player as usize]
                    .iter()
                    .position(|&own| own == letter)?;
                Some((player, pit as u8))
            })
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

    /// These stores after `mover` took `taken` seeds and the opponent `given`.
    pub(super) fn with(mut self, mover: Player, taken: u8, given: u8) -> Stores {
        let (south, north) = match mover {
            Player::South => (taken, given),
            Player::North => (given, taken),
        };
        self.south += south;
        self.north += north;
        self
    }
}
