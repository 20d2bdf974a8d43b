//! Panels: the boards of up to 128 mover's rows against the columns of a chunk.
//!
//! Moves are evaluated along columns (one mover's row A against all rows B), but an
//! array stores boards along mover's rows (line B, entry A). A panel is where the two
//! meet: it is filled row by row and read column by column. A few columns at a time are
//! transposed.

use std::ops::Range;

use super::entry::Entry;
use super::moves::{RowMoves, Run};
use super::spill::most_entries;
use crate::index::LayerIndex;

/// Mover's rows in a panel: two cache lines of values in each line that is written. Most
/// lines lie on different pages, so that fewer rows cost more lookups of addresses, and
/// more rows leave the nearest caches.
pub(super) const PANEL_HEIGHT: usize = 128;

/// The rows of the panel that begins with row `first`.
pub(super) fn panel_rows(rows: &[RowMoves], first: usize) -> &[RowMoves] {
    &rows[first..rows.len().min(first + PANEL_HEIGHT)]
}

/// Mover's rows in the panels that begin with these of `rows`.
pub(super) fn rows_in(rows: &[RowMoves], panels: &[usize]) -> usize {
    let rows = panels.iter().map(|&first| panel_rows(rows, first));
    rows.map(<[_]>::len).sum()
}

/// The first rows of the panels that make up some mover's rows.
pub(super) fn panels_in(rows: Range<usize>) -> Vec<usize> {
    rows.step_by(PANEL_HEIGHT).collect()
}

/// Divides the work on a section into steps: ranges of mover's rows, in whole panels, which
/// have about as many boards as a piece of an array beyond memory.
pub(super) fn steps(index: &LayerIndex, section: u8) -> Vec<Range<usize>> {
    let (lines, width) = (index.section_lines(section), index.section_width(section));
    let rows = most_entries(index) / lines.max(1);
    let rows = rows.next_multiple_of(PANEL_HEIGHT).max(PANEL_HEIGHT);
    let step = |first| first..width.min(first + rows);
    (0..width).step_by(rows).map(step).collect()
}

/// The order of sections in a round beyond memory: each and the one that its moves mostly lead to,
/// twice. A move without a seed that crosses leads from section `o` to `n − o`, and back, so
/// most chains of such moves are followed in one round.
pub(super) fn pairs_twice(seeds: u8) -> impl Iterator<Item = u8> {
    (0..=seeds / 2).flat_map(move |section| {
        let pair = [section, seeds - section];
        let pair = if section == seeds - section {
            &pair[..1]
        } else {
            &pair
        };
        pair.repeat(2)
    })
}

/// A buffer for [`PANEL_HEIGHT`] mover's rows and the columns `columns`.
pub(super) struct Panel<E> {
    columns: Range<u32>,
    /// Entries from one row to the next.
    width: usize,
    /// Row by row, from entry `start` on, where a cache line begins.
    rows: Vec<E>,
    start: usize,
    /// Some columns of the rows, one after another.
    transposed: Transposed<E>,
}

/// Neighbouring columns of a panel, transposed: few enough to stay in the nearest cache until
/// they have been read. Like the rows they are aligned, so that no wide register is loaded
/// from two cache lines.
#[repr(C, align(64))]
struct Transposed<E> {
    columns: [[E; PANEL_HEIGHT]; EDGE],
    /// The first one, counted within the panel; `None` if the rows may have changed.
    first: Option<usize>,
}

impl<E: Entry> Panel<E> {
    pub fn new(columns: Range<u32>) -> Panel<E> {
        /// Bytes.
        const CACHE_LINE: usize = 64;
        // Whole matrices, so that transposing needs no special edge.
        let width = columns.len().next_multiple_of(EDGE);
        // What `Entry::lower` handles may begin at the last column of the last row.
        let rows = vec![E::NO_CHILD; width * PANEL_HEIGHT + E::LOWERED + CACHE_LINE];
        Panel {
            columns,
            width,
            start: rows.as_ptr().align_offset(CACHE_LINE).min(CACHE_LINE),
            rows,
            transposed: Transposed {
                columns: [[E::NONE; PANEL_HEIGHT]; EDGE],
                first: None,
            },
        }
    }

    /// Where a row begins in [`Panel::all_rows_mut`].
    #[inline(always)]
    pub fn row_start(&self, row: usize) -> usize {
        row * self.width
    }

    /// All rows, one after another.
    #[inline(always)]
    pub fn all_rows_mut(&mut self) -> &mut [E] {
        self.transposed.first = None;
        &mut self.rows[self.start..]
    }

