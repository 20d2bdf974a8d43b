//! The fields that several answers share. Other programs rely on them.

use serde::Serialize;

use crate::rules::{Board, Next, Ruleset, Step};
use crate::tablebase::{ProbeError, ProbeResult, RankedMove};

/// A probe result, or the number of seeds of the missing layer.
pub type Known = Result<ProbeResult, u8>;

/// Turns a missing layer, which is a valid answer, from an error into a value.
///
/// # Errors
/// If a table cannot be read.
pub fn known(probed: Result<ProbeResult, ProbeError>) -> Result<Known, ProbeError> {
    match probed {
        Ok(result) => Ok(Ok(result)),
        Err(ProbeError::Missing { seeds, .. }) => Ok(Err(seeds)),
        Err(error) => Err(error),
    }
}

/// The fields of a probe result; null where they are not known.
#[derive(Debug, Serialize)]
pub(super) struct ResultFields {
    value: Option<i8>,
    distance: Option<u8>,
    lower: Option<i8>,
    upper: Option<i8>,
}

impl From<Option<ProbeResult>> for ResultFields {
    fn from(result: Option<ProbeResult>) -> ResultFields {
        let bounds = result.and_then(|result| result.bounds);
        ResultFields {
            value: result.map(|result| result.value),
            distance: result.and_then(|result| result.distance),
            lower: bounds.map(|bounds| bounds.lower),
            upper: bounds.map(|bounds| bounds.upper),
        }
    }
}

/// A board and its probe result.
#[derive(Debug, Serialize)]
pub(super) struct BoardFields {
    board: [u8; 12],
    seeds: u8,
    rules: String,
    #[serde(flatten)]
    result: ResultFields,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<u8>,
}

impl BoardFields {
    pub fn new(board: &Board, rules: Ruleset, known: Known) -> BoardFields {
        BoardFields {
            board: board.pits(),
            seeds: board.seeds(),
            rules: rules.to_string(),
            result: known.ok().into(),
            missing: known.err(),
        }
    }
}

/// A move and its value for the mover.
#[derive(Debug, Serialize)]
pub(super) struct MoveFields {
    pub pit: u8,
    captured: u8,
    value: Option<i8>,
    distance: Option<u8>,
    best: bool,
}

impl MoveFields {
    /// A move of a board with this probe result.
    pub fn new(m: &RankedMove, board: Known) -> MoveFields {
        let value = m.result.map(|result| result.value);
        MoveFields {
            pit: m.step.pit,
            captured: m.step.captured,
            value,
            distance: m.result.and_then(|result| result.distance),
            best: board.is_ok_and(|best| Some(best.value) == value),
        }
    }
}

/// The effect of a move.
#[derive(Debug, Serialize)]
pub(super) struct EffectFields {
    gain: i8,
    board: [u8; 12],
    again: bool,
    ends: bool,
}

impl From<&Step> for EffectFields {
    fn from(step: &Step) -> EffectFields {
        EffectFields {
            gain: step.gain,
            board: step.board.pits(),
            again: step.next == Next::Again,
            ends: step.next == Next::Over,
        }
    }
}
