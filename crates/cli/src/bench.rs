//! `krou bench`: measures how fast this machine solves, packs and probes the values of one
//! layer and all below it, and checks every result.
//!
//! Solved values are checked with the plain rules, tables against the manifest inside the
//! program, and probes against the solved values.

use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::{Result, ensure};
use clap::Args;
use fastrand::Rng;
use indicatif::{HumanBytes, HumanCount};
use krou::index::LayerIndex;
use krou::internal::table::manifest::{Manifest, ManifestMatch};
use krou::rules::{Board, Next, Ruleset, Step};
use krou::solve::Certificate;
use krou::solve::Solver;
use krou::solve::memory_wanted;
use krou::solve::{Silent, default_memory_limit};
use krou::table::{Kind, WriteOptions};
use krou::tablebase::Tablebase;
use krou::tablebase::write_tables;
use rayon::ThreadPool;
use serde::Serialize;
use serde_json::{Value, json};

use crate::args::{ThreadArgs, seeds, thread_pool};
use crate::files::temporary_folder;
use crate::interrupt::remove_on_interrupt;
use crate::messages::{exit_code, print_json, print_message, print_text};
use crate::rules_args::RulesArgs;
use crate::system::{Machine, peak_memory};

/// Options of `krou bench`.
#[derive(Args)]
pub struct BenchArgs {
    /// Layer to measure; all layers below it are solved too.
    ///
    /// Larger layers give steadier figures. 16 seeds take up to half a minute, 20 a
    /// few minutes.
    #[arg(long, short, value_name = "N", value_parser = seeds(), default_value = "16")]
    seeds: u8,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Print JSON.
    #[arg(long, short)]
    json: bool,
    #[command(flatten)]
    rules: RulesArgs,
}

/// Each time is the best of this many runs, because other work on the machine can only
/// slow a run down.
const RUNS: usize = 3;
/// Boards of the layer that are checked with the plain rules.
const SAMPLE: u64 = 1000;
/// Random boards to probe, at most all boards of the layer.
const RANDOM: u64 = 20_000;
/// Boards of searches to probe, with the same limit.
const SEARCHED: u64 = 1_000_000;
/// Depth of these searches in plies, and the plies of the random games in which there is one
/// at each move.
const DEPTH: u32 = 4;
const PLIES: u32 = 40;

const RATE: &str = "M boards/s a core";

/// The seconds of some runs.
#[derive(Clone, Copy)]
struct TimedRuns {
    best: f64,
    slowest: f64,
}

impl TimedRuns {
    const NONE: TimedRuns = TimedRuns {
        best: f64::INFINITY,
        slowest: 0.0,
    };

    /// Adds a run that began at this moment.
    fn add(&mut self, began: Instant) {
        let seconds = seconds(began);
        self.best = self.best.min(seconds);
        self.slowest = self.slowest.max(seconds);
    }
}

/// The measured figures. Programs rely on this JSON.
#[derive(Serialize)]
struct BenchReport {
    krou: &'static str,
    machine: Machine,
    rules: String,
    seeds: u8,
    boards: u64,
    threads: usize,
    figures: Vec<Value>,
    /// How many times as long as the best run of a figure the slowest one took, at most.
    spread: f64,
    /// Whether all results so far were right.
    #[serde(skip)]
    is_right: bool,
    /// Of the figures to come, if it matters.
    #[serde(skip)]
    codec: Option<&'static str>,
    #[serde(skip)]
    json: bool,
}

/// Measures everything; exit code 1 if a result was wrong.
pub fn run(args: &BenchArgs) -> Result<ExitCode> {
    let (rules, seeds) = (args.rules.ruleset()?, args.seeds);
    let (one, all) = (thread_pool(Some(1))?, args.threads.pool()?);
    check_memory(rules, seeds)?;
    let folder = temporary_folder()?;
    remove_on_interrupt(folder.path())?;
    let boards = LayerIndex::new(rules, seeds).len();
    let lower = (0..seeds).map(|seeds| LayerIndex::new(rules, seeds).len());
    let all_boards = boards + lower.sum::<u64>();
    let mut report = BenchReport {
        krou: env!("CARGO_PKG_VERSION"),
        machine: Machine::new(),
        rules: rules.to_string(),
        seeds,
        boards,
        threads: all.current_num_threads(),
        figures: Vec::new(),
        spread: 1.0,
        is_right: true,
        codec: None,
        json: args.json,
    };
    report.print(&report.head())?;

    let (mut solver, alone) = solve(rules, seeds, &one)?;
    let alone = report.best_of(alone);
    // Packing and probing would add to it.
    let peak = peak_memory();
    let mut is_right = is_sample_right(&solver);
    let millions = ratio(boards, 1_000_000);
    report.add("solve values", RATE, millions / alone, is_right)?;
    if let Some(peak) = peak {
        let lower_bytes = (all_boards - boards) * if rules.has_bounds() { 3 } else { 1 };
        let beyond = peak.saturating_sub(lower_bytes);
        let name = "peak beyond lower layers";
        report.add(name, "bytes a board", ratio(beyond, boards), is_right)?;
    }
    if report.threads > 1 {
        drop(solver);
        let together;
        (solver, together) = solve(rules, seeds, &all)?;
        is_right = is_sample_right(&solver);
        let together = report.best_of(together);
        report.add("threads against one", "times", alone / together, is_right)?;
    }

    report.codec = Some(WriteOptions::default().codec.as_str());
    let (time, bytes) = pack(&mut solver, folder.path(), &one)?;
    is_right = equals_manifest(rules, seeds, folder.path())?;
    let time = report.best_of(time);
    report.add("pack and write", RATE, millions / time, is_right)?;
    let bits = ratio(8 * bytes, all_boards);
    report.add("size of all layers", "bits a board", bits, is_right)?;
    probe(&solver, folder.path(), &mut report)?;
    report.finish()
}

