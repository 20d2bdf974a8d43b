//! The two sides, and the seeds each of them has taken.
//!
//! A board is always written from the mover's side, so it does not say whose
//! side that is. Names and stores stay with the players when it turns.

use std::fmt;

/// One of the two players. South is drawn below.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Player {
    /// Moves first in a new game.
    South,
    /// Sits opposite.
    North,
}

impl Player {
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

/// The seeds each player has taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
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

    /// These stores after `mover` took so many seeds and his opponent so many.
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
