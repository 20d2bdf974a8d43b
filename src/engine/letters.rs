//! The pits of both players by letter and by number.

use crate::rules::{Player, ROW};

/// The letters of the pits: South's are capitals.
const LETTERS: [[char; ROW]; 2] = [
    ['A', 'B', 'C', 'D', 'E', 'F'],
    ['a', 'b', 'c', 'd', 'e', 'f'],
];

impl Player {
    /// The number of the player's first pit among all twelve: 0 for South, 6 for North.
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
    pub fn letter(self, pit: u8) -> char {
        LETTERS[self as usize][usize::from(pit)]
    }

    /// The player and the pit, 0 to 5, of a letter.
    ///
    /// ```
    /// use krou::rules::Player;
    ///
    /// assert_eq!(Player::from_letter('c'), Some((Player::North, 2)));
    /// assert_eq!(Player::North.letter(2), 'c');
    /// assert_eq!(Player::from_letter('g'), None);
    /// ```
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
