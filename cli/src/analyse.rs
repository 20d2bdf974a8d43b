//! `krou analyse`: the engine's view of a position, with or without tables.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use krou::engine::{Engine, EngineOptions, Game, Limits, Score, SearchLine, SearchReport};
use krou::ogn::Setup;
use serde::{Serialize, Serializer};

use crate::args::{HASH_MIB, THREADS, TableMemoryArgs, whole_number};
use crate::boards::drawing;
use crate::folder_args::FolderArgs;
use crate::interrupt::on_interrupt;
use crate::messages::{print_message, with_causes};
use crate::rules_args::RulesArgs;

/// Options of `krou analyse`.
#[derive(Args)]
pub struct AnalyseArgs {
    /// Position: twelve numbers, the mover's row first, or any other notation of `krou probe`;
    /// `moves FeCb` may follow.
    #[arg(required = true, allow_negative_numbers = true)]
    position: Vec<String>,
    /// Search depth in plies.
    #[arg(long, value_name = "D", value_parser = whole_number(1..=u8::MAX))]
    depth: Option<u8>,
    /// Time limit in milliseconds [default: 3000, or none beside --depth or --nodes].
    #[arg(long, value_name = "MS", value_parser = whole_number(1..=1_000_000_000_u64))]
    time: Option<u64>,
    /// Number of nodes to search.
    #[arg(long, value_name = "K", value_parser = whole_number(1..=u64::MAX))]
    nodes: Option<u64>,
    /// Number of moves to list with their lines.
    #[arg(long, value_name = "L", default_value_t = 3, value_parser = whole_number(1..=6_usize))]
    lines: usize,
    /// Print JSON.
    #[arg(long, short)]
    json: bool,
    /// Size of the transposition table, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = whole_number(HASH_MIB))]
    hash: usize,
    /// Number of search threads.
    #[arg(long, short, value_name = "T", default_value_t = 1, value_parser = whole_number(THREADS))]
    threads: usize,
    #[command(flatten)]
    tables: FolderArgs,
    #[command(flatten)]
    table_memory: TableMemoryArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

impl AnalyseArgs {
    fn limits(&self) -> Limits {
        const DEFAULT_TIME: u64 = 3000;
        let mut limits = Limits::default().with_lines(self.lines);
        limits.depth = self.depth;
        limits.nodes = self.nodes;
        let is_limited = self.depth.is_some() || self.nodes.is_some();
        let time = self.time.or((!is_limited).then_some(DEFAULT_TIME));
        limits.time = time.map(Duration::from_millis);
        limits
    }
}

/// The answer for programs.
#[derive(Serialize)]
struct Analysis {
    board: [u8; 12],
    rules: String,
    depth: u8,
    exact: bool,
    score: Seeds,
    /// Best first.
    lines: Vec<AnalysedLine>,
}

/// A move with its score and the moves after it.
#[derive(Serialize)]
struct AnalysedLine {
    pit: u8,
    letter: char,
    score: Seeds,
    exact: bool,
    moves: String,
}

/// A score as a number of seeds: a whole one if it is exact.
struct Seeds(Score);

impl Serialize for Seeds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.is_exact() {
            true => serializer.serialize_i16(self.0.hundredths() / 100),
            false => serializer.serialize_f64(self.0.seeds()),
        }
    }
}

impl Analysis {
    /// The last state of a search.
    fn new(game: &Game, report: &SearchReport) -> Analysis {
        let lines: Vec<AnalysedLine> = report
            .lines()
            .iter()
            .map(|line| AnalysedLine::new(game, line))
            .collect();
        Analysis {
            depth: report.depth,
            lines,
            ..Analysis::of_score(game, report.score)
        }
    }

    /// A position with this score and no moves.
    fn of_score(game: &Game, score: Score) -> Analysis {
        Analysis {
            board: game.board().pits(),
            rules: game.rules().to_string(),
            depth: 0,
            exact: score.is_exact(),
            score: Seeds(score),
            lines: Vec::new(),
        }
    }

    /// The answer for people.
    fn text(&self, game: &Game) -> String {
        let Seeds(score) = self.score;
        let seeds = game.board().seeds();
        let verdict = if self.lines.is_empty() {
            "the game is over".to_owned()
        } else if score.is_exact() {
            "exact".to_owned()
        } else {
            format!("depth {}", self.depth)
        };
        let drawing = drawing(&game.board());
        let mut text = format!(
            "{drawing}\n{}, {seeds} seeds: {score}, {verdict}\n",
            self.rules
        );
        for line in &self.lines {
            let AnalysedLine {
                letter,
                moves,
                score: Seeds(score),
                ..
            } = line;
            let score = score.to_string();
            text += &format!("  {letter}  {score:>6}  {moves}\n");
        }
        text
    }
}

impl AnalysedLine {
    fn new(game: &Game, line: &SearchLine) -> AnalysedLine {
        let pit = line.pv[0];
        AnalysedLine {
            pit,
            letter: game.to_move().letter(pit),
            score: Seeds(line.score),
            exact: line.score.is_exact(),
            moves: game.letters(&line.pv),
        }
    }
}

/// Searches until a limit is reached, or Ctrl-C.
pub fn run(args: &AnalyseArgs) -> Result<ExitCode> {
    let rules = args.rules.ruleset()?;
    let setup: Setup = args.position.join(" ").parse()?;
    let record = setup.record(rules, Game::REPETITIONS)?;
    let game = record.game();
    let tables = args.tables.open(rules)?;
    args.table_memory.load(&tables)?;
    let options = EngineOptions::default()
        .with_hash_mib(args.hash)
        .with_threads(args.threads);
    let stop = on_interrupt()?;
    let mut engine = Engine::new(rules, Some(Arc::new(tables)), options);
    let bar = bar();
    let mut on_report = |report: &SearchReport| {
        let (depth, score) = (report.depth, report.score);
        bar.set_message(format!(
            "depth {depth}: {score} {}",
            game.letters(&report.pv)
        ));
    };
    let report = engine.search(game, &args.limits(), stop, &mut on_report);
    bar.finish_and_clear();
    if let Some(error) = engine.table_errors().first() {
        print_message(&format!("searched without a table: {}", with_causes(error)));
    }
    let analysis = match (&report, game.moves().over()) {
        (Some(report), _) => Analysis::new(game, report),
        (None, value) => Analysis::of_score(game, Score::exact(value.unwrap_or_default())),
    };
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&analysis)?)?;
    } else {
        write!(out, "{}", analysis.text(game))?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// The state of the search on stderr if that is a terminal.
fn bar() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    let style = ProgressStyle::with_template("{wide_msg}");
    bar.set_style(style.expect("the template is valid"));
    bar
}
