//! `krou probe`: the value of a board and of each of its moves.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use krou::answers::{Known, ProbeAnswer, known};
use krou::rules::{Board, Bounds, Ruleset};
use krou::tablebase::{ProbeResult, Prober, RankedMove};
use serde::Serialize;

use crate::args::TableMemoryArgs;
use crate::boards::{Answer, BoardsArgs, drawing, signed};
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

/// The answer for programs, and what the text for people needs.
#[derive(Serialize)]
struct Probe<'a> {
    #[serde(flatten)]
    answer: ProbeAnswer,
    #[serde(skip)]
    details: Details<'a>,
}

/// What only the text for people shows.
struct Details<'a> {
    board: Board,
    known: Known,
    rules: Ruleset,
    /// What makes `krou build` write to the folder that was searched.
    dir_option: &'a str,
    /// Best first.
    moves: Vec<RankedMove>,
}

/// Answers for one board or many.
pub fn run(args: &ProbeArgs) -> Result<ExitCode> {
    let rules = args.rules.ruleset()?;
    let tables = args.tables.open(rules)?;
    args.table_memory.load(&tables)?;
    let dir_option = args.tables.option();
    args.boards.answer(|| {
        let mut prober = tables.prober();
        let dir_option = dir_option.as_str();
        move |board: &Board| probe(&mut prober, rules, dir_option, board)
    })
}

fn probe<'a>(
    prober: &mut Prober<'_>,
    rules: Ruleset,
    dir_option: &'a str,
    board: &Board,
) -> Result<Probe<'a>> {
    let known = known(prober.probe(board))?;
    let ranked = prober.moves(board)?;
    Ok(Probe {
        answer: ProbeAnswer::new(rules, board, known, &ranked),
        details: Details {
            board: *board,
            known,
            rules,
            dir_option,
            moves: ranked,
        },
    })
}

impl Answer for Probe<'_> {
    fn complete(&self) -> bool {
        self.details.known.is_ok()
    }

    fn text(&self) -> String {
        let Details {
            board,
            known,
            rules,
            dir_option,
            moves,
        } = &self.details;
        let seeds = board.seeds();
        let mut text = format!("{}\n", drawing(board));
        let verdict = match known {
            Ok(result) => verdict(result, moves.is_empty()),
            Err(missing) => format!(
                "no table for {rules} with {missing} seeds: \
                 build it with 'krou build --rules {rules} --seeds {missing}{dir_option}'"
            ),
        };
        text += &format!("{rules}, {seeds} seeds: {verdict}\n");
        for m in moves {
            let mark = match (m.result, known) {
                (Some(own), Ok(best)) if own.value == best.value => '*',
                _ => ' ',
            };
            let value = m
                .result
                .map_or_else(|| "?".to_owned(), |result| signed(result.value));
            let mut notes = Vec::new();
            if m.step.captured > 0 {
                notes.push(format!("captures {}", m.step.captured));
            }
            if let Some(plies) = m.result.and_then(|result| result.distance)
                && m.step.is_quiet(seeds)
            {
                notes.push(format!("next capture or end in {}", plies_of(plies)));
            }
            if let Some(Bounds { lower, upper }) = m.result.and_then(|result| result.bounds) {
                notes.push(bounds(lower, upper));
            }
            let line = format!(
                "{mark} pit {}  {value:>3}  {}",
                m.step.pit,
                notes.join(", ")
            );
            text += line.trim_end();
            text += "\n";
        }
        text
    }
}

/// The probe result in words.
fn verdict(result: &ProbeResult, over: bool) -> String {
    let mut text = match result.value {
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
    if let Some(Bounds { lower, upper }) = result.bounds {
        text += &format!(", {}", bounds(lower, upper));
    }
    text
}

fn bounds(lower: i8, upper: i8) -> String {
    if lower == upper {
        "exact however loops are settled".to_owned()
    } else {
        format!(
            "from {} to {} by how loops are settled",
            signed(lower),
            signed(upper)
        )
    }
}

fn plies_of(plies: u8) -> String {
    if plies == 1 {
        "1 ply".to_owned()
    } else {
        format!("{plies} plies")
    }
}
