//! What a column map does to the columns of a chunk, cut into *fragments* that loops and
//! instructions of a known length handle. They are made once for a chunk, and used for each
//! row of each panel.
//!
//! Where the processor permutes bytes fast, a fragment is a *permutation*: 64 columns whose
//! children are among 64 neighbouring entries of the line, in whatever runs. Elsewhere runs
//! are cut into lengths of 32 and 16 columns, and those of less than 16 become *windows*: 16
//! columns, where a mask hides those that do not belong to the run.

use std::ops::Range;

use crate::cpu::{NOWHERE, Permute};
use crate::solve::entry::Entry;
use crate::solve::moves::{ColumnMap, reached};
use crate::solve::panel::Panel;

/// The longest fragment of a run.
pub(super) const LONGEST: usize = 32;

/// Columns in a window.
const WINDOW: usize = 16;

/// Columns from `from` on, counted within the chunk, lead to the entries of the
/// child's line from `to` on.
#[derive(Clone, Copy)]
struct Fragment {
    from: u32,
    to: u32,
}

/// A fragment of 16 columns where only some count: those of a short run.
#[derive(Clone, Copy)]
struct ShortFragment {
    fragment: Fragment,
    /// How many columns count, less than [`WINDOW`].
    len: u8,
    /// The first one that counts, at most [`WINDOW`].
    first: u8,
}

/// A fragment of as many columns as [`Entry::lower`] handles.
#[derive(Clone, Copy)]
struct Permutation {
    fragment: Fragment,
    /// Where each column's child is, counted from `fragment.to`.
    places: [u8; 64],
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
    fn of(&self, window: &ShortFragment) -> &[E; WINDOW] {
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
    windows: Vec<ShortFragment>,
    by_1: Vec<Fragment>,
    /// All of it, where the processor permutes fast.
    permutations: Vec<Permutation>,
    /// One entry in each cache line that is read of the child's line.
    pub to_prefetch: Vec<u32>,
}

impl Fragments {
    pub fn new<P: Permute, E: Entry>(map: &ColumnMap, columns: &Range<u32>) -> Fragments {
        let mut fragments = Fragments::default();
        let Some(reach) = reached(&map.quiet, columns) else {
            return fragments;
        };
        let permutes = P::IS_FAST && reach.len() >= E::LOWERED;
        let first = (map.quiet).partition_point(|run| run.from + run.len <= columns.start);
        for run in &map.quiet[first..] {
            if run.from >= columns.end {
                break;
            }
            let from = run.from.max(columns.start);
            let len = (run.from + run.len).min(columns.end) - from;
            let to = run.to + (from - run.from);
            fragments.prefetch_range::<E>(to, len);
            if len as usize == columns.len() {
                fragments.whole = Some(to);
            } else {
                let from = from - columns.start;
                let run = Fragment { from, to };
                match permutes {
                    true => fragments.permute::<E>(run, len, &reach),
                    false => fragments.cut(run, len, &reach),
                }
            }
        }
        fragments
    }

    /// Puts a run into permutations: the last one, as far as it has room, and new ones. The
    /// chunk's columns lead to entries in `reach`.
    fn permute<E: Entry>(&mut self, run: Fragment, len: u32, reach: &Range<u32>) {
        for i in 0..len {
            let (from, to) = (run.from + i, run.to + i);
            let last = self.permutations.last_mut().filter(|last| {
                let last = last.fragment;
                from - last.from < E::LOWERED as u32 && to - last.to < E::LOWERED as u32
            });
            if let Some(last) = last {
                last.places[(from - last.fragment.from) as usize] = (to - last.fragment.to) as u8;
                continue;
            }
            // Entries beyond the reach may not exist.
            let start = to.min(reach.end - E::LOWERED as u32);
            let mut places = [NOWHERE; 64];
            places[0] = (to - start) as u8;
            self.permutations.push(Permutation {
                fragment: Fragment { from, to: start },
                places,
            });
        }
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
                self.windows.push(ShortFragment {
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
    pub fn lower<P: Permute, E: Entry>(
        &self,
        masks: &Masks<E>,
        panel: &mut Panel<E>,
        uses: &[Use<'_, E>],
    ) {
        let rows = panel.all_rows_mut();
        // A copy of each, which stays in a register.
        for &Permutation { fragment, places } in &self.permutations {
            for row in uses {
                let least = &mut rows[(row.start + fragment.from) as usize..];
                E::lower::<P>(least, &row.child[fragment.to as usize..], &places);
            }
        }
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
    pub child: &'a [E],
}

impl<E: Entry> Use<'_, E> {
    /// Lowers the columns of a fragment. Of a child's entry and its mask the larger
    /// counts.
    #[inline(always)]
    fn lower<const N: usize>(&self, rows: &mut [E], fragment: Fragment, mask: &[E; N]) {
        let least = rows[(self.start + fragment.from) as usize..].first_chunk_mut::<N>();
        let child = self.child[fragment.to as usize..].first_chunk::<N>();
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
