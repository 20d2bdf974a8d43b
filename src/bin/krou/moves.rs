//! `krou moves`: the legal moves of a board, without tables.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use krou::rules::{Board, IllegalMove, Next, Ruleset, Step};
use serde::Serialize;

use crate::boards::{Answer, BoardsArgs};
use crate::json::EffectFields;
use crate::rules_args::RulesArgs;
use crate::text::{drawing, signed};

/// Options of `krou moves`.
#[derive(Args)]
pub struct MovesArgs {
    #[command(flatten)]
    boards: BoardsArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

/// The fields that programs rely on.
#[derive(Serialize)]
struct Moves {
    board: [u8; 12],
    over: bool,
    result: Option<i8>,
    moves: Vec<Move>,
    #[serde(skip)]
    position: Board,
    #[serde(skip)]
    illegal: Vec<IllegalMove>,
}

#[derive(Serialize)]
struct Move {
    pit: u8,
    captured: u8,
    #[serde(flatten)]
    effect: EffectFields,
    #[serde(skip)]
    step: Step,
}

/// Answers for one board or many.
pub fn run(args: &MovesArgs) -> Result<ExitCode> {
    let rules = args.rules.ruleset()?;
    args.boards
        .answer(|| |board: &Board| Ok(moves(rules, board)))
}

fn moves(rules: Ruleset, board: &Board) -> Moves {
    let moves = rules.moves(board);
    Moves {
        board: board.pits(),
        over: moves.over().is_some(),
        result: moves.over(),
        moves: moves
            .legal()
            .map(|step| Move {
                pit: step.pit,
                captured: step.captured,
                effect: EffectFields::from(&step),
                step,
            })
            .collect(),
        position: *board,
        illegal: moves.by_pit().iter().filter_map(|pit| pit.err()).collect(),
    }
}

impl Answer for Moves {
    fn complete(&self) -> bool {
        true
    }

    fn text(&self) -> String {
        let mut text = format!("{}\n", drawing(&self.position));
        if let Some(result) = self.result {
            text += &format!(
                "no legal move: the game is over, value {} for the mover\n",
                signed(result)
            );
        }
        for step in self.moves.iter().map(|m| m.step) {
            let mut notes = vec![format!("gains {}", signed(step.gain))];
            if step.captured > 0 {
                notes.push(format!("captures {}", step.captured));
            }
            if step.next == Next::Again {
                notes.push("moves again".to_owned());
            }
            if step.next == Next::Over {
                notes.push("ends the game".to_owned());
            } else {
                notes.push(format!("leaves {}", step.board.notation()));
            }
            text += &format!("pit {}: {}\n", step.pit, notes.join(", "));
        }
        if !self.illegal.is_empty() {
            text += "not legal:\n";
        }
        for reason in &self.illegal {
            text += &format!("  {reason}\n");
        }
        text
    }
}
