//! `krou-lab match`: engines play against each other. `docs/internals/match.md` describes it.
//!
//! - `contender`, `process`: the engines, as commands and as running processes.
//! - `model`: engines of one simple rule.
//! - `time_control`, `openings`: how long they think, and from where on they play.
//! - `game`: one game, decided by krou's own rules.
//! - `schedule`: all games, several at a time.
//! - `tally`: the score, with `elo` and `sprt` for what it says about strength.
//! - `report`, `archive`: the output and the file of games.

mod archive;
mod contender;
mod elo;
mod game;
pub mod model;
mod openings;
mod process;
mod report;
mod schedule;
mod sprt;
mod tally;
mod time_control;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use krou::engine::Game;

use crate::{INTERRUPTED, RulesArgs, stop_on_interruption};
use archive::Archive;
use contender::{Conditions, Contender};
use report::Report;
use schedule::Schedule;
use sprt::{Decision, Sprt};
use time_control::{ClockTime, TimeControl};

/// The engines speak UCI as oware programs do. The match keeps the board and decides the
/// games by krou's rules.
#[derive(Args)]
pub struct MatchArgs {
    /// First engine: a command, optionally with a name before it, such as
    /// `new=krou engine --dir tables`.
    #[arg(long, value_name = "[NAME=]COMMAND")]
    a: String,
    /// Second engine.
    #[arg(long, value_name = "[NAME=]COMMAND")]
    b: String,
    /// Option to set for both engines; may be given several times.
    #[arg(long, value_name = "NAME=VALUE", allow_hyphen_values = true)]
    set: Vec<String>,
    /// Option to set for the first engine.
    #[arg(long, value_name = "NAME=VALUE", allow_hyphen_values = true)]
    set_a: Vec<String>,
    /// Option to set for the second engine.
    #[arg(long, value_name = "NAME=VALUE", allow_hyphen_values = true)]
    set_b: Vec<String>,
    /// Engines that are told only the part of the game in which no position has
    /// occurred twice, for those that take the second occurrence as the end.
    #[arg(long, value_enum, value_name = "ENGINE")]
    short_memory: Vec<Which>,
    /// Number of games; each opening is played twice, with sides swapped.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000_000), allow_negative_numbers = true)]
    games: u32,
    /// Games that run at a time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024), allow_negative_numbers = true)]
    concurrency: u16,
    /// Moves of the games after which they are drawn, unless they end before.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=2000), allow_negative_numbers = true)]
    max_moves: u32,
    /// Occurrence of a board that ends a game, 2 or 3.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(2..=3), allow_negative_numbers = true)]
    repetitions: u8,
    /// Stop as soon as a sequential probability ratio test is decided [default:
    /// elo0=0 elo1=5 alpha=0.05 beta=0.05].
    #[arg(long, value_name = "NAME=NUMBER", num_args = 0..=4)]
    sprt: Option<Vec<String>>,
    /// Write the games to a new file, in the notation OGN.
    #[arg(long, value_name = "FILE")]
    ogn: Option<PathBuf>,
    #[command(flatten)]
    openings: OpeningArgs,
    #[command(flatten)]
    time: TimeArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

/// The openings.
#[derive(Args)]
#[command(next_help_heading = "Openings")]
struct OpeningArgs {
    /// Random moves at the start of each game.
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u8).range(0..=60), allow_negative_numbers = true)]
    plies: u8,
    /// Seed of the random moves.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// File of openings, one a line: moves such as `FaBc`, a position, or a position
    /// followed by moves. If there are fewer than needed, they are played again.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["plies", "seed"])]
    openings: Option<PathBuf>,
}

