//! `krou engine`: the engine for other programs, in the UCI dialect of oware
//! programs or the Kalah Game Protocol. `docs/protocol.md` describes both.
//!
//! - `kgp`: the second one; all other modules are for the first.
//! - `command`, `go`: parse the input.
//! - `clock`: the time for a move.
//! - `options`: the options of the protocol; `table_path`: the value of one of them.
//! - `session`: answers commands; `searchers`: search on a thread; `event`: what they report.
//! - `output`: formats the results; `perft`: counts sequences of moves.

mod clock;
mod command;
mod event;
mod go;
mod kgp;
mod options;
mod output;
mod perft;
mod searchers;
mod session;
mod table_path;

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use krou::engine::{Aim, EngineOptions};
use krou::rules::Ruleset;
use krou::solve::parse_memory;

#[cfg(unix)]
use rustix::event::{PollFd, PollFlags, poll};

use crate::args::{THREADS, hash_mib, whole_number};
use crate::folder_args::{FolderArgs, HostArgs};
use crate::lines::InputLine;
use crate::rules_args::{GAME_RULES, RulesArgs};
use crate::system::free_memory;
use event::Event;
use kgp::KgpArgs;
use options::Options;
use session::Session;

/// Maximum length of a line in bytes; games have a few hundred moves.
const MAX_LINE: usize = 1 << 16;

/// Enough for the tables up to 20 seeds with bounds, in bytes.
const DEFAULT_TABLE_MEMORY: u64 = 512 << 20;

/// Capacity of the event queue; senders wait while it is full.
const QUEUED_EVENTS: usize = 64;

/// What the engine speaks.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum Protocol {
    /// The UCI dialect of oware programs, on standard input and output
    Uci,
    /// The Kalah Game Protocol, as a client; the rules are kalah
    Kgp,
}

/// Arguments of `krou engine`.
#[derive(Args, Debug)]
#[command(mut_arg("rules", |rules| rules.help(GAME_RULES)))]
pub struct EngineArgs {
    /// Protocol.
    #[arg(long, value_enum, value_name = "PROTOCOL", default_value = "uci")]
    protocol: Protocol,
    /// Size of the transposition table, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = EngineOptions::default().hash_mib, value_parser = hash_mib)]
    hash: usize,
    /// Number of search threads.
    #[arg(long, short, value_name = "T", default_value_t = EngineOptions::default().threads, value_parser = whole_number(THREADS))]
    threads: usize,
    /// Memory for tables that are loaded whole, such as 200M or 2G; a number alone is in
    /// MiB [default: 512M, or less if less memory is free].
    ///
    /// While they are loaded, two to three times as much is in use.
    #[arg(long, value_name = "SIZE", value_parser = parse_memory, allow_hyphen_values = true)]
    table_memory: Option<u64>,
    #[command(flatten)]
    tables: FolderArgs,
    #[command(flatten)]
    hosts: HostArgs,
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    kgp: KgpArgs,
}

/// Runs the engine.
pub fn run(args: &EngineArgs) -> Result<()> {
    let table_memory = args.table_memory;
    let table_memory = table_memory.unwrap_or_else(|| default_table_memory(args.hash));
    let engine = EngineOptions::default()
        .with_hash_mib(args.hash)
        .with_threads(args.threads)
        .with_aim(Aim::Result)
        .with_table_memory(table_memory);
    args.hosts.check()?;
    let mut options = Options::new(
        ruleset(args)?,
        args.tables.with_hosts(args.hosts.impatient_hosts()),
        engine,
    )?;
    options.fit_hash(free_memory());
    if args.protocol == Protocol::Kgp {
        return kgp::run(&args.kgp, options);
    }
    let (sender, events) = sync_channel(QUEUED_EVENTS);
    let session = Session::new(options, sender.clone(), io::stdout().lock());
    let at_the_end = sender.clone();
    let named = |name: &str| thread::Builder::new().name(name.to_owned());
    // Without this thread, the next line that cannot be written ends the engine.
    let _ = named("output").spawn(move || {
        if output_is_closed() {
            let _ = at_the_end.send(Event::EndOfOutput);
        }
    });
    named("input")
        .spawn(move || read(&sender))
        .context("cannot start the input thread")?;
    handle_events(session, &events)
}

