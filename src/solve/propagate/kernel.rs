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
//!    are read side by side, row by row, and their minimum is written once.
//! 3. The other moves are made map by map, for all rows that use the map at a time:
//!    most runs have a few columns, and a loop over the runs of one row waits for
//!    mispredicted branches and for its own last store.
//! 4. Runs are cut beforehand, once for a chunk, into *fragments* of a few fixed
//!    lengths, so that the loops have a known length and no unpredictable end. A run of
//!    less than 16 columns is a *window* of 16 columns with a mask.

use std::ops::Range;

use crate::solve::moves::{ColumnMap, reached};
use crate::solve::panels::{LinePart, Panel};
use crate::solve::storage::Entry;

/// The longest fragment.
const LONGEST: usize = 32;

/// Columns in a window.
const WINDOW: usize = 16;

/// Columns from `from` on, counted within the chunk, lead to the entries of the
/// child's line from `to` on.
#[derive(Clone, Copy)]
struct Fragment {
    from: u32,
    to: u32,
}

/// A fragment of 16 columns of which only some count: those of a short run.
#[derive(Clone, Copy)]
struct Window {
    fragment: Fragment,
    /// How many columns count, less than [`WINDOW`].
    len: u8,
    /// The first one that counts, at most [`WINDOW`].
    first: u8,
}

/// Masks of windows, by the number of columns that count: these are in the middle, so
/// that a slice of the mask fits any position.
pub(super) struct Masks<E>([[E; 3 * WINDOW]; WINDOW]);

impl<E: Entry> Masks<E> {
    /// The larger of a child's entry and `NONE` is the entry; the larger of it and
    /// `NO_CHILD` is `NO_CHILD`, which lowers nothing.
    pub fn new() -> Masks<E> {
        Masks(std::array::from_fn(|len| {
            std::array::from_fn(|column| match (WINDOW..WINDOW + len).contains(&column) {
                true => E::NONE,
                false => E::NO_CHILD,
            })
        }))
    }

    #[inline(always)]
    fn of(&self, window: &Window) -> &[E; WINDOW] {
        // The remainders change nothing; they tell the compiler that both are in range.
        let mask = &self.0[usize::from(window.len) % WINDOW];
        let start = WINDOW - usize::from(window.first) % (WINDOW + 1);
        mask[start..].first_chunk().expect("masks are long enough")
    }
}

/// What a column map does to the columns of a chunk, in fragments.
#[derive(Default)]
pub(super) struct Fragments {
    /// Where the chunk's columns are in the child's line, if they all go there
    /// together.
    pub whole: Option<u32>,
    /// Fragments of 32 and 16 columns, windows, and single columns.
    by_32: Vec<Fragment>,
    by_16: Vec<Fragment>,
    windows: Vec<Window>,
    by_1: Vec<Fragment>,
    /// Columns of the chunk that are led anywhere.
    pub columns: u32,
    /// One entry in each cache line that is read of the child's line.
    pub to_prefetch: Vec<u32>,
}

impl Fragments {
    pub fn new<E>(map: &ColumnMap, columns: &Range<u32>) -> Fragments {
        let mut fragments = Fragments::default();
        let Some(reach) = reached(&map.quiet, columns) else {
            return fragments;
        };
        let first = (map.quiet).partition_point(|run| run.from + run.len <= columns.start);
        for run in &map.quiet[first..] {
            if run.from >= columns.end {
                break;
            }
            let from = run.from.max(columns.start);
            let len = (run.from + run.len).min(columns.end) - from;
            let to = run.to + (from - run.from);
            fragments.prefetch_range::<E>(to, len);
            fragments.columns += len;
            if len as usize == columns.len() {
                fragments.whole = Some(to);
            } else {
                let from = from - columns.start;
                fragments.cut(Fragment { from, to }, len, &reach);
            }
        }
        fragments
    }

    /// Cuts a run. Its last fragment may overlap the one before: taking a minimum
    /// twice does no harm. The chunk's columns lead to entries in `reach`.
    fn cut(&mut self, run: Fragment, len: u32, reach: &Range<u32>) {
        let at = |offset| Fragment {
            from: run.from + offset,
            to: run.to + offset,
        };
        let parts = |length| (0..len.div_ceil(length)).map(move |i| (i * length).min(len - length));
        if len >= LONGEST as u32 {
            self.by_32.extend(parts(LONGEST as u32).map(at));
        } else if len >= WINDOW as u32 {
            self.by_16.extend(parts(WINDOW as u32).map(at));
        } else {
            // Entries beyond the reach may not exist: there the window begins earlier.
            let first = (run.to + WINDOW as u32).saturating_sub(reach.end);
            let fits = first <= run.from && reach.start + first <= run.to;
            if fits && len > 1 {
                self.windows.push(Window {
                    fragment: Fragment {
                        from: run.from - first,
                        to: run.to - first,
                    },
                    len: len as u8,
                    first: first as u8,
                });
            } else {
                self.by_1.extend(parts(1).map(at));
            }
        }
    }

    fn prefetch_range<E>(&mut self, to: u32, len: u32) {
        // Cache lines of 64 bytes, taken to begin where the line does.
        let per_cache_line = 64 / size_of::<E>() as u32;
        for line in to / per_cache_line..=(to + len - 1) / per_cache_line {
            let entry = to.max(line * per_cache_line);
            if self
                .to_prefetch
                .last()
                .is_none_or(|&t| t / per_cache_line < line)
            {
                self.to_prefetch.push(entry);
            }
        }
    }