/// The limits of each move.
#[derive(Args)]
#[command(next_help_heading = "Time")]
struct TimeArgs {
    /// Time for each move in milliseconds [default: 100, unless there is another limit].
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000), allow_negative_numbers = true)]
    movetime: Option<u64>,
    /// Nodes for each move.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), allow_negative_numbers = true)]
    nodes: Option<u64>,
    /// Depth for each move in plies.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..), allow_negative_numbers = true)]
    depth: Option<u8>,
    /// Clock for each game in seconds, and the increment for each move: 10+0.1.
    #[arg(
        long,
        value_name = "SECONDS[+INCREMENT]",
        allow_negative_numbers = true
    )]
    clock: Option<ClockTime>,
    /// How much too late an answer may be, in milliseconds.
    #[arg(
        long,
        value_name = "MS",
        default_value_t = 500,
        allow_negative_numbers = true
    )]
    grace: u64,
    /// Longest time for a move, in milliseconds [default: 60000 with --nodes or
    /// --depth].
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..), allow_negative_numbers = true)]
    timeout: Option<u64>,
}

/// One of the engines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Which {
    A,
    B,
}

/// Plays a match.
pub fn run(args: &MatchArgs) -> Result<ExitCode> {
    let rules = args.rules.rules;
    let contenders = contenders(args)?;
    let sprt = args.sprt.as_ref().map(|words| words.join(" ").parse());
    let sprt: Option<Sprt> = sprt
        .transpose()
        .map_err(|why: String| anyhow::anyhow!("--sprt: {why}"))?;
    let count = args.games.div_ceil(2) as usize;
    let start = Game::new(rules).with_repetitions(args.repetitions);
    let openings = match &args.openings.openings {
        Some(path) => {
            let found = openings::read(path, rules, args.repetitions)?;
            found.iter().cycle().take(count).cloned().collect()
        }
        None => {
            let plies = usize::from(args.openings.plies);
            openings::random(&start, plies, count, args.openings.seed)
        }
    };
    if openings.is_empty() {
        bail!("every random opening of that many moves ends the game: choose fewer with --plies");
    }
    let mut archive = args.ogn.as_deref().map(Archive::create).transpose()?;
    let stopped = stop_on_interruption()?;
    let schedule = Schedule {
        contenders: &contenders,
        conditions: Conditions {
            rules,
            repetitions: args.repetitions,
            time: args.time.time_control(),
            stopped: &stopped,
        },
        openings: &openings,
        concurrency: usize::from(args.concurrency),
        max_moves: args.max_moves as usize,
    };
    let mut report = Report::new(&contenders, sprt);
    schedule.play(|played| {
        let names = report.names(&played);
        if let Some(archive) = &mut archive {
            archive.add(&played, names)?;
        }
        report.add(&played)?;
        Ok(!report.is_decided() && report.tally.games() < args.games)
    })?;
    let is_complete = report.is_decided() || report.tally.games() >= args.games;
    report.finish(is_complete)?;
    Ok(ExitCode::from(match report.decision() {
        _ if !is_complete => INTERRUPTED,
        None | Some(Decision::Elo1) => 0,
        Some(Decision::Elo0 | Decision::Open) => 1,
    }))
}

/// Both engines, under different names.
fn contenders(args: &MatchArgs) -> Result<[Contender; 2]> {
    let contender = |command: &str, own: &[String], which| {
        let mut contender = Contender::parse(command)?;
        for option in args.set.iter().chain(own) {
            contender.add_option(option)?;
        }
        contender.short_memory = args.short_memory.contains(&which);
        Ok::<_, anyhow::Error>(contender)
    };
    let a = contender(&args.a, &args.set_a, Which::A).context("--a")?;
    let mut b = contender(&args.b, &args.set_b, Which::B).context("--b")?;
    if a.name == b.name {
        b.name += "-2";
    }
    Ok([a, b])
}

impl TimeArgs {
    fn time_control(&self) -> TimeControl {
        /// Time for a move if nothing limits it.
        const DEFAULT: u64 = 100;
        let is_limited = self.nodes.is_some() || self.depth.is_some() || self.clock.is_some();
        let default = (!is_limited).then_some(DEFAULT);
        TimeControl {
            move_time: self.movetime.or(default).map(Duration::from_millis),
            nodes: self.nodes,
            depth: self.depth,
            clock: self.clock,
            grace: Duration::from_millis(self.grace),
            timeout: self.timeout.map(Duration::from_millis),
        }
    }
}
