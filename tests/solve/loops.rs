//! The certificate where endless play counts by row: every layer as it was solved passes, and
//! no other solution of its equations does.

use fastrand::Rng;
use krou::internal::solve::certificate::{Aspect, Flaw};
use krou::rules::Quantity;
use krou::rules::{Board, Endless, Next, Ruleset};
use krou::solve::Silent;
use krou::solve::{Layer, LayerArray, Solver, Value};

use crate::certificate::check;

const BOUNDS: &[Quantity] = &[Quantity::Lower, Quantity::Upper];
const VALUE: &[Quantity] = &[Quantity::Value];

/// The ordinary equations of a layer: each entry is the best of its board's moves.
struct Equations {
    /// Of each quantity and board what needs no entry of the layer: the end of the game or the
    /// best conversion.
    known: Vec<Vec<i8>>,
    /// Of each board where quiet moves lead.
    quiet: Vec<Vec<usize>>,
}

impl Equations {
    /// The equations of quantities, each computed from the next one, of the last layer.
    fn new(rules: Ruleset, layers: &[Layer], quantities: &[Quantity]) -> Equations {
        let (layer, lower) = layers.split_last().unwrap();
        let index = layer.index();
        let seeds = index.seeds();
        let known = |quantity: Quantity| {
            let known = index.boards().map(|board| {
                let moves = rules.moves(&board);
                let conversions = moves.legal().filter(|step| !step.is_quiet(seeds));
                let values = conversions.map(|step| match step.next {
                    Next::Over => step.gain,
                    _ => {
                        let child = &lower[usize::from(step.board.seeds())];
                        let child = child.quantity(quantity.of_opponent()).unwrap();
                        step.value(child.of(&step.board).unwrap().get())
                    }
                });
                let best = moves.terminal_value().or_else(|| values.max());
                best.unwrap_or(i8::MIN)
            });
            known.collect()
        };
        let quiet = |board| {
            let moves = rules.moves(&board);
            let quiet = moves.legal().filter(|step| step.is_quiet(seeds));
            let children = quiet.map(|step| index.index(&step.board).unwrap() as usize);
            children.collect()
        };
        Equations {
            known: quantities.iter().map(|&quantity| known(quantity)).collect(),
            quiet: index.boards().map(quiet).collect(),
        }
    }

    /// Sweeps over entries until they are a solution; `false` if they never become one.
    fn settle(&self, entries: &mut [Vec<i8>]) -> bool {
        for _ in 0..500 {
            let mut is_solved = true;
            for which in 0..entries.len() {
                let children = (which + 1) % entries.len();
                for (board, quiet) in self.quiet.iter().enumerate() {
                    let moves = quiet.iter().map(|&child| -entries[children][child]);
                    let best = moves.fold(self.known[which][board], i8::max);
                    is_solved &= best == entries[which][board];
                    entries[which][board] = best;
                }
            }
            if is_solved {
                return true;
            }
        }
        false
    }
}

/// Puts entries into the last layer.
fn put(layers: &mut [Layer], quantities: &[Quantity], entries: &[Vec<i8>]) {
    let layer = layers.last_mut().unwrap();
    for (&quantity, entries) in quantities.iter().zip(entries) {
        let array = layer.quantity_mut(quantity).unwrap();
        for (board, &entry) in entries.iter().enumerate() {
            array.set(board as u64, Value::new(entry));
        }
    }
}

/// The entries of the last layer.
fn entries(layers: &[Layer], quantities: &[Quantity]) -> Vec<Vec<i8>> {
    let layer = layers.last().unwrap();
    let of = |&quantity: &Quantity| {
        let entries = layer.quantity(quantity).unwrap().as_slice().iter();
        entries.map(|entry| entry.get()).collect()
    };
    quantities.iter().map(of).collect()
}

/// Whether the last layer with these entries, a solution of its equations, is refused, because
/// of what endless play is worth.
#[track_caller]
fn is_refused(
    rules: Ruleset,
    layers: &[Layer],
    quantities: &[Quantity],
    other: &[Vec<i8>],
    distance: Option<&LayerArray<u8>>,
) -> bool {
    let mut layers = layers.to_vec();
    put(&mut layers, quantities, other);
    let report = check(rules, &layers, distance);
    for failure in &report.failures {
        let aspects = quantities.iter().copied().map(Aspect::from);
        assert!(aspects.clone().any(|aspect| aspect == failure.aspect));
        let is_of_loop = matches!(failure.flaw, Flaw::Unfounded { .. });
        assert!(is_of_loop, "{rules}: {failure}");
    }
    report.boards > 0
}

