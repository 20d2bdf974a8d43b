//! The kernel of a sweep: the least of a row's children, column by column.
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
//! It differs from that in three ways, for speed:
//!
//! 1. Children are compared as they are stored. Only the result is negated, by the
//!    caller.
//! 2. Runs are cut beforehand, once for a chunk, into *fragments* of a few fixed
//!    lengths, so that the loops have a known length and no unpredictable end.
//! 3. Maps that lead all columns of the chunk together, as 70 % of the quiet moves do,
//!    are read side by side, and their minimum is written once.

use std::ops::Range;

use crate::rules::ROW;
use crate::solve::moves::ColumnMap;
use crate::solve::panels::LinePart;
use crate::solve::storage::Entry;

/// The longest fragment.
const LONGEST: usize = 32;

/// Columns from `from` on, counted within the chunk, lead to the entries of the
/// child's line from `to` on.
#[derive(Clone, Copy)]
struct Fragment {
    from: u32,
    to: u32,
}

/// What a column map does to the columns of a chunk, in fragments.
#[derive(Default)]
pub(super) struct Fragments {
    /// Where the chunk's columns are in the child's line, if they all go there
    /// together.
    whole: Option<u32>,
    /// Fragments of 32, 16, 8 and 4 columns, and single columns.
    by_32: Vec<Fragment>,
    by_16: Vec<Fragment>,
    by_8: Vec<Fragment>,
    by_4: Vec<Fragment>,
    by_1: Vec<Fragment>,
    /// One entry in each cache line that is read of the child's line.
    pub to_prefetch: Vec<u32>,
}

impl Fragments {
    pub fn new<E>(map: &ColumnMap, columns: &Range<u32>) -> Fragments {
        let mut fragments = Fragments::default();
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
                fragments.cut(from - columns.start, to, len);
            }
        }
        fragments
    }

    /// Cuts a run. Its last fragment may overlap the one before: taking a minimum
    /// twice does no harm.
    fn cut(&mut self, from: u32, to: u32, len: u32) {
        let (list, length) = match len {
            32.. => (&mut self.by_32, 32),
            16.. => (&mut self.by_16, 16),
            8.. => (&mut self.by_8, 8),
            4.. => (&mut self.by_4, 4),
            _ => (&mut self.by_1, 1),
        };
        list.extend((0..len.div_ceil(length)).map(|number| {
            let offset = (number * length).min(len - length);
            Fragment {
                from: from + offset,
                to: to + offset,
            }
        }));
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

    #[inline(always)]
    fn lower<E: Entry>(&self, least: &mut [E], child: LinePart<'_, E>) {
        lower_all::<32, E>(&self.by_32, least, child);
        lower_all::<16, E>(&self.by_16, least, child);
        lower_all::<8, E>(&self.by_8, least, child);
        lower_all::<4, E>(&self.by_4, least, child);
        for fragment in &self.by_1 {
            let entry = &mut least[fragment.from as usize];
            *entry = (*entry).min(child.from(fragment.to)[0]);
        }
    }
}

#[inline(always)]
fn lower_all<const N: usize, E: Entry>(
    fragments: &[Fragment],
    least: &mut [E],
    child: LinePart<'_, E>,
) {
    for fragment in fragments {
        let least = least[fragment.from as usize..].first_chunk_mut::<N>();
        let child = child.from(fragment.to).first_chunk::<N>();
        let (Some(least), Some(child)) = (least, child) else {
            unreachable!("a fragment lies within both lines")
        };
        for (entry, &child) in least.iter_mut().zip(child) {
            *entry = (*entry).min(child);
        }
    }
}

/// Fills a row of a panel with the least child of each column. `moves` are the
/// fragments of each move and the line that it reads, at most six.
#[inline(always)]
pub(super) fn min_over_children<E: Entry>(
    least: &mut [E],
    moves: &[(&Fragments, LinePart<'_, E>)],
) {
    let mut whole: [&[E]; ROW] = [&[]; ROW];
    let mut count = 0;
    for (fragments, child) in moves {
        if let Some(to) = fragments.whole {
            whole[count] = child.entries(to, least.len());
            count += 1;
        }
    }
    match count {
        0 => least.fill(E::NO_CHILD),
        1 => least_of([whole[0]], least),
        2 => least_of([whole[0], whole[1]], least),
        3 => least_of([whole[0], whole[1], whole[2]], least),
        4 => least_of([whole[0], whole[1], whole[2], whole[3]], least),
        5 => least_of([whole[0], whole[1], whole[2], whole[3], whole[4]], least),
        _ => least_of(whole, least),
    }
    for (fragments, child) in moves {
        fragments.lower(least, *child);
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
    use crate::solve::storage::{DistanceKey, Value};

    struct Kernel<'a, E>(&'a [(&'a Fragments, LinePart<'a, E>)], Vec<E>);

    impl<E: Entry> Vectorized for Kernel<'_, E> {
        type Output = Vec<E>;

        #[inline(always)]
        fn run(mut self) -> Vec<E> {
            min_over_children(&mut self.1, self.0);
            self.1
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
                    let fragments = [map, &maps[0]].map(|map| Fragments::new::<E>(map, &columns));
                    for own_moves in 0..=2 {
                        let mut moves = vec![(&fragments[0], LinePart::whole(&child))];
                        moves.extend(vec![(&fragments[1], LinePart::whole(&own)); own_moves]);
                        let own = if own_moves > 0 { &own[..] } else { &[] };
                        let right = plain(map, &columns, &child, own);
                        let kernel = || Kernel(&moves, vec![E::NONE; columns.len()]);
                        assert_eq!(kernel().run(), right, "map {number}, {columns:?}");
                        assert_eq!(run_vectorized(kernel()), right, "map {number}");
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
