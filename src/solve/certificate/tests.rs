//! Whole layers: completed from what tables store, in memory and in files.

use std::sync::atomic::{AtomicU8, Ordering};

use fastrand::Rng;

use super::{Given, LayerCheck, Marked};
use crate::index::LayerIndex;
use crate::rules::{Board, Quantity, Ruleset};
use crate::solve::array::LayerArray;
use crate::solve::entry::Value;
use crate::solve::layer::{Layer, LayerBounds};
use crate::solve::memory::Memory;
use crate::solve::{Coverage, Silent, Solver};

/// Random boards of a layer, the same ones in every run.
pub(super) fn random_boards(rules: Ruleset, seeds: u8, count: usize) -> Vec<Board> {
    let index = LayerIndex::new(rules, seeds);
    let mut random = Rng::with_seed(u64::from(seeds));
    let board = |_| index.board(random.u64(..index.len()));
    (0..count).map(board).collect()
}

/// A layer as a table may store it, read into this memory.
struct Stored {
    coverage: Coverage,
    memory: Memory,
    random: Rng,
}

impl Stored {
    /// Entries, or anything lower where the best conversion is worth as much.
    fn entries(&mut self, solver: &mut Solver, seeds: u8, quantity: Quantity) -> Given<Marked> {
        let best = solver.best_conversions(seeds, quantity, 0).unwrap();
        let array = solver.layer(seeds).quantity(quantity).unwrap();
        let index = array.index();
        let mut given = Given::new(index, self.coverage, &mut self.memory).unwrap();
        let read = given.read(|start, out| {
            for (i, byte) in (start..).zip(out) {
                let value = array.get(i);
                let is_free = self.coverage != Coverage::All && best.get(i) == value;
                let value = if is_free {
                    self.random.i8(-seeds.cast_signed()..=value.get())
                } else {
                    value.get()
                };
                *byte = value.cast_unsigned();
            }
            Ok::<_, ()>(())
        });
        read.unwrap();
        given
    }

    /// Distances, or anything where there is none or a winner's conversion takes one ply.
    fn distances(&mut self, solver: &mut Solver, array: &LayerArray<u8>) -> Given<AtomicU8> {
        let index = array.index();
        let best = solver.best_conversions(index.seeds(), Quantity::Value, 0);
        let (best, values) = (best.unwrap(), solver.layer(index.seeds()).value());
        let mut given = Given::new(index, self.coverage, &mut self.memory).unwrap();
        let read = given.read(|start, out| {
            for (i, byte) in (start..).zip(out) {
                let value = values.get(i);
                let converts = value.get() > 0 && value == best.get(i);
                let is_free = self.coverage != Coverage::All && (value.get() == 0 || converts);
                *byte = if is_free {
                    self.random.u8(..)
                } else {
                    array.get(i)
                };
            }
            Ok::<_, ()>(())
        });
        read.unwrap();
        given
    }
}