/// Solves all layers; returns the runs of the last one.
fn solve(rules: Ruleset, seeds: u8, pool: &ThreadPool) -> Result<(Solver, TimedRuns)> {
    // As `krou build` does.
    let memory = default_memory_limit().unwrap_or(u64::MAX);
    let (mut solved, mut runs) = (None, TimedRuns::NONE);
    for _ in 0..RUNS {
        // Two solvers would take twice the memory.
        drop(solved.take());
        let mut solver = Solver::within(rules, memory, std::env::temp_dir());
        for _ in 0..seeds {
            pool.install(|| solver.solve_next(&Silent))?;
        }
        let began = Instant::now();
        pool.install(|| solver.solve_next(&Silent))?;
        runs.add(began);
        solved = Some(solver);
    }
    Ok((solved.expect("there are runs"), runs))
}

/// Checks random boards of the last layer with the plain rules.
fn is_sample_right(solver: &Solver) -> bool {
    let certificate = Certificate {
        rules: solver.rules(),
        layers: solver.layers(),
        distance: None,
        most: 1,
    };
    let failures = certificate.sample(SAMPLE, 1).failures;
    for failure in &failures {
        print_message(&failure.to_string());
    }
    failures.is_empty()
}

/// Writes the tables of all layers on one thread; returns the runs for the values of the last
/// one, and the bytes of all values.
fn pack(solver: &mut Solver, folder: &Path, one: &ThreadPool) -> Result<(TimedRuns, u64)> {
    let options = WriteOptions::default();
    let (rules, last) = (solver.rules(), solver.next_seeds() - 1);
    let mut write = |seeds, kind| {
        one.install(|| write_tables(solver, seeds, &[kind], None, folder, &options, &Silent))
    };
    let mut all_bytes = 0;
    for seeds in 0..=last {
        if rules.has_bounds() {
            // Values are read with the bounds.
            write(seeds, Kind::Bounds)?;
        }
        all_bytes += write(seeds, Kind::Value)?;
    }
    let mut runs = TimedRuns::NONE;
    for _ in 0..RUNS {
        let began = Instant::now();
        write(last, Kind::Value)?;
        runs.add(began);
    }
    Ok((runs, all_bytes))
}

/// Checks the tables of a folder that the manifest lists.
fn equals_manifest(rules: Ruleset, seeds: u8, folder: &Path) -> Result<bool> {
    let manifest = Manifest::built_in();
    let tables = Tablebase::builder(rules)
        .without_embedded()
        .folder(folder)
        .open()?;
    let mut written = (0..=seeds).filter_map(|seeds| tables.table(seeds, Kind::Value));
    Ok(written.all(|table| manifest.compare(table) != ManifestMatch::Differs))
}

