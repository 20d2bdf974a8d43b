//! Propagation with little memory for the worklist, and of some sections alone.

use std::sync::Mutex;

use super::*;
use crate::index::LayerIndex;
use crate::rules::{Quantity, Ruleset};
use crate::solve::conversions::no_terminals;
use crate::solve::distances::set_unknown;
use crate::solve::entry::DistanceKey;
use crate::solve::observer::Silent;
use crate::solve::ranks::Alone;
use crate::solve::solver::Solver;
use crate::solve::spill::{Buffer, Writes};

/// Follows how many sweeps and rounds there are.
#[derive(Default)]
struct Counter {
    sweeps: Mutex<Vec<u64>>,
    rounds: Mutex<Vec<u64>>,
}

impl Observer for Counter {
    fn swept(&self, _: u32, changes: u64) {
        self.sweeps.lock().unwrap().push(changes);
    }

    fn worklist_round(&self, _: u32, changes: u64) {
        self.rounds.lock().unwrap().push(changes);
    }
}

/// A layer's inputs to propagation, and its right values.
struct Layer {
    moves: CompiledMoves,
    index: LayerIndex,
    best: LayerArray<Value>,
    values: Vec<Value>,
}

/// A solver with all layers up to `seeds` seeds.
fn solved(rules: Ruleset, seeds: u8) -> Solver {
    let mut solver = Solver::new(rules);
    for _ in 0..=seeds {
        solver.solve_next(&Silent).unwrap();
    }
    solver
}

fn layer(rules: Ruleset, seeds: u8) -> Layer {
    let mut solver = solved(rules, seeds);
    let best = solver.best_conversions(seeds, Quantity::Value, 0).unwrap();
    let mut moves = CompiledMoves::new(rules);
    moves.extend_to(seeds);
    Layer {
        moves,
        index: LayerIndex::new(rules, seeds),
        best,
        values: solver.layer(seeds).value().as_slice().to_vec(),
    }
}

/// The best conversions for the lower and the upper bounds of a layer of `abapa`.
fn best_of_bounds(seeds: u8) -> [LayerArray<Value>; 2] {
    let mut solver = solved(Ruleset::ABAPA, seeds);
    let quantities = [Quantity::Lower, Quantity::Upper];
    quantities.map(|quantity| solver.best_conversions(seeds, quantity, 0).unwrap())
}

fn propagator<'a>(
    layer: &'a Layer,
    observer: &'a dyn Observer,
    worklist_capacity: u64,
) -> Propagator<'a> {
    let (moves, index, memory) = (&layer.moves, &layer.index, Memory::unlimited());
    let few_changes = worklist_capacity.min(index.len() / BOARDS_PER_CHANGE);
    Propagator {
        worklist_capacity,
        few_changes,
        ..Propagator::new(moves, index, &Alone, observer, &memory)
    }
}

fn assert_converges(layer: &Layer, propagator: &Propagator<'_>) {
    let mut array = [LayerArray::new(&layer.index, Value::new(0))];
    let terminals = no_terminals(layer.index.seeds());
    propagator
        .converge(&mut array, [&layer.best], &terminals, &mut None)
        .unwrap();
    assert!(array[0].as_slice() == layer.values);
}

fn converge(layer: &Layer, worklist_capacity: u64) -> Counter {
    let counter = Counter::default();
    let propagator = propagator(layer, &counter, worklist_capacity);
    assert_converges(layer, &propagator);
    counter
}

/// Whatever the worklist may hold, the values are the same: with room for all changes
/// there are rounds, with none there are only sweeps.
#[test]
fn the_capacity_of_the_worklist_changes_no_value() {
    let layer = layer(Ruleset::AWARI, 10);
    let unlimited = converge(&layer, u64::MAX);
    let rounds = |counter: &Counter| counter.rounds.lock().unwrap().clone();
    let most = rounds(&unlimited).into_iter().max().unwrap();
    assert!(most > 100);
    assert!(rounds(&converge(&layer, 0)).is_empty());
    for capacity in [1, 10, 100, most / 2, most - 1, most] {
        converge(&layer, capacity);
    }
}

