//! What a probe returns, and why it fails.

use std::sync::Arc;

use thiserror::Error;

use crate::ranges::{Lacking, MayLack};
use crate::rules::{Board, Bounds, Ruleset, Step};
use crate::table::{Kind, TableError};

/// What a board is worth to the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ProbeResult {
    /// Net seeds, −48 to 48. Where endless play is settled by side, it counts as the middle of
    /// 0 and of the two divisions by row, the mover's seeds minus the opponent's, that are worst
    /// and best for the mover among the boards that recur; elsewhere 0.
    pub value: i8,
    /// Plies to the next conversion, when both keep the value, the winner hurries and
    /// the loser delays; 0 on a terminal position. `None` without a distance table,
    /// where the value is 0, and where endless play alone attains it.
    pub distance: Option<u8>,
    /// The value when endless play counts as the worst and as the best for the mover,
    /// under rulesets where it is settled by side.
    pub bounds: Option<Bounds>,
}

/// The distance of a board with this value by its exact entry in a table. 0 means none, unless
/// the game is over.
pub fn distance_of(rules: Ruleset, board: &Board, value: i8, entry: u8) -> Option<u8> {
    let is_over = || rules.moves(board).terminal_value().is_some();
    (value != 0 && (entry > 0 || is_over())).then_some(entry)
}

/// A legal move with what it is worth to the mover, captures included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct RankedMove {
    /// The move.
    pub step: Step,
    /// Its result; `None` if a layer is missing. The distance counts from the board
    /// before the move: 1 for a conversion.
    pub result: Option<ProbeResult>,
}

/// A table that is needed and not there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
#[error("there is no {kind} table for {rules} with {seeds} seeds")]
#[non_exhaustive]
pub struct MissingTable {
    /// The ruleset.
    pub rules: Ruleset,
    /// The layer.
    pub seeds: u8,
    /// The kind of table.
    pub kind: Kind,
}

/// Batches return many.
const _: () = assert!(size_of::<Result<ProbeResult, ProbeError>>() <= 16);

/// Why a probe fails.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// A table that the probe needs is missing.
    #[error(transparent)]
    Missing(#[from] MissingTable),
    /// A table is damaged.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A table that the probe needs could not be opened.
    #[error("{error}")]
    Damaged {
        /// The layer.
        seeds: u8,
        /// What is wrong with the file.
        error: Arc<TableError>,
    },
}

impl MayLack for ProbeError {
    fn lacking(&mut self) -> Option<&mut Lacking> {
        match self {
            ProbeError::Table(error) => error.lacking(),
            ProbeError::Missing(_) | ProbeError::Damaged { .. } => None,
        }
    }
}
