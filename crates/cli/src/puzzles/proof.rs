//! The proof that a board has exactly one right move: the bounds of every move.

use std::cmp::Reverse;

use krou::rules::{Board, Bounds, Next, Step};
use krou::tablebase::{ProbeError, Tablebase};

krou::words! {
    /// What only the solution attains.
    "goal": pub enum Goal {
        /// It alone keeps the win or the draw, if the stores are even.
        Result = "result",
        /// It alone has the best value.
        Value = "value",
    }
}

/// A legal move and its value for the mover, captures included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ValuedMove {
    /// The move.
    pub step: Step,
    /// Net seeds.
    pub value: i8,
    /// The value if a repetition is stopped where that is worst and where it is best for the
    /// mover.
    pub bounds: Bounds,
}

/// All legal moves of a board that has one right move.
pub(super) struct Proof {
    /// Best first, so that the solution comes first.
    pub moves: Vec<ValuedMove>,
    pub goal: Goal,
    /// Whether another move may keep the result too, if a repetition is stopped where that
    /// suits the mover. The solution alone is sure to keep it.
    pub is_loop_trap: bool,
}

impl Proof {
    /// The proof, if the board has one right move beside others and the mover does not lose.
    ///
    /// Both bounds of the solution equal its value, and the proof compares this value with the
    /// upper bounds of the other moves. So it holds wherever a repetition is stopped: no board
    /// has occurred before, which makes the bounds of the board and the upper bounds of its
    /// moves certain. Only in a loop trap the proof compares values.
    pub fn of(tables: &Tablebase, board: &Board) -> Result<Option<Proof>, ProbeError> {
        let mut moves = Vec::new();
        for step in tables.rules().moves(board).legal() {
            let value = match step.next {
                Next::Over => step.gain,
                Next::Opponent | Next::Again => step.value(tables.value(&step.board)?),
            };
            moves.push((step, value));
        }
        moves.sort_by_key(|&(_, value)| Reverse(value));
        let [(_, value), (_, second), ..] = moves[..] else {
            return Ok(None);
        };
        if value < 0 || second == value {
            return Ok(None);
        }
        let moves = moves.into_iter().map(|(step, value)| {
            let bounds = match step.next {
                Next::Over => Bounds::of_value(step.gain),
                Next::Opponent | Next::Again => step.bounds(tables.bounds(&step.board)?),
            };
            Ok(ValuedMove {
                step,
                value,
                bounds,
            })
        });
        let moves: Vec<ValuedMove> = moves.collect::<Result<_, ProbeError>>()?;
        if moves[0].bounds.exact().is_none() {
            return Ok(None);
        }
        let others = moves[1..].iter().map(|m| m.bounds.upper);
        let most = others.max().unwrap_or(second);
        let (goal, is_loop_trap) = if keeps_result(value, most) {
            (Goal::Result, false)
        } else if value > most {
            (Goal::Value, false)
        } else if keeps_result(value, second) {
            (Goal::Result, true)
        } else {
            return Ok(None);
        };
        Ok(Some(Proof {
            moves,
            goal,
            is_loop_trap,
        }))
    }

    pub fn solution(&self) -> &ValuedMove {
        &self.moves[0]
    }
}

/// Whether a move of this value wins or draws, while one worth at most `other` does not.
fn keeps_result(value: i8, other: i8) -> bool {
    value.signum() > other.signum()
}
