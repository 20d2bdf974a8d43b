//! How a section is cut for the threads: chunks of neighbouring lines.
//!
//! A chunk's lines are one stretch of memory, so threads that write different
//! chunks share nothing, and the borrow checker sees it.

use std::ops::Range;

use super::columns::Run;
use super::plan::Plan;
use crate::index::LayerIndex;

/// Lines in a chunk: long enough for long runs, few enough that a tile stays in
/// the nearest caches.
const LINES: usize = 512;

/// Some neighbouring lines of a section.
pub(super) struct Chunk<'a> {
    /// The column of each line.
    pub line_columns: &'a [u32],
    /// From the first line's column to the last one's.
    pub columns: Range<u32>,
}

impl<'a> Chunk<'a> {
    /// The number of lines of a chunk in a section with so many lines.
    pub fn size(section_lines: usize) -> usize {
        // At least a few chunks where there are lines enough to share.
        LINES.min(section_lines.div_ceil(4)).max(32)
    }

    /// How many chunks a section with so many lines is cut into.
    pub fn count(section_lines: usize) -> usize {
        section_lines.div_ceil(Chunk::size(section_lines))
    }

    /// The columns from the first to the last of some chunks of a section.
    pub fn band(plan: &Plan, index: &LayerIndex, section: u8, chunks: &Range<usize>) -> Range<u32> {
        let columns = |number| Chunk::new(plan, index, section, number).columns;
        columns(chunks.start).start..columns(chunks.end - 1).end
    }

    /// The `number`-th chunk of section `section`.
    pub fn new(plan: &'a Plan, index: &LayerIndex, section: u8, number: usize) -> Chunk<'a> {
        let size = Chunk::size(index.section_lines(section));
        let start = number * size;
        let end = (start + size).min(index.section_lines(section));
        let line_columns = &plan.columns(section)[start..end];
        Chunk {
            line_columns,
            columns: line_columns[0]..line_columns[line_columns.len() - 1] + 1,
        }
    }
}

/// For each column map, which of its runs reach into a chunk.
pub(super) struct ChunkRuns(Vec<Range<usize>>);

impl ChunkRuns {
    pub fn new<'m, T: 'm>(
        maps: impl Iterator<Item = &'m [T]>,
        columns: &Range<u32>,
        run: impl Fn(&T) -> Run + Copy,
    ) -> ChunkRuns {
        ChunkRuns(maps.map(|runs| overlapping(runs, columns, run)).collect())
    }

    pub fn of(&self, map: u8) -> Range<usize> {
        self.0[usize::from(map)].clone()
    }
}

/// The entries that the runs of a sorted list lead `columns` to, from the first
/// to the last, if there are any.
pub(super) fn reached(runs: &[Run], columns: &Range<u32>) -> Option<Range<u32>> {
    let runs = &runs[overlapping(runs, columns, |run| *run)];
    let parts = runs.iter().map(|run| {
        let from = run.from.max(columns.start) - run.from;
        let end = (run.from + run.len).min(columns.end) - run.from;
        run.to + from..run.to + end
    });
    parts.reduce(|all, part| all.start.min(part.start)..all.end.max(part.end))
}

/// The runs of a sorted list that reach into `columns`.
fn overlapping<T>(runs: &[T], columns: &Range<u32>, run: impl Fn(&T) -> Run) -> Range<usize> {
    let first = runs.partition_point(|r| run(r).from + run(r).len <= columns.start);
    let count = runs[first..].partition_point(|r| run(r).from < columns.end);
    first..first + count
}
