//! `krou-lab`: what the developers of krou measure and train with.
//!
//! - `matches`: two engines play a match.
//! - `accuracy`: how right the engine's moves are, judged by tables.
//! - `certainty`: how much tables leave open in games of the engine.
//! - `search`: how many nodes the engine needs.
//! - `selfplay`, `train`: the weights of the engine's evaluation.
//! - `checksums`: bounds against the published sums of another full solve.
//! - `vectors`: positions and games for others who write these games.
//! - `rounds`: what probes of tables on another machine cost.
//!
//! The benches of single parts are in `crates/lab/benches`.

mod accuracy;
mod certainty;
mod checksums;
mod matches;
mod rounds;
mod search;
mod selfplay;
mod train;
mod vectors;

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result};
use clap::{Args, Parser, Subcommand};
use krou::rules::Ruleset;
use signal_hook::consts::TERM_SIGNALS;

/// Measures and trains krou.
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Let two engines play a match, and tell how much stronger one is.
    Match(Box<matches::MatchArgs>),
    /// Play by a simple rule, as an engine of a match.
    Model(matches::model::ModelArgs),
    /// Judge the engine's moves without tables by tables.
    Accuracy(accuracy::AccuracyArgs),
    /// Count the positions of the engine's games whose bounds leave something open.
    Certainty(certainty::CertaintyArgs),
    /// Count the nodes of searches of fixed positions: a signature of the search.
    Search(search::SearchArgs),
    /// Play games of the engine against itself and write their boards as samples.
    Selfplay(selfplay::SelfplayArgs),
    /// Train the network that evaluates boards of the oware family.
    Train(train::TrainArgs),
    /// Compare the bounds of `abapa` with the published sums of another full solve.
    Checksums(checksums::ChecksumsArgs),
    /// Write positions and games with what the rules make of them, as JSON lines.
    Vectors(vectors::VectorsArgs),
    /// Count the requests and bytes of probes of tables on another machine.
    Rounds(rounds::RoundsArgs),
}

/// The game that is played.
#[derive(Args)]
struct RulesArgs {
    /// Ruleset.
    #[arg(long, short, value_name = "NAME", default_value = "awari")]
    rules: Ruleset,
}

/// Ends with code 0 if all is done, 1 if the answer of a test is 'no', 2 after an error, and
/// 130 after Ctrl-C.
fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Match(args) => matches::run(&args),
        Command::Model(args) => matches::model::run(&args).map(done),
        Command::Accuracy(args) => accuracy::run(&args).map(done),
        Command::Certainty(args) => certainty::run(&args).map(done),
        Command::Search(args) => search::run(&args).map(done),
        Command::Selfplay(args) => selfplay::run(&args).map(done),
        Command::Train(args) => train::run(&args).map(done),
        Command::Rounds(args) => rounds::run(&args).map(done),
        Command::Vectors(args) => vectors::run(&args).map(done),
        Command::Checksums(args) => checksums::run(&args),
    };
    result.unwrap_or_else(|error| {
        eprintln!("krou-lab: {error:#}");
        ExitCode::from(2)
    })
}

fn done((): ()) -> ExitCode {
    ExitCode::SUCCESS
}

/// The exit code of a command that Ctrl-C has ended: that of shells.
const INTERRUPTED: u8 = 130;

/// From now on Ctrl-C and SIGTERM set the flag that is returned, instead of ending the
/// program.
fn stop_on_interruption() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for &signal in TERM_SIGNALS {
        signal_hook::flag::register(signal, stop.clone()).context("cannot handle Ctrl-C")?;
    }
    Ok(stop)
}
