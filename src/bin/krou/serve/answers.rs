//! What is said about a board: its worth, its moves, its best line; and which
//! tables there are.

use krou::engine::Player;
use krou::rules::{MAX_SEEDS, Next, Position, Step};
use krou::table::Kind;
use krou::tablebase::{ProbeError, RankedMove, Tablebase};
use serde::Serialize;

use super::errors::ApiError;
use crate::rules::RulesetFields;
use crate::wire::{BoardFields, EffectFields, Known, MoveFields, known};

/// A board and its moves, best first.
#[derive(Debug, Serialize)]
pub struct BoardAnswer {
    #[serde(flatten)]
    board: BoardFields,
    over: bool,
    moves: Vec<MoveAnswer>,
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
        let bounds = m.result.and_then(|worth| worth.bounds);
        MoveAnswer {
            letter: player.letter(m.step.pit),
            result: MoveFields::new(m, board),
            lower: bounds.map(|bounds| bounds.lower),
            upper: bounds.map(|bounds| bounds.upper),
            effect: EffectFields::from(&m.step),
        }
    }
}

/// What the tables know of a board; a table that cannot be read is an error.
pub fn probe(tables: &Tablebase, position: &Position) -> Result<Known, ApiError> {
    known(tables.probe(&position.board)).map_err(|error| match error {
        ProbeError::Table(error) => ApiError::Table(error),
        other => ApiError::Failed(other.to_string()),
    })
}

/// Whose turn it is.
fn mover(position: &Position) -> Player {
    match position.north_to_move {
        false => Player::South,
        true => Player::North,
    }
}

impl BoardAnswer {
    /// The board and its moves.
    ///
    /// # Errors
    /// If the layer is missing, with what can be told all the same; and if a table
    /// cannot be read.
    pub fn new(tables: &Tablebase, position: &Position) -> Result<BoardAnswer, ApiError> {
        let (rules, board) = (tables.rules(), &position.board);
        let known = probe(tables, position)?;
        let ranked = tables.moves(board)?;
        let player = mover(position);
        let answer = BoardAnswer {
            board: BoardFields::new(board, rules, known),
            over: ranked.is_empty(),
            moves: ranked
                .iter()
                .map(|m| MoveAnswer::new(m, player, known))
                .collect(),
        };
        match known {
            Ok(_) => Ok(answer),
            Err(seeds) => Err(ApiError::Missing {
                rules,
                seeds,
                board: Box::new(answer),
            }),
        }
    }
}

/// What happens when both play their best.
#[derive(Debug, Serialize)]
pub struct LineAnswer {
    #[serde(flatten)]
    board: BoardFields,
    /// The moves in letters, without spaces.
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
    /// The best line of at most so many plies.
    ///
    /// # Errors
    /// As [`BoardAnswer::new`].
    pub fn new(
        tables: &Tablebase,
        position: &Position,
        plies: usize,
    ) -> Result<LineAnswer, ApiError> {
        let worth = probe(tables, position)?;
        if worth.is_err() {
            BoardAnswer::new(tables, position)?;
        }
        let line = tables.best_line(&position.board, plies)?;
        let mut player = mover(position);
        let steps: Vec<StepAnswer> = line
            .steps
            .iter()
            .map(|step| step_of(&mut player, step))
            .collect();
        Ok(LineAnswer {
            board: BoardFields::new(&position.board, tables.rules(), worth),
            letters: steps.iter().map(|step| step.letter).collect(),
            end: line.end.word(),
            line: steps,
        })
    }
}

/// A step of this player, after whom `player` is the next one.
fn step_of(player: &mut Player, step: &Step) -> StepAnswer {
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

/// The rulesets and the tables at hand.
#[derive(Debug, Serialize)]
pub struct RulesetsAnswer {
    rulesets: Vec<RulesetAnswer>,
}

#[derive(Debug, Serialize)]
struct RulesetAnswer {
    #[serde(flatten)]
    rules: RulesetFields,
    /// The highest layer with values.
    highest: Option<u8>,
    layers: Vec<LayerAnswer>,
}

#[derive(Debug, Serialize)]
struct LayerAnswer {
    seeds: u8,
    tables: Vec<&'static str>,
}

impl RulesetsAnswer {
    pub fn new<'t>(listed: impl Iterator<Item = &'t Tablebase>) -> RulesetsAnswer {
        let answer = |tables: &Tablebase| RulesetAnswer {
            rules: RulesetFields::new(tables.rules()),
            highest: tables.highest_layer(),
            layers: (0..=MAX_SEEDS)
                .map(|seeds| layer(tables, seeds))
                .filter(|layer| !layer.tables.is_empty())
                .collect(),
        };
        RulesetsAnswer {
            rulesets: listed.map(answer).collect(),
        }
    }
}

fn layer(tables: &Tablebase, seeds: u8) -> LayerAnswer {
    let there = |kind: &Kind| tables.table(seeds, *kind).is_some();
    let kinds = Kind::ALL.into_iter().filter(there);
    LayerAnswer {
        seeds,
        tables: kinds.map(Kind::word).collect(),
    }
}
