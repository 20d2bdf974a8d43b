//! Runs: neighbouring columns that a sowing leads to neighbouring entries.

use std::ops::{Deref, Range};

/// Columns `from..from + len` lead to entries `to..to + len` of the child's line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::solve) struct Run {
    pub from: u32,
    pub to: u32,
    pub len: u32,
}

impl Run {
    /// Whether the run goes on with this column and entry.
    pub fn continues(&self, from: u32, to: u32) -> bool {
        self.from + self.len == from && self.to + self.len == to
    }

    /// Adds a column and the entry that it leads to at the end of some runs.
    pub fn extend(runs: &mut Vec<Run>, from: u32, to: u32) {
        match runs.last_mut() {
            Some(last) if last.continues(from, to) => last.len += 1,
            _ => runs.push(Run { from, to, len: 1 }),
        }
    }
}

/// Runs in which columns and entries are found quickly. Sowing keeps the order of
/// columns, so that they are sorted both by `from` and by `to`.
#[derive(Clone, Default, Debug)]
pub(in crate::solve) struct Runs {
    runs: Box<[Run]>,
    by_from: Begins,
    by_to: Begins,
}

impl Runs {
    /// These runs, in order.
    pub fn new(runs: Vec<Run>) -> Runs {
        Runs {
            by_from: Begins::new(runs.iter().map(|run| run.from)),
            by_to: Begins::new(runs.iter().map(|run| run.to)),
            runs: runs.into(),
        }
    }

    /// The column that leads to an entry.
    #[inline]
    pub fn column_to(&self, entry: u32) -> Option<u32> {
        let run = self.by_to.last_upto(&self.runs, entry, |run| run.to)?;
        let offset = entry - run.to;
        (offset < run.len).then_some(run.from + offset)
    }

    /// The entry that a column leads to.
    #[inline]
    pub fn entry_from(&self, column: u32) -> Option<u32> {
        let run = self.by_from.last_upto(&self.runs, column, |run| run.from)?;
        let offset = column - run.from;
        (offset < run.len).then_some(run.to + offset)
    }

    /// Bytes of memory that the runs and their index take.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.runs) + self.by_from.bytes() + self.by_to.bytes()
    }
}

impl Deref for Runs {
    type Target = [Run];

    fn deref(&self) -> &[Run] {
        &self.runs
    }
}

/// Where runs begin: the numbers from 0 on are divided into ranges of 2^`shift`, about
/// as many as there are runs. The runs that begin in range `r` are those from
/// `first[r]` to `first[r + 1]`.
#[derive(Clone, Default, Debug)]
struct Begins {
    shift: u32,
    first: Box<[u32]>,
}

impl Begins {
    fn new(begins: impl ExactSizeIterator<Item = u32> + Clone) -> Begins {
        let runs = begins.len();
        let end = begins.clone().last().map_or(0, |last| last as usize + 1);
        let shift = (end / runs.max(1)).checked_ilog2().unwrap_or(0);
        let ranges = end.div_ceil(1 << shift);
        let mut first = Vec::with_capacity(ranges + 1);
        for (run, begin) in (0..).zip(begins) {
            // This run is the first one of its range and of the empty ranges before it.
            first.resize(first.len().max((begin >> shift) as usize + 1), run);
        }
        first.push(runs as u32);
        Begins {
            shift,
            first: first.into(),
        }
    }

    /// The last run that begins at `number` or before.
    #[inline]
    fn last_upto<'r>(
        &self,
        runs: &'r [Run],
        number: u32,
        begin: impl Fn(&Run) -> u32,
    ) -> Option<&'r Run> {
        let last = self.first.len().checked_sub(2)?;
        let range = ((number >> self.shift) as usize).min(last);
        let [first, end] = [self.first[range], self.first[range + 1]];
        let here = &runs[first as usize..end as usize];
        let count = here.iter().take_while(|run| begin(run) <= number).count();
        runs.get((first as usize + count).checked_sub(1)?)
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.first)
    }
}

/// Which runs of a sorted list reach into `columns`.
pub(in crate::solve) fn overlapping<T>(
    runs: &[T],
    columns: &Range<u32>,
    run: impl Fn(&T) -> Run,
) -> Range<usize> {
    let first = runs.partition_point(|r| run(r).from + run(r).len <= columns.start);
    let count = runs[first..].partition_point(|r| run(r).from < columns.end);
    first..first + count
}

/// The entries that the runs of a sorted list lead `columns` to, from the first to the
/// last, if there are any.
pub(in crate::solve) fn reached(runs: &[Run], columns: &Range<u32>) -> Option<Range<u32>> {
    let runs = &runs[overlapping(runs, columns, |run| *run)];
    let parts = runs.iter().map(|run| {
        let from = run.from.max(columns.start) - run.from;
        let end = (run.from + run.len).min(columns.end) - run.from;
        run.to + from..run.to + end
    });
    parts.reduce(|all, part| all.start.min(part.start)..all.end.max(part.end))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every column and entry of runs of several densities, and some beyond them.
    #[test]
    fn the_index_finds_what_a_search_of_all_runs_finds() {
        for (step, gap, len) in [(1, 1, 1), (3, 50, 2), (70, 2, 5), (0, 0, 4), (9, 400, 9)] {
            for count in 0..40 {
                let (mut from, mut to) = (step, gap);
                let mut runs = Vec::new();
                for number in 0..count {
                    let len = 1 + (number * 7 + len) % (len + 1);
                    runs.push(Run { from, to, len });
                    from += len + step * (number % 3);
                    to += len + gap * (number % 5);
                }
                let indexed = Runs::new(runs.clone());
                assert_eq!(&*indexed, &*runs);
                for number in 0..from.max(to) + 100 {
                    let column = runs
                        .iter()
                        .find(|run| (run.to..run.to + run.len).contains(&number));
                    let column = column.map(|run| run.from + number - run.to);
                    assert_eq!(indexed.column_to(number), column, "{runs:?}, {number}");
                    let entry = runs
                        .iter()
                        .find(|run| (run.from..run.from + run.len).contains(&number));
                    let entry = entry.map(|run| run.to + number - run.from);
                    assert_eq!(indexed.entry_from(number), entry, "{runs:?}, {number}");
                }
            }
        }
    }
}
