//! `krou probe`: what a board and each of its moves are worth.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use krou::rules::{Board, Ruleset};
use krou::tablebase::{ProbeError, Prober, RankedMove, Worth};
use serde::Serialize;

use crate::boards::{Answer, BoardsArgs};
use crate::one_line;
use crate::rules_args::RulesArgs;
use crate::tables_args::TablesArgs;

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
    board: [u8; 12],
    seeds: u8,
    rules: String,
    value: Option<i8>,
    distance: Option<u8>,
    lower: Option<i8>,
    upper: Option<i8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<u8>,
    moves: Vec<Move>,
    #[serde(skip)]
    details: Details<'a>,
}

#[derive(Serialize)]
struct Move {
    pit: u8,
    captured: u8,
    value: Option<i8>,
    distance: Option<u8>,
    best: bool,
}

/// What only people are told.
struct Details<'a> {
    board: Board,
    worth: Option<Worth>,
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
    let (worth, missing) = match prober.probe(board) {
        Ok(worth) => (Some(worth), None),
        Err(ProbeError::Missing { seeds, .. }) => (None, Some(seeds)),
        Err(error) => return Err(error.into()),
    };
    let ranked = prober.moves(board)?;
    let value = worth.map(|worth| worth.value);
    let mut moves: Vec<Move> = ranked
        .iter()
        .map(|m| Move {
            pit: m.step.pit,
            captured: m.step.captured,
            value: m.worth.map(|worth| worth.value),
            distance: m.worth.and_then(|worth| worth.distance),
            best: value.is_some() && m.worth.map(|worth| worth.value) == value,
        })
        .collect();
    moves.sort_by_key(|m| m.pit);
    let bounds = worth.and_then(|worth| worth.bounds);
    Ok(Probe {
        board: board.pits(),
        seeds: board.seeds(),
        rules: rules.to_string(),
        value,
        distance: worth.and_then(|worth| worth.distance),
        lower: bounds.map(|(lower, _)| lower),
        upper: bounds.map(|(_, upper)| upper),
        missing,
        moves,
        details: Details {
            board: *board,
            worth,
            rules,
            folder,
            moves: ranked,
        },
    })
}

impl Answer for Probe<'_> {
    fn complete(&self) -> bool {
        self.missing.is_none()
    }

    fn text(&self) -> String {
        let Details {
            board,
            worth,
            rules,
            folder,
            moves,
        } = &self.details;
        let mut text = format!("{}\n", drawing(board));
        let verdict = match (worth, self.missing) {
            (Some(worth), _) => verdict(worth, moves.is_empty()),
            (None, Some(seeds)) => format!(
                "no table for {rules} with {seeds} seeds: \
                 build it with 'krou build --rules {rules} --seeds {seeds} --dir {folder}'"
            ),
            (None, None) => String::new(),
        };
        text += &format!("{rules}, {} seeds: {verdict}\n", self.seeds);
        for m in moves {
            let mark = match (m.worth, worth) {
                (Some(own), Some(best)) if own.value == best.value => '*',
                _ => ' ',
            };
            let worth = m
                .worth
                .map_or_else(|| "?".to_owned(), |worth| signed(worth.value));
            let mut notes = Vec::new();
            if m.step.captured > 0 {
                notes.push(format!("captures {}", m.step.captured));
            }
            if let Some(plies) = m.worth.and_then(|worth| worth.distance)
                && m.step.is_quiet(self.seeds)
            {
                notes.push(format!("next capture or end in {}", plies_of(plies)));
            }
            if let Some((lower, upper)) = m.worth.and_then(|worth| worth.bounds) {
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
fn verdict(worth: &Worth, over: bool) -> String {
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
    if let Some((lower, upper)) = worth.bounds {
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
