//! `krou moves`: the legal moves of a board, without tables.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use krou::rules::{Moves, Next, Position};
use krou_answers::MovesAnswer;

use crate::boards::{BoardsArgs, drawing, pit, signed};
use crate::rules_args::RulesArgs;

/// Options of `krou moves`.
#[derive(Args)]
pub struct MovesArgs {
    #[command(flatten)]
    boards: BoardsArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

/// Answers for one board or many.
pub fn run(args: &MovesArgs) -> Result<ExitCode> {
    let rules = args.rules.ruleset()?;
    args.boards.answer(
        rules,
        || |position: &Position| Ok(MovesAnswer::new(position, &rules.moves(&position.board))),
        |_| true,
        |position, _| text(position, &rules.moves(&position.board)),
    )
}

/// The moves for people, with the reasons against the others.
fn text(position: &Position, moves: &Moves) -> String {
    let mut text = format!("{}\n", drawing(&position.board));
    if let Some(result) = moves.terminal_value() {
        text += &format!(
            "no legal move: the game is over, value {} for the mover\n",
            signed(result)
        );
    }
    for step in moves.legal() {
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
            notes.push(format!("leaves {}", step.board));
        }
        text += &format!("{}: {}\n", pit(position, step.pit), notes.join(", "));
    }
    let illegal = moves.by_pit();
    let illegal = illegal.iter().filter_map(|step| step.as_ref().err());
    let reasons = illegal.map(|why| format!("  {}\n", why.named(|own| pit(position, own))));
    let reasons: String = reasons.collect();
    if !reasons.is_empty() {
        text += "not legal:\n";
    }
    text + &reasons
}