/// Checks the layers of a ruleset against those that were checked before, each in memory up to
/// `bytes`, and compares them with the solved ones.
fn check(rules: Ruleset, highest: u8, has_distances: bool, stored_half: bool, bytes: u64) {
    let folder = tempfile::tempdir().unwrap();
    let mut memory = Memory::limited(bytes, folder.path().into());
    let mut layers: Vec<Layer> = Vec::new();
    let mut solver = Solver::new(rules);
    for seeds in 0..=highest {
        solver.solve_next(&Silent).unwrap();
        let sections = if stored_half {
            seeds / 2 + 1
        } else {
            seeds + 1
        };
        let mut stored = Stored {
            coverage: Coverage::LowerBounds { sections },
            memory: Memory::limited(bytes, folder.path().into()),
            random: Rng::with_seed(1),
        };
        if !stored_half && seeds % 2 == 0 {
            stored.coverage = Coverage::All;
        }
        let index = LayerIndex::new(rules, seeds);
        let mut layer_check = LayerCheck::new(rules, &layers, &index, 3, &Silent);
        let right = solver.distances(seeds, &Silent).unwrap();
        let mut distances = has_distances.then(|| stored.distances(&mut solver, &right));
        let values = stored.entries(&mut solver, seeds, Quantity::Value);
        let report = layer_check.values(&values, &mut distances, &mut stored.memory);
        let report = report.unwrap();
        assert_eq!(report.boards, 0, "{rules} {seeds}: {report:?}");
        for i in 0..index.len() {
            let found = distances
                .as_ref()
                .map(|found| found.at(i).load(Ordering::Relaxed));
            assert_eq!(found, has_distances.then(|| right.get(i)));
        }
        let both = rules.has_bounds().then(|| {
            let lower = stored.entries(&mut solver, seeds, Quantity::Lower);
            let upper = stored.entries(&mut solver, seeds, Quantity::Upper);
            let report = layer_check.bounds(&lower, &upper).unwrap();
            assert_eq!(report.boards, 0, "{rules} {seeds}: {report:?}");
            (lower, upper)
        });
        let value = values.into_array(&mut memory).unwrap();
        let right = solver.layer(seeds);
        assert_eq!(value.as_slice(), right.value().as_slice());
        let bounds = both.map(|(lower, upper)| {
            let lower = lower.into_array(&mut memory).unwrap();
            let upper = upper.into_array(&mut memory).unwrap();
            let right = right.bounds().unwrap();
            assert_eq!(lower.as_slice(), right.lower.as_slice());
            assert_eq!(upper.as_slice(), right.upper.as_slice());
            LayerBounds { lower, upper }
        });
        layers.push(Layer::new(value, bounds));
    }
    let in_memory = layers.iter().map(|layer| layer.value().bytes_in_memory());
    assert!(in_memory.sum::<u64>() <= bytes);
}

#[test]
fn layers_are_completed_as_they_were_solved() {
    for &(_, rules) in Ruleset::NAMED {
        for has_distances in [false, true] {
            check(rules, 6, has_distances, true, 1 << 20);
            check(rules, 5, has_distances, false, 1 << 20);
        }
    }
}

#[test]
fn layers_can_be_in_files() {
    for rules in [
        Ruleset::AWARI,
        Ruleset::ABAPA,
        Ruleset::PRATT,
        Ruleset::KALAH,
    ] {
        for bytes in [0, 2000] {
            check(rules, 7, true, true, bytes);
        }
    }
}

/// Layers whose sections have several chunks of lines, and long captures.
#[test]
fn larger_layers_are_completed() {
    check(Ruleset::AWARI, 11, false, true, 1 << 16);
    check(Ruleset::ABAPA, 9, true, true, 0);
    check(Ruleset::PRATT, 10, false, false, 1 << 24);
}

/// One to three wrong entries: a layer is proven only if it is the solved one.
#[test]
fn layers_with_wrong_entries_are_not_proven() {
    for &(_, rules) in Ruleset::NAMED {
        let mut solver = Solver::new(rules);
        let mut random = Rng::with_seed(2);
        for seeds in 0..=6_u8 {
            solver.solve_next(&Silent).unwrap();
            let (layer, lower) = solver.layers().split_last().unwrap();
            let index = layer.index();
            let mut check = LayerCheck::new(rules, lower, index, 3, &Silent);
            // Every second layer is in files.
            let bytes = u64::from(seeds % 2) << 20;
            for _ in 0..15 {
                let mut array = layer.value().clone();
                for _ in 0..random.u32(1..4) {
                    let wrong = random.i8(-seeds.cast_signed()..=seeds.cast_signed());
                    array.set(random.u64(..index.len()), Value::new(wrong));
                }
                let is_right = array.as_slice() == layer.value().as_slice();
                let mut memory = Memory::limited(bytes, std::env::temp_dir().into());
                let mut given = Given::new(index, Coverage::All, &mut memory).unwrap();
                let read = given.read(|start, out| {
                    for (i, byte) in (start..).zip(out) {
                        *byte = array.get(i).get().cast_unsigned();
                    }
                    Ok::<_, ()>(())
                });
                read.unwrap();
                let report = check.values(&given, &mut None, &mut memory).unwrap();
                assert_eq!(report.boards == 0, is_right, "{rules} {seeds}");
            }
        }
    }
}