/// Recording begins although most boards change: lists are dropped, and sweeps go on until the
/// changes fit.
#[test]
fn a_recorded_sweep_with_too_many_changes_is_followed_by_another() {
    let layer = layer(Ruleset::AWARI, 9);
    let counter = Counter::default();
    let mut propagator = propagator(&layer, &counter, 50);
    propagator.few_changes = u64::MAX;
    assert_converges(&layer, &propagator);
    let sweeps = counter.sweeps.into_inner().unwrap();
    assert!(sweeps.len() > 3, "{sweeps:?}");
}

/// A worklist that outgrows its capacity is dropped at the end of a round, in a state
/// from which sweeps lead to the right values.
#[test]
fn a_worklist_that_outgrows_its_capacity_is_dropped() {
    let layer = layer(Ruleset::AWARI, 9);
    let terminals = no_terminals(9);
    // The states before each sweep.
    let mut states: Vec<LayerArray<Value>> = Vec::new();
    let mut start = [LayerArray::new(&layer.index, Value::new(0))];
    let mut state = SweepState::new(&layer.index);
    for _ in 0..5 {
        states.push(start[0].clone());
        propagator(&layer, &Silent, 0)
            .sweep(&mut start, &[&layer.best], &terminals, &mut state)
            .unwrap();
    }
    let (before, mut arrays) = (&states[2], [states[3].clone()]);
    let mut changes = Vec::new();
    for (board, index) in layer.index.boards().zip(0..) {
        if before.get(index) != arrays[0].get(index) {
            let at = layer.index.locate(&board).unwrap();
            changes.push(Change {
                section: at.section,
                line: at.line,
                rank: at.rank,
                before: before.get(index),
                after: arrays[0].get(index),
            });
        }
    }
    assert!(changes.len() > 1000);
    let limited = propagator(&layer, &Silent, 10);
    let best = [&layer.best];
    let is_finished = limited
        .run_worklist(&mut arrays, [vec![changes]], best, &mut 0, &mut None)
        .unwrap();
    assert!(!is_finished);
    limited
        .converge(&mut arrays, best, &terminals, &mut None)
        .unwrap();
    assert!(arrays[0].as_slice() == layer.values);
}

/// A board that two batches of a round change is on the list twice. What it was in between
/// counts for nobody.
#[test]
fn batches_of_a_worklist_change_no_entry() {
    let layer = layer(Ruleset::ABAPA, 9);
    let (best, start) = (best_of_bounds(9), [Value::new(-9), Value::new(9)]);
    let converge = |batch| {
        let mut arrays = start.map(|entry| LayerArray::new(&layer.index, entry));
        let propagator = Propagator {
            few_changes: u64::MAX,
            batch,
            ..propagator(&layer, &Silent, u64::MAX)
        };
        let terminals = no_terminals(9);
        propagator
            .converge(&mut arrays, best.each_ref(), &terminals, &mut None)
            .unwrap();
        arrays
    };
    let right = converge(usize::MAX);
    for batch in [10, 100, 1000, 10_000] {
        for (array, right) in converge(batch).iter().zip(&right) {
            assert!(array.as_slice() == right.as_slice(), "{batch}");
        }
    }
}

#[test]
fn the_last_sweep_or_round_changes_nothing() {
    for seeds in [0, 3, 8] {
        let counter = converge(&layer(Ruleset::AWARI, seeds), u64::MAX);
        let rounds = counter.rounds.lock().unwrap();
        let sweeps = counter.sweeps.lock().unwrap();
        let last = rounds.last().or(sweeps.last());
        assert_eq!(last, Some(&0), "{seeds} seeds");
    }
}

