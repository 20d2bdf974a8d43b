//! Propagation with little memory for the worklist, and of some sections alone.

use std::sync::Mutex;

use super::*;
use crate::rules::Ruleset;
use crate::solve::conversions::no_terminals;
use crate::solve::observer::{Phase, Silent};
use crate::solve::solver::Solver;

/// Follows how many sweeps and rounds there are.
#[derive(Default)]
struct Counter {
    sweeps: Mutex<Vec<u64>>,
    rounds: Mutex<Vec<u64>>,
}

impl Observer for Counter {
    fn begins(&self, _: u8, _: Phase, _: u64) {}

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

fn layer(rules: Ruleset, seeds: u8) -> Layer {
    let mut solver = Solver::new(rules);
    for _ in 0..=seeds {
        solver.solve_next(&Silent).unwrap();
    }
    let quantity = crate::solve::Quantity::Value;
    let best = solver.best_conversions(seeds, quantity, 0).unwrap();
    let mut moves = CompiledMoves::new(rules);
    moves.extend_to(seeds);
    Layer {
        moves,
        index: LayerIndex::new(rules, seeds),
        best,
        values: solver.layer(seeds).value().to_vec().unwrap(),
    }
}

fn converge(layer: &Layer, worklist_capacity: u64) -> Counter {
    let counter = Counter::default();
    let propagator = Propagator {
        moves: &layer.moves,
        index: &layer.index,
        observer: &counter,
        worklist_capacity,
    };
    let start = [LayerArray::new(&layer.index, Value::new(0))];
    let terminals = no_terminals(layer.index.seeds());
    let [found] = propagator
        .converge(start, [&layer.best], &terminals, &mut |_| Ok(()))
        .unwrap();
    assert!(found.to_vec().unwrap() == layer.values);
    counter
}

/// Whatever the worklist may hold, the values are the same. With room for all changes
/// there are rounds; with none there are only sweeps; in between the worklist is
/// dropped and sweeps go on.
#[test]
fn a_worklist_that_outgrows_its_capacity_is_dropped() {
    let layer = layer(Ruleset::AWARI, 10);
    let unlimited = converge(&layer, u64::MAX);
    let most = *unlimited.rounds.lock().unwrap().iter().max().unwrap();
    assert!(most > 100);
    assert!(converge(&layer, 0).rounds.lock().unwrap().is_empty());

    let sweeps = |counter: &Counter| counter.sweeps.lock().unwrap().len();
    let mut dropped = 0;
    for capacity in [1, 10, 100, most / 2, most - 1, most] {
        let counter = converge(&layer, capacity);
        dropped += usize::from(counter.rounds.lock().unwrap().iter().any(|&n| n > capacity));
        assert!(sweeps(&counter) >= sweeps(&unlimited));
    }
    assert!(dropped > 0, "no round outgrew its capacity");
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
        let index = &layer.index;
        let given = index.section_start(5);
        let mut array = LayerArray::new(index, Value::new(0));
        for i in 0..given {
            array.set(i, layer.values[i as usize]).unwrap();
        }
        let propagator = Propagator {
            moves: &layer.moves,
            index,
            observer: &Silent,
            worklist_capacity: 0,
        };
        let terminals = no_terminals(8);
        let whole = propagator
            .compute_once(array, None, &layer.best, &terminals, 5..=8)
            .unwrap();
        assert!(whole.to_vec().unwrap() == layer.values, "{rules}");
    }
}
