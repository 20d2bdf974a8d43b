//! Panels: the boards of up to 128 mover's rows against the columns of a chunk.
//!
//! Moves are evaluated along columns (one mover's row A against all rows B), but an
//! array stores boards along mover's rows (line B, entry A). A panel is where the two
//! meet: it is filled row by row, transposed, and read column by column.

use std::ops::Range;

use super::PANEL_HEIGHT;
use super::children::LinePart;
use crate::solve::moves::Run;
use crate::solve::storage::Entry;

/// A buffer for [`PANEL_HEIGHT`] mover's rows and the columns `columns`.
pub(in crate::solve) struct Panel<E> {
    columns: Range<u32>,
    /// Entries from one row to the next.
    width: usize,
    /// Row by row.
    rows: Vec<E>,
    /// Column by column, as last transposed.
    transposed: Vec<E>,
}

impl<E: Entry> Panel<E> {
    pub fn new(columns: Range<u32>) -> Panel<E> {
        // Whole squares, so that transposing needs no special edge.
        let width = columns.len().next_multiple_of(SQUARE);
        Panel {
            columns,
            width,
            // Not `NONE`, which cannot be negated: columns beyond the last one are. One
            // square more, for windows that begin in the last columns.
            rows: vec![E::NO_CHILD; width * PANEL_HEIGHT + SQUARE],
            transposed: vec![E::NONE; width * PANEL_HEIGHT],
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
        &mut self.rows
    }

    /// Clears row `row`, to be raised move by move.
    #[inline(always)]
    pub fn row(&mut self, row: usize) -> PanelRow<'_, E> {
        let start = self.row_start(row);
        let entries = &mut self.rows[start..start + self.width];
        entries.fill(E::NONE);
        PanelRow {
            columns: self.columns.clone(),
            entries,
        }
    }

    /// Row `row`, to be overwritten.
    #[inline(always)]
    pub fn row_mut(&mut self, row: usize) -> &mut [E] {
        let start = self.row_start(row);
        &mut self.rows[start..start + self.columns.len()]
    }

    /// Makes the rows readable by column. Not inlined where loops are compiled for
    /// wide registers: there the shuffles cost more than they save.
    #[inline(never)]
    pub fn transpose(&mut self) {
        let width = self.width;
        let mut square = [[E::NONE; SQUARE]; SQUARE];
        for column in (0..width).step_by(SQUARE) {
            for row in (0..PANEL_HEIGHT).step_by(SQUARE) {
                for (i, edge) in square.iter_mut().enumerate() {
                    let start = (row + i) * width + column;
                    edge.copy_from_slice(&self.rows[start..start + SQUARE]);
                }
                transpose_square(&mut square);
                for (i, edge) in square.iter().enumerate() {
                    let start = (column + i) * PANEL_HEIGHT + row;
                    self.transposed[start..start + SQUARE].copy_from_slice(edge);
                }
            }
        }
    }

    /// Replaces every transposed entry by what `map` makes of it.
    pub fn map_transposed(&mut self, map: impl Fn(E) -> E) {
        for entry in &mut self.transposed {
            *entry = map(*entry);
        }
    }

    /// The transposed entry of one row in one column.
    pub fn transposed_at(&mut self, row: usize, column: u32) -> &mut E {
        &mut self.transposed[(column - self.columns.start) as usize * PANEL_HEIGHT + row]
    }

    /// The transposed entries of all rows in one column.
    #[inline(always)]
    pub fn column(&self, column: u32) -> &[E; PANEL_HEIGHT] {
        let start = (column - self.columns.start) as usize * PANEL_HEIGHT;
        self.transposed[start..start + PANEL_HEIGHT]
            .try_into()
            .expect("a panel's height")
    }
}

/// The edge of the squares in which a panel is transposed.
const SQUARE: usize = 16;

type Square<E> = [[E; SQUARE]; SQUARE];

/// Transposes a square: entry `j` of line `i` becomes entry `i` of line `j`.
///
/// Lines `i` and `i + 8` are interleaved, four times over, like a riffled deck of
/// cards. An entry's position (line, column) is a number of eight bits; each shuffle
/// rotates these bits by one, and four exchange line and column. Processors
/// interleave whole lines at once.
fn transpose_square<E: Copy>(square: &mut Square<E>) {
    let mut other = *square;
    shuffle(square, &mut other);
    shuffle(&other, square);
    shuffle(square, &mut other);
    shuffle(&other, square);
}

#[inline]
fn shuffle<E: Copy>(from: &Square<E>, to: &mut Square<E>) {
    const HALF: usize = SQUARE / 2;
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
pub(in crate::solve) struct PanelRow<'a, E> {
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
    pub fn raise<C: Copy>(&mut self, run: &Run, child: LinePart<'_, C>, entry_of: impl Fn(C) -> E) {
        let (from, to, len) = self.within(run);
        raise(
            &mut self.entries[from..from + len],
            child.entries(to, len),
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
/// Raising twice does no harm, so a range is covered by whole fragments, of which the
/// last may overlap the one before: entries are handled one by one only in the
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
    use crate::solve::storage::Value;

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
    fn a_square_is_transposed() {
        let square: Square<usize> = std::array::from_fn(|i| std::array::from_fn(|j| 100 * i + j));
        let mut transposed = square;
        transpose_square(&mut transposed);
        for i in 0..SQUARE {
            for j in 0..SQUARE {
                assert_eq!(transposed[j][i], square[i][j]);
            }
        }
    }
}
