//! `krou review`: judges each move of a game.

mod report;

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Error, Result, bail};
use clap::Args;
use krou::engine::{EngineOptions, Limits, Record, Review, Reviewer};
use krou::ogn::SavedGame;
use krou::rules::Ruleset;
use krou::tablebase::Tablebase;
use krou_answers::ReviewAnswer;
use serde_json::json;

use crate::args::{TableMemoryArgs, whole_number};
use crate::charts::review as chart;
use crate::files::{Games, check_picture, pick_game, read_games, write_picture};
use crate::folder_args::FolderArgs;
use crate::interrupt::{self, on_interrupt};
use crate::messages::{exit_code, print_message, with_causes};
use crate::progress::LayerBar;
use crate::rules_args::GameArgs;

/// Options of `krou review`.
#[derive(Args)]
pub struct ReviewArgs {
    /// Game to review: moves such as `FeCb`, or OGN; - for standard input.
    ///
    /// If the file does not name its rules, --rules applies. All games of the file are
    /// reviewed.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Review only game N of the file.
    #[arg(long, value_name = "N", value_parser = whole_number(1..=usize::MAX))]
    game: Option<usize>,
    /// Review all games of the file, which is the default.
    #[arg(long, conflicts_with = "game")]
    all: bool,
    /// Print JSON.
    #[arg(long, short)]
    json: bool,
    /// Draw South's final lead after each move in an SVG file.
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Search depth in plies for positions beyond the tables.
    #[arg(
        long, value_name = "N", default_value_t = 10,
        value_parser = whole_number(2_u8..=60)
    )]
    depth: u8,
    /// Time limit per position, in milliseconds.
    ///
    /// With a time limit, results may differ from run to run.
    #[arg(
        long, value_name = "MS",
        value_parser = whole_number(1_u64..=3_600_000)
    )]
    time: Option<u64>,
    #[command(flatten)]
    tables: FolderArgs,
    #[command(flatten)]
    table_memory: TableMemoryArgs,
    #[command(flatten)]
    defaults: GameArgs,
}

/// A reviewed game.
struct Reviewed {
    game: SavedGame,
    review: Review,
    /// The layers that the tables have.
    layers: Vec<u8>,
}

/// Reviews games.
pub fn run(args: &ReviewArgs) -> Result<ExitCode> {
    let is_stdin = args.file == Path::new("-");
    let name = if is_stdin {
        "standard input".to_owned()
    } else {
        args.file.display().to_string()
    };
    let defaults = args.defaults.defaults()?;
    let read = || -> Result<Games> {
        let games = if is_stdin {
            read_games(io::stdin().lock(), defaults)?
        } else {
            read_games(File::open(&args.file)?, defaults)?
        };
        if args.game.is_some() || args.plot.is_some() || games.len() == 1 {
            return Ok(vec![Ok(pick_game(games, args.game)?)]);
        }
        Ok(games)
    };
    let games = read().with_context(|| format!("cannot read {name}"))?;
    let count = games.len();
    let stop = on_interrupt()?;
    let mut reviews = Reviews {
        args,
        stop,
        tables: Vec::new(),
        all_read: true,
    };
    let mut out = io::stdout().lock();
    for (number, game) in (1..).zip(games) {
        let name = match count {
            1 => name.clone(),
            _ => format!("{name}, game {number}"),
        };
        if count > 1 && !args.json {
            writeln!(out, "Game {number} of {count}")?;
        }
        let game = game.with_context(|| format!("cannot read {name}"));
        let text = match game.and_then(|game| has_moves(game, &name)) {
            Ok(game) => {
                for note in game.notes() {
                    print_message(&format!("{name}: {note}"));
                }
                args.defaults.tell_overruled(game.record().game())?;
                reviews.answer(game)?
            }
            Err(error) if count == 1 => return Err(error),
            Err(error) => reviews.bad_game(&error),
        };
        out.write_all(text.as_bytes())?;
        out.flush()?;
        if stop.load(Ordering::Relaxed) {
            return Ok(interrupt::exit_code());
        }
    }
    Ok(exit_code(reviews.all_read))
}

fn has_moves(game: SavedGame, name: &str) -> Result<SavedGame> {
    if game.record().turns().is_empty() {
        bail!("{name} has no moves to review");
    }
    Ok(game)
}

/// The reviews of a file.
struct Reviews<'a> {
    args: &'a ReviewArgs,
    /// Ends the review with the moves so far.
    stop: &'a Arc<AtomicBool>,
    /// One for each ruleset of the games.
    tables: Vec<Tablebase>,
    /// Whether all games so far could be read.
    all_read: bool,
}

impl Reviews<'_> {
    /// The review of a game, as the arguments want it.
    fn answer(&mut self, game: SavedGame) -> Result<String> {
        let args = self.args;
        let record = game.record();
        let rules = record.game().rules();
        args.plot.as_deref().map(check_picture).transpose()?;
        let tables = self.tables(rules)?;
        let mut limits = Limits::default().with_depth(args.depth);
        limits.time = args.time.map(Duration::from_millis);
        let layers = tables.layers().iter().collect();
        let mut reviewer = Reviewer::new(tables, EngineOptions::default(), limits);
        reviewer.set_stop(self.stop.clone());
        let review = review(&mut reviewer, record);
        if self.stop.load(Ordering::Relaxed) {
            print_message(&format!(
                "interrupted: {} of {} moves were reviewed",
                review.moves.len(),
                record.turns().len()
            ));
        }
        for error in reviewer.table_errors().of_files() {
            print_message(&format!("{error}; reviewed without it"));
        }
        if let Some(file) = &args.plot {
            write_picture(file, &chart::draw(rules, &review.moves))?;
        }
        if args.json {
            let answer = ReviewAnswer::new(&game, review);
            return Ok(serde_json::to_string(&answer)? + "\n");
        }
        Ok(report::text(&Reviewed {
            game,
            review,
            layers,
        }))
    }

    /// The tables of a ruleset, opened once.
    fn tables(&mut self, rules: Ruleset) -> Result<Tablebase> {
        let opened = self.tables.iter().find(|tables| tables.rules() == rules);
        if let Some(tables) = opened {
            return Ok(tables.clone());
        }
        let tables = self.args.tables.open(rules)?;
        self.args.table_memory.load(&tables)?;
        self.tables.push(tables.clone());
        Ok(tables)
    }

    /// Tells that a game cannot be read; the others are reviewed.
    fn bad_game(&mut self, error: &Error) -> String {
        self.all_read = false;
        let error = with_causes(error.as_ref());
        print_message(&error);
        if self.args.json {
            json!({"error": error}).to_string() + "\n"
        } else {
            "not reviewed\n\n".to_owned()
        }
    }
}

/// Reviews all moves with a progress bar.
fn review(reviewer: &mut Reviewer, record: &Record) -> Review {
    let template = "reviewing [{bar:24}] move {pos} of {len}, {eta} left";
    let bar = LayerBar::of_steps(template, record.turns().len() as u64);
    reviewer.review(record, |_| bar.advance(1))
}