/// Solves layer by layer and calls `visit` with those so far.
fn each_layer(rules: Ruleset, highest: u8, mut visit: impl FnMut(u8, &mut Solver, &[Layer])) {
    let mut solver = Solver::new(rules);
    for n in 0..=highest {
        solver.solve_next(&Silent).unwrap();
        let layers = solver.layers().to_vec();
        visit(n, &mut solver, &layers);
    }
}

fn by_side() -> impl Iterator<Item = Ruleset> {
    Ruleset::all().filter(|rules| rules.counts_loops())
}

#[test]
fn every_combination_is_proven() {
    for rules in by_side() {
        each_layer(rules, 5, |n, solver, layers| {
            let distance = solver.distances(n, &Silent).unwrap();
            for distance in [Some(&distance), None] {
                let report = check(rules, layers, distance);
                assert_eq!(report.boards, 0, "{rules} {n}: {report:?}");
            }
        });
    }
}

/// The bounds with endless play worst for one player are wider in small layers.
#[test]
fn wide_bounds_are_refused() {
    let mut refused = Vec::new();
    each_layer(Ruleset::ABAPA, 8, |n, _, layers| {
        let equations = Equations::new(Ruleset::ABAPA, layers, BOUNDS);
        let right = entries(layers, BOUNDS);
        let (worst, best) = (-n.cast_signed(), n.cast_signed());
        let mut wide = [vec![worst; right[0].len()], vec![best; right[0].len()]];
        assert!(equations.settle(&mut wide));
        let is_wider = wide[..] != right[..];
        let found = is_refused(Ruleset::ABAPA, layers, BOUNDS, &wide, None);
        assert_eq!(found, is_wider, "{n}");
        refused.extend(found.then_some(n));
        // One of them alone does not agree with the moves, or is wrong just so.
        for half in 0..2 {
            let mut layers = layers.to_vec();
            put(&mut layers, &BOUNDS[half..=half], &wide[half..=half]);
            let report = check(Ruleset::ABAPA, &layers, None);
            assert_eq!(report.boards > 0, wide[half] != right[half]);
        }
    });
    assert_eq!(refused, [2, 3, 4, 6, 7, 8]);
}

/// Tables of another ruleset. Under that one all layers are right.
#[test]
fn bounds_for_any_endless_play_are_refused() {
    let mut oware = Ruleset::ABAPA.oware().unwrap();
    oware.endless = Endless::Open;
    let open = Ruleset::Oware(oware);
    let mut refused = Vec::new();
    each_layer(open, 8, |n, _, layers| {
        assert_eq!(check(open, layers, None).boards, 0);
        let report = check(Ruleset::ABAPA, layers, None);
        refused.extend((report.boards > 0).then_some(n));
    });
    assert_eq!(refused, [2, 3, 4, 6, 7, 8]);
}

/// With endless play worth 0 some values are others.
#[test]
fn values_with_even_loops_are_refused() {
    let mut refused = Vec::new();
    each_layer(Ruleset::ABAPA, 9, |n, solver, layers| {
        let equations = Equations::new(Ruleset::ABAPA, layers, VALUE);
        let right = entries(layers, VALUE);
        let mut even = [vec![0; right[0].len()]];
        assert!(equations.settle(&mut even));
        let found = is_refused(Ruleset::ABAPA, layers, VALUE, &even, None);
        assert_eq!(found, even[..] != right[..], "{n}");
        if found {
            refused.push(n);
            // Distances of the right values do not make them right.
            let distance = solver.distances(n, &Silent).unwrap();
            let mut layers = layers.to_vec();
            put(&mut layers, VALUE, &even);
            let report = check(Ruleset::ABAPA, &layers, Some(&distance));
            assert!(report.boards > 0);
        }
    });
    assert_eq!(refused, [3, 7, 9]);
}

