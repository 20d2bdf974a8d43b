//! A tile: the boards of a few mover's rows against a stretch of columns.
//!
//! Moves are evaluated along columns (one mover's row A against all rows B),
//! but a layer stores boards along mover's rows (line B, entry A). A tile is
//! where the two meet: it is filled row by row and read back turned.

use std::ops::Range;

use super::columns::Run;
use super::entry::Entry;
use super::lines::LinePart;

/// Mover's rows in a tile: a cache line of scores in each line written.
pub(super) const HEIGHT: usize = 64;

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
        // Whole squares, so that turning needs no special edge.
        let width = columns.len().next_multiple_of(SQUARE);
        Tile {
            columns,
            // Not `NONE`, which cannot be turned: columns beyond the last one are.
            rows: vec![E::NO_CHILD; width * HEIGHT],
            turned: vec![E::NONE; width * HEIGHT],
        }
    }

    #[inline(always)]
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

    /// Row `row` as it is, to be written.
    #[inline(always)]
    pub fn row_mut(&mut self, row: usize) -> &mut [E] {
        let width = self.width();
        &mut self.rows[row * width..][..self.columns.len()]
    }

    /// Makes the rows readable by column.
    pub fn turn(&mut self) {
        self.turn_to(|entry| entry);
    }

    /// Makes what `worth` makes of the rows readable by column.
    #[inline(always)]
    pub fn turn_to(&mut self, worth: impl Fn(E) -> E) {
        let width = self.width();
        let mut square = [[E::NONE; SQUARE]; SQUARE];
        for column in (0..width).step_by(SQUARE) {
            for row in (0..HEIGHT).step_by(SQUARE) {
                for (i, edge) in square.iter_mut().enumerate() {
                    let start = (row + i) * width + column;
                    for (to, &from) in edge.iter_mut().zip(&self.rows[start..start + SQUARE]) {
                        *to = worth(from);
                    }
                }
                turn_square(&mut square);
                for (i, edge) in square.iter().enumerate() {
                    let start = (column + i) * HEIGHT + row;
                    self.turned[start..start + SQUARE].copy_from_slice(edge);
                }
            }
        }
    }

    /// The entry of one row in one column, as last turned.
    pub fn turned_at(&mut self, row: usize, column: u32) -> &mut E {
        &mut self.turned[(column - self.columns.start) as usize * HEIGHT + row]
    }

    /// The entries of all rows in one column, as last turned.
    #[inline(always)]
    pub fn column(&self, column: u32) -> &[E; HEIGHT] {
        let start = (column - self.columns.start) as usize * HEIGHT;
        self.turned[start..start + HEIGHT]
            .try_into()
            .expect("a tile's height")
    }
}

/// The edge of the squares that a tile is turned by.
const SQUARE: usize = 16;

type Square<E> = [[E; SQUARE]; SQUARE];

/// Turns a square: entry `j` of line `i` becomes entry `i` of line `j`.
///
/// Line `i` and line `i + 8` are shuffled into one another, four times over, as
/// a deck of cards is: an entry's place (line, column) is a number of eight
/// bits, each shuffle of the whole turns these bits by one place, and four
/// exchange line and column. Processors shuffle lines at once.
#[inline(always)]
fn turn_square<E: Copy>(square: &mut Square<E>) {
    let mut other = *square;
    shuffle(square, &mut other);
    shuffle(&other, square);
    shuffle(square, &mut other);
    shuffle(&other, square);
}

#[inline(always)]
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

/// One row of a tile while it is filled.
pub(super) struct TileRow<'a, E> {
    columns: Range<u32>,
    entries: &'a mut [E],
}

