//! A tile: the boards of a few mover's rows against a stretch of columns.
//!
//! Moves are evaluated along columns (one mover's row A against all rows B),
//! but a layer stores boards along mover's rows (line B, entry A). A tile is
//! where the two meet: it is filled row by row and read back turned.

use std::ops::Range;

use super::entry::Entry;
use super::plan::Run;

/// Mover's rows in a tile: half a cache line of the plane it is written to.
pub(super) const HEIGHT: usize = 32;

/// A buffer for `HEIGHT` mover's rows and the columns `columns`.
pub(super) struct Tile<E> {
    columns: Range<u32>,
    /// Row by row.
    rows: Vec<E>,
    /// Column by column, as last turned.
    turned: Vec<E>,
}

impl<E: Entry> Tile<E> {
    pub fn new(columns: Range<u32>) -> Tile<E> {
        // Whole squares of 8, so that turning needs no special edge.
        let width = columns.len().next_multiple_of(SQUARE);
        Tile {
            columns,
            rows: vec![E::NONE; width * HEIGHT],
            turned: vec![E::NONE; width * HEIGHT],
        }
    }

    fn width(&self) -> usize {
        self.rows.len() / HEIGHT
    }

    /// Clears row `row` and lets it be filled.
    pub fn row(&mut self, row: usize) -> TileRow<'_, E> {
        let width = self.width();
        let entries = &mut self.rows[row * width..][..width];
        entries.fill(E::NONE);
        TileRow {
            columns: self.columns.clone(),
            entries,
        }
    }

    /// Makes the rows readable by column.
    pub fn turn(&mut self) {
        let width = self.width();
        for column in (0..width).step_by(SQUARE) {
            for row in (0..HEIGHT).step_by(SQUARE) {
                let square: [[E; SQUARE]; SQUARE] = std::array::from_fn(|i| {
                    let start = (row + i) * width + column;
                    self.rows[start..start + SQUARE]
                        .try_into()
                        .expect("a square's edge")
                });
                for (i, column) in (column..column + SQUARE).enumerate() {
                    let start = column * HEIGHT + row;
                    let line: &mut [E; SQUARE] = (&mut self.turned[start..start + SQUARE])
                        .try_into()
                        .expect("a square's edge");
                    *line = std::array::from_fn(|j| square[j][i]);
                }
            }
        }
    }

    /// The entries of all rows in one column, as last turned.
    pub fn column(&self, column: u32) -> &[E; HEIGHT] {
        let start = (column - self.columns.start) as usize * HEIGHT;
        self.turned[start..start + HEIGHT]
            .try_into()
            .expect("a tile's height")
    }
}

const SQUARE: usize = 8;

/// One row of a tile while it is filled.
pub(super) struct TileRow<'a, E> {
    columns: Range<u32>,
    entries: &'a mut [E],
}

impl<E: Entry> TileRow<'_, E> {
    /// The part of a run that lies within the tile's columns: where it begins
    /// in the row, where in the child's line, and how long it is.
    fn within(&self, run: &Run) -> (usize, usize, usize) {
        let from = run.from.max(self.columns.start);
        let end = (run.from + run.len).min(self.columns.end);
        (
            (from - self.columns.start) as usize,
            (run.to + (from - run.from)) as usize,
            (end - from) as usize,
        )
    }

    /// Raises the columns of a run to what `worth` makes of the child's entries.
    #[inline]
    pub fn raise<C: Copy>(&mut self, run: &Run, child: &[C], worth: impl Fn(C) -> E) {
        let (from, to, len) = self.within(run);
        let entries = &mut self.entries[from..from + len];
        for (entry, &c) in entries.iter_mut().zip(&child[to..to + len]) {
            *entry = (*entry).max(worth(c));
        }
    }

    /// Raises the columns of a run to `entry`.
    pub fn raise_to(&mut self, run: &Run, entry: E) {
        let (from, _, len) = self.within(run);
        for e in &mut self.entries[from..from + len] {
            *e = (*e).max(entry);
        }
    }

    /// The entry of one column.
    pub fn at(&mut self, column: u32) -> &mut E {
        &mut self.entries[(column - self.columns.start) as usize]
    }
}

/// The runs of a sorted list that reach into `columns`.
pub(super) fn overlapping<T>(
    runs: &[T],
    columns: &Range<u32>,
    run: impl Fn(&T) -> Run,
) -> Range<usize> {
    let first = runs.partition_point(|r| run(r).from + run(r).len <= columns.start);
    let count = runs[first..].partition_point(|r| run(r).from < columns.end);
    first..first + count
}