/// Sweeps from random entries end in many solutions of the equations.
#[test]
fn no_other_solution_is_proven() {
    let named = Ruleset::NAMED.iter().map(|&(_, rules)| rules);
    for rules in named.filter(|rules| rules.counts_loops()) {
        let mut random = Rng::with_seed(3);
        let mut refused = [0; 2];
        each_layer(rules, 5, |n, _, layers| {
            for (quantities, refused) in [VALUE, BOUNDS].into_iter().zip(&mut refused) {
                let equations = Equations::new(rules, layers, quantities);
                let right = entries(layers, quantities);
                for _ in 0..30 {
                    let n = n.cast_signed();
                    let (one, other) = (random.i8(-n..=n), random.i8(-n..=n));
                    let (least, most) = (one.min(other), one.max(other));
                    let mut other = right.clone();
                    if quantities.len() == 2 && random.bool() {
                        // Entries of a range, for one of the players.
                        let entries = other[0].iter_mut();
                        entries.for_each(|entry| *entry = (*entry).clamp(least, most));
                        let entries = other[1].iter_mut();
                        entries.for_each(|entry| *entry = (*entry).clamp(-most, -least));
                    } else {
                        // A share of the entries is not the right one.
                        let share = random.f32();
                        for entry in other.iter_mut().flatten() {
                            if random.f32() < share {
                                *entry = random.i8(least..=most);
                            }
                        }
                    }
                    if equations.settle(&mut other) {
                        let found = is_refused(rules, layers, quantities, &other, None);
                        assert_eq!(found, other != right, "{rules} {n}");
                        *refused += u32::from(found);
                    }
                }
            }
        });
        assert!(
            refused.iter().all(|&count| count > 5),
            "{rules}: {refused:?}"
        );
    }
}

/// The loop of `docs/internals/proof.md`, in which two seeds follow each other and nobody ever
/// takes one.
/// The players of its boards in turn are said to win and lose both.
#[test]
fn forged_loops_are_refused() {
    let rules = Ruleset::AWALE;
    each_layer(rules, 2, |n, solver, layers| {
        if n < 2 {
            return;
        }
        let index = layers[2].index();
        let forge = |quantities: &[Quantity]| {
            let mut forged = entries(layers, quantities);
            for entries in &mut forged {
                let mut board: Board = "0 1 0 0 0 1 / 0 0 0 0 0 0".parse().unwrap();
                for ply in 0..13 {
                    let at = index.index(&board).unwrap() as usize;
                    entries[at] = if ply == 0 || ply % 2 == 0 { 2 } else { -2 };
                    let mut moves = rules.moves(&board).legal().collect::<Vec<_>>();
                    board = moves.pop().filter(|_| moves.is_empty()).unwrap().board;
                }
            }
            forged
        };
        // The boards of the loop have value 0, and so no distance: (D) holds for the forged
        // values as well.
        let distance = solver.distances(n, &Silent).unwrap();
        for quantities in [VALUE, BOUNDS] {
            let forged = forge(quantities);
            for distance in [Some(&distance), None] {
                assert!(is_refused(rules, layers, quantities, &forged, distance));
            }
            let mut layers = layers.to_vec();
            put(&mut layers, quantities, &forged);
            assert_eq!(check(rules, &layers, None).boards, 13);
        }
    });
}

/// A board has no distance if a loop alone attains its value, and only then.
#[test]
fn distances_are_there_where_they_must_be() {
    let mut without = 0;
    each_layer(Ruleset::ABAPA, 5, |n, solver, layers| {
        let right = solver.distances(n, &Silent).unwrap();
        let values = layers.last().unwrap().value();
        let is_over = |board| Ruleset::ABAPA.moves(&board).terminal_value().is_some();
        let index = values.index();
        let goes_on: Vec<u64> = (0..index.len())
            .filter(|&i| values.get(i).get() != 0 && !is_over(index.board(i)))
            .collect();
        let (with, none): (Vec<u64>, Vec<u64>) = goes_on.iter().partition(|&&i| right.get(i) > 0);
        without += none.len();
        for (boards, wrong) in [(&with, 0), (&none, 1), (&none, 255)] {
            let mut distance = right.clone();
            for &i in boards {
                distance.set(i, wrong);
            }
            let report = check(Ruleset::ABAPA, layers, Some(&distance));
            assert_eq!(report.boards > 0, !boards.is_empty(), "{n} {wrong}");
            for failure in &report.failures {
                assert_eq!(failure.aspect, Aspect::Distance);
            }
        }
    });
    assert!(without > 0);
}
