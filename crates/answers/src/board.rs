//! Boards, moves and best lines: one shape of each for the command line, the server, the
//! page and Python. Other programs rely on the fields; `docs/server.md` describes them.

use std::collections::BTreeMap;

use serde::Serialize;

use krou::rules::SeedEvent;
use krou::rules::{Moves, Next, Player, Position, Ruleset, Step};
use krou::tablebase::{PrincipalVariation, ProbeError, ProbeResult, RankedMove};

/// A probe result, or the number of seeds of the missing layer.
pub type Known = Result<ProbeResult, u8>;

/// Turns a layer that is missing or could not be opened, which is a valid answer, from an
/// error into a value.
///
/// # Errors
/// If a table cannot be read.
pub fn known(probed: Result<ProbeResult, ProbeError>) -> Result<Known, ProbeError> {
    match probed {
        Ok(result) => Ok(Ok(result)),
        Err(ProbeError::Missing(missing)) => Ok(Err(missing.seeds)),
        Err(ProbeError::Damaged { seeds, .. }) => Ok(Err(seeds)),
        Err(error) => Err(error),
    }
}

/// The fields of a probe result; null where they are not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ResultFields {
    pub value: Option<i8>,
    /// Plies to the next conversion; not known where a loop alone attains the value.
    pub distance: Option<u8>,
    /// The value if a repetition is stopped where that is worst for the mover.
    pub lower: Option<i8>,
    /// The value if a repetition is stopped where that is best for the mover.
    pub upper: Option<i8>,
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

/// A move and its effect, which need no tables.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StepAnswer {
    /// Counted from 0.
    pub pit: u8,
    /// A to F for South, a to f for North.
    pub letter: char,
    pub captured: u8,
    /// Net seeds that the mover takes by this step.
    pub gain: i8,
    /// As the next player sees it, or as the same player sees it where `again`.
    pub board: [u8; 12],
    /// Whether the same player moves again.
    pub again: bool,
    /// Whether the game is over.
    pub ends: bool,
}

impl StepAnswer {
    /// A move of this player.
    pub fn new(step: &Step, player: Player) -> StepAnswer {
        StepAnswer {
            pit: step.pit,
            letter: player.letter(step.pit),
            captured: step.captured,
            gain: step.gain,
            board: step.board.pits(),
            again: step.next == Next::Again,
            ends: step.next == Next::Over,
        }
    }
}

/// A move with its value for the mover, captures included.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MoveAnswer {
    #[serde(flatten)]
    pub step: StepAnswer,
    #[serde(flatten)]
    pub result: ResultFields,
    /// Whether the move keeps the value of the board.
    pub best: bool,
}

impl MoveAnswer {
    /// A move of this player on a board with this probe result.
    pub fn new(m: &RankedMove, player: Player, board: Known) -> MoveAnswer {
        let result = ResultFields::from(m.result);
        MoveAnswer {
            step: StepAnswer::new(&m.step, player),
            result,
            best: board.is_ok_and(|board| result.value == Some(board.value)),
        }
    }
}

/// A board and its probe result.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoardFields {
    /// The mover's six pits, then the opponent's.
    pub board: [u8; 12],
    pub seeds: u8,
    pub rules: String,
    #[serde(flatten)]
    pub result: ResultFields,
    /// The missing layer, if the value is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<u8>,
}

/// A board and its moves, best first: the object of `krou probe --json`.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoardAnswer {
    #[serde(flatten)]
    pub board: BoardFields,
    /// Whether the mover has no legal move.
    pub over: bool,
    /// Best first; moves without a known value come last.
    pub moves: Vec<MoveAnswer>,
}

impl BoardAnswer {
    /// A board with its probe result and ranked moves.
    pub fn new(
        rules: Ruleset,
        position: &Position,
        known: Known,
        moves: &[RankedMove],
    ) -> BoardAnswer {
        let player = position.to_move;
        BoardAnswer {
            board: BoardFields {
                board: position.board.pits(),
                seeds: position.board.seeds(),
                rules: rules.to_string(),
                result: known.ok().into(),
                missing: known.err(),
            },
            over: moves.is_empty(),
            moves: moves
                .iter()
                .map(|m| MoveAnswer::new(m, player, known))
                .collect(),
        }
    }
}

/// A board and its legal moves, by pit: the object of `krou moves --json`.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MovesAnswer {
    board: [u8; 12],
    /// Whether the mover has no legal move.
    over: bool,
    /// What the end of the game is worth to the mover.
    result: Option<i8>,
    pub moves: Vec<StepAnswer>,
}

impl MovesAnswer {
    /// A board and all its moves.
    pub fn new(position: &Position, moves: &Moves) -> MovesAnswer {
        let player = position.to_move;
        let legal = moves.legal();
        MovesAnswer {
            board: position.board.pits(),
            over: moves.terminal_value().is_some(),
            result: moves.terminal_value(),
            moves: legal.map(|step| StepAnswer::new(&step, player)).collect(),
        }
    }
}

/// The legal moves of a board, and why each of the other pits may not be played.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PitsAnswer {
    #[serde(flatten)]
    legal: MovesAnswer,
    /// Why each other pit may not be played.
    illegal: BTreeMap<u8, String>,
}

impl PitsAnswer {
    /// The pits of a board by these rules.
    pub fn new(rules: Ruleset, position: &Position) -> PitsAnswer {
        let moves = rules.moves(&position.board);
        let reasons = (0..).zip(moves.by_pit());
        let reasons = reasons.filter_map(|(pit, step)| Some((pit, step.as_ref().err()?)));
        PitsAnswer {
            legal: MovesAnswer::new(position, &moves),
            illegal: reasons
                .map(|(pit, why)| (pit, why.named(|pit| pit)))
                .collect(),
        }
    }
}

/// The legal moves of a board, by pit, each as the events by which its seeds travel.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SowingsAnswer {
    moves: Vec<SowingAnswer>,
}

/// A move as events.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct SowingAnswer {
    letter: char,
    #[cfg_attr(feature = "schema", schemars(with = "Vec<crate::shapes::SeedEvent>"))]
    events: Vec<SeedEvent>,
}

impl SowingsAnswer {
    /// The moves by these rules.
    pub fn new(rules: Ruleset, position: &Position) -> SowingsAnswer {
        let moves = rules.moves(&position.board);
        let sowing = |step: Step| SowingAnswer {
            letter: position.to_move.letter(step.pit),
            events: rules.sowing(position, &step),
        };
        let moves = moves.legal().map(sowing).collect();
        SowingsAnswer { moves }
    }
}

/// A best line.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LineFields {
    pub letters: String,
    /// Why the line ends.
    pub end: &'static str,
    /// The moves, each on the board that the one before it leads to.
    pub line: Vec<StepAnswer>,
}

/// A board and its best line.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LineAnswer {
    #[serde(flatten)]
    pub board: BoardFields,
    #[serde(flatten)]
    pub best: LineFields,
}

impl LineFields {
    /// The line from a position on.
    pub fn new(position: &Position, line: &PrincipalVariation) -> LineFields {
        let mut player = position.to_move;
        let mut steps = Vec::new();
        for step in &line.steps {
            steps.push(StepAnswer::new(step, player));
            if step.next == Next::Opponent {
                player = player.opponent();
            }
        }
        LineFields {
            letters: steps.iter().map(|step| step.letter).collect(),
            end: line.end.as_str(),
            line: steps,
        }
    }
}
