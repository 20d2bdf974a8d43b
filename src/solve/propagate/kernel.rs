//! The kernel of a sweep: the least of each board's children, for the rows of a panel.
//!
//! Negation reverses the order, so the best quiet move is the one to the least child.
//! What the kernel computes, for one row of a panel, is
//!
//! ```text
//! for each column in the chunk:
//!     least[column] = NO_CHILD
//! for each move of the row:
//!     for each run of the move's column map:
//!         for each column of the run, within the chunk:
//!             least[column] = min(least[column], child line[run.to + column − run.from])
//! ```
//!
//! It differs from that in four ways, for speed:
//!
//! 1. Children are compared as they are stored. Only the result is negated, by the
//!    caller.
//! 2. Maps that lead all columns of the chunk together, as 70 % of the quiet moves do,
//!    are read side by side, row by row, and their minimum is written once
//!    ([`least_of_lines`]).
//! 3. The other moves are made map by map, for all rows that use the map at a time:
//!    most runs have a few columns, and a loop over the runs of one row waits for
//!    mispredicted branches and for its own last store.
//! 4. What a map does to the chunk is cut beforehand into fragments of known lengths
//!    (`fragments`).

use super::fragments::LONGEST;
use crate::solve::entry::Entry;

/// Fills a row of a panel with the least entries of some lines, at most six, which are
/// as long as the row.
#[inline(always)]
pub(super) fn least_of_lines<E: Entry>(least: &mut [E], lines: &[&[E]]) {
    match *lines {
        [] => least.fill(E::NO_CHILD),
        [a] => least_of([a], least),
        [a, b] => least_of([a, b], least),
        [a, b, c] => least_of([a, b, c], least),
        [a, b, c, d] => least_of([a, b, c, d], least),
        [a, b, c, d, e] => least_of([a, b, c, d, e], least),
        [a, b, c, d, e, f, ..] => least_of([a, b, c, d, e, f], least),
    }
}

/// Writes the least entries of some lines, which are as long as `least`.
#[inline(always)]
fn least_of<const M: usize, E: Entry>(lines: [&[E]; M], least: &mut [E]) {
    match least.len() {
        LONGEST.. => least_by::<LONGEST, M, E>(lines, least),
        16.. => least_by::<16, M, E>(lines, least),
        8.. => least_by::<8, M, E>(lines, least),
        4.. => least_by::<4, M, E>(lines, least),
        _ => least_by::<1, M, E>(lines, least),
    }
}