/// The rules that the protocol has.
fn ruleset(args: &EngineArgs) -> Result<Ruleset> {
    match args.protocol {
        Protocol::Uci if args.kgp.are_given() => {
            bail!("--connect, --name, --authors and --move-time are for --protocol kgp")
        }
        Protocol::Uci => args.rules.game_ruleset(),
        Protocol::Kgp if args.rules == RulesArgs::default() => Ok(Ruleset::KALAH),
        Protocol::Kgp => match args.rules.game_ruleset()? {
            Ruleset::KALAH => Ok(Ruleset::KALAH),
            rules => bail!("the Kalah Game Protocol is for the rules kalah, not {rules}"),
        },
    }
}

/// A small engine for scripts of the protocol, with no tables but the built-in ones.
#[derive(Debug)]
pub struct ScriptEngine {
    options: Options,
}

impl ScriptEngine {
    /// Opens the tables.
    ///
    /// # Errors
    /// If they cannot be opened.
    pub fn new() -> Result<ScriptEngine> {
        let engine = EngineOptions::default().with_hash_mib(1).with_threads(1);
        let nowhere = FolderArgs::at([std::env::temp_dir()]);
        let options = Options::new(Ruleset::ABAPA, nowhere, engine)?;
        Ok(ScriptEngine {
            options: options.without_solving(),
        })
    }

    /// What the program prints for a script, to the end of its input.
    ///
    /// # Errors
    /// If a thread cannot be started.
    pub fn answer(&self, mut script: &[u8]) -> Result<Vec<u8>> {
        let (sender, events) = sync_channel(QUEUED_EVENTS);
        let mut answer = Vec::new();
        let mut session = Session::new(self.options.clone(), sender, &mut answer);
        while let Some(line) = InputLine::read(&mut script, MAX_LINE)? {
            session.handle(Event::Line(line))?;
        }
        session.handle(Event::EndOfInput)?;
        handle_events(session, &events)?;
        Ok(answer)
    }
}

/// The memory for tables unless it is given: a quarter of what is free beside a transposition
/// table of this many MiB, since loading takes up to four times as much.
fn default_table_memory(hash: usize) -> u64 {
    let free = free_memory().map(|bytes| bytes.saturating_sub((hash as u64) << 20) / 4);
    free.map_or(DEFAULT_TABLE_MEMORY, |free| free.min(DEFAULT_TABLE_MEMORY))
}

/// Sends each line of the input as an event, then its end.
fn read(events: &SyncSender<Event>) {
    let mut input = io::stdin().lock();
    // A read error counts as the end of the input.
    while let Ok(Some(line)) = InputLine::read(&mut input, MAX_LINE) {
        if events.send(Event::Line(line)).is_err() {
            return;
        }
    }
    let _ = events.send(Event::EndOfInput);
}

/// Waits until nobody reads the output any more.
#[cfg(unix)]
fn output_is_closed() -> bool {
    let out = io::stdout();
    let mut output = [PollFd::new(&out, PollFlags::empty())];
    // Without an event to wait for, only an error or a hangup ends this.
    poll(&mut output, None).is_ok()
}

#[cfg(not(unix))]
fn output_is_closed() -> bool {
    false
}

fn handle_events(mut session: Session<impl io::Write>, events: &Receiver<Event>) -> Result<()> {
    while !session.is_over() {
        let event = match session.time_left() {
            Some(time) => events.recv_timeout(time),
            None => events.recv().map_err(RecvTimeoutError::from),
        };
        match event {
            Ok(event) => session.handle(event)?,
            Err(RecvTimeoutError::Timeout) => session.time_is_up()?,
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    Ok(())
}