    /// Clears row `row`, to be raised move by move.
    #[inline(always)]
    pub fn row(&mut self, row: usize) -> PanelRow<'_, E> {
        let (start, width) = (self.row_start(row), self.width);
        let columns = self.columns.clone();
        let entries = &mut self.all_rows_mut()[start..start + width];
        entries.fill(E::NONE);
        PanelRow { columns, entries }
    }

    /// Row `row`, to be overwritten.
    #[inline(always)]
    pub fn row_mut(&mut self, row: usize) -> &mut [E] {
        let (start, len) = (self.row_start(row), self.columns.len());
        &mut self.all_rows_mut()[start..start + len]
    }

    /// The entries of all rows in one column. Fastest if columns are asked for in order.
    #[inline(always)]
    pub fn column(&mut self, column: u32) -> &[E; PANEL_HEIGHT] {
        let column = (column - self.columns.start) as usize;
        let first = column / EDGE * EDGE;
        if self.transposed.first != Some(first) {
            self.transpose(first);
        }
        &self.transposed.columns[column % EDGE]
    }

    /// Transposes the transposed that begins with a column. Not inlined where loops are compiled
    /// for wide registers: there the shuffles cost more than they save.
    #[inline(never)]
    fn transpose(&mut self, first: usize) {
        self.transposed.first = Some(first);
        let mut matrix = [[E::NONE; EDGE]; EDGE];
        for row in (0..PANEL_HEIGHT).step_by(EDGE) {
            for (i, edge) in matrix.iter_mut().enumerate() {
                let start = self.start + (row + i) * self.width + first;
                edge.copy_from_slice(&self.rows[start..start + EDGE]);
            }
            transpose_matrix(&mut matrix);
            for (column, edge) in self.transposed.columns.iter_mut().zip(&matrix) {
                column[row..row + EDGE].copy_from_slice(edge);
            }
        }
    }
}

/// The edge of the matrices in which a panel is transposed.
const EDGE: usize = 16;

type Matrix<E> = [[E; EDGE]; EDGE];

/// Transposes a matrix: entry `j` of line `i` becomes entry `i` of line `j`.
///
/// Lines `i` and `i + 8` are interleaved, four times over, like a riffled deck of
/// cards. An entry's position (line, column) is a number of eight bits; each shuffle
/// rotates these bits by one, and four exchange line and column. Processors
/// interleave whole lines at once.
fn transpose_matrix<E: Copy>(matrix: &mut Matrix<E>) {
    let mut other = *matrix;
    shuffle(matrix, &mut other);
    shuffle(&other, matrix);
    shuffle(matrix, &mut other);
    shuffle(&other, matrix);
}

#[inline]
fn shuffle<E: Copy>(from: &Matrix<E>, to: &mut Matrix<E>) {
    const HALF: usize = EDGE / 2;
    let (above, below) = from.split_at(HALF);
    for ((a, b), pair) in above.iter().zip(below).zip(to.as_chunks_mut::<2>().0) {
        let [first, second] = pair;
        for j in 0..HALF {
            (first[2 * j], first[2 * j + 1]) = (a[j], b[j]);
            (second[2 * j], second[2 * j + 1]) = (a[HALF + j], b[HALF + j]);
        }
    }
}

/// One row of a panel while it is filled.
pub(super) struct PanelRow<'a, E> {
    columns: Range<u32>,
    entries: &'a mut [E],
}

impl<E: Entry> PanelRow<'_, E> {
    /// The part of a run within the panel's columns: where it begins in the row,
    /// where in the child's line, and how long it is.
    #[inline(always)]
    fn within(&self, run: &Run) -> (usize, u32, usize) {
        let from = run.from.max(self.columns.start);
        let end = (run.from + run.len).min(self.columns.end);
        (
            (from - self.columns.start) as usize,
            run.to + (from - run.from),
            (end - from) as usize,
        )
    }

    /// Raises the columns of a run to what `entry_of` makes of the child's entries.
    #[inline(always)]
    pub fn raise<C: Copy>(&mut self, run: &Run, child: &[C], entry_of: impl Fn(C) -> E) {
        let (from, to, len) = self.within(run);
        raise(
            &mut self.entries[from..from + len],
            &child[to as usize..][..len],
            entry_of,
        );
    }

    /// Whether a column is left that has been raised neither here nor in `other`.
    #[inline(always)]
    pub fn any_none(&self, other: &PanelRow<'_, E>) -> bool {
        let mut pairs = self.entries.iter().zip(other.entries.iter());
        // Without a branch, many at a time.
        let none = |(&a, &b): (&E, &E)| a.max(b) == E::NONE;
        let width = self.columns.len();
        pairs
            .by_ref()
            .take(width)
            .fold(false, |any, pair| any | none(pair))
    }

    /// Raises the columns of a run to `entry`.
    #[inline(always)]
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

