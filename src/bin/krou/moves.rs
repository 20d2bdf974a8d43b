//! `krou moves`: the legal moves of a board, without any tables.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use krou::rules::{Board, IllegalMove, Next, Ruleset};
use serde::Serialize;

use crate::boards::{Answer, BoardsArgs};
use crate::probe::{drawing, signed};
use crate::rules_args::RulesArgs;

/// Options of `krou moves`.
#[derive(Args)]
pub struct MovesArgs {
    #[command(flatten)]
    boards: BoardsArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

/// The answer, in the form that programs rely on.
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
    gain: i8,
    board: [u8; 12],
    again: bool,
    ends: bool,
    #[serde(skip)]
    after: Board,
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
                gain: step.gain,
                board: step.board.pits(),
                again: step.next == Next::Again,
                ends: step.next == Next::Over,
                after: step.board,
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
                "no legal move: the game is over, worth {} to the mover\n",
                signed(result)
            );
        }
        for m in &self.moves {
            let mut notes = vec![format!("gains {}", signed(m.gain))];
            if m.captured > 0 {
                notes.push(format!("captures {}", m.captured));
            }
            if m.again {
                notes.push("moves again".to_owned());
            }
            if m.ends {
                notes.push("ends the game".to_owned());
            } else {
                notes.push(format!("leaves {}", m.after.notation()));
            }
            text += &format!("pit {}: {}\n", m.pit, notes.join(", "));
        }
        if !self.illegal.is_empty() {
            text += "not legal:\n";
        }
        for refusal in &self.illegal {
            text += &format!("  {refusal}\n");
        }
        text
    }
}
