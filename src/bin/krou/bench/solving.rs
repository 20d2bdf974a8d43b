//! Solving: values on one thread and on all, distances, and memory.

use std::time::{Duration, Instant};

use anyhow::Result;
use krou::rules::Ruleset;
use krou::solve::certificate::Certificate;
use krou::solve::{Layer, Plane, Silent, Solver};
use krou::table::{Kind, TableId};
use rayon::ThreadPool;

use super::measure::{self, Measure};
use super::report::Report;
use super::{Check, RUNS, Work, golden};
use crate::system::peak_memory;

/// Random boards of each layer that are checked with the plain rules.
const SAMPLE: u64 = 1000;
/// The same boards at every run.
const SAMPLE_SEED: u64 = 1;

/// All layers, and the hash of the values of each.
pub struct Solved {
    solver: Solver,
    pub hashes: Vec<u64>,
}

impl Solved {
    /// The layers from 0 seeds on.
    pub fn layers(&self) -> &[Layer] {
        self.solver.layers()
    }

    /// The highest one.
    pub fn last(&self) -> &Layer {
        self.layers().last().expect("at least that of 0 seeds")
    }
}

/// What came of solving all layers.
struct Run {
    solved: Solved,
    /// What the last layer took.
    time: Duration,
    /// The most memory the process ever held when the last layer was done.
    peak: Option<u64>,
    check: Check,
}

/// Solves everything, on one thread and on all.
pub fn measure(work: &Work, report: &mut Report) -> Result<Solved> {
    let Run {
        mut solved,
        time: alone,
        peak,
        check,
    } = solve(work, &work.one, report);
    let boards = solved.last().value.index().len();
    report.add(
        measure::VALUES,
        measure::speed(boards, alone),
        check.clone(),
    )?;
    if let Some(peak) = peak {
        let beyond = peak.saturating_sub(lower_bytes(&solved));
        report.add(measure::PEAK, measure::ratio(peak, 1 << 20), check.clone())?;
        report.add(measure::PEAK_A_BOARD, measure::ratio(beyond, boards), check)?;
    }
    measure_distances(work, &mut solved, alone, report)?;

    let threads = work.all.current_num_threads();
    if threads == 1 {
        return Ok(solved);
    }
    let expected = std::mem::take(&mut solved.hashes);
    drop(solved);
    let Run {
        solved,
        time,
        check,
        ..
    } = solve(work, &work.all, report);
    let check = check.and_then(|()| same(&expected, &solved.hashes));
    let measure: Measure = match threads {
        2 => measure::THREADS,
        _ => measure::THREADS.without_target(),
    };
    let ratio = measure::seconds(alone) / measure::seconds(time);
    report.add(measure, ratio, check)?;
    Ok(solved)
}

/// The best of some runs on the threads of a pool, with the memory of the first.
fn solve(work: &Work, pool: &ThreadPool, report: &Report) -> Run {
    let mut best = solve_once(work, pool, report);
    for _ in 1..RUNS {
        let Solved { solver, hashes } = best.solved;
        // Two solvers would need twice the memory.
        drop(solver);
        let again = solve_once(work, pool, report);
        let right = again
            .check
            .and_then(|()| same(&hashes, &again.solved.hashes));
        best.check = best.check.and(right);
        best.time = best.time.min(again.time);
        best.solved = again.solved;
    }
    best
}

/// Checks that all values were found again, whatever the number of threads.
fn same(before: &[u64], again: &[u64]) -> Check {
    match before == again {
        true => Ok(()),
        false => Err("values are not the same at every run: \
             do not trust tables that this program builds here"
            .to_owned()),
    }
}

/// Solves all layers on the threads of a pool.
fn solve_once(work: &Work, pool: &ThreadPool, report: &Report) -> Run {
    let threads = pool.current_num_threads();
    let mut solver = Solver::new(work.rules);
    let mut hashes = Vec::new();
    let mut time = Duration::ZERO;
    let mut peak = None;
    let mut check = Ok(());
    for seeds in 0..=work.seeds {
        report.doing(format!("solving {seeds} seeds, threads: {threads}"));
        pool.install(|| {
            let began = Instant::now();
            solver.solve_next(&Silent);
            time = began.elapsed();
            peak = peak_memory();
            let value = &solver.layers()[usize::from(seeds)].value;
            let hash = golden::hash(value.index(), value);
            hashes.push(hash);
            let right = || golden::check(id(work.rules, seeds, Kind::Value), hash);
            let sound = || check_sample(work.rules, solver.layers(), None);
            check = check.clone().and_then(|()| right()).and_then(|()| sound());
        });
    }
    Run {
        solved: Solved { solver, hashes },
        time,
        peak,
        check,
    }
}

/// Distances of the last layer on one thread, after its values.
fn measure_distances(
    work: &Work,
    solved: &mut Solved,
    values: Duration,
    report: &mut Report,
) -> Result<()> {
    report.doing(format!("distances of {} seeds, threads: 1", work.seeds));
    let mut best = Duration::MAX;
    let mut check = Ok(());
    for _ in 0..RUNS {
        let began = Instant::now();
        let solver = &mut solved.solver;
        let distances = work.one.install(|| solver.distances(work.seeds, &Silent));
        best = best.min(began.elapsed());
        let Ok(distances) = distances else {
            // Some are too long to be kept in a table: no figure.
            return Ok(());
        };
        let hash = golden::hash(distances.index(), &distances);
        let right = || golden::check(id(work.rules, work.seeds, Kind::Distance), hash);
        let sound = || check_sample(work.rules, solved.layers(), Some(&distances));
        check = check.and_then(|()| right()).and_then(|()| sound());
    }
    let boards = solved.last().value.index().len();
    let speed = measure::speed(boards, values + best);
    report.add(measure::DISTANCES, speed, check)
}

/// Checks random boards of the last layer with the plain rules.
fn check_sample(rules: Ruleset, layers: &[Layer], distance: Option<&Plane<u8>>) -> Check {
    let certificate = Certificate {
        rules,
        layers,
        distance,
        most: 1,
    };
    let failures = certificate.sample(SAMPLE, SAMPLE_SEED, &Silent);
    match failures.first() {
        None => Ok(()),
        Some(failure) => Err(format!(
            "{failure} ({rules}): do not trust tables that this program builds here"
        )),
    }
}

/// What the solver holds of the layers below the last one: a byte for each board,
/// and two more where there are bounds.
fn lower_bytes(solved: &Solved) -> u64 {
    let lower = &solved.layers()[..solved.layers().len() - 1];
    let bytes = lower.iter().map(|layer| match layer.bounds {
        None => layer.value.index().len(),
        Some(_) => 3 * layer.value.index().len(),
    });
    bytes.sum()
}

fn id(rules: Ruleset, seeds: u8, kind: Kind) -> TableId {
    TableId { rules, seeds, kind }
}
