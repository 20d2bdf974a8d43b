//! What a pass over a section computes at a time, and how it reads the children.
//!
//! A section is divided into *chunks* of neighbouring lines, and a chunk into *panels*
//! of 128 mover's rows (`panel`). A thread computes a *share* at a time, some panels of a
//! chunk (`share`). The lines that a panel's moves lead to are read in place or, where
//! they are not in memory (`sources`) but compact, in a file or with another rank (`fetch`),
//! gathered beforehand (`children`), for as many panels at a time as a buffer holds (`bands`).
//!
//! Shares are disjoint slices of one vector, so threads write to different memory, and
//! the borrow checker verifies it.

mod bands;
mod children;
mod fetch;
mod panel;
mod share;
mod sources;

use std::ops::Range;

pub(super) use self::bands::{GatherBuffers, SectionReader};
pub(super) use self::children::{Children, LinePart, Reach};
pub(super) use self::panel::{Panel, PanelRow};
pub(super) use self::share::{Share, shares};
use super::moves::{RowMoves, Run, overlapping};
use super::storage::{CHUNK_LINES, PANEL_ROWS};

/// Mover's rows in a panel: two cache lines of values in each line that is written. Most
/// lines lie on different pages, so that fewer rows cost more lookups of addresses, and
/// more rows leave the nearest caches.
pub(super) const PANEL_HEIGHT: usize = PANEL_ROWS;

/// The rows of the panel that begins with row `first`.
pub(super) fn panel_rows(rows: &[RowMoves], first: usize) -> &[RowMoves] {
    &rows[first..rows.len().min(first + PANEL_HEIGHT)]
}

/// Mover's rows in the panels that begin with these of `rows`.
pub(super) fn rows_in(rows: &[RowMoves], panels: &[usize]) -> usize {
    let rows = panels.iter().map(|&first| panel_rows(rows, first));
    rows.map(<[_]>::len).sum()
}

/// Neighbouring lines of a section.
pub(super) struct Chunk<'a> {
    /// The column of each line.
    pub line_columns: &'a [u32],
    /// From the first line's column to the last one's.
    pub columns: Range<u32>,
}

impl<'a> Chunk<'a> {
    /// The most lines in a chunk: enough for long runs, and few enough that a panel stays in
    /// the nearest caches.
    pub const MOST_LINES: usize = CHUNK_LINES;

    /// Lines in each chunk, but the last, of a section with `section_lines` lines.
    pub fn size(section_lines: usize) -> usize {
        Chunk::MOST_LINES.min(section_lines)
    }

    /// Chunks in a section with `section_lines` lines.
    pub fn count(section_lines: usize) -> usize {
        section_lines.div_ceil(Chunk::size(section_lines).max(1))
    }

    /// Chunk number `number` of a section whose lines stand for `columns`.
    pub fn new(columns: &'a [u32], number: usize) -> Chunk<'a> {
        let size = Chunk::size(columns.len());
        let start = number * size;
        let end = (start + size).min(columns.len());
        let line_columns = &columns[start..end];
        Chunk {
            line_columns,
            columns: line_columns[0]..line_columns[line_columns.len() - 1] + 1,
        }
    }

    /// The columns from the first to the last of some chunks of a section.
    pub fn columns_of(columns: &[u32], chunks: &Range<usize>) -> Range<u32> {
        let columns = |number| Chunk::new(columns, number).columns;
        columns(chunks.start).start..columns(chunks.end - 1).end
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Ruleset;
    use crate::solve::moves::CompiledMoves;

    #[test]
    fn chunks_cover_every_line_once_and_in_order() {
        for rules in [Ruleset::AWARI, Ruleset::KALAH] {
            let mut moves = CompiledMoves::new(rules);
            moves.extend_to(11);
            for section in 0..=11 {
                let all = moves.columns(section);
                let chunks = 0..Chunk::count(all.len());
                let covered: Vec<u32> = chunks
                    .clone()
                    .flat_map(|number| Chunk::new(all, number).line_columns)
                    .copied()
                    .collect();
                assert_eq!(covered, all);
                let columns = Chunk::columns_of(all, &chunks);
                assert_eq!(columns, all[0]..all[all.len() - 1] + 1);
            }
        }
    }
}
