//! One section of one sweep: chunk by chunk and tile by tile, from the lines of
//! the children to the entries of the section.

use std::ops::Range;

use rayon::prelude::*;

use super::bands::{Bands, gathered, tile_rows};
use super::chunk::{Chunk, reached};
use super::columns::ColumnMap;
use super::entry::{Entry, Score};
use super::fixed::Fixed;
use super::least::{Pieces, least_children};
use super::lines::{LinePart, Lines};
use super::observer::Observer;
use super::plan::{Plan, RowMoves};
use super::prefetch::prefetch;
use super::ripple::Change;
use super::scratch::SpillError;
use super::store::Store;
use super::tile::{HEIGHT, Tile};
use super::wide::{Work, widely};
use super::working::{Target, Tick};
use crate::index::LayerIndex;

/// What a sweep changed: how many entries and, if they are noted, which.
pub(super) struct Changed<E> {
    pub count: u64,
    pub noted: Vec<Change<E>>,
}

impl<E: Entry> Changed<E> {
    fn none() -> Changed<E> {
        Changed {
            count: 0,
            noted: Vec::new(),
        }
    }

    fn with(mut self, mut other: Changed<E>) -> Changed<E> {
        self.count += other.count;
        self.noted.append(&mut other.noted);
        self
    }

    /// Notes which entries of a line, from row `first` on, are about to change:
    /// to the better of what their quiet and their other moves are worth.
    fn note(
        &mut self,
        section: u8,
        line: usize,
        first: usize,
        entries: &[E],
        best: &[Score],
        quiet: impl Fn(usize) -> E,
    ) {
        for (row, (&before, &best)) in entries.iter().zip(best).enumerate() {
            if before != quiet(row).max(E::leaving(best)) {
                self.noted.push(Change {
                    section,
                    line: line as u32,
                    row: (first + row) as u32,
                    before,
                });
            }
        }
    }
}

/// A section that is to be computed.
pub(super) struct Pass<'a, E> {
    pub plan: &'a Plan,
    pub index: &'a LayerIndex,
    pub observer: &'a dyn Observer,
    pub section: u8,
    pub now: Tick,
    /// Whether to note which boards change.
    pub noting: bool,
    pub fixed: &'a [Fixed<E>],
}

impl<'a, E: Entry> Pass<'a, E> {
    /// The moves of the section's mover's rows.
    pub fn rows(&self) -> &'a [RowMoves] {
        self.plan.row_moves(self.index.seeds() - self.section)
    }

    /// Computes the tiles that begin with these rows; returns what changed.
    pub fn compute(
        &self,
        tiles: &[usize],
        children: &Store<E>,
        target: &mut Target<E>,
        best: &[Score],
    ) -> Result<Changed<E>, SpillError> {
        let section_lines = self.index.section_lines(self.section);
        let width = self.index.section_width(self.section);
        let lines = Chunk::size(section_lines);
        let maps = self.plan.maps(self.section);
        let reaches = |chunks: &Range<usize>| {
            let columns = Chunk::band(self.plan, self.index, self.section, chunks);
            let reach = |map: &ColumnMap| {
                let part = reached(&map.quiet, &columns);
                part.map(|part| (0, part)).into_iter().collect()
            };
            maps.iter().map(reach).collect()
        };
        let bands = Bands {
            gathered: gathered(self.index),
            stores: &[children],
            rows: self.rows(),
            tiles,
            reaches: &reaches,
        };
        let rows_of = |tiles: &[usize]| -> usize {
            let rows = tiles.iter().map(|&first| tile_rows(self.rows(), first));
            rows.map(<[_]>::len).sum()
        };
        let skipped = (width - rows_of(tiles)) * section_lines;
        self.observer.advance(skipped as u64);
        let mut all = Changed::none();
        bands.each(
            0..Chunk::count(section_lines),
            &mut |chunks, tiles, read| {
                let first = chunks.start * lines;
                let end = section_lines.min(chunks.end * lines);
                let rows = rows_of(tiles);
                let changes = target.entries[first * width..end * width]
                    .par_chunks_mut(lines * width)
                    .zip(target.changed[first..end].par_chunks_mut(lines))
                    .zip(best[first * width..end * width].par_chunks(lines * width))
                    .enumerate()
                    .map(|(number, ((out, changed), best))| {
                        let number = chunks.start + number;
                        self.observer.advance((rows * changed.len()) as u64);
                        widely(ChunkWork {
                            pass: self,
                            chunk: Chunk::new(self.plan, self.index, self.section, number),
                            tiles,
                            read,
                            first_line: number * lines,
                            out,
                            best,
                            changed,
                        })
                    })
                    .reduce(Changed::none, Changed::with);
                all = std::mem::replace(&mut all, Changed::none()).with(changes);
                Ok(())
            },
        )?;
        Ok(all)
    }

    /// The fixed entries of some mover's rows.
    fn fixed_in(&self, rows: Range<usize>) -> &[Fixed<E>] {
        let before = |row: usize| move |f: &Fixed<E>| (f.row as usize) < row;
        let from = self.fixed.partition_point(before(rows.start));
        let count = self.fixed[from..].partition_point(before(rows.end));
        &self.fixed[from..from + count]
    }
}

/// Some tiles of a chunk: what they read, and where they are written.
struct ChunkWork<'w, 'a, E> {
    pass: &'w Pass<'a, E>,
    chunk: Chunk<'w>,
    /// The first rows of the tiles.
    tiles: &'w [usize],
    read: &'w Lines<'w, E>,
    first_line: usize,
    out: &'w mut [E],
    best: &'w [Score],
    changed: &'w mut [Tick],
}

impl<E: Entry> Work for ChunkWork<'_, '_, E> {
    type Done = Changed<E>;