impl<E: Entry> TileRow<'_, E> {
    /// The part of a run that lies within the tile's columns: where it begins
    /// in the row, where in the child's line, and how long it is.
    fn within(&self, run: &Run) -> (usize, u32, usize) {
        let from = run.from.max(self.columns.start);
        let end = (run.from + run.len).min(self.columns.end);
        (
            (from - self.columns.start) as usize,
            run.to + (from - run.from),
            (end - from) as usize,
        )
    }

    /// Raises the columns of a run to what `worth` makes of the child's entries.
    #[inline]
    pub fn raise<C: Copy>(&mut self, run: &Run, child: LinePart<'_, C>, worth: impl Fn(C) -> E) {
        let (from, to, len) = self.within(run);
        raise(
            &mut self.entries[from..from + len],
            child.entries(to, len),
            worth,
        );
    }

    /// Whether a column that `other` has not been raised in either is left.
    pub fn any_none(&self, other: &TileRow<'_, E>) -> bool {
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

/// Raises entries to what `worth` makes of others, as many.
///
/// Raising twice does no harm, so a stretch is covered by whole pieces of which
/// the last may overlap the one before: no entry is handled alone but in the
/// shortest of stretches.
#[inline]
fn raise<E: Entry, C: Copy>(entries: &mut [E], from: &[C], worth: impl Fn(C) -> E) {
    const PIECE: usize = 32;
    if entries.len() >= PIECE {
        let pieces = entries.as_chunks_mut::<PIECE>().0.iter_mut();
        for (entries, from) in pieces.zip(from.as_chunks().0) {
            raise_piece(entries, from, &worth);
        }
        raise_last::<PIECE, _, _>(entries, from, &worth);
    } else if entries.len() >= 16 {
        raise_ends::<16, _, _>(entries, from, &worth);
    } else if entries.len() >= 8 {
        raise_ends::<8, _, _>(entries, from, &worth);
    } else if entries.len() >= 4 {
        raise_ends::<4, _, _>(entries, from, &worth);
    } else {
        for (entry, &from) in entries.iter_mut().zip(from) {
            *entry = (*entry).max(worth(from));
        }
    }
}

#[inline]
fn raise_piece<const N: usize, E: Entry, C: Copy>(
    entries: &mut [E; N],
    from: &[C; N],
    worth: &impl Fn(C) -> E,
) {
    for (entry, &from) in entries.iter_mut().zip(from) {
        *entry = (*entry).max(worth(from));
    }
}

#[inline]
fn raise_last<const N: usize, E: Entry, C: Copy>(
    entries: &mut [E],
    from: &[C],
    worth: &impl Fn(C) -> E,
) {
    if let (Some(entries), Some(from)) = (entries.last_chunk_mut(), from.last_chunk()) {
        raise_piece::<N, _, _>(entries, from, worth);
    }
}

#[inline]
fn raise_ends<const N: usize, E: Entry, C: Copy>(
    entries: &mut [E],
    from: &[C],
    worth: &impl Fn(C) -> E,
) {
    if let (Some(entries), Some(from)) = (entries.first_chunk_mut(), from.first_chunk()) {
        raise_piece::<N, _, _>(entries, from, worth);
    }
    raise_last::<N, _, _>(entries, from, worth);
}

#[cfg(test)]
mod tests {
    use super::super::entry::Score;
    use super::*;

    /// Every length up to several pieces, at any offset, against the plain loop.
    #[test]
    fn raising_by_pieces_is_raising_one_by_one() {
        let child: Vec<Score> = (0..200)
            .map(|i| Score::new((i * 37 % 97) as i8 - 48))
            .collect();
        let start: Vec<Score> = (0..200)
            .map(|i| Score::new((i * 71 % 97) as i8 - 48))
            .collect();
        for len in 0..=140 {
            for (from, to) in [(0, 0), (3, 17), (60, 1)] {
                let mut pieces = start.clone();
                raise(
                    &mut pieces[from..from + len],
                    &child[to..to + len],
                    Score::turned,
                );
                let mut plain = start.clone();
                for i in 0..len {
                    plain[from + i] = plain[from + i].max(child[to + i].turned());
                }
                assert_eq!(pieces, plain, "{len} from {from} to {to}");
            }
        }
    }

    #[test]
    fn a_turned_square_is_the_square_turned() {
        let square: Square<usize> = std::array::from_fn(|i| std::array::from_fn(|j| 100 * i + j));
        let mut turned = square;
        turn_square(&mut turned);
        for i in 0..SQUARE {
            for j in 0..SQUARE {
                assert_eq!(turned[j][i], square[i][j]);
            }
        }
    }
}
