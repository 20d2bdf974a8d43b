//! Boards to answer for: one on the command line, or one a line of a file.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;
use krou::rules::Board;
use rayon::prelude::*;
use serde::Serialize;

use crate::worker_pool::WorkerPool;

/// Which boards, and how to answer.
#[derive(Args, Clone, Debug)]
pub struct BoardsArgs {
    /// The board: twelve numbers, the mover's row first.
    ///
    /// Split by spaces, commas or '/', as in "1 1 1 1 1 2 / 4 2 3 0 0 0"; or
    /// in the notation of oware engines, 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S.
    #[arg(allow_negative_numbers = true)]
    board: Vec<String>,

    /// Answer in JSON.
    #[arg(long)]
    json: bool,

    /// Read boards from FILE or standard input, one a line, and answer each
    /// with one line of JSON.
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    batch: Option<PathBuf>,
}

/// An answer about one board: the text for people, the JSON for programs, and
/// whether the question is answered.
pub trait Answer: Serialize + Send {
    /// For people, with a line feed at the end.
    fn text(&self) -> String;
    /// Whether nothing is missing.
    fn complete(&self) -> bool;
}

#[derive(Serialize)]
struct Refusal {
    error: String,
}

impl BoardsArgs {
    /// Answers for the boards that were asked about, each worker by means of its own.
    pub fn answer<A: Answer, W: FnMut(&Board) -> Result<A> + Send>(
        &self,
        worker: impl Fn() -> W + Sync,
    ) -> Result<ExitCode> {
        if let Some(file) = &self.batch {
            if !self.board.is_empty() {
                bail!("a board and --batch do not go together: leave one of them out");
            }
            return if file.as_os_str() == "-" {
                batch("standard input", io::stdin().lock(), &worker)
            } else {
                let lines = File::open(file);
                let lines = lines.with_context(|| format!("cannot read {}", file.display()))?;
                batch(&file.display().to_string(), lines, &worker)
            };
        }
        if self.board.is_empty() {
            bail!("no board is given: write twelve numbers, the mover's row first, or use --batch");
        }
        let board: Board = self.board.join(" ").parse()?;
        let answer = worker()(&board)?;
        let mut out = io::stdout().lock();
        if self.json {
            writeln!(out, "{}", serde_json::to_string(&answer)?)?;
        } else {
            write!(out, "{}", answer.text())?;
        }
        out.flush()?;
        Ok(exit(answer.complete()))
    }
}

fn exit(complete: bool) -> ExitCode {
    if complete {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    }
}

/// Answers line by line, in order; works on as many lines at a time as have
/// arrived, so that a program at the other end of a pipe is not kept waiting.
fn batch<A: Answer, W: FnMut(&Board) -> Result<A> + Send>(
    name: &str,
    input: impl io::Read,
    worker: &(impl Fn() -> W + Sync),
) -> Result<ExitCode> {
    const BUFFER: usize = 1 << 18;
    /// Lines for which a worker is worth its beginnings.
    const LEAST: usize = 64;
    let workers = WorkerPool::new(worker);
    let mut input = BufReader::with_capacity(BUFFER, input);
    let mut out = io::stdout().lock();
    let mut complete = true;
    loop {
        let mut lines = Vec::new();
        loop {
            let line = read_line(&mut input).with_context(|| format!("cannot read {name}"))?;
            if line.is_empty() {
                break;
            }
            lines.push(line);
            if !input.buffer().contains(&b'\n') {
                break;
            }
        }
        if lines.is_empty() {
            break;
        }
        let answers: Vec<(String, bool)> = lines
            .par_iter()
            .with_min_len(LEAST)
            .map_init(
                || workers.lend(),
                |answer, line| match answer_line(line, answer.worker()) {
                    Ok(answer) => Ok((serde_json::to_string(&answer)?, answer.complete())),
                    Err(error) => {
                        let error = format!("{error:#}");
                        Ok((serde_json::to_string(&Refusal { error })?, false))
                    }
                },
            )
            .collect::<Result<_>>()?;
        for (line, answered) in answers {
            writeln!(out, "{line}")?;
            complete &= answered;
        }
        out.flush()?;
    }
    Ok(exit(complete))
}

/// Reads a line with its line feed; empty at the end of the input. Of a line
/// that is too long for any board only the beginning is kept, and a mark that
/// no board has.
fn read_line(input: &mut impl BufRead) -> io::Result<Vec<u8>> {
    const LONGEST: u64 = 4096;
    let mut line = Vec::new();
    input.take(LONGEST).read_until(b'\n', &mut line)?;
    if line.len() as u64 == LONGEST && !line.ends_with(b"\n") {
        input.skip_until(b'\n')?;
        line.extend_from_slice("…".as_bytes());
    }
    Ok(line)
}

fn answer_line<A>(line: &[u8], answer: &mut impl FnMut(&Board) -> Result<A>) -> Result<A> {
    let line = std::str::from_utf8(line).context("the line is not text")?;
    answer(&line.parse()?)
}
