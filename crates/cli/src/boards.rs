//! Commands about boards: one board on the command line, or a batch with one board
//! on each line; and boards and values as text.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Error, Result, bail};
use clap::Args;
use krou::engine::Game;
use krou::ogn::{Setup, decode};
use krou::rules::{Board, PITS, Position, Ruleset};
use rayon::prelude::*;
use serde::Serialize;
use serde_json::json;

use crate::lines::InputLine;
use crate::messages::{exit_code, print_json, print_text, with_causes};

/// Which boards, and the format of the output.
#[derive(Args, Clone, Debug)]
pub struct BoardsArgs {
    /// Board: twelve numbers, the mover's row first.
    ///
    /// Separated by spaces, commas or '/', as in "1 1 1 1 1 2 / 4 2 3 0 0 0"; or a
    /// JSON array; fourteen numbers, each row with its store; the notation of oware
    /// engines, 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S; the FEN of playstrategy.org; or startpos.
    /// `moves FeCb` may follow.
    #[arg(allow_negative_numbers = true)]
    board: Vec<String>,

    /// Print JSON.
    #[arg(long, short)]
    json: bool,

    /// Read boards from FILE or standard input, one on each line, and print one
    /// line of JSON for each.
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    batch: Option<PathBuf>,
}

/// What a batch prints for a line without a board.
const NO_BOARD: &str = "{}";

impl BoardsArgs {
    /// The only position; none with a batch.
    pub fn position(&self, rules: Ruleset) -> Result<Option<Position>> {
        match (&self.batch, self.board.is_empty()) {
            (Some(_), true) => Ok(None),
            (Some(_), false) => bail!("leave out the board or --batch: they exclude each other"),
            (None, true) => bail!("a board is missing: give twelve numbers, or use --batch"),
            (None, false) => position(rules, &self.board.join(" ")).map(Some),
        }
    }

    /// Answers for one board or a batch; each thread of a batch has its own worker. `text`
    /// is the answer for people, and `complete` whether no table was missing.
    pub fn answer<A, W>(
        &self,
        rules: Ruleset,
        worker: impl Fn() -> W + Sync,
        complete: fn(&A) -> bool,
        text: impl FnOnce(&Position, &A) -> String,
    ) -> Result<ExitCode>
    where
        A: Serialize + Send,
        W: FnMut(&Position) -> Result<A> + Send,
    {
        if let Some(position) = self.position(rules)? {
            let answer = worker()(&position)?;
            if self.json {
                print_json(&answer)?;
            } else {
                print_text(&text(&position, &answer))?;
            }
            return Ok(exit_code(complete(&answer)));
        }
        let file = self.batch.as_deref().filter(|file| *file != Path::new("-"));
        let Some(file) = file else {
            let input = Box::new(io::stdin().lock());
            return batch("standard input", input, rules, &worker, complete);
        };
        let name = file.display().to_string();
        let input = File::open(file).with_context(|| format!("cannot read {name}"))?;
        batch(&name, Box::new(input), rules, &worker, complete)
    }
}

/// Answers line by line, in order. It processes as many lines at a time as have
/// arrived, so that a program at the other end of a pipe does not wait.
fn batch<A: Serialize, W: FnMut(&Position) -> Result<A> + Send>(
    name: &str,
    input: Box<dyn Read>,
    rules: Ruleset,
    worker: &(impl Fn() -> W + Sync),
    complete: fn(&A) -> bool,
) -> Result<ExitCode> {
    const BUFFER: usize = 1 << 18;
    /// Bytes of the longest line: more than any board needs.
    const LONGEST: usize = 4096;
    /// The least number of lines for a thread.
    const MIN_LINES: usize = 64;
    // Each thread keeps its worker, with its caches, from one batch to the next.
    let mut workers: Vec<Option<W>> = Vec::new();
    workers.resize_with(rayon::current_num_threads(), || None);
    let cannot_read = || format!("cannot read {name}");
    let mut input = BufReader::with_capacity(BUFFER, input);
    let start = input.fill_buf().with_context(cannot_read)?;
    let is_utf_16 = matches!(
        start,
        [0, 1..=0xff, ..] | [1..=0xff, 0, ..] | [0xff, 0xfe, ..] | [0xfe, 0xff, ..]
    );
    // Some spreadsheets end lines with a carriage return alone.
    let has_old_ends = start.contains(&b'\r') && !start.contains(&b'\n');
    if is_utf_16 || has_old_ends {
        // These lines are found in the whole text.
        let mut bytes = Vec::new();
        input.read_to_end(&mut bytes).with_context(cannot_read)?;
        let mut text = decode(&bytes).into_owned();
        if !text.contains('\n') {
            text = text.replace('\r', "\n");
        }
        input = BufReader::new(Box::new(Cursor::new(text)));
    }
    let mut out = io::stdout().lock();
    let (mut all_complete, mut has_columns) = (true, false);
    loop {
        let mut lines: Vec<(InputLine, bool)> = Vec::new();
        while let Some(line) = InputLine::read(&mut input, LONGEST).with_context(cannot_read)? {
            has_columns |= line
                .text()
                .is_ok_and(|text| names_columns(&spreadsheet_line(text)));
            lines.push((line, has_columns));
            if !input.buffer().contains(&b'\n') {
                break;
            }
        }
        if lines.is_empty() {
            break;
        }
        let share = lines.len().div_ceil(workers.len()).max(MIN_LINES);
        let answers: Vec<Vec<(String, bool)>> = lines
            .par_chunks(share)
            .zip(&mut workers)
            .map(|(lines, kept)| {
                let answer = kept.get_or_insert_with(worker);
                lines
                    .iter()
                    .map(|(line, has_columns)| {
                        json_line(line, *has_columns, rules, answer, complete)
                    })
                    .collect()
            })
            .collect::<Result<_>>()?;
        for (line, is_complete) in answers.iter().flatten() {
            writeln!(out, "{line}")?;
            all_complete &= is_complete;
        }
        out.flush()?;
    }
    Ok(exit_code(all_complete))
}

