//! krou at the command line: reads the arguments and says how it ended.
//!
//! Exit code 0: done, also when the reader of a pipe has gone; 2: wrong usage
//! or an error that stopped the run, told on stderr in one line.

mod play;
mod rules_args;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play a game of two people at one terminal.
    Play(play::PlayArgs),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Play(args) => play::run(&args),
    };
    match result {
        Err(error) if !is_closed_pipe(&error) => {
            // Nothing is left to do if stderr is gone too.
            let _ = writeln!(io::stderr(), "krou: {error:#}");
            ExitCode::from(2)
        }
        _ => ExitCode::SUCCESS,
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error.chain().filter_map(|e| e.downcast_ref::<io::Error>());
    causes.any(|e| e.kind() == io::ErrorKind::BrokenPipe)
}
