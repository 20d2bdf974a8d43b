//! The legal moves of a board: the object of `krou moves --json`.

use serde::Serialize;

use super::fields::EffectFields;
use crate::rules::{Board, Moves, Step};

/// A board and its legal moves, which need no tables. The fields are a contract.
#[derive(Debug, Serialize)]
pub struct MovesAnswer {
    board: [u8; 12],
    over: bool,
    result: Option<i8>,
    moves: Vec<MoveAnswer>,
}

#[derive(Debug, Serialize)]
struct MoveAnswer {
    pit: u8,
    captured: u8,
    #[serde(flatten)]
    effect: EffectFields,
}

impl From<&Step> for MoveAnswer {
    fn from(step: &Step) -> MoveAnswer {
        MoveAnswer {
            pit: step.pit,
            captured: step.captured,
            effect: EffectFields::from(step),
        }
    }
}

impl MovesAnswer {
    /// A board and all its moves.
    pub fn new(board: &Board, moves: &Moves) -> MovesAnswer {
        MovesAnswer {
            board: board.pits(),
            over: moves.over().is_some(),
            result: moves.over(),
            moves: moves.legal().map(|step| MoveAnswer::from(&step)).collect(),
        }
    }
}