/// Raises entries to what `entry_of` makes of as many others.
///
/// Raising twice does no harm, so a range is covered by whole fragments. The last one
/// may overlap the one before: entries are handled one by one only in the
/// shortest ranges.
#[inline(always)]
fn raise<E: Entry, C: Copy>(entries: &mut [E], from: &[C], entry_of: impl Fn(C) -> E) {
    const FRAGMENT: usize = 32;
    if entries.len() >= FRAGMENT {
        let fragments = entries.as_chunks_mut::<FRAGMENT>().0.iter_mut();
        for (entries, from) in fragments.zip(from.as_chunks().0) {
            raise_fragment(entries, from, &entry_of);
        }
        raise_last::<FRAGMENT, _, _>(entries, from, &entry_of);
    } else if entries.len() >= 16 {
        raise_ends::<16, _, _>(entries, from, &entry_of);
    } else if entries.len() >= 8 {
        raise_ends::<8, _, _>(entries, from, &entry_of);
    } else if entries.len() >= 4 {
        raise_ends::<4, _, _>(entries, from, &entry_of);
    } else {
        for (entry, &from) in entries.iter_mut().zip(from) {
            *entry = (*entry).max(entry_of(from));
        }
    }
}

#[inline(always)]
fn raise_fragment<const N: usize, E: Entry, C: Copy>(
    entries: &mut [E; N],
    from: &[C; N],
    entry_of: &impl Fn(C) -> E,
) {
    for (entry, &from) in entries.iter_mut().zip(from) {
        *entry = (*entry).max(entry_of(from));
    }
}

#[inline(always)]
fn raise_last<const N: usize, E: Entry, C: Copy>(
    entries: &mut [E],
    from: &[C],
    entry_of: &impl Fn(C) -> E,
) {
    if let (Some(entries), Some(from)) = (entries.last_chunk_mut(), from.last_chunk()) {
        raise_fragment::<N, _, _>(entries, from, entry_of);
    }
}

#[inline(always)]
fn raise_ends<const N: usize, E: Entry, C: Copy>(
    entries: &mut [E],
    from: &[C],
    entry_of: &impl Fn(C) -> E,
) {
    if let (Some(entries), Some(from)) = (entries.first_chunk_mut(), from.first_chunk()) {
        raise_fragment::<N, _, _>(entries, from, entry_of);
    }
    raise_last::<N, _, _>(entries, from, entry_of);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Ruleset;
    use crate::solve::entry::Value;

    #[test]
    fn steps_have_all_rows_in_order() {
        for (rules, seeds) in [
            (Ruleset::AWARI, 12),
            (Ruleset::KALAH, 5),
            (Ruleset::AWARI, 0),
        ] {
            let index = LayerIndex::new(rules, seeds);
            for section in 0..=seeds {
                let mut rows = 0;
                for step in steps(&index, section) {
                    assert_eq!((step.start, step.start % PANEL_HEIGHT), (rows, 0));
                    rows = step.end;
                }
                assert_eq!(rows, index.section_width(section));
            }
        }
    }

    /// Every length up to several fragments, at any offset, against the plain loop.
    #[test]
    fn raising_by_fragments_equals_raising_one_by_one() {
        let child: Vec<Value> = (0..200)
            .map(|i| Value::new((i * 37 % 97) as i8 - 48))
            .collect();
        let start: Vec<Value> = (0..200)
            .map(|i| Value::new((i * 71 % 97) as i8 - 48))
            .collect();
        for len in 0..=140 {
            for (from, to) in [(0, 0), (3, 17), (60, 1)] {
                let mut fragments = start.clone();
                raise(
                    &mut fragments[from..from + len],
                    &child[to..to + len],
                    Value::negated,
                );
                let mut plain = start.clone();
                for i in 0..len {
                    plain[from + i] = plain[from + i].max(child[to + i].negated());
                }
                assert_eq!(fragments, plain, "{len} from {from} to {to}");
            }
        }
    }

    #[test]
    fn columns_are_those_of_the_rows_as_they_are_now() {
        let columns = 100..153;
        let mut panel = Panel::new(columns.clone());
        let value = |row: usize, column: u32, shift: usize| {
            Value::new(((row * 7 + column as usize * 5 + shift) % 97) as i8 - 48)
        };
        for shift in 0..3 {
            for row in (0..PANEL_HEIGHT).filter(|row| shift == 0 || row % 3 == shift) {
                let mut entries = columns.clone().map(|column| value(row, column, shift));
                panel.row_mut(row).fill_with(|| entries.next().unwrap());
            }
            for column in columns.clone().chain(columns.clone().rev()) {
                let expected: [Value; PANEL_HEIGHT] = std::array::from_fn(|row| {
                    let last = row % 3;
                    value(row, column, if last <= shift { last } else { 0 })
                });
                assert_eq!(*panel.column(column), expected, "{shift}, {column}");
            }
        }
    }

    #[test]
    fn a_square_is_transposed() {
        let matrix: Matrix<usize> = std::array::from_fn(|i| std::array::from_fn(|j| 100 * i + j));
        let mut transposed = matrix;
        transpose_matrix(&mut transposed);
        for i in 0..EDGE {
            for j in 0..EDGE {
                assert_eq!(transposed[j][i], matrix[i][j]);
            }
        }
    }
}
