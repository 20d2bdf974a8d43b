//! `krou moves`: the legal moves of a board, without tables.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use krou::answers::MovesAnswer;
use krou::rules::{Board, Moves, Next};
use serde::Serialize;

use crate::boards::{Answer, BoardsArgs, drawing, signed};
use crate::rules_args::RulesArgs;

/// Options of `krou moves`.
#[derive(Args)]
pub struct MovesArgs {
    #[command(flatten)]
    boards: BoardsArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

/// The answer for programs, and what the text for people needs.
#[derive(Serialize)]
struct Listed {
    #[serde(flatten)]
    answer: MovesAnswer,
    #[serde(skip)]
    board: Board,
    #[serde(skip)]
    moves: Moves,
}

/// Answers for one board or many.
pub fn run(args: &MovesArgs) -> Result<ExitCode> {
    let rules = args.rules.ruleset()?;
    args.boards.answer(|| {
        |board: &Board| {
            let moves = rules.moves(board);
            Ok(Listed {
                answer: MovesAnswer::new(board, &moves),
                board: *board,
                moves,
            })
        }
    })
}

impl Answer for Listed {
    fn complete(&self) -> bool {
        true
    }

    fn text(&self) -> String {
        let mut text = format!("{}\n", drawing(&self.board));
        if let Some(result) = self.moves.over() {
            text += &format!(
                "no legal move: the game is over, value {} for the mover\n",
                signed(result)
            );
        }
        for step in self.moves.legal() {
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
        let mut illegal = self
            .moves
            .by_pit()
            .iter()
            .filter_map(|pit| pit.as_ref().err())
            .peekable();
        if illegal.peek().is_some() {
            text += "not legal:\n";
        }
        for reason in illegal {
            text += &format!("  {reason}\n");
        }
        text
    }
}
