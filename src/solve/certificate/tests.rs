//! Whole layers: completed from what tables store, in memory and in files.

use fastrand::Rng;

use super::{Given, LayerCheck, Report};
use crate::index::LayerIndex;
use crate::rules::{Board, Quantity, Ruleset};
use crate::solve::array::LayerArray;
use crate::solve::entry::Value;
use crate::solve::layer::{Layer, LayerBounds};
use crate::solve::memory::Memory;
use crate::solve::spill::Buffer;
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
    fn entries(&mut self, solver: &mut Solver, seeds: u8, quantity: Quantity) -> Given {
        let best = solver.best_conversions(seeds, quantity, 0).unwrap();
        let array = solver.layer(seeds).quantity(quantity).unwrap();
        let Stored {
            coverage,
            memory,
            random,
        } = self;
        let given = Given::quantities(array.index(), *coverage, memory, |start, out| {
            for (i, byte) in (start..).zip(out) {
                let value = array.get(i);
                let is_free = *coverage != Coverage::All && best.get(i) == value;
                let value = if is_free {
                    random.i8(-seeds.cast_signed()..=value.get())
                } else {
                    value.get()
                };
                *byte = value.cast_unsigned();
            }
            Ok::<_, ()>(())
        });
        given.unwrap().unwrap()
    }

    /// Distances, or anything where there is none or a winner's conversion takes one ply.
    fn distances(&mut self, solver: &mut Solver, array: &LayerArray<u8>) -> Given {
        let index = array.index();
        let best = solver.best_conversions(index.seeds(), Quantity::Value, 0);
        let (best, values) = (best.unwrap(), solver.layer(index.seeds()).value());
        let Stored {
            coverage,
            memory,
            random,
        } = self;
        let given = Given::distances(index, *coverage, memory, |start, out| {
            for (i, byte) in (start..).zip(out) {
                let value = values.get(i);
                let converts = value.get() > 0 && value == best.get(i);
                let is_free = *coverage != Coverage::All && (value.get() == 0 || converts);
                *byte = if is_free { random.u8(..) } else { array.get(i) };
            }
            Ok::<_, ()>(())
        });
        given.unwrap().unwrap()
    }
}

/// Compares an array, perhaps in a file, with one in memory.
fn assert_same(array: &LayerArray<Value>, right: &LayerArray<Value>) {
    let all = 0..right.as_slice().len();
    assert!(array.read(all, &mut Buffer::empty()).unwrap() == right.as_slice());
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
        let mut layer_check = LayerCheck::new(rules, &layers, &index, 3, &Silent, 0);
        let right = solver.distances(seeds, &Silent).unwrap();
        let mut distances = has_distances.then(|| stored.distances(&mut solver, &right));
        let mut values = stored.entries(&mut solver, seeds, Quantity::Value);
        let report = layer_check.values(&mut values, &mut distances, &mut stored.memory);
        let report = report.unwrap();
        assert_eq!(report.boards, 0, "{rules} {seeds}: {report:?}");
        for i in 0..index.len() {
            let found = distances
                .as_ref()
                .map(|found| found.entries().reader().at(i).unwrap());
            assert_eq!(found, has_distances.then(|| right.get(i)));
        }
        let both = rules.has_bounds().then(|| {
            let mut lower = stored.entries(&mut solver, seeds, Quantity::Lower);
            let mut upper = stored.entries(&mut solver, seeds, Quantity::Upper);
            let report = layer_check.bounds(&mut lower, &mut upper, &stored.memory);
            let report = report.unwrap();
            assert_eq!(report.boards, 0, "{rules} {seeds}: {report:?}");
            (lower, upper)
        });
        let value = values.into_array(&mut memory).unwrap();
        let right = solver.layer(seeds);
        assert_same(&value, right.value());
        let bounds = both.map(|(lower, upper)| {
            let lower = lower.into_array(&mut memory).unwrap();
            let upper = upper.into_array(&mut memory).unwrap();
            let right = right.bounds().unwrap();
            assert_same(&lower, &right.lower);
            assert_same(&upper, &right.upper);
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
            check(rules, 5, true, true, bytes);
        }
    }
}

/// Layers whose sections have several chunks of lines, and long captures.
#[test]
fn larger_layers_are_completed() {
    check(Ruleset::AWARI, 9, false, true, 1 << 16);
    check(Ruleset::ABAPA, 7, true, true, 0);
    check(Ruleset::PRATT, 8, false, false, 1 << 24);
}

/// An array of a layer, read into this memory.
fn given(array: &LayerArray<Value>, memory: &mut Memory) -> Given {
    let given = Given::quantities(array.index(), Coverage::All, memory, |start, out| {
        let byte = |value: Value| value.get().cast_unsigned();
        array.copy_out(start, out, byte)
    });
    given.unwrap().unwrap()
}