    /// Lowers the columns of all rows that use the map.
    #[inline(always)]
    pub fn lower<E: Entry>(&self, masks: &Masks<E>, panel: &mut Panel<E>, uses: &[Use<'_, E>]) {
        let rows = panel.all_rows_mut();
        lower_all::<32, E>(&self.by_32, rows, uses);
        lower_all::<16, E>(&self.by_16, rows, uses);
        for window in &self.windows {
            let mask = masks.of(window);
            for row in uses {
                row.lower::<WINDOW>(rows, window.fragment, mask);
            }
        }
        for fragment in &self.by_1 {
            for row in uses {
                row.lower(rows, *fragment, &[E::NONE]);
            }
        }
    }
}

#[inline(always)]
fn lower_all<const N: usize, E: Entry>(
    fragments: &[Fragment],
    rows: &mut [E],
    uses: &[Use<'_, E>],
) {
    for fragment in fragments {
        for row in uses {
            row.lower(rows, *fragment, &[E::NONE; N]);
        }
    }
}

/// A move of a row of the panel.
pub(super) struct Use<'a, E> {
    /// Where the row begins in the panel.
    pub start: u32,
    /// The line that the move reads.
    pub child: LinePart<'a, E>,
}

impl<E: Entry> Use<'_, E> {
    /// Lowers the columns of a fragment. Of a child's entry and its mask the larger
    /// counts.
    #[inline(always)]
    fn lower<const N: usize>(&self, rows: &mut [E], fragment: Fragment, mask: &[E; N]) {
        let least = rows[(self.start + fragment.from) as usize..].first_chunk_mut::<N>();
        let child = self.child.from(fragment.to).first_chunk::<N>();
        let (Some(least), Some(child)) = (least, child) else {
            unreachable!("a fragment lies within the panel and the line")
        };
        // A copy, so that the compiler knows that nothing overlaps.
        let mut lowered = *least;
        for ((entry, &child), &mask) in lowered.iter_mut().zip(child).zip(mask) {
            *entry = (*entry).min(child.max(mask));
        }
        *least = lowered;
    }
}

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
    use super::*;
    use crate::cpu::{Vectorized, run_vectorized};
    use crate::index::row;
    use crate::rules::{GrandSlam, OwareRules, Ruleset};
    use crate::solve::moves::CompiledMoves;
    use crate::solve::panels::PANEL_HEIGHT;
    use crate::solve::storage::{DistanceKey, Value};

    /// The least children of the first and the last row of a panel: of moves by
    /// `fragments` that read `child`, and of moves that lead each column to itself.
    struct Kernel<'a, E> {
        fragments: &'a Fragments,
        child: &'a [E],
        own: &'a [&'a [E]],
        columns: Range<u32>,
    }

    impl<E: Entry> Vectorized for Kernel<'_, E> {
        type Output = [Vec<E>; 2];

        #[inline(always)]
        fn run(self) -> [Vec<E>; 2] {
            let mut panel = Panel::new(self.columns.clone());
            let rows = [0, PANEL_HEIGHT - 1];
            let mut lines = self.own.to_vec();
            if let Some(to) = self.fragments.whole {
                lines.push(&self.child[to as usize..][..self.columns.len()]);
            }
            let mut uses = Vec::new();
            for row in rows {
                least_of_lines(panel.row_mut(row), &lines);
                if self.fragments.whole.is_none() {
                    uses.push(Use {
                        start: panel.row_start(row) as u32,
                        child: LinePart::whole(self.child),
                    });
                }
            }
            self.fragments.lower(&Masks::new(), &mut panel, &uses);
            rows.map(|row| panel.row_mut(row).to_vec())
        }
    }

    /// The loop of the file's head, for a move by `map` and, unless `own` is empty,
    /// another that leads each column to itself.
    fn plain<E: Entry>(map: &ColumnMap, columns: &Range<u32>, child: &[E], own: &[E]) -> Vec<E> {
        let least = columns.clone().map(|column| {
            let own = own.get(column as usize).copied().unwrap_or(E::NO_CHILD);
            let here =
                |run: &&crate::solve::moves::Run| (run.from..run.from + run.len).contains(&column);
            let runs = map.quiet.iter().filter(here);
            let children = runs.map(|run| child[(run.to + column - run.from) as usize]);
            children.fold(own, E::min)
        });
        least.collect()
    }

    /// Every map of seven seeds, under every rule of grand slams, with the last seed
    /// across and at home, compiled for narrow and for wide registers.
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
        for grand_slam in GrandSlam::ALL {
            let mut moves = CompiledMoves::new(Ruleset::Oware(OwareRules {
                grand_slam,
                ..awari
            }));
            moves.extend_to(seeds + most_crossed);
            let maps = moves.maps(seeds);
            for (number, map) in maps.iter().enumerate() {
                let child = line(37, seeds + number as u8 / 2);
                for columns in [0..792, 0..5, 17..60, 100..612, 280..792] {
                    let fragments = Fragments::new::<E>(map, &columns);
                    // No entry beyond those that the columns lead to may be read.
                    let end = reached(&map.quiet, &columns).map_or(0, |reach| reach.end);
                    let own_here = &own[columns.start as usize..columns.end as usize];
                    for own_moves in 0..=2 {
                        let own = if own_moves > 0 { &own[..] } else { &[] };
                        let right = plain(map, &columns, &child, own);
                        let own_lines = vec![own_here; own_moves];
                        let kernel = || Kernel {
                            fragments: &fragments,
                            child: &child[..end as usize],
                            own: &own_lines,
                            columns: columns.clone(),
                        };
                        for rows in [kernel().run(), run_vectorized(kernel())] {
                            for row in rows {
                                assert_eq!(row, right, "map {number}, {columns:?}");
                            }
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
