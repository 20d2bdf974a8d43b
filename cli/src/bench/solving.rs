//! Solving: values on one thread and on all threads, distances, and memory.

use std::time::{Duration, Instant};

use anyhow::Result;
use krou::index::LayerIndex;
use krou::rules::Ruleset;
use krou::solve::certificate::Certificate;
use krou::solve::{Layer, LayerArray, Silent, Solver, default_memory_limit};
use krou::table::{Kind, TableId};
use rayon::ThreadPool;

use super::measure::{self, Measure};
use super::report::Report;
use super::{Check, RUNS, Work, golden};
use crate::system::peak_memory;

/// Number of random boards of each layer to check with the plain rules.
const SAMPLE: u64 = 1000;
/// Seed for the same boards in every run.
const SAMPLE_SEED: u64 = 1;

/// All layers with the hashes of their values.
pub struct Solved {
    pub layers: Vec<Layer>,
    pub hashes: Vec<u64>,
}

impl Solved {
    /// The highest layer.
    pub fn last(&self) -> &Layer {
        self.layers
            .last()
            .expect("there is at least the layer of 0 seeds")
    }
}

/// The result of solving all layers once.
struct Run {
    solver: Solver,
    /// The hash of the values of each layer.
    hashes: Vec<u64>,
    /// The time for the last layer.
    time: Duration,
    /// Peak memory of the process after the last layer.
    peak: Option<u64>,
    /// Whether the hashes agree with the known ones.
    check: Check,
}

/// Solves all layers on one thread and on all threads, and measures.
pub fn measure(work: &Work, report: &mut Report) -> Result<Solved> {
    let Run {
        mut solver,
        hashes,
        time: alone,
        peak,
        check,
    } = solve(work, &work.one, report)?;
    let boards = LayerIndex::new(work.rules, work.seeds).len();
    report.add(
        measure::VALUES,
        measure::speed(boards, alone),
        check.clone(),
    )?;
    if let Some(peak) = peak {
        let beyond = peak.saturating_sub(lower_bytes(work));
        report.add(measure::PEAK, measure::ratio(peak, 1 << 20), check.clone())?;
        report.add(measure::PEAK_A_BOARD, measure::ratio(beyond, boards), check)?;
    }
    report.doing(format!("distances of {} seeds, threads: 1", work.seeds));
    let mut time = Duration::MAX;
    let mut distances = || {
        let began = Instant::now();
        let distance = work.one.install(|| solver.distances(work.seeds, &Silent));
        time = time.min(alone + began.elapsed());
        distance
    };
    let mut distance = distances();
    for _ in 1..RUNS {
        distance = distances();
    }

    let layers = into_layers(solver)?;
    let solved = Solved { layers, hashes };
    report.doing("checking boards with the plain rules".to_owned());
    let mut check = Ok(());
    for seeds in 0..=usize::from(work.seeds) {
        check = check.and_then(|()| check_sample(work.rules, &solved.layers[..=seeds], None));
    }
    // There is no figure if a distance exceeds what a table can hold.
    if let Ok(distance) = distance {
        let hash = golden::hash(distance.index(), &distance)?;
        let distance = distance.into_memory()?;
        let right = golden::check(id(work.rules, work.seeds, Kind::Distance), hash);
        let sound = || check_sample(work.rules, &solved.layers, Some(&distance));
        let check = check.clone().and(right).and_then(|()| sound());
        report.add(measure::DISTANCES, measure::speed(boards, time), check)?;
    }
    check.map_err(anyhow::Error::msg)?;
    compare_threads(work, solved, alone, report)
}

/// Solves all layers once, on all threads, without measuring.
pub fn once(work: &Work, report: &mut Report) -> Result<Solved> {
    let Run {
        solver,
        hashes,
        check,
        ..
    } = solve_once(work, &work.all, report)?;
    check.map_err(anyhow::Error::msg)?;
    let layers = into_layers(solver)?;
    report.doing("checking boards with the plain rules".to_owned());
    check_sample(work.rules, &layers, None).map_err(anyhow::Error::msg)?;
    Ok(Solved { layers, hashes })
}