/// As `least_of`, `N` columns at a time. The last ones may overlap those before.
#[inline(always)]
fn least_by<const N: usize, const M: usize, E: Entry>(lines: [&[E]; M], least: &mut [E]) {
    let len = least.len();
    for number in 0..len.div_ceil(N) {
        let start = (number * N).min(len - N);
        let mut fragment = [E::NO_CHILD; N];
        for line in lines {
            for (entry, &child) in fragment.iter_mut().zip(&line[start..start + N]) {
                *entry = (*entry).min(child);
            }
        }
        least[start..start + N].copy_from_slice(&fragment);
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;
    use crate::cpu::{OneByOne, Permute, Vectorized, run_vectorized};
    use crate::index::row;
    use crate::rules::{GrandSlam, OwareRules, Ruleset};
    use crate::solve::entry::{DistanceKey, Value};
    use crate::solve::moves::{ColumnMap, CompiledMoves, Run};
    use crate::solve::panel::{PANEL_HEIGHT, Panel};
    use crate::solve::propagate::fragments::{Fragments, Masks, Use};

    /// Permutations on any processor, however slow.
    struct PermuteAnyway;

    impl Permute for PermuteAnyway {
        const IS_FAST: bool = true;

        fn lower_bytes(least: &mut [u8; 64], window: &[u8; 64], places: &[u8; 64]) {
            OneByOne::lower_bytes(least, window, places);
        }

        fn lower_words(least: &mut [i16; 32], window: &[i16; 32], places: &[u8; 32]) {
            OneByOne::lower_words(least, window, places);
        }
    }

    /// The least children of the first and the last row of a panel: of moves by
    /// `map` that read `child`, and of moves that lead each column to itself.
    #[derive(Clone)]
    struct Kernel<'a, E> {
        map: &'a ColumnMap,
        child: &'a [E],
        own: &'a [&'a [E]],
        columns: Range<u32>,
    }

    impl<E: Entry> Vectorized for Kernel<'_, E> {
        type Output = [Vec<E>; 2];

        #[inline(always)]
        fn run<P: Permute>(self) -> [Vec<E>; 2] {
            let fragments = Fragments::new::<P, E>(self.map, &self.columns);
            let mut panel = Panel::new(self.columns.clone());
            let rows = [0, PANEL_HEIGHT - 1];
            let mut lines = self.own.to_vec();
            if let Some(to) = fragments.whole {
                lines.push(&self.child[to as usize..][..self.columns.len()]);
            }
            let mut uses = Vec::new();
            for row in rows {
                least_of_lines(panel.row_mut(row), &lines);
                if fragments.whole.is_none() {
                    let start = panel.row_start(row) as u32;
                    let child = self.child;
                    uses.push(Use { start, child });
                }
            }
            fragments.lower::<P, E>(&Masks::new(), &mut panel, &uses);
            rows.map(|row| panel.row_mut(row).to_vec())
        }
    }

    /// The loop of the file's head, for a move by `map` and, unless `own` is empty,
    /// another that leads each column to itself.
    fn plain<E: Entry>(map: &ColumnMap, columns: &Range<u32>, child: &[E], own: &[E]) -> Vec<E> {
        let least = columns.clone().map(|column| {
            let own = own.get(column as usize).copied().unwrap_or(E::NO_CHILD);
            let here = |run: &&Run| (run.from..run.from + run.len).contains(&column);
            let runs = map.quiet.iter().filter(here);
            let children = runs.map(|run| child[(run.to + column - run.from) as usize]);
            children.fold(own, E::min)
        });
        least.collect()
    }

    /// Every map of seven seeds, under every rule of grand slams, with the last seed
    /// across and at home, in runs and in permutations, and compiled for wide registers.
    fn compare<E: Entry + std::fmt::Debug>(entry: impl Fn(i8) -> E) {
        let Ruleset::Oware(awari) = Ruleset::AWARI else {
            unreachable!("awari is of the oware family")
        };
        let (seeds, most_crossed) = (7, 13);
        let line = |factor: usize, seeds| -> Vec<E> {
            let ranks = 0..row::row_count(seeds) as usize;
            let entries = ranks.map(|i| entry((i * factor % 97) as i8 - 48));
            entries.collect()
        };
        let own = line(71, seeds);
        for &grand_slam in GrandSlam::ALL {
            let mut moves = CompiledMoves::new(Ruleset::Oware(OwareRules {
                grand_slam,
                ..awari
            }));
            moves.extend_to(seeds + most_crossed);
            let maps = moves.maps(seeds);
            for (number, map) in maps.iter().enumerate() {
                let child = line(37, seeds + number as u8 / 2);
                for columns in [0..792, 0..5, 17..60, 100..612, 280..792] {
                    let own_here = &own[columns.start as usize..columns.end as usize];
                    for own_moves in 0..=2 {
                        let own = if own_moves > 0 { &own[..] } else { &[] };
                        let right = plain(map, &columns, &child, own);
                        let own_lines = vec![own_here; own_moves];
                        let kernel = Kernel {
                            map,
                            child: &child,
                            own: &own_lines,
                            columns: columns.clone(),
                        };
                        let all_rows = [
                            kernel.clone().run::<OneByOne>(),
                            kernel.clone().run::<PermuteAnyway>(),
                            run_vectorized(kernel),
                        ];
                        for row in all_rows.iter().flatten() {
                            assert_eq!(*row, right, "map {number}, {columns:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_kernel_equals_the_loop_over_runs() {
        compare(Value::new);
        compare(|value| DistanceKey::new(value, 7));
    }
}
