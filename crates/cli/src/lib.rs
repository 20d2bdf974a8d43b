//! The command line of krou: parses the arguments and sets the exit code.
//!
//! Exit code 0: done, also when the reader of a pipe has gone; 1: the answer is
//! 'no', or some input line was bad; 2: wrong usage, or an error that stopped the
//! run, reported on stderr in one sentence.
//!
//! This is a library only because an executable would wait until all code of `krou` is
//! generated; a library is compiled beside it, which takes a quarter off a build.

mod analyse;
mod args;
mod bench;
mod boards;
mod build;
mod build_plan;
mod build_stats;
mod charts;
mod compare;
mod dataset;
mod engine;
mod errors;
mod export;
mod files;
mod folder_args;
mod help;
mod hosts;
mod info;
mod interrupt;
mod layer_args;
mod lines;
mod messages;
mod moves;
mod play;
mod probe;
mod process;
mod progress;
mod puzzles;
mod query;
mod ranks;
mod repack;
mod review;
mod rules;
mod rules_args;
#[cfg(feature = "server")]
mod serve;
mod site;
mod small_layers;
mod stats;
mod system;
mod verdict;
mod verify;
mod version;
mod web_files;

use std::env;
use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

/// For tests and fuzz targets: puzzles, and the protocols without processes and sockets.
#[doc(hidden)]
pub mod internal {
    pub use crate::engine::ScriptEngine;
    pub use crate::puzzles::{GRADES, Goal, Puzzle, PuzzleFilter, PuzzleFinder, Theme};
    #[cfg(feature = "server")]
    pub use crate::serve::local::LocalServer;
}

/// Exact endgame tables for oware: solve, store and probe them.
///
/// A board is twelve numbers, the mover's row first: "1 1 1 1 1 2 / 4 2 3 0 0 0".
/// Its value is net seeds for the mover: the seeds that the mover will still
/// capture minus those that the opponent will, with best play by both.
#[derive(Parser)]
#[command(name = "krou", version = version::SHORT, max_term_width = 80)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
#[allow(clippy::large_enum_variant)] // there is one
enum Command {
    /// Print the value of a board and of each of its moves.
    Probe(probe::ProbeArgs),
    /// List the legal moves of a board, without tables.
    Moves(moves::MovesArgs),
    /// List the rulesets and their choices.
    Rules(rules::ListArgs),
    /// Analyse a position with the engine; exact where tables settle its value.
    ///
    /// A score is net seeds for the mover from here on. Ctrl-C ends the search.
    Analyse(analyse::AnalyseArgs),
    /// Play a game in the terminal, with two players or against krou.
    Play(play::PlayArgs),
    /// Review a game: what each move gave away, and the turning points.
    Review(review::ReviewArgs),
    /// Run the engine for other programs, in the UCI dialect of oware programs or the Kalah Game
    /// Protocol.
    Engine(engine::EngineArgs),
    /// Serve tables and games over HTTP, and a page to play on in a browser.
    ///
    /// Requests name their ruleset. The page begins with abapa, and a game as text that names
    /// no ruleset has these rules too.
    ///
    /// Each option may be given by an environment variable instead, such as
    /// `KROU_SERVE_MAX_QUERIES` for --max-queries; the command line counts first.
    #[cfg(feature = "server")]
    Serve(serve::ServeArgs),
    /// Write the page for a browser as a folder that needs no server of krou.
    ///
    /// Any server of static files can host it, below any path. Rules, small tables, engine
    /// and solver run in the browser.
    Site(site::SiteArgs),
    /// Solve all layers up to N seeds and write their tables.
    ///
    /// Layers that are there already are kept. An interrupted build resumes after
    /// the last completed layer.
    Build(build::BuildArgs),
    /// Verify tables: checksums first, then every board by the plain rules.
    Verify(verify::VerifyArgs),
    /// Print the headers of tables: ruleset, codec, sizes and hashes.
    Info(info::InfoArgs),
    /// Convert a folder of tables to another codec, and read the result back.
    Repack(repack::RepackArgs),
    /// Count how many boards have each value.
    Stats(stats::StatsArgs),
    /// Find the boards of layers that meet a condition.
    Query(query::QueryArgs),
    /// Find puzzles: boards with exactly one right move, proved by tables.
    Puzzles(puzzles::PuzzlesArgs),
    /// Write a data set with exact values, for programs that learn.
    ///
    /// A folder with boards to train with and boards for a test, each with its value and the
    /// worth of each move, and a README that describes them.
    Dataset(dataset::DatasetArgs),
    /// Write the index by which other programs read a folder of tables from a web host.
    Index(hosts::IndexArgs),
    /// Download tables from a web host, and check them.
    ///
    /// An interrupted download goes on where it was.
    Fetch(hosts::FetchArgs),
    /// Export one layer in the format of another program.
    Export(export::ExportArgs),
    /// Compare a file of the published score database with the tables.
    Compare(compare::CompareArgs),
    /// Measure how fast this machine solves, packs and probes.
    ///
    /// Every answer is checked. Tables go to a temporary folder that is removed.
    Bench(bench::BenchArgs),
    /// Print completions for a shell.
    Completions(help::CompletionsArgs),
    /// Write manual pages.
    Man(help::ManArgs),
}

/// The arguments of the program; `krou help` needs no help of its own.
fn arguments() -> impl Iterator<Item = OsString> {
    let is_help = env::args_os()
        .nth(1)
        .is_some_and(|command| command == "help");
    env::args_os().filter(move |arg| !(is_help && (arg == "--help" || arg == "-h")))
}

/// Runs the command of the program's arguments.
pub fn run() -> ExitCode {
    process::return_large_blocks();
    process::ignore_file_size_signal();
    system::use_threads();
    // Each open table takes a descriptor, and so does a connection. If the limit cannot be
    // raised, fewer can be opened.
    let _ = rlimit::increase_nofile_limit(u64::MAX);
    let program = help::with_examples(Cli::command()).long_version(version::long());
    let matches = program.try_get_matches_from(arguments());
    let command = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli.command,
        Err(error) => return errors::report_usage(&error, &Cli::command()),
    };
    let result = match command {
        Command::Probe(args) => probe::run(&args),
        Command::Moves(args) => moves::run(&args),
        Command::Analyse(args) => analyse::run(&args),
        Command::Rules(args) => rules::run(&args),
        Command::Play(args) => play::run(&args).map(|()| ExitCode::SUCCESS),
        Command::Review(args) => review::run(&args),
        Command::Engine(args) => engine::run(&args).map(|()| ExitCode::SUCCESS),
        #[cfg(feature = "server")]
        Command::Serve(args) => serve::run(&args),
        Command::Site(args) => site::run(&args),
        Command::Build(args) => build::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Info(args) => info::run(&args),
        Command::Repack(args) => repack::run(&args),
        Command::Stats(args) => stats::run(&args),
        Command::Query(args) => query::run(&args),
        Command::Puzzles(args) => puzzles::run(&args),
        Command::Dataset(args) => dataset::run(&args),
        Command::Index(args) => hosts::index(&args),
        Command::Fetch(args) => hosts::fetch(&args),
        Command::Export(args) => export::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Completions(args) => help::completions(&args, Cli::command()),
        Command::Man(args) => help::man(&args, Cli::command()),
    };
    result.unwrap_or_else(|error| errors::report(&error))
}
