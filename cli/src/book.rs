//! The command `krou book`: extends an opening book.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use krou::engine::{Aim, Book, BookBuilder, Engine, EngineOptions, Game, Limits, NewPosition};
use krou::rules::{Position, Ruleset};
use krou::tablebase::Tablebase;
use rayon::prelude::*;

use crate::files::{folder_of, temporary};
use crate::folder_args::FolderArgs;
use crate::interruption::Interruption;
use crate::rules_args::RulesArgs;
use crate::worker_pool::WorkerPool;

/// The options of `krou book`.
#[derive(Args)]
pub struct BookArgs {
    /// The book: a new file, or one to extend.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// Positions that the book is to have.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    positions: usize,
    /// Nodes of the search of each position after a move. A book that is extended keeps
    /// its own.
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    folders: FolderArgs,
}

/// Positions that are chosen together, so that the book does not depend on the number of threads.
/// Batches end at multiples of this, so that a book that ends there can be extended as if it had
/// not ended.
const BATCH: usize = 4;
/// Time after which the book is saved again.
const SAVE_INTERVAL: Duration = Duration::from_secs(30);

/// Extends a book.
pub fn run(args: &BookArgs) -> Result<ExitCode> {
    let rules = args.rules.ruleset()?;
    let tables = Arc::new(args.folders.open(rules)?);
    let book = read(&args.out, rules, args.nodes)?;
    let nodes = book.nodes();
    let interruption = Interruption::handle()?;
    let mut builder = BookBuilder::new(book);
    let bar = ProgressBar::new(args.positions as u64);
    let style = ProgressStyle::with_template("{bar:24} {pos} of {len} positions, {eta} left");
    bar.set_style(style.expect("the template is valid"));
    bar.set_position(builder.book().len() as u64);
    let engines = WorkerPool::new(|| engine(rules, &tables));
    let mut saved = Instant::now();
    while builder.book().len() < args.positions {
        let len = builder.book().len();
        let count = BATCH - len % BATCH;
        let new = builder.next(count.min(args.positions - len));
        let Some(scores) = search(&new, rules, nodes, &engines, interruption.stop()) else {
            break;
        };
        if new.is_empty() {
            bail!("no further position can be reached from the start");
        }
        for (new, scores) in new.iter().zip(&scores) {
            builder.add(new, scores);
        }
        bar.set_position(builder.book().len() as u64);
        if saved.elapsed() >= SAVE_INTERVAL {
            save(builder.book(), &args.out)?;
            saved = Instant::now();
        }
    }
    bar.finish_and_clear();
    save(builder.book(), &args.out)?;
    let count = builder.book().len();
    writeln!(io::stdout(), "{}: {count} positions", args.out.display())?;
    Ok(interruption.exit_code(ExitCode::SUCCESS))
}

/// The book in a file, or an empty one if there is no file.
fn read(path: &Path, rules: Ruleset, nodes: u64) -> Result<Book> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(Book::new(rules, nodes));
        }
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    let book: Book = text.parse().with_context(|| path.display().to_string())?;
    if book.rules() != rules {
        let of = book.rules();
        bail!(
            "{} is a book of {of}: choose it with --rules",
            path.display()
        );
    }
    Ok(book)
}

fn engine(rules: Ruleset, tables: &Arc<Tablebase>) -> Engine {
    let options = EngineOptions::default()
        .with_hash_mib(16)
        .with_aim(Aim::Result);
    Engine::new(rules, Some(Arc::clone(tables)), options)
}

/// The scores of the positions after the moves of each new position; `None` if `stop` was
/// set before all were searched.
fn search(
    new: &[NewPosition],
    rules: Ruleset,
    nodes: u64,
    engines: &WorkerPool<Engine, impl Fn() -> Engine + Sync>,
    stop: &AtomicBool,
) -> Option<Vec<Vec<i16>>> {
    let score = |position: &Position| {
        let game = Game::at(rules, position).ok()?;
        let mut engine = engines.take();
        let engine = engine.worker();
        // The score must not depend on the searches before.
        engine.clear_hash();
        let limits = Limits::default().with_nodes(nodes);
        let report = engine.search(&game, &limits, stop, &mut |_| ())?;
        (!stop.load(Ordering::Relaxed)).then(|| report.score.hundredths())
    };
    let positions: Vec<Vec<Position>> = new.iter().map(NewPosition::positions).collect();
    let all: Vec<&Position> = positions.iter().flatten().collect();
    let scores: Option<Vec<i16>> = all.into_par_iter().map(score).collect();
    let mut scores = scores?.into_iter();
    let scores_of = |positions: &Vec<Position>| scores.by_ref().take(positions.len()).collect();
    Some(positions.iter().map(scores_of).collect())
}

/// Writes the file in whole or not at all.
fn save(book: &Book, path: &Path) -> Result<()> {
    let write = || -> Result<()> {
        let mut file = temporary(folder_of(path))?;
        write!(file, "{book}")?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(())
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}
