//! `krou probe`: the value of a board and of each of its moves.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use krou::index::LayerIndex;
use krou::rules::{Board, Bounds, Position, Ruleset, Stores};
use krou::tablebase::Tablebase;
use krou_answers::{BoardAnswer, BoardFields, LineFields, ResultFields, StepAnswer, probe};
use serde::Serialize;

use crate::args::{TableMemoryArgs, whole_number};
use crate::boards::{BoardsArgs, drawing, pit, signed};
use crate::folder_args::{FolderArgs, HostArgs};
use crate::rules_args::RulesArgs;
use crate::small_layers::TablesOnDemand;
use crate::verdict;

/// Options of `krou probe`.
#[derive(Args)]
pub struct ProbeArgs {
    #[command(flatten)]
    boards: BoardsArgs,
    /// Print the best line too, to its end or PLIES plies: --line=20.
    #[arg(long, value_name = "PLIES", num_args = 0..=1, require_equals = true, value_parser = whole_number(0..=PLIES), default_missing_value = WHOLE_LINE)]
    line: Option<usize>,
    #[command(flatten)]
    tables: FolderArgs,
    #[command(flatten)]
    hosts: HostArgs,
    #[command(flatten)]
    table_memory: TableMemoryArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

/// The most plies of a line: far more than any has.
const PLIES: usize = 1_000_000;
const WHOLE_LINE: &str = "1000000";

/// A board and its moves, and the best line if it is asked for.
#[derive(Serialize)]
struct ProbedPosition {
    #[serde(flatten)]
    board: BoardAnswer,
    #[serde(flatten)]
    line: Option<LineFields>,
}

impl ProbedPosition {
    /// The answer for a position, with a line of at most `plies`.
    fn new(
        tables: &Tablebase,
        position: &Position,
        plies: Option<usize>,
    ) -> Result<ProbedPosition> {
        let line = |plies| -> Result<LineFields> {
            let line = tables.best_line(&position.board, plies)?;
            Ok(LineFields::new(position, &line))
        };
        Ok(ProbedPosition {
            board: probe(tables, position)?,
            line: plies.map(line).transpose()?,
        })
    }
}

/// Answers for one board or many.
pub fn run(args: &ProbeArgs) -> Result<ExitCode> {
    let rules = args.rules.ruleset()?;
    let seeds = args.boards.position(rules)?.map(|only| only.board.seeds());
    args.hosts.check()?;
    let folders = args.tables.with_hosts(args.hosts.hosts());
    let tables = folders.open_for(rules, seeds)?;
    let tables = TablesOnDemand::new(&folders, &args.table_memory, tables)?;
    let done = args.boards.answer(
        rules,
        || {
            let mut tables = tables.of_thread();
            move |position: &Position| {
                let tables = tables.complete(position.board.seeds())?;
                ProbedPosition::new(tables, position, args.line)
            }
        },
        |answer| answer.board.board.missing.is_none(),
        |position, answer| {
            let missing = |seeds| missing(&folders, rules, &position.board, seeds);
            let text = text(rules, position, &answer.board, &missing);
            let line = answer.line.as_ref();
            text + &line.map(line_text).unwrap_or_default()
        },
    );
    tables.tell();
    done
}

/// Says that a layer is missing, and what to do about this board.
fn missing(tables: &FolderArgs, rules: Ruleset, board: &Board, seeds: u8) -> String {
    /// Layers of more boards take hours and gigabytes to build.
    const SOON_BUILT: u64 = 1 << 32;
    let board = board.to_string();
    let analyse = format!("'krou analyse --rules {rules} \"{board}\"' estimates it");
    if LayerIndex::new(rules, seeds).len() <= SOON_BUILT {
        format!("{}; {analyse}", tables.no_table(rules, seeds))
    } else {
        format!("no table for {rules} with {seeds} seeds: {analyse}")
    }
}

/// The best line for people: letters, and the seeds that are taken.
fn line_text(line: &LineFields) -> String {
    const LETTERS: usize = 60;
    let plies = line.line.len();
    let end = match line.end {
        "over" => "to the end of the game",
        "loop" => "then it repeats: endless play",
        "missing" => "then no table",
        _ => "as many as asked for",
    };
    let mut text = format!("best line, {}, {end}:\n", plies_of(plies));
    let letters: Vec<char> = line.letters.chars().collect();
    for letters in letters.chunks(LETTERS) {
        text += &format!("  {}\n", letters.iter().collect::<String>());
    }
    for (ply, step) in (1..).zip(&line.line) {
        if step.captured > 0 {
            text += &format!("  ply {ply}, {}: captures {}\n", step.letter, step.captured);
        }
    }
    text
}

/// The answer for people; `no_table` says that a layer is missing, and what to do.
fn text(
    rules: Ruleset,
    position: &Position,
    answer: &BoardAnswer,
    no_table: &dyn Fn(u8) -> String,
) -> String {
    let BoardFields { seeds, result, .. } = &answer.board;
    let verdict = match answer.board.missing {
        None => verdict(rules, result, answer.over),
        Some(missing) => no_table(missing),
    };
    let mut text = format!(
        "{}\n{rules}, {seeds} seeds: {verdict}\n",
        drawing(&position.board)
    );
    let known = bounds(result).filter(|_| position.stores != Stores::default());
    if let Some(bounds) = known {
        let Stores { south, north } = position.stores;
        let ending = verdict::ending(position, bounds);
        text += &format!("with {south} and {north} in the stores: {ending}\n");
    }
    for m in &answer.moves {
        let mark = if m.best { '*' } else { ' ' };
        let value = m.result.value.map_or_else(|| "?".to_owned(), signed);
        let mut notes = Vec::new();
        if m.step.captured > 0 {
            notes.push(format!("captures {}", m.step.captured));
        }
        if let Some(plies) = m.result.distance.filter(|_| is_quiet(&m.step, *seeds)) {
            let plies = plies_of(plies.into());
            notes.push(format!("next capture or end in {plies}"));
        }
        let open = bounds(&m.result).filter(|bounds| bounds.exact().is_none());
        notes.extend(open.map(verdict::range));
        let pit = pit(position, m.step.pit);
        let line = format!("{mark} {pit}  {value:>3}  {}", notes.join(", "));
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
fn verdict(rules: Ruleset, result: &ResultFields, over: bool) -> String {
    let bounds = bounds(result).unwrap_or(Bounds::of_value(0));
    let mut parts = vec![verdict::taken(bounds)];
    if bounds.exact().is_none() {
        parts.push(format!("\n{}", verdict::depends(rules)));
    }
    if over {
        parts.push(" the game is over".to_owned());
    } else if let Some(plies) = result.distance {
        let plies = plies_of(plies.into());
        parts.push(format!(" next capture or end in {plies}"));
    }
    parts.join(",")
}

/// The bounds of a value; a value without bounds is exact.
fn bounds(result: &ResultFields) -> Option<Bounds> {
    match (result.value?, result.lower, result.upper) {
        (_, Some(lower), Some(upper)) => Some(Bounds { lower, upper }),
        (value, ..) => Some(Bounds::of_value(value)),
    }
}

fn plies_of(plies: usize) -> String {
    if plies == 1 {
        "1 ply".to_owned()
    } else {
        format!("{plies} plies")
    }
}
