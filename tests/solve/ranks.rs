//! Several ranks write the tables that one writes, byte for byte: every family of rules, any
//! number of ranks and threads, also from the checkpoints of another number of ranks.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use krou::index::LayerIndex;
use krou::internal::solve::ThreadRanks;
use krou::rules::Ruleset;
use krou::solve::{Observer, Phase, Silent};
use krou::solve::{Ranks, memory_needed};
use krou::table::Kind;
use krou::tablebase::build_on;
use krou::tablebase::{BuildOptions, build};
use rayon::ThreadPoolBuilder;

/// The files of a folder.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder).unwrap().map(|file| {
        let file = file.unwrap();
        let name = file.file_name().into_string().unwrap();
        (name, fs::read(file.path()).unwrap())
    });
    files.collect()
}

/// Builds with several ranks of some threads each. The first rank has the observer. Whether
/// all have finished.
fn build_together(
    (ranks, threads): (usize, usize),
    rules: Ruleset,
    folder: &Path,
    options: &BuildOptions,
    observer: &(dyn Observer + Send),
) -> bool {
    std::thread::scope(|scope| {
        let ranks = ThreadRanks::new(ranks).into_iter().map(|rank| {
            scope.spawn(move || {
                let observer = match rank.rank() {
                    0 => observer,
                    _ => &Silent,
                };
                let pool = ThreadPoolBuilder::new().num_threads(threads).build();
                let rank: Arc<dyn Ranks> = Arc::new(rank);
                let build = || build_on(&rank, rules, folder, options, observer);
                pool.unwrap().install(build).unwrap();
            })
        });
        let ranks: Vec<_> = ranks.collect();
        let finished: Vec<_> = ranks.into_iter().map(|rank| rank.join().is_ok()).collect();
        finished.into_iter().all(|is_finished| is_finished)
    })
}

/// The tables of one process.
fn alone(rules: Ruleset, options: &BuildOptions) -> BTreeMap<String, Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    build(rules, folder.path(), options, &Silent).unwrap();
    files(folder.path())
}

fn check(rules: Ruleset, options: &BuildOptions, ranks: &[(usize, usize)]) {
    let expected = alone(rules, options);
    for &ranks in ranks {
        let folder = tempfile::tempdir().unwrap();
        assert!(build_together(
            ranks,
            rules,
            folder.path(),
            options,
            &Silent
        ));
        assert!(files(folder.path()) == expected, "{rules}, {ranks:?}");
    }
}

#[test]
fn tables_equal_those_of_one_process() {
    for &(name, rules) in Ruleset::NAMED {
        let (seeds, ranks): (u8, &[(usize, usize)]) = match name {
            "awari" => (9, &[(1, 2), (2, 1), (2, 2), (3, 1), (4, 2)]),
            _ => (6, &[(2, 2), (3, 1)]),
        };
        let options = BuildOptions {
            distance: true,
            ..BuildOptions::new(seeds)
        };
        check(rules, &options, ranks);
    }
}

/// Finished layers may be in files, but not the layer that several ranks solve.
#[test]
fn ranks_with_little_memory_write_the_same_tables_or_none() {
    for (rules, seeds) in [
        (Ruleset::AWARI, 9),
        (Ruleset::ABAPA, 6),
        (Ruleset::KALAH, 5),
    ] {
        let least = memory_needed(rules, seeds, Kind::ALL);
        let with = |memory| BuildOptions {
            distance: true,
            memory: Some(memory),
            ..BuildOptions::new(seeds)
        };
        let highest = LayerIndex::new(rules, seeds).len();
        check(rules, &with(least + 8 * highest), &[(2, 1), (3, 1)]);
        std::thread::scope(|scope| {
            for rank in ThreadRanks::new(2) {
                scope.spawn(move || {
                    let rank: Arc<dyn Ranks> = Arc::new(rank);
                    let folder = tempfile::tempdir().unwrap();
                    let found = build_on(&rank, rules, folder.path(), &with(least), &Silent);
                    let error = found.unwrap_err().to_string();
                    assert!(error.contains("fit into the memory of each"), "{error}");
                });
            }
        });
    }
}

/// Ends the first rank after some sweeps; the others notice.
struct Ending {
    sweeps: AtomicU32,
}

impl Observer for Ending {
    fn swept(&self, _: u32, _: u64) {
        let left = self.sweeps.fetch_sub(1, Ordering::Relaxed);
        if left == 0 {
            std::panic::resume_unwind(Box::new("the end"));
        }
    }
}

/// Notes whether any phase has resumed.
#[derive(Default)]
struct Resumed {
    phases: AtomicU32,
}

impl Observer for Resumed {
    fn resumes(&self, _: u8, _: Phase) {
        self.phases.fetch_add(1, Ordering::Relaxed);
    }

    fn rejects_checkpoint(&self, checkpoint: &Path, reason: &str) {
        panic!("{} is sound, but {reason}", checkpoint.display());
    }
}

#[test]
fn another_number_of_ranks_resumes() {
    for (rules, seeds) in [
        (Ruleset::AWARI, 7),
        (Ruleset::AWALE, 5),
        (Ruleset::KALAH, 7),
    ] {
        let options = BuildOptions {
            distance: true,
            ..BuildOptions::new(seeds)
        };
        let saving = BuildOptions {
            checkpoint: Some(Duration::ZERO),
            ..options
        };
        let expected = alone(rules, &options);
        let mut resumed = 0;
        for (sweeps, before, after) in [(3, 2, 3), (20, 3, 1), (41, 1, 2), (60, 4, 2)] {
            let folder = tempfile::tempdir().unwrap();
            let ending = Ending {
                sweeps: sweeps.into(),
            };
            let is_finished = build_together((before, 1), rules, folder.path(), &saving, &ending);
            assert!(!is_finished, "{rules} has fewer than {sweeps} sweeps");
            let observer = Resumed::default();
            assert!(build_together(
                (after, 1),
                rules,
                folder.path(),
                &options,
                &observer
            ));
            resumed += observer.phases.into_inner();
            assert!(files(folder.path()) == expected, "{rules}, {sweeps} sweeps");
        }
        assert!(resumed > 0, "{rules}");
    }
}
