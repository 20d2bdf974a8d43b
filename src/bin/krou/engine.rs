//! `krou engine`: the engine for programs that let people play, in the dialect of UCI
//! that oware programs speak. `docs/protocol.md` describes it.
//!
//! - `command`, `go`: what comes in.
//! - `clock`: how long to think.
//! - `options`: what can be set.
//! - `search`: the thread that searches.
//! - `session`: what is said, and when.
//! - `answers`: what is found, in words.

mod answers;
mod clock;
mod command;
mod go;
mod options;
mod search;
mod session;

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;

use anyhow::{Context, Result};
use clap::Args;
use krou::engine::EngineOptions;

use crate::lines::Line;
use crate::rules_args::RulesArgs;
use crate::seeds::{parse_hash, parse_threads};
use crate::tables_args::TablesArgs;
use options::Options;
use search::Searcher;
use session::{Event, Session};

/// The longest line that is looked at, in bytes: games have some hundred moves.
const LONGEST: usize = 1 << 16;

/// Events that may wait to be heard; whoever has more waits too.
const EVENTS: usize = 64;

/// Arguments of `krou engine`.
#[derive(Args, Debug)]
pub struct EngineArgs {
    /// Memory for boards already looked at, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = EngineOptions::default().hash_mib, value_parser = parse_hash)]
    hash: usize,
    /// Threads of a search.
    #[arg(long, value_name = "T", default_value_t = EngineOptions::default().threads, value_parser = parse_threads)]
    threads: usize,
    #[command(flatten)]
    tables: TablesArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

/// Talks on standard input and output until told to quit.
pub fn run(args: &EngineArgs) -> Result<()> {
    let engine = EngineOptions::default()
        .with_hash_mib(args.hash)
        .with_threads(args.threads);
    let options = Options::new(args.rules.ruleset()?, args.tables.clone(), engine);
    let (sender, events) = sync_channel(EVENTS);
    let searcher = Searcher::start(options.engine()?, sender.clone())?;
    thread::Builder::new()
        .name("input".to_owned())
        .spawn(move || read(&sender))
        .context("cannot start the thread that reads")?;
    talk(
        Session::new(options, searcher, io::stdout().lock()),
        &events,
    )
}

/// Sends on each line of the input, and its end.
fn read(events: &SyncSender<Event>) {
    let mut input = io::stdin().lock();
    // Input that cannot be read is at its end.
    while let Ok(Some(line)) = Line::read(&mut input, LONGEST) {
        if events.send(Event::Line(line)).is_err() {
            return;
        }
    }
    let _ = events.send(Event::End);
}

fn talk(mut session: Session<impl io::Write>, events: &Receiver<Event>) -> Result<()> {
    while !session.is_over() {
        let event = match session.patience() {
            Some(patience) => events.recv_timeout(patience),
            None => events.recv().map_err(RecvTimeoutError::from),
        };
        match event {
            Ok(event) => session.hear(event)?,
            Err(RecvTimeoutError::Timeout) => session.time_is_up()?,
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    Ok(())
}
