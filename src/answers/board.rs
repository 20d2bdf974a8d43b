//! Boards with all their moves, and best lines.

use serde::Serialize;

use super::fields::{BoardFields, EffectFields, Known, MoveFields};
use crate::engine::Player;
use crate::rules::{Next, Position, Ruleset, Step};
use crate::tablebase::{PrincipalVariation, RankedMove};

/// A board and its moves, best first.
#[derive(Debug, Serialize)]
pub struct BoardAnswer {
    #[serde(flatten)]
    board: BoardFields,
    over: bool,
    moves: Vec<MoveAnswer>,
}

/// Boards in the order of the request; `E` is the error of one of them as an object.
#[derive(Debug, Serialize)]
pub struct BoardsAnswer<E> {
    /// One for each board of the request.
    pub boards: Vec<BoardResult<E>>,
}

/// The answer for one of several boards, or its error.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum BoardResult<E> {
    /// The board and its moves.
    Board(Box<BoardAnswer>),
    /// Why there is no answer.
    Error(Box<E>),
}

#[derive(Debug, Serialize)]
struct MoveAnswer {
    letter: char,
    #[serde(flatten)]
    result: MoveFields,
    lower: Option<i8>,
    upper: Option<i8>,
    #[serde(flatten)]
    effect: EffectFields,
}

impl MoveAnswer {
    fn new(m: &RankedMove, player: Player, board: Known) -> MoveAnswer {
        let bounds = m.result.and_then(|result| result.bounds);
        MoveAnswer {
            letter: player.letter(m.step.pit),
            result: MoveFields::new(m, board),
            lower: bounds.map(|bounds| bounds.lower),
            upper: bounds.map(|bounds| bounds.upper),
            effect: EffectFields::from(&m.step),
        }
    }
}

/// The player to move.
fn mover(position: &Position) -> Player {
    match position.north_to_move {
        false => Player::South,
        true => Player::North,
    }
}

impl BoardAnswer {
    /// A board with its probe result and ranked moves.
    pub fn new(
        rules: Ruleset,
        position: &Position,
        known: Known,
        moves: &[RankedMove],
    ) -> BoardAnswer {
        let player = mover(position);
        let answer = |m| MoveAnswer::new(m, player, known);
        BoardAnswer {
            board: BoardFields::new(&position.board, rules, known),
            over: moves.is_empty(),
            moves: moves.iter().map(answer).collect(),
        }
    }
}

/// A best line.
#[derive(Debug, Serialize)]
pub struct LineAnswer {
    #[serde(flatten)]
    board: BoardFields,
    /// The moves as letters without spaces.
    letters: String,
    end: &'static str,
    line: Vec<StepAnswer>,
}

#[derive(Debug, Serialize)]
struct StepAnswer {
    letter: char,
    pit: u8,
    captured: u8,
    #[serde(flatten)]
    effect: EffectFields,
}

impl LineAnswer {
    /// The best line of a board with this probe result.
    pub fn new(
        rules: Ruleset,
        position: &Position,
        known: Known,
        line: &PrincipalVariation,
    ) -> LineAnswer {
        let mut player = mover(position);
        let steps: Vec<StepAnswer> = line
            .steps
            .iter()
            .map(|step| step_answer(&mut player, step))
            .collect();
        LineAnswer {
            board: BoardFields::new(&position.board, rules, known),
            letters: steps.iter().map(|step| step.letter).collect(),
            end: line.end.word(),
            line: steps,
        }
    }
}

/// A step of this player; `player` becomes the next player to move.
fn step_answer(player: &mut Player, step: &Step) -> StepAnswer {
    let letter = player.letter(step.pit);
    if step.next == Next::Opponent {
        *player = player.opponent();
    }
    StepAnswer {
        letter,
        pit: step.pit,
        captured: step.captured,
        effect: EffectFields::from(step),
    }
}
