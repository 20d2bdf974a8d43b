//! A board with the value of each of its moves: the object of `krou probe --json`.

use serde::Serialize;

use super::fields::{BoardFields, Known, MoveFields};
use crate::rules::{Board, Ruleset};
use crate::tablebase::RankedMove;

/// A board, its probe result, and its moves by pit. The fields are a contract.
#[derive(Debug, Serialize)]
pub struct ProbeAnswer {
    #[serde(flatten)]
    board: BoardFields,
    moves: Vec<MoveFields>,
}

impl ProbeAnswer {
    /// A board with its probe result and its moves in any order.
    pub fn new(rules: Ruleset, board: &Board, known: Known, moves: &[RankedMove]) -> ProbeAnswer {
        let mut moves: Vec<MoveFields> = moves.iter().map(|m| MoveFields::new(m, known)).collect();
        moves.sort_by_key(|m| m.pit);
        ProbeAnswer {
            board: BoardFields::new(board, rules, known),
            moves,
        }
    }
}