fn into_layers(solver: Solver) -> Result<Vec<Layer>> {
    let layers = solver.into_layers().into_iter();
    let layers = layers.map(Layer::into_memory);
    Ok(layers.collect::<Result<_, _>>()?)
}

/// Solves all layers again on all threads, if there are several.
fn compare_threads(
    work: &Work,
    solved: Solved,
    alone: Duration,
    report: &mut Report,
) -> Result<Solved> {
    let threads = work.all.current_num_threads();
    if threads == 1 {
        return Ok(solved);
    }
    let expected = solved.hashes;
    // Two solvers would take twice the memory.
    drop(solved.layers);
    let Run {
        solver,
        hashes,
        time,
        mut check,
        ..
    } = solve(work, &work.all, report)?;
    check = check.and_then(|()| same(&expected, &hashes));
    let measure: Measure = match threads {
        2 => measure::THREADS,
        _ => measure::THREADS.without_target(),
    };
    let ratio = measure::seconds(alone) / measure::seconds(time);
    report.add(measure, ratio, check)?;
    let layers = into_layers(solver)?;
    Ok(Solved { layers, hashes })
}

/// The best of several runs on a thread pool, with the peak memory of the first.
fn solve(work: &Work, pool: &ThreadPool, report: &Report) -> Result<Run> {
    let mut best = solve_once(work, pool, report)?;
    for _ in 1..RUNS {
        let Run {
            hashes,
            peak,
            time,
            check,
            solver,
        } = best;
        // Two solvers would take twice the memory.
        drop(solver);
        best = solve_once(work, pool, report)?;
        best.check = best
            .check
            .and(check)
            .and_then(|()| same(&hashes, &best.hashes));
        best.time = best.time.min(time);
        best.peak = peak;
    }
    Ok(best)
}

/// Checks that all runs found the same values.
fn same(before: &[u64], again: &[u64]) -> Check {
    match before == again {
        true => Ok(()),
        false => Err("values differ between runs: \
             do not trust tables that this program builds on this machine"
            .to_owned()),
    }
}

/// Solves all layers on a thread pool.
fn solve_once(work: &Work, pool: &ThreadPool, report: &Report) -> Result<Run> {
    let threads = pool.current_num_threads();
    // As `krou build` does.
    let solver = match default_memory_limit() {
        Some(bytes) => Solver::within(work.rules, bytes, std::env::temp_dir()),
        None => Solver::new(work.rules),
    };
    let mut run = Run {
        solver,
        hashes: Vec::new(),
        time: Duration::ZERO,
        peak: None,
        check: Ok(()),
    };
    for seeds in 0..=work.seeds {
        report.doing(format!("solving {seeds} seeds, threads: {threads}"));
        let began = Instant::now();
        pool.install(|| run.solver.solve_next(&Silent))?;
        run.time = began.elapsed();
        run.peak = peak_memory();
        let hash = golden::hash(
            &LayerIndex::new(work.rules, seeds),
            run.solver.layer(seeds).value(),
        )?;
        run.hashes.push(hash);
        let right = golden::check(id(work.rules, seeds, Kind::Value), hash);
        run.check = run.check.and(right);
    }
    Ok(run)
}

/// Checks random boards of the last layer with the plain rules.
fn check_sample(rules: Ruleset, layers: &[Layer], distance: Option<&LayerArray<u8>>) -> Check {
    let certificate = Certificate {
        rules,
        layers,
        distance,
        most: 1,
    };
    let report = certificate.sample(SAMPLE, SAMPLE_SEED, &Silent);
    match report.failures.first() {
        None => Ok(()),
        Some(failure) => Err(format!(
            "{failure} ({rules}): do not trust tables that this program builds on this machine"
        )),
    }
}

/// Bytes that the solver holds for the layers below the last one: one for each board,
/// and two more with bounds.
fn lower_bytes(work: &Work) -> u64 {
    let planes = if work.rules.has_bounds() { 3 } else { 1 };
    let lower = (0..work.seeds).map(|seeds| LayerIndex::new(work.rules, seeds).len());
    planes * lower.sum::<u64>()
}

fn id(rules: Ruleset, seeds: u8, kind: Kind) -> TableId {
    TableId { rules, seeds, kind }
}
