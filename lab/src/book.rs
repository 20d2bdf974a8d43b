//! `krou-lab book`: extends an opening book.

mod builder;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Args;
use krou::engine::{Aim, Engine, EngineOptions, Game, Limits};
use krou::internal::engine::Book;
use krou::rules::{Position, Ruleset};
use krou::tablebase::Tablebase;
use rayon::prelude::*;

use crate::{INTERRUPTED, RulesArgs, stop_on_interruption};
use builder::{BookBuilder, NewPosition};

/// An interrupted run resumes from the last saved book.
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
    /// Folder of tables, beside those inside krou.
    #[arg(long = "dir", short = 'd', value_name = "DIR")]
    tables: Option<PathBuf>,
    #[command(flatten)]
    rules: RulesArgs,
}

/// Positions that are chosen together, so that the book does not depend on the number of threads.
/// Batches end at multiples of this, so that a book that ends there can be extended as if it had
/// not ended.
const BATCH: usize = 4;
/// Time after which the book is saved again.
const SAVE_INTERVAL: Duration = Duration::from_secs(30);

/// Extends a book.
pub fn run(args: &BookArgs) -> Result<ExitCode> {
    let rules = args.rules.rules;
    let tables = Tablebase::builder(rules).folders(&args.tables).embedded();
    let tables = tables.open()?;
    let mut builder = read(&args.out, rules, args.nodes)?;
    let stop = stop_on_interruption()?;
    let mut saved = Instant::now();
    while builder.len() < args.positions {
        let count = BATCH - builder.len() % BATCH;
        let new = builder.next(count.min(args.positions - builder.len()));
        if new.is_empty() {
            bail!("no further position can be reached from the start");
        }
        let Some(scores) = search(&new, &builder, &tables, stop) else {
            break;
        };
        for (new, scores) in new.iter().zip(&scores) {
            builder.add(new, scores);
        }
        if saved.elapsed() >= SAVE_INTERVAL {
            save(&builder, &args.out)?;
            eprintln!("{} of {} positions", builder.len(), args.positions);
            saved = Instant::now();
        }
    }
    save(&builder, &args.out)?;
    println!("{}: {} positions", args.out.display(), builder.len());
    let is_interrupted = stop.load(Ordering::Relaxed);
    Ok(ExitCode::from(if is_interrupted { INTERRUPTED } else { 0 }))
}

/// The book in a file, or an empty one if there is no file.
fn read(path: &Path, rules: Ruleset, nodes: u64) -> Result<BookBuilder> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(BookBuilder::new(rules, nodes));
        }
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    let book: Book = text.parse().with_context(|| path.display().to_string())?;
    if book.rules() != rules {
        bail!(
            "{} is a book of {}: choose it with --rules",
            path.display(),
            book.rules()
        );
    }
    Ok(BookBuilder::of(&book))
}

fn engine(rules: Ruleset, tables: &Tablebase) -> Engine {
    let options = EngineOptions::default()
        .with_hash_mib(16)
        .with_aim(Aim::Result);
    Engine::new(rules, Some(tables.clone()), options)
}

/// The scores of the positions after the moves of each new position; `None` if `stop` was
/// set before all were searched.
fn search(
    new: &[NewPosition],
    builder: &BookBuilder,
    tables: &Tablebase,
    stop: &AtomicBool,
) -> Option<Vec<Vec<i16>>> {
    let rules = builder.rules();
    let score = |engine: &mut Engine, position: &Position| {
        let game = Game::from_position(rules, *position).ok()?;
        // The score must not depend on the searches before.
        engine.clear_hash();
        let limits = Limits::default().with_nodes(builder.nodes());
        let report = engine.search(&game, &limits, stop, &mut |_| ())?;
        (!stop.load(Ordering::Relaxed)).then(|| report.score.hundredths())
    };
    let positions: Vec<Vec<Position>> = new.iter().map(NewPosition::positions).collect();
    let all: Vec<&Position> = positions.iter().flatten().collect();
    let scores = all
        .into_par_iter()
        .map_init(|| engine(rules, tables), score);
    let scores: Option<Vec<i16>> = scores.collect();
    let mut scores = scores?.into_iter();
    let scores_of = |positions: &Vec<Position>| scores.by_ref().take(positions.len()).collect();
    Some(positions.iter().map(scores_of).collect())
}

/// Writes the file in whole or not at all.
fn save(builder: &BookBuilder, path: &Path) -> Result<()> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let write = || -> Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
        write!(file, "{builder}")?;
        file.persist(path)?;
        Ok(())
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}