/// The answer for a line of the input, and whether it is complete. The answer for blank lines,
/// comments and the head of a CSV file is an empty object. `has_columns` says that there was
/// such a head.
fn json_line<A: Serialize>(
    line: &InputLine,
    has_columns: bool,
    rules: Ruleset,
    answer: &mut impl FnMut(&Position) -> Result<A>,
    complete: fn(&A) -> bool,
) -> Result<(String, bool)> {
    let text = line
        .text()
        .map(|line| without_comment(&spreadsheet_line(line)).to_owned());
    let is_blank = |text: &str| ["", NO_BOARD].contains(&text) || text.starts_with("sep=");
    if text
        .as_ref()
        .is_ok_and(|text| is_blank(text) || names_columns(text))
    {
        return Ok((NO_BOARD.to_owned(), true));
    }
    let answered = || {
        let text = text.map_err(Error::msg)?;
        answer(&position(rules, &pit_columns(&text, has_columns)?)?)
    };
    match answered() {
        Ok(answer) => Ok((serde_json::to_string(&answer)?, complete(&answer))),
        Err(error) => {
            let error = with_causes(error.as_ref());
            Ok((json!({"error": error}).to_string(), false))
        }
    }
}

/// A line of a spreadsheet as krou writes it: without quotes around the fields, and with commas
/// where it has semicolons between numbers. Other text is unchanged.
fn spreadsheet_line(line: &str) -> Cow<'_, str> {
    let mut line = Cow::from(line);
    if line.starts_with('"') {
        line = line.replace('"', "").into();
    }
    let mut fields = line.split(';').map(str::trim);
    let is_field = |field: &str| field == "p0" || field.parse::<f32>().is_ok();
    // After a board in the notation of engines, a semicolon begins a comment.
    if line.contains(';') && fields.next().is_some_and(is_field) {
        line = line.replace(';', ",").into();
    }
    line
}

/// A line without the comment at its end, which begins with `;` or `#`.
fn without_comment(line: &str) -> &str {
    line.split([';', '#']).next().unwrap_or_default().trim()
}

/// Whether a line is the head of a CSV file of `krou export`, `krou query` or `krou dataset`.
fn names_columns(text: &str) -> bool {
    text.starts_with("p0,")
}

/// The pits of a line of such a file, which has columns after them; other text unchanged.
fn pit_columns(text: &str, has_columns: bool) -> Result<Cow<'_, str>> {
    /// One to four fields of an export, or those of a query or a data set.
    const OTHERS: [usize; 8] = [1, 2, 3, 4, 8, 9, 10, 11];
    /// As many as the stores of a position.
    const AMBIGUOUS: usize = 2;
    let columns: Vec<&str> = text.split(',').collect();
    let Some((pits, others)) = columns.split_at_checked(PITS) else {
        return Ok(text.into());
    };
    let is_field = |field: &&str| field.is_empty() || field.parse::<f32>().is_ok();
    let is_csv = OTHERS.contains(&others.len())
        && !text.contains(char::is_whitespace)
        && others.iter().all(is_field);
    if !is_csv {
        return Ok(text.into());
    }
    if others.len() == AMBIGUOUS && !has_columns {
        bail!(
            "these may be the columns of a board or a position with stores: give the line of \
             names of the columns too, or split the numbers of a position by spaces"
        );
    }
    Ok(pits.join(",").into())
}

/// The position of a text, which may have moves.
fn position(rules: Ruleset, text: &str) -> Result<Position> {
    let setup: Setup = text.parse()?;
    if setup.moves().is_empty() {
        return Ok(*setup.start());
    }
    let record = setup.record(rules, Game::REPETITIONS)?;
    Ok(record.game().position())
}

/// A value with its sign.
pub fn signed(value: i8) -> String {
    if value > 0 {
        format!("+{value}")
    } else {
        value.to_string()
    }
}

/// A pit of the mover by its letter and number: `F (5)`.
pub fn pit(position: &Position, pit: u8) -> String {
    format!("{} ({pit})", position.to_move.letter(pit))
}

/// The board between the numbers of its pits.
pub fn drawing(board: &Board) -> String {
    let numbers = |pits: Vec<usize>| {
        let pits: Vec<String> = pits.iter().map(|pit| format!("{pit:2}")).collect();
        pits.join(" ")
    };
    let above = numbers((6..12).rev().collect());
    let below = numbers((0..6).collect());
    let rows = board.drawing().replace('\n', "\n      ");
    format!("pits  {above}\n      {rows}\npits  {below}\n")
}
