//! Boards and moves as JSON: the fields that several commands share, and that
//! other programs rely on.

use krou::rules::{Board, Next, Ruleset, Step};
use krou::tablebase::{ProbeError, ProbeResult, RankedMove};
use serde::Serialize;

/// What is known of a board: its worth, or the layer that is missing.
pub type Known = Result<ProbeResult, u8>;

/// Tells a missing layer, which is an answer, from an error.
pub fn known(probed: Result<ProbeResult, ProbeError>) -> Result<Known, ProbeError> {
    match probed {
        Ok(worth) => Ok(Ok(worth)),
        Err(ProbeError::Missing { seeds, .. }) => Ok(Err(seeds)),
        Err(error) => Err(error),
    }
}

/// The numbers of a worth; null where they are not known.
#[derive(Debug, Serialize)]
pub struct ResultFields {
    value: Option<i8>,
    distance: Option<u8>,
    lower: Option<i8>,
    upper: Option<i8>,
}

impl From<Option<ProbeResult>> for ResultFields {
    fn from(worth: Option<ProbeResult>) -> ResultFields {
        let bounds = worth.and_then(|worth| worth.bounds);
        ResultFields {
            value: worth.map(|worth| worth.value),
            distance: worth.and_then(|worth| worth.distance),
            lower: bounds.map(|bounds| bounds.lower),
            upper: bounds.map(|bounds| bounds.upper),
        }
    }
}

/// A board and what it is worth.
#[derive(Debug, Serialize)]
pub struct BoardFields {
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

/// A move and what it is worth to the mover.
#[derive(Debug, Serialize)]
pub struct MoveFields {
    pub pit: u8,
    captured: u8,
    value: Option<i8>,
    distance: Option<u8>,
    best: bool,
}

impl MoveFields {
    /// A move of a board of which so much is known.
    pub fn new(m: &RankedMove, board: Known) -> MoveFields {
        let value = m.result.map(|worth| worth.value);
        MoveFields {
            pit: m.step.pit,
            captured: m.step.captured,
            value,
            distance: m.result.and_then(|worth| worth.distance),
            best: board.is_ok_and(|worth| Some(worth.value) == value),
        }
    }
}

/// What a move does.
#[derive(Debug, Serialize)]
pub struct EffectFields {
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
