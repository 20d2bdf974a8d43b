//! `krou probe`: the value of a board and of each of its moves.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use krou::answers::{BoardAnswer, BoardFields, ResultFields, StepAnswer, known};
use krou::rules::{Board, Position};

use crate::args::TableMemoryArgs;
use crate::boards::{BoardsArgs, drawing, signed};
use crate::folder_args::FolderArgs;
use crate::rules_args::RulesArgs;

/// Options of `krou probe`.
#[derive(Args)]
pub struct ProbeArgs {
    #[command(flatten)]
    boards: BoardsArgs,
    #[command(flatten)]
    tables: FolderArgs,
    #[command(flatten)]
    table_memory: TableMemoryArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

/// Answers for one board or many.
pub fn run(args: &ProbeArgs) -> Result<ExitCode> {
    let rules = args.rules.ruleset()?;
    let tables = args.tables.open_solved(rules, args.boards.seeds())?;
    args.table_memory.load(&tables)?;
    let tables = &tables;
    args.boards.answer(
        rules,
        || {
            move |position: &Position| {
                let known = known(tables.probe(&position.board))?;
                let moves = tables.moves(&position.board)?;
                Ok(BoardAnswer::new(rules, position, known, &moves))
            }
        },
        |answer| answer.board.missing.is_none(),
        |position, answer| {
            text(&position.board, answer, &|seeds| {
                args.tables.no_table(rules, seeds)
            })
        },
    )
}

/// The answer for people; `no_table` says that a layer is missing, and what to do.
fn text(board: &Board, answer: &BoardAnswer, no_table: &dyn Fn(u8) -> String) -> String {
    let BoardFields {
        seeds,
        rules,
        result,
        ..
    } = &answer.board;
    let verdict = match answer.board.missing {
        None => verdict(result, answer.over),
        Some(missing) => no_table(missing),
    };
    let mut text = format!("{}\n{rules}, {seeds} seeds: {verdict}\n", drawing(board));
    for m in &answer.moves {
        let mark = if m.best { '*' } else { ' ' };
        let value = m.result.value.map_or_else(|| "?".to_owned(), signed);
        let mut notes = Vec::new();
        if m.step.captured > 0 {
            notes.push(format!("captures {}", m.step.captured));
        }
        if let Some(plies) = m.result.distance.filter(|_| is_quiet(&m.step, *seeds)) {
            notes.push(format!("next capture or end in {}", plies_of(plies)));
        }
        notes.extend(bounds(&m.result));
        let pit = m.step.pit;
        let line = format!("{mark} pit {pit}  {value:>3}  {}", notes.join(", "));
        text += line.trim_end();
        text += "\n";
    }
    text
}

/// Whether the move is no conversion, which would be the next capture or end itself.
fn is_quiet(step: &StepAnswer, seeds: u8) -> bool {
    !step.again && !step.ends && step.board.iter().sum::<u8>() == seeds
}

/// The probe result in words.
fn verdict(result: &ResultFields, over: bool) -> String {
    let mut text = match result.value.unwrap_or_default() {
        0 => "even".to_owned(),
        value => {
            let side = if value > 0 {
                "the mover"
            } else {
                "the opponent"
            };
            let seeds = if value.abs() == 1 { "seed" } else { "seeds" };
            format!(
                "{side} takes {} {seeds} more ({})",
                value.abs(),
                signed(value)
            )
        }
    };
    if over {
        text += ", the game is over";
    } else if let Some(plies) = result.distance {
        text += &format!(", next capture or end in {}", plies_of(plies));
    }
    if let Some(bounds) = bounds(result) {
        text += &format!(", {bounds}");
    }
    text
}

/// The bounds in words, if there are any.
fn bounds(result: &ResultFields) -> Option<String> {
    let (lower, upper) = (result.lower?, result.upper?);
    Some(if lower == upper {
        "exact however loops are settled".to_owned()
    } else {
        format!(
            "from {} to {} by how loops are settled",
            signed(lower),
            signed(upper)
        )
    })
}

fn plies_of(plies: u8) -> String {
    if plies == 1 {
        "1 ply".to_owned()
    } else {
        format!("{plies} plies")
    }
}