/// Probes the tables of a folder: random boards, and related boards as in a search.
fn probe(solver: &Solver, folder: &Path, report: &mut BenchReport) -> Result<()> {
    let rules = solver.rules();
    let index = LayerIndex::new(rules, solver.next_seeds() - 1);
    // The same boards in every run.
    let (mut random, mut choices) = (Rng::with_seed(1), Rng::with_seed(2));
    let mut random_board = || index.board(random.u64(..index.len()));
    let scattered = RANDOM.min(index.len());
    let scattered: Vec<Board> = (0..scattered).map(|_| random_board()).collect();
    let mut searched = Vec::new();
    while (searched.len() as u64) < SEARCHED.min(index.len()) {
        let mut board = random_board();
        for _ in 0..PLIES {
            search(rules, &board, DEPTH, &mut searched);
            match choices.choice(steps(rules, &board)) {
                Some(step) => board = step.board,
                None => break,
            }
        }
    }
    let figures = [
        ("random probe", &scattered, Some(0), 0),
        ("probe in a search", &searched, None, 0),
        ("probe in memory", &searched, None, u64::MAX),
    ];
    for (name, boards, cache_bytes, resident_bytes) in figures {
        let (mut runs, mut is_right) = (TimedRuns::NONE, true);
        for _ in 0..RUNS {
            let mut tables = Tablebase::builder(rules)
                .without_embedded()
                .folder(folder)
                .open()?;
            if let Some(bytes) = cache_bytes {
                tables = tables.with_cache_bytes(bytes);
            }
            tables.make_resident(resident_bytes, &AtomicBool::new(false), &|_| ())?;
            let began = Instant::now();
            let values = boards.iter().map(|board| tables.value(board));
            let values: Vec<i8> = values.collect::<Result<_, _>>()?;
            runs.add(began);
            is_right &= boards.iter().zip(values).all(|(board, value)| {
                let solved = solver.layer(board.seeds()).value().of(board);
                solved.is_some_and(|solved| solved.get() == value)
            });
        }
        let each = 1e6 * report.best_of(runs) / ratio(boards.len() as u64, 1);
        report.add(name, "µs", each, is_right)?;
    }
    Ok(())
}

/// Adds a board and its descendants to some depth, in the order of a search.
fn search(rules: Ruleset, board: &Board, depth: u32, boards: &mut Vec<Board>) {
    boards.push(*board);
    if depth > 0 {
        for step in steps(rules, board) {
            search(rules, &step.board, depth - 1, boards);
        }
    }
}

/// The moves that do not end the game.
fn steps(rules: Ruleset, board: &Board) -> Vec<Step> {
    let moves = rules.moves(board);
    let legal = moves.legal();
    legal.filter(|step| step.next != Next::Over).collect()
}

impl BenchReport {
    /// The best of some runs; the report keeps how far they differ.
    fn best_of(&mut self, runs: TimedRuns) -> f64 {
        self.spread = self.spread.max(runs.slowest / runs.best);
        runs.best
    }

    /// Adds a figure, and prints it unless the output is JSON.
    fn add(
        &mut self,
        name: &'static str,
        unit: &'static str,
        value: f64,
        checked: bool,
    ) -> Result<()> {
        let results = if checked { "right" } else { "WRONG" };
        self.print(&format!("{name:<26} {value:>9.3}  {unit:<18} {results}\n"))?;
        let value = (value * 1000.0).round() / 1000.0;
        self.figures.push(json!({
            "name": name, "codec": self.codec, "value": value, "unit": unit, "checked": checked,
        }));
        self.is_right &= checked;
        Ok(())
    }

    /// Prints JSON if that is wanted; exit code 1 if a result was wrong.
    fn finish(&self) -> Result<ExitCode> {
        if self.json {
            print_json(self)?;
        }
        // Other work on the machine lowers the figures, but does not show in them.
        self.print(&format!(
            "\nthe slowest run of a figure took at most {:.2} times as long as its best\n",
            self.spread
        ))?;
        if !self.is_right {
            let advice = "do not trust tables that krou builds on this machine";
            print_message(&format!("a result is wrong: {advice}"));
        }
        Ok(exit_code(self.is_right))
    }

    fn head(&self) -> String {
        let machine = &self.machine;
        let memory = machine
            .memory
            .map(|bytes| format!(", {} of memory", HumanBytes(bytes)));
        format!(
            "krou {}, {}, {} seeds ({} boards), threads: {}, best of {RUNS} runs\n\
             {}, cores: {}{}, {}\n\n\
             figure                         value  unit               results\n",
            self.krou,
            self.rules,
            self.seeds,
            HumanCount(self.boards),
            self.threads,
            machine.cpu,
            machine.cores,
            memory.unwrap_or_default(),
            machine.system,
        )
    }

    /// Prints text, unless the output is JSON.
    fn print(&self, text: &str) -> io::Result<()> {
        if self.json { Ok(()) } else { print_text(text) }
    }
}

fn check_memory(rules: Ruleset, seeds: u8) -> Result<()> {
    let needed = memory_wanted(rules, seeds, &[Kind::Value, Kind::Bounds]);
    let free = default_memory_limit().unwrap_or(u64::MAX);
    ensure!(
        needed <= free,
        "measuring {seeds} seeds needs {} MiB of memory, but only {} MiB are free: \
         choose fewer with --seeds",
        needed.div_ceil(1 << 20),
        free >> 20
    );
    Ok(())
}

/// Since a moment, and always above 0.
fn seconds(began: Instant) -> f64 {
    began.elapsed().as_secs_f64().max(1e-9)
}

#[allow(clippy::cast_precision_loss)]
fn ratio(number: u64, by: u64) -> f64 {
    number as f64 / by.max(1) as f64
}
