//! Moves as text: the letters of pits, as oware programs write them, and squares, as
//! `PlayStrategy` does.
//!
//! Squares are named as South sees them: `a1` to `f1` are South's pits from left to right, `a2`
//! to `f2` North's. `d1e2` sows from South's pit D and ends in North's pit b.

use crate::rules::{Player, ROW};

/// A move that a text begins with.
#[derive(Clone, Copy)]
pub(super) struct MoveText<'t> {
    pub player: Player,
    /// The pit that is played, 0 to 5.
    pub pit: u8,
    /// Whose pit, and which, the sowing ends in, if the text says so.
    pub target: Option<(Player, u8)>,
    /// The move as written.
    pub written: &'t str,
    /// The text after it.
    pub rest: &'t str,
}

/// The move at the beginning of a text; `None` if there is none.
pub(super) fn first_move(text: &str) -> Option<MoveText<'_>> {
    if let Some((written, rest)) = text.split_at_checked(4)
        && let [file, rank, to_file, to_rank] = *written.as_bytes()
        && let Some((player, pit)) = square(file, rank)
        && let Some(target) = square(to_file, to_rank)
    {
        return Some(MoveText {
            player,
            pit,
            target: Some(target),
            written,
            rest,
        });
    }
    let (player, pit) = Player::from_letter(text.chars().next()?)?;
    let (written, rest) = text.split_at(1);
    Some(MoveText {
        player,
        pit,
        target: None,
        written,
        rest,
    })
}

/// The player and the pit, 0 to 5, of a square.
fn square(file: u8, rank: u8) -> Option<(Player, u8)> {
    let column = file.checked_sub(b'a').filter(|&c| usize::from(c) < ROW)?;
    match rank {
        b'1' => Some((Player::South, column)),
        // North sows from right to left.
        b'2' => Some((Player::North, ROW as u8 - 1 - column)),
        _ => None,
    }
}
