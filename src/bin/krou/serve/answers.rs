//! Answers about boards, best lines and tables, as JSON.

use krou::engine::Player;
use krou::rules::{MAX_SEEDS, Next, Position, Ruleset, Step};
use krou::table::Kind;
use krou::tablebase::{PrincipalVariation, RankedMove, Tablebase};
use serde::Serialize;

use crate::json::{BoardFields, EffectFields, Known, MoveFields};
use crate::rules::RulesetFields;

/// A board and its moves, best first.
#[derive(Debug, Serialize)]
pub struct BoardAnswer {
    #[serde(flatten)]
    board: BoardFields,
    over: bool,
    moves: Vec<MoveAnswer>,
}

/// Boards in the order of the request.
#[derive(Serialize)]
pub struct BoardsAnswer<E> {
    pub boards: Vec<BoardResult<E>>,
}

/// The answer for one of several boards, or its error.
#[derive(Serialize)]
#[serde(untagged)]
pub enum BoardResult<E> {
    Board(Box<BoardAnswer>),
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

/// The rulesets and their tables.
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
    let has_table = |kind: &Kind| tables.table(seeds, *kind).is_some();
    let kinds = Kind::ALL.into_iter().filter(has_table);
    LayerAnswer {
        seeds,
        tables: kinds.map(Kind::word).collect(),
    }
}
