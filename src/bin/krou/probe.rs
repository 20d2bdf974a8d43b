//! `krou probe`: what a board and each of its moves are worth.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use krou::rules::{Board, Bounds, Ruleset};
use krou::tablebase::{ProbeResult, Prober, RankedMove};
use serde::Serialize;

use crate::boards::{Answer, BoardsArgs};
use crate::one_line;
use crate::rules_args::RulesArgs;
use crate::tables_args::TablesArgs;
use crate::wire::{BoardFields, Known, MoveFields, known};

/// Options of `krou probe`.
#[derive(Args)]
pub struct ProbeArgs {
    #[command(flatten)]
    boards: BoardsArgs,
    #[command(flatten)]
    tables: TablesArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

/// The answer, in the form that programs rely on.
#[derive(Serialize)]
struct Probe<'a> {
    #[serde(flatten)]
    board: BoardFields,
    moves: Vec<MoveFields>,
    #[serde(skip)]
    details: Details<'a>,
}

/// What only people are told.
struct Details<'a> {
    board: Board,
    known: Known,
    rules: Ruleset,
    /// Where tables are looked for.
    folder: &'a str,
    /// Best first.
    moves: Vec<RankedMove>,
}

/// Answers for one board or many.
pub fn run(args: &ProbeArgs) -> Result<ExitCode> {
    let rules = args.rules.ruleset()?;
    let tables = args.tables.open(rules)?;
    let folder = one_line(&args.tables.folder().display().to_string());
    args.boards.answer(|| {
        let mut prober = tables.prober();
        let (rules, folder) = (rules, folder.as_str());
        move |board: &Board| probe(&mut prober, rules, folder, board)
    })
}

fn probe<'a>(
    prober: &mut Prober<'_>,
    rules: Ruleset,
    folder: &'a str,
    board: &Board,
) -> Result<Probe<'a>> {
    let known = known(prober.probe(board))?;
    let ranked = prober.moves(board)?;
    let mut moves: Vec<MoveFields> = ranked.iter().map(|m| MoveFields::new(m, known)).collect();
    moves.sort_by_key(|m| m.pit);
    Ok(Probe {
        board: BoardFields::new(board, rules, known),
        moves,
        details: Details {
            board: *board,
            known,
            rules,
            folder,
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
            folder,
            moves,
        } = &self.details;
        let seeds = board.seeds();
        let mut text = format!("{}\n", drawing(board));
        let verdict = match known {
            Ok(worth) => verdict(worth, moves.is_empty()),
            Err(missing) => format!(
                "no table for {rules} with {missing} seeds: \
                 build it with 'krou build --rules {rules} --seeds {missing} --dir {folder}'"
            ),
        };
        text += &format!("{rules}, {seeds} seeds: {verdict}\n");
        for m in moves {
            let mark = match (m.result, known) {
                (Some(own), Ok(best)) if own.value == best.value => '*',
                _ => ' ',
            };
            let worth = m
                .result
                .map_or_else(|| "?".to_owned(), |worth| signed(worth.value));
            let mut notes = Vec::new();
            if m.step.captured > 0 {
                notes.push(format!("captures {}", m.step.captured));
            }
            if let Some(plies) = m.result.and_then(|worth| worth.distance)
                && m.step.is_quiet(seeds)
            {
                notes.push(format!("next capture or end in {}", plies_of(plies)));
            }
            if let Some(Bounds { lower, upper }) = m.result.and_then(|worth| worth.bounds) {
                notes.push(bounds(lower, upper));
            }
            let line = format!(
                "{mark} pit {}  {worth:>3}  {}",
                m.step.pit,
                notes.join(", ")
            );
            text += line.trim_end();
            text += "\n";
        }
        text
    }
}

/// What the value says, in words.
fn verdict(worth: &ProbeResult, over: bool) -> String {
    let mut text = match worth.value {
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
    } else if let Some(plies) = worth.distance {
        text += &format!(", next capture or end in {}", plies_of(plies));
    }
    if let Some(Bounds { lower, upper }) = worth.bounds {
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

/// A value with its sign.
pub fn signed(value: i8) -> String {
    if value > 0 {
        format!("+{value}")
    } else {
        value.to_string()
    }
}

/// The board between the numbers of its pits.
pub fn drawing(board: &Board) -> String {
    let numbers = |pits: Vec<usize>| {
        let pits: Vec<String> = pits.iter().map(|pit| format!("{pit:2}")).collect();
        pits.join(" ")
    };
    let above = numbers((6..12).rev().collect());
    let below = numbers((0..6).collect());
    let mut rows = board.to_string();
    rows = rows.replace('\n', "\n      ");
    format!("pits  {above}\n      {rows}\npits  {below}\n")
}
