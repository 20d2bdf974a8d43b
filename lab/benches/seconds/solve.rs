//! One layer solved on one thread: conversions, sweeps and worklist together.

use criterion::{BatchSize, Criterion, Throughput};
use krou::index::LayerIndex;
use krou::rules::Ruleset;
use krou::solve::{Silent, Solver};

/// Indexed boards of `awari` that the mover wins, for 10 to 12 seeds.
const WON: [(u8, usize); 3] = [(10, 157_619), (11, 371_388), (12, 712_315)];

fn won(solver: &Solver) -> usize {
    let layer = solver.layers().last().expect("a layer");
    let values = layer.value().as_slice();
    values.iter().filter(|value| value.get() > 0).count()
}

pub fn values(criterion: &mut Criterion) {
    krou_lab::use_one_thread();
    let mut group = criterion.benchmark_group("values");
    group.sample_size(20);
    for (seeds, expected) in WON {
        let mut solver = krou_lab::solver_before(seeds);
        solver.solve_next(&Silent).expect("no memory budget");
        let found = won(&solver);
        assert_eq!(found, expected, "{seeds} seeds");

        let boards = LayerIndex::new(Ruleset::AWARI, seeds).len();
        group.throughput(Throughput::Elements(boards));
        group.bench_function(format!("{seeds} seeds"), |b| {
            b.iter_batched_ref(
                || krou_lab::solver_before(seeds),
                |solver| {
                    solver.solve_next(&Silent).expect("no memory budget");
                },
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

/// The longest distance with 10 seeds, in plies.
const LONGEST: u8 = 69;

pub fn distances(criterion: &mut Criterion) {
    krou_lab::use_one_thread();
    let mut solver = krou_lab::solver_before(11);
    let mut distances = || solver.distances(10, &Silent).expect("none is too long");
    let longest = distances().as_slice().iter().copied().max();
    assert_eq!(longest, Some(LONGEST));

    let mut group = criterion.benchmark_group("distances");
    let boards = LayerIndex::new(Ruleset::AWARI, 10).len();
    group.throughput(Throughput::Elements(boards));
    group.sample_size(20);
    group.bench_function("10 seeds", |b| b.iter(&mut distances));
    group.finish();
}
