//! `krou analyse`: the engine's view of a position, with or without tables.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use indicatif::ProgressBar;
use krou::engine::{Engine, EngineOptions, Game, Limits, Score, SearchLine, SearchReport};
use krou::ogn::Setup;
use serde_json::{Value, json};

use crate::args::{THREADS, TableMemoryArgs, hash_mib, whole_number};
use crate::boards::drawing;
use crate::folder_args::FolderArgs;
use crate::interrupt::{self, on_interrupt};
use crate::messages::{print_json, print_message, print_text};
use crate::progress::style;
use crate::rules_args::RulesArgs;

/// Options of `krou analyse`.
#[derive(Args)]
pub struct AnalyseArgs {
    /// Position: twelve numbers, the mover's row first, or any other notation of `krou probe`;
    /// `moves FeCb` may follow.
    #[arg(required = true)]
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
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = hash_mib)]
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

/// What a search has found.
struct Analysis<'g> {
    game: &'g Game,
    found: SearchReport,
    /// Best first; none where the game is over.
    lines: Vec<SearchLine>,
}

/// A score as a number of seeds: a whole one if it is exact.
fn seeds(score: Score) -> Value {
    if score.is_exact() {
        json!(score.hundredths() / 100)
    } else {
        json!(score.seeds())
    }
}

impl Analysis<'_> {
    /// The answer for programs.
    fn json(&self) -> Value {
        let lines = self.lines.iter().map(|line| {
            json!({
                "pit": line.pv[0], "letter": self.game.to_move().letter(line.pv[0]),
                "score": seeds(line.score), "exact": line.score.is_exact(),
                "moves": self.game.letters(&line.pv),
            })
        });
        json!({
            "board": self.game.board().pits(), "rules": self.game.rules().to_string(),
            "depth": self.found.depth, "exact": self.found.score.is_exact(),
            "score": seeds(self.found.score),
            "lines": lines.collect::<Vec<_>>(),
        })
    }

    /// The answer for people.
    fn text(&self) -> String {
        let (game, score) = (self.game, self.found.score);
        let verdict = if self.lines.is_empty() {
            "the game is over".to_owned()
        } else if score.is_exact() {
            "exact".to_owned()
        } else {
            format!("depth {}", self.found.depth)
        };
        let board = game.board();
        let (drawing, rules, seeds) = (drawing(&board), game.rules(), board.seeds());
        let mut text = format!("{drawing}\n{rules}, {seeds} seeds: {score}, {verdict}\n");
        for line in &self.lines {
            let letter = game.to_move().letter(line.pv[0]);
            let (score, moves) = (line.score.to_string(), game.letters(&line.pv));
            text += &format!("  {letter}  {score:>6}  {moves}\n");
        }
        text
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
    let mut engine = Engine::new(rules, Some(tables), options);
    let bar = ProgressBar::new_spinner().with_style(style("{wide_msg}"));
    let mut on_report = |report: &SearchReport| {
        let (depth, score) = (report.depth, report.score);
        bar.set_message(format!(
            "depth {depth}: {score} {}",
            game.letters(&report.pv)
        ));
    };
    let report = engine.search(game, &args.limits(), stop, &mut on_report);
    bar.finish_and_clear();
    for error in engine.table_errors().of_files() {
        print_message(&format!("searched without a table: {error}"));
    }
    let value = game.moves().terminal_value().unwrap_or_default();
    let found = report.unwrap_or_else(|| SearchReport::new(Score::exact(value), Vec::new()));
    let lines = found.lines().into_iter();
    let lines = lines.filter(|line| !line.pv.is_empty()).collect();
    let analysis = Analysis { game, found, lines };
    if args.json {
        print_json(&analysis.json())?;
    } else {
        print_text(&analysis.text())?;
    }
    Ok(interrupt::exit_code())
}
