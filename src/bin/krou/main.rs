//! krou at the command line: reads the arguments and says how it ended.
//!
//! Exit code 0: done, also when the reader of a pipe has gone; 1: the answer is
//! 'no', or some line of the input was bad; 2: wrong usage or an error that
//! stopped the run, told on stderr in one sentence.

mod allocator;
mod bench;
mod boards;
mod build;
mod build_stats;
mod compare;
mod engine;
mod export;
mod files;
mod layer_bar;
mod lines;
mod memory_args;
mod moves;
mod svg;
mod play;
mod probe;
mod progress;
mod repack;
mod review;
mod rules;
mod rules_args;
mod value_parsers;
#[cfg(feature = "server")]
mod serve;
mod stats;
mod system;
mod folder_args;
mod verify;
mod json;
mod worker_pool;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Parser, Subcommand};

/// Exact endgame tables for oware: build them, and ask them.
///
/// A board is twelve numbers, the mover's row first: "1 1 1 1 1 2 / 4 2 3 0 0 0".
/// Its value is net seeds for the mover: what he still takes minus what his
/// opponent still takes, when both play their best.
#[derive(Parser)]
#[command(name = "krou", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Solve all layers up to N seeds and write their tables.
    ///
    /// Layers that are there already are kept; a build that was stopped goes on
    /// from there.
    Build(build::BuildArgs),
    /// Change a folder of tables from one codec to another, and check it.
    Repack(repack::RepackArgs),
    /// Say what a board and each of its moves are worth.
    Probe(probe::ProbeArgs),
    /// List the legal moves of a board; no tables are needed.
    Moves(moves::MovesArgs),
    /// Count how many boards have each value.
    Stats(stats::StatsArgs),
    /// Prove the tables right: checksums, then every board by the plain rules.
    Verify(verify::VerifyArgs),
    /// Write the boards of a layer in the format of another program.
    Export(export::ExportArgs),
    /// Compare a file of the published score database with the tables.
    Compare(compare::CompareArgs),
    /// List the rulesets and their choices.
    Rules(rules::ListArgs),
    /// Play a game: two people at one terminal, or one against the program.
    Play(play::PlayArgs),
    /// PlaySession to another program in UCI, as programs for oware do.
    Engine(engine::EngineArgs),
    /// Say what each move of a game gave away, and where the truth turned.
    Review(review::ReviewArgs),
    /// Answer over HTTP, and show a board to play on in the browser.
    #[cfg(feature = "server")]
    Serve(serve::ServeArgs),
    /// Measure how fast this machine solves, packs and probes.
    ///
    /// Every answer is checked. Tables go to a temporary folder that is removed.
    Bench(bench::BenchArgs),
}

fn main() -> ExitCode {
    allocator::give_large_pieces_back();
    let command = match Cli::try_parse() {
        Ok(cli) => cli.command,
        Err(error) => return usage(&error),
    };
    let result = match command {
        Command::Build(args) => build::run(&args),
        Command::Repack(args) => repack::run(&args),
        Command::Probe(args) => probe::run(&args),
        Command::Moves(args) => moves::run(&args),
        Command::Stats(args) => stats::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Rules(args) => rules::run(&args),
        Command::Play(args) => play::run(&args).map(|()| ExitCode::SUCCESS),
        Command::Engine(args) => engine::run(&args).map(|()| ExitCode::SUCCESS),
        Command::Review(args) => review::run(&args),
        #[cfg(feature = "server")]
        Command::Serve(args) => serve::run(&args),
        Command::Bench(args) => bench::run(&args),
    };
    match result {
        Ok(code) => code,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let bare = error.downcast_ref::<io::Error>().is_some() && error.chain().count() == 1;
            tell(&match bare {
                true => format!("cannot write the answer: {error}"),
                false => format!("{error:#}"),
            });
            ExitCode::from(2)
        }
    }
}

/// Help goes to stdout as clap writes it; wrong usage to stderr in one line.
fn usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        // A closed pipe is not an error.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = error.print();
        return ExitCode::from(2);
    }
    let text = error.render().to_string();
    let sentence = text.split("\n\n").next().unwrap_or(&text);
    let sentence = sentence.strip_prefix("error: ").unwrap_or(sentence);
    let words: Vec<&str> = sentence.split_whitespace().collect();
    match error.get(ContextKind::InvalidArg) {
        // What begins like a negative number is not meant as an option.
        Some(ContextValue::String(arg)) if negative(arg) && about_boards() => {
            tell(&format!(
                "'{arg}' is no board: seeds are whole numbers from 0 to 48"
            ));
        }
        _ => tell(&format!("{}; see 'krou --help'", words.join(" "))),
    }
    ExitCode::from(2)
}

/// Whether the command is one that takes a board.
fn about_boards() -> bool {
    std::env::args_os()
        .nth(1)
        .is_some_and(|command| command == "probe" || command == "moves")
}

fn negative(arg: &str) -> bool {
    let digits = arg.strip_prefix('-');
    digits.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// One line on stderr, whatever the names in it are made of.
fn tell(message: &str) {
    // Nothing is left to do if stderr is gone too.
    let _ = writeln!(io::stderr(), "krou: {}", one_line(message));
}

/// The text without line feeds and other control characters.
fn one_line(text: &str) -> String {
    let mut line = String::new();
    for c in text.chars() {
        match c.is_control() {
            true => line.extend(c.escape_default()),
            false => line.push(c),
        }
    }
    line
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error.chain().filter_map(|e| {
        let json = e
            .downcast_ref::<serde_json::Error>()
            .and_then(serde_json::Error::io_error_kind);
        json.or_else(|| e.downcast_ref::<io::Error>().map(io::Error::kind))
    });
    causes.any(|kind| kind == io::ErrorKind::BrokenPipe)
}