/// The upper half of the sections follows from the lower half by one sweep.
#[test]
fn sections_are_completed_from_those_that_they_read() {
    for rules in [Ruleset::AWARI, Ruleset::ABAPA, Ruleset::IFMG] {
        let layer = layer(rules, 8);
        let given = layer.index.section_start(5) as usize;
        let mut array = [LayerArray::new(&layer.index, Value::new(0))];
        array[0].as_mut_slice()[..given].copy_from_slice(&layer.values[..given]);
        let propagator = propagator(&layer, &Silent, 0);
        propagator
            .compute_once(&mut array, [&layer.best], &no_terminals(8), 5..=8)
            .unwrap();
        assert!(array[0].as_slice() == layer.values, "{rules}");
    }
}

/// Propagates arrays from some start in memory and, with room for more or less of them, beyond
/// memory. All have the same entries at the end. Returns them, and how many rounds there were
/// with the most room.
fn pieces_converge<E: Entry + std::fmt::Debug, const N: usize>(
    layer: &Layer,
    best: [&LayerArray<Value>; N],
    terminals: &Terminals<E>,
    start: [E; N],
    prepare: impl Fn(&mut LayerArray<E>),
) -> ([LayerArray<E>; N], usize) {
    let folder = tempfile::tempdir().unwrap();
    let mut right = start.map(|entry| LayerArray::new(&layer.index, entry));
    right.iter_mut().for_each(&prepare);
    propagator(layer, &Silent, u64::MAX)
        .converge(&mut right, best, terminals, &mut None)
        .unwrap();
    let best = best.map(|best| {
        let mut best = best.clone();
        best.spill(folder.path()).unwrap();
        best
    });
    let mut rounds = 0;
    for share in [0, 3, 6, 9, 30, 300] {
        let spilled = LayerArray::spilled(&layer.index, start, folder.path(), Writes::Often);
        let mut arrays = spilled.unwrap().unwrap();
        arrays.iter_mut().for_each(&prepare);
        let counter = Counter::default();
        let propagator = Propagator {
            few_changes: u64::MAX,
            pool_bytes: layer.index.len() * share / 10,
            ..propagator(layer, &counter, u64::MAX)
        };
        propagator
            .converge(&mut arrays, best.each_ref(), terminals, &mut None)
            .unwrap();
        let mut buffer = Buffer::empty();
        for (array, right) in arrays.iter().zip(&right) {
            let found = array.read(0..right.as_slice().len(), &mut buffer).unwrap();
            assert!(found == right.as_slice(), "{share}");
        }
        rounds = counter.rounds.into_inner().unwrap().len();
    }
    (right, rounds)
}

/// Beyond memory, too: whatever part of the arrays is in memory at a time.
#[test]
fn pieces_of_arrays_converge_to_the_same_values() {
    for rules in [Ruleset::AWARI, Ruleset::KALAH] {
        let layer = layer(rules, 9);
        let (start, terminals) = ([Value::new(0)], no_terminals(9));
        let (values, rounds) = pieces_converge(&layer, [&layer.best], &terminals, start, |_| ());
        assert!(values[0].as_slice() == layer.values, "{rules}");
        assert!(rounds > 0, "{rules}");
    }
}

#[test]
fn pieces_of_arrays_converge_to_the_same_bounds() {
    let layer = layer(Ruleset::ABAPA, 9);
    let (best, start) = (best_of_bounds(9), [Value::new(-9), Value::new(9)]);
    let terminals = no_terminals(9);
    let (_, rounds) = pieces_converge(&layer, best.each_ref(), &terminals, start, |_| ());
    assert!(rounds > 5);
}

#[test]
fn pieces_of_arrays_converge_to_the_same_distances() {
    let layer = layer(Ruleset::AWARI, 9);
    let mut solver = solved(Ruleset::AWARI, 9);
    let mut conversions = solver.take_kept(9, Quantity::Value).unwrap();
    let terminals = solver.take_terminal_keys(&mut conversions).unwrap();
    let values = solver.layer(9).value();
    let prepare = |keys: &mut LayerArray<_>| set_unknown(keys, values).unwrap();
    let start = [DistanceKey::NONE];
    let (_, rounds) = pieces_converge(&layer, [&conversions.best], &terminals, start, prepare);
    assert!(rounds > 5);
}