    #[inline(always)]
    fn run(mut self) -> Changed<E> {
        let maps = self.pass.plan.maps(self.pass.section);
        let pieces: Vec<Pieces> = (maps.iter())
            .map(|map| Pieces::new::<E>(map, &self.chunk.columns))
            .collect();
        let mut tile = Tile::new(self.chunk.columns.clone());
        let mut changes = Changed::none();
        let mut reads = Reads::new();
        for (place, &first) in self.tiles.iter().enumerate() {
            let rows = tile_rows(self.pass.rows(), first);
            reads.find(rows, place * HEIGHT, self.read, &pieces);
            for row in 0..rows.len() {
                reads.ask_ahead_of(row);
                least_children(tile.row_mut(row), reads.of(row));
            }
            tile.turn();
            let fixed = self.pass.fixed_in(first..first + rows.len());
            if fixed.is_empty() {
                self.write(&tile, first, rows.len(), Entry::turned, &mut changes);
            } else {
                tile.replace_turned(Entry::turned);
                for fixed in fixed {
                    if self.chunk.columns.contains(&fixed.column) {
                        *tile.turned_at(fixed.row as usize - first, fixed.column) = fixed.entry;
                    }
                }
                self.write(&tile, first, rows.len(), |entry| entry, &mut changes);
            }
        }
        changes
    }
}

impl<E: Entry> ChunkWork<'_, '_, E> {
    /// Writes what `worth` makes of a turned tile to the lines of the chunk.
    #[inline(always)]
    fn write(
        &mut self,
        tile: &Tile<E>,
        first: usize,
        rows: usize,
        worth: impl Fn(E) -> E + Copy,
        changes: &mut Changed<E>,
    ) {
        let width = self.pass.index.section_width(self.pass.section);
        let lines = (self.out.chunks_exact_mut(width)).zip(self.best.chunks_exact(width));
        let lines = lines.zip(self.chunk.line_columns.iter().zip(self.changed.iter_mut()));
        for (number, ((line, best), (&column, changed))) in lines.enumerate() {
            let here = first..first + rows;
            let (line, best) = (&mut line[here.clone()], &best[here]);
            let quiet = tile.column(column);
            if self.pass.noting {
                let line_number = self.first_line + number;
                changes.note(self.pass.section, line_number, first, line, best, |row| {
                    worth(quiet[row])
                });
            }
            let count: u64 = match (line.as_mut_array(), best.as_array()) {
                (Some(line), Some(best)) => write_whole(line, quiet, best, worth).into(),
                _ => write(line, quiet, best, worth).into(),
            };
            if count > 0 {
                changes.count += count;
                *changed = self.pass.now;
            }
        }
    }
}

/// What the rows of a tile read: for each move of each row the pieces of its
/// column map and the line that it leads to.
struct Reads<'r, E> {
    moves: Vec<(&'r Pieces, LinePart<'r, E>)>,
    /// Where the moves of each row end; they begin where those of the row before
    /// end.
    ends: [usize; HEIGHT],
    rows: usize,
    /// Moves whose lines have been asked for.
    asked: usize,
}

impl<'r, E: Entry> Reads<'r, E> {
    fn new() -> Reads<'r, E> {
        Reads {
            moves: Vec::new(),
            ends: [0; HEIGHT],
            rows: 0,
            asked: 0,
        }
    }

    /// Finds what some rows read, of which the first is in place `place` of those
    /// that `lines` are at hand for.
    #[inline(always)]
    fn find(
        &mut self,
        rows: &[RowMoves],
        place: usize,
        lines: &'r Lines<'_, E>,
        by_map: &'r [Pieces],
    ) {
        self.moves.clear();
        for ((row, moves), end) in (place..).zip(rows).zip(&mut self.ends) {
            for (number, m) in moves.as_slice().iter().enumerate() {
                let line = lines.part(row, number, m, 0);
                self.moves.push((&by_map[usize::from(m.map)], line));
            }
            *end = self.moves.len();
        }
        (self.rows, self.asked) = (rows.len(), 0);
    }

    #[inline(always)]
    fn of(&self, row: usize) -> &[(&'r Pieces, LinePart<'r, E>)] {
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.moves[start..self.ends[row]]
    }

    /// Asks for the lines of a row some rows further on.
    #[inline(always)]
    fn ask_ahead_of(&mut self, row: usize) {
        /// Rows from asking for the lines of one to reading them.
        const AHEAD: usize = 4;
        let end = self.ends[(row + AHEAD).min(self.rows - 1)];
        for (pieces, line) in &self.moves[self.asked..end] {
            for &place in &pieces.touched {
                if let Some(entry) = line.from(place).first() {
                    prefetch(entry);
                }
            }
        }
        self.asked = end;
    }
}

/// As `write`, for as many entries as a tile has rows: a number that the
/// compiler knows, which spares it the loop.
#[inline(always)]
fn write_whole<E: Entry>(
    line: &mut [E; HEIGHT],
    quiet: &[E; HEIGHT],
    best: &[Score; HEIGHT],
    worth: impl Fn(E) -> E,
) -> E::Count {
    write(line, quiet, best, worth)
}

/// Writes the better of the quiet moves and the best of the others; counts the
/// entries that changed, at most `HEIGHT`.
#[inline(always)]
fn write<E: Entry>(
    line: &mut [E],
    quiet: &[E; HEIGHT],
    best: &[Score],
    worth: impl Fn(E) -> E,
) -> E::Count {
    let mut changes = E::Count::default();
    for ((entry, &quiet), &best) in line.iter_mut().zip(quiet).zip(best) {
        let new = worth(quiet).max(E::leaving(best));
        changes += new.differs(*entry);
        *entry = new;
    }
    changes
}
