//! `krou review`: judges each move of a game.

mod report;

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use krou::answers::ReviewAnswer;
use krou::engine::{EngineOptions, Limits, Record, ReviewedMove, Reviewer, SavedGame};

use crate::args::TableMemoryArgs;
use crate::charts::{SvgFile, review as chart};
use crate::files::read_game;
use crate::folder_args::FolderArgs;
use crate::rules_args::RulesArgs;

/// Options of `krou review`.
#[derive(Args)]
pub struct ReviewArgs {
    /// Game to review: moves such as `FeCb`, or OGN; - for standard input.
    ///
    /// If the file does not name its rules, --rules applies.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print JSON.
    #[arg(long, short)]
    json: bool,
    /// Draw South's final lead after each move in an SVG file.
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Search depth in plies for positions beyond the tables.
    #[arg(
        long, value_name = "N", default_value_t = 10,
        value_parser = clap::value_parser!(u8).range(2..=60), allow_negative_numbers = true
    )]
    depth: u8,
    /// Time limit per position, in milliseconds.
    ///
    /// With a time limit, results may differ from run to run.
    #[arg(
        long, value_name = "MS",
        value_parser = clap::value_parser!(u64).range(1..=3_600_000), allow_negative_numbers = true
    )]
    movetime: Option<u64>,
    #[command(flatten)]
    tables: FolderArgs,
    #[command(flatten)]
    table_memory: TableMemoryArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

/// A reviewed game.
struct Reviewed {
    game: SavedGame,
    moves: Vec<ReviewedMove>,
    /// Number and letter of each move: `2. C` and `2... c`.
    names: Vec<String>,
    /// The layers that the tables have.
    layers: Vec<u8>,
}

impl Reviewed {
    /// Number of moves that are judged exactly.
    fn exact_moves(&self) -> usize {
        self.moves.iter().filter(|m| m.is_exact()).count()
    }
}

/// Reviews one game.
pub fn run(args: &ReviewArgs) -> Result<ExitCode> {
    let is_stdin = args.file == Path::new("-");
    let name = if is_stdin {
        "standard input".to_owned()
    } else {
        args.file.display().to_string()
    };
    let rules = args.rules.ruleset()?;
    let read = || {
        if is_stdin {
            read_game(io::stdin().lock(), rules)
        } else {
            read_game(File::open(&args.file)?, rules)
        }
    };
    let game = read().with_context(|| format!("cannot read {name}"))?;
    let record = game.record();
    if record.turns().is_empty() {
        bail!("{name} has no moves to review");
    }
    let svg = args.plot.as_deref().map(SvgFile::create).transpose()?;
    let tables = Arc::new(args.tables.open(record.game().rules())?);
    args.table_memory.load(&tables)?;
    let mut limits = Limits::default().with_depth(args.depth);
    limits.time = args.movetime.map(Duration::from_millis);
    let layers = tables.layers().collect();
    let mut reviewer = Reviewer::new(tables, EngineOptions::default(), limits);
    let moves = review(&mut reviewer, record)?;
    let names = names(record);
    if let Some(svg) = svg {
        chart::draw(svg, record.game().rules(), &moves, &names)?;
    }
    let mut out = io::stdout().lock();
    if args.json {
        let answer = ReviewAnswer::new(&game, &moves);
        writeln!(out, "{}", serde_json::to_string(&answer)?)?;
    } else {
        let reviewed = Reviewed {
            game,
            moves,
            names,
            layers,
        };
        write!(out, "{}", report::text(&reviewed))?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Reviews all moves with a progress bar.
fn review(reviewer: &mut Reviewer, record: &Record) -> Result<Vec<ReviewedMove>> {
    let bar = bar(record.turns().len() as u64);
    let mut moves = Vec::new();
    for (before, turn) in record.plies() {
        moves.push(reviewer.review(before, turn)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(moves)
}

/// A progress bar on stderr if that is a terminal.
fn bar(moves: u64) -> ProgressBar {
    let bar = ProgressBar::new(moves);
    let style = ProgressStyle::with_template("reviewing {bar:24} move {pos} of {len}, {eta} left");
    bar.set_style(style.expect("the template is valid"));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// The names of the moves; those of the player who did not begin have three dots.
fn names(record: &Record) -> Vec<String> {
    let first = record.start().to_move();
    let named = record.numbers().zip(record.turns());
    let names = named.map(|(number, turn)| {
        let dots = if turn.player == first { "." } else { "..." };
        format!("{number}{dots} {}", turn.letter())
    });
    names.collect()
}