/// One to three wrong entries: a layer is proven only if it is the solved one.
#[test]
fn layers_with_wrong_entries_are_not_proven() {
    for &(_, rules) in Ruleset::NAMED {
        let mut solver = Solver::new(rules);
        let mut random = Rng::with_seed(2);
        for seeds in 0..=5_u8 {
            solver.solve_next(&Silent).unwrap();
            let (layer, lower) = solver.layers().split_last().unwrap();
            let index = layer.index();
            let mut check = LayerCheck::new(rules, lower, index, 3, &Silent, 0);
            for number in 0..15 {
                // Some are in files, where a report takes long.
                let bytes = u64::from(seeds > 4 || number % 5 > 0) << 20;
                let mut array = layer.value().clone();
                for _ in 0..random.u32(1..4) {
                    let wrong = random.i8(-seeds.cast_signed()..=seeds.cast_signed());
                    array.set(random.u64(..index.len()), Value::new(wrong));
                }
                let is_right = array.as_slice() == layer.value().as_slice();
                let mut memory = Memory::limited(bytes, std::env::temp_dir().into());
                let mut given = given(&array, &mut memory);
                let report = check.values(&mut given, &mut None, &mut memory).unwrap();
                assert_eq!(report.boards == 0, is_right, "{rules} {seeds}");
            }
        }
    }
}

/// The numbers of a layer; one of them may be altered.
struct Numbers {
    value: LayerArray<Value>,
    bounds: Option<[LayerArray<Value>; 2]>,
    distance: Option<LayerArray<u8>>,
}

impl Numbers {
    /// Those of the highest layer that is solved, in memory.
    fn of(solver: &mut Solver, has_distances: bool) -> Numbers {
        let seeds = solver.next_seeds() - 1;
        let distance = has_distances.then(|| solver.distances(seeds, &Silent).unwrap());
        let layer = solver.layer(seeds);
        let both = |bounds: &LayerBounds| [bounds.lower.clone(), bounds.upper.clone()];
        Numbers {
            value: layer.value().clone(),
            bounds: layer.bounds().map(both),
            distance,
        }
    }

    /// Checks them against these layers, in memory up to `bytes`.
    fn check(&self, rules: Ruleset, lower: &[Layer], bytes: Option<u64>) -> Report {
        let index = self.value.index();
        let memory = bytes.map(|bytes| Memory::limited(bytes, std::env::temp_dir().into()));
        let memory = memory.unwrap_or_else(Memory::unlimited);
        let mut of_values = memory.clone();
        let mut values = given(&self.value, &mut of_values);
        let mut distances = self.distance.as_ref().map(|distance| {
            let fill = |start, out: &mut [u8]| distance.copy_out(start, out, |plies| plies);
            let read = Given::distances(index, Coverage::All, &mut of_values, fill);
            read.unwrap().unwrap()
        });
        let mut check = LayerCheck::new(rules, lower, index, 3, &Silent, 0);
        let report = check.values(&mut values, &mut distances, &mut of_values);
        let report = report.unwrap();
        let Some(bounds) = self.bounds.as_ref().filter(|_| report.boards == 0) else {
            return report;
        };
        let mut of_bounds = memory;
        let [mut lower, mut upper] = bounds.each_ref().map(|array| given(array, &mut of_bounds));
        check.bounds(&mut lower, &mut upper, &of_bounds).unwrap()
    }

    /// Alters a quantity, if there is such a one.
    fn alter(&mut self, quantity: Quantity, random: &mut Rng) -> bool {
        let array = match (quantity, &mut self.bounds) {
            (Quantity::Value, _) => &mut self.value,
            (Quantity::Lower, Some([lower, _])) => lower,
            (Quantity::Upper, Some([_, upper])) => upper,
            _ => return false,
        };
        let board = random.u64(..array.index().len());
        let right = array.get(board).get();
        let wrong = if right > 0 { right - 1 } else { right + 1 };
        array.set(board, Value::new(wrong));
        true
    }
}

/// With room for 0 to 3 bytes a board, and with the layers below in files, true numbers are proven
/// and altered ones fail as in memory.
#[test]
fn memory_changes_no_report() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Rng::with_seed(3);
    for (rules, seeds) in [
        (Ruleset::AWARI, 4_u8),
        (Ruleset::ABAPA, 3),
        (Ruleset::KALAH, 3),
    ] {
        let mut in_memory = Solver::new(rules);
        let mut in_files = Solver::within(rules, 0, folder.path());
        for _ in 0..=seeds {
            in_memory.solve_next(&Silent).unwrap();
            in_files.solve_next(&Silent).unwrap();
        }
        let all = [false, true].map(|has_distances| Numbers::of(&mut in_memory, has_distances));
        let below = ..usize::from(seeds);
        for mut numbers in all {
            let check = |numbers: &Numbers| {
                let right = numbers.check(rules, &in_memory.layers()[below], None);
                for bytes in 0..=3 {
                    let memory = Some(bytes * numbers.value.index().len());
                    let found = numbers.check(rules, &in_files.layers()[below], memory);
                    assert_eq!(found, right, "{rules}, {bytes} bytes");
                }
                right.boards
            };
            assert_eq!(check(&numbers), 0);
            if let Some(distance) = &mut numbers.distance {
                let board = random.u64(..distance.index().len());
                let right = distance.get(board);
                distance.set(board, right + 1);
                assert!(check(&numbers) > 0);
                numbers.distance.as_mut().unwrap().set(board, right);
            }
            let quantities = [Quantity::Lower, Quantity::Upper, Quantity::Value];
            for quantity in quantities {
                if numbers.alter(quantity, &mut random) {
                    assert!(check(&numbers) > 0, "{rules}, {quantity:?}");
                }
            }
        }
    }
}
