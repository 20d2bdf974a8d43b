//! Sowings of the store family: the seeds that stay in the mover's row, those that fall into
//! the store, and those that cross to the opponent's row.
//!
//! Of the store family only quiet moves are compiled. The conversion pass sows the others
//! itself, by the same [`StoreSowing`].

use super::row_moves::RowMove;
use crate::index::row;
use crate::rules::{ROW, Row, StoreGame, row_seeds};

/// A sowing before any capture.
#[derive(Clone, Copy, Debug)]
pub(in crate::solve) struct StoreSowing {
    /// The mover's row.
    pub row: Row,
    /// Seeds that fall into the store.
    pub stored: u8,
    pub crossing: StoreCrossing,
    /// Whether the last seed fell into the store.
    pub moves_again: bool,
}

/// The effect of a sowing on the opponent's row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::solve) struct StoreCrossing {
    /// Seeds that fall there, from the first pit on.
    pub seeds: u8,
    pub capture: StoreCapture,
}

/// The seeds that a last seed may capture in the opponent's row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::solve) enum StoreCapture {
    Nothing,
    /// Those of its own pit, if they are even.
    Even,
    /// Those of the pit opposite this one of the mover's, which was empty.
    Opposite(usize),
}

impl StoreSowing {
    /// Sows a pit that is not empty.
    pub fn new(game: StoreGame, before: &Row, pit: usize) -> StoreSowing {
        /// Pits of a lap, the store among them.
        const CIRCUIT: usize = 2 * ROW + 1;
        let mut row = *before;
        let mut hand = std::mem::take(&mut row[pit]);
        if game == StoreGame::Ifmg && hand > 1 {
            row[pit] = 1;
            hand -= 1;
        }
        let (mut stored, mut crossed, mut last) = (0, 0, pit);
        for _ in 0..hand {
            last = (last + 1) % CIRCUIT;
            match row.get_mut(last) {
                Some(own) => *own += 1,
                None if last == ROW => stored += 1,
                None => crossed += 1,
            }
        }
        let capture = match row.get(last) {
            Some(1) => StoreCapture::Opposite(last),
            None if last > ROW && game == StoreGame::Ifmg => StoreCapture::Even,
            _ => StoreCapture::Nothing,
        };
        StoreSowing {
            row,
            stored,
            crossing: StoreCrossing {
                seeds: crossed,
                capture,
            },
            moves_again: last == ROW,
        }
    }
}

impl StoreCrossing {
    /// The seeds captured from an opponent's row, and the row that remains.
    pub fn meet(self, row: &Row) -> (u8, Row) {
        let mut after = *row;
        for seed in 0..usize::from(self.seeds) {
            after[seed % ROW] += 1;
        }
        let pit = match self.capture {
            StoreCapture::Nothing => return (0, after),
            StoreCapture::Even => usize::from(self.seeds - 1) % ROW,
            StoreCapture::Opposite(own) => ROW - 1 - own,
        };
        if self.capture == StoreCapture::Even && !after[pit].is_multiple_of(2) {
            return (0, after);
        }
        (std::mem::take(&mut after[pit]), after)
    }
}

/// Playing a pit that is not empty; `None` if that is never quiet.
///
/// Quiet moves are sowings that stay in the mover's row and leave B unchanged. If the last
/// seed falls into an empty pit `p`, they are quiet only against rows B with nothing
/// opposite, or never with empty captures: map `1 + p` is for these, map 0 for all others.
pub(super) fn store_row_move(game: StoreGame, a: &Row, pit: usize) -> Option<RowMove> {
    let sowing = StoreSowing::new(game, a, pit);
    if sowing.stored > 0 {
        return None;
    }
    let map = match sowing.crossing.capture {
        StoreCapture::Opposite(_) if game == StoreGame::KalahEmpty => return None,
        StoreCapture::Opposite(last) => 1 + last as u8,
        StoreCapture::Nothing | StoreCapture::Even => 0,
    };
    Some(RowMove {
        line: row::rank(&sowing.row),
        seeds: row_seeds(&sowing.row),
        map,
    })
}
