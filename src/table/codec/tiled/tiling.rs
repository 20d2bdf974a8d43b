//! Tiles: how a layer is cut so that one board can be decoded without many others.
//!
//! A layer consists of sections (`docs/internals/index.md`): matrices with a line for each row
//! of the opponent and a column for each row of the mover. A tile is 8 × 16 entries,
//! fewer at the lower and right edges, so that nearly every entry has its left and
//! its upper neighbour in the same tile. Tiles are numbered from left to right, then
//! downwards, section after section.

use std::ops::Range;

use crate::index::{LayerIndex, Location, OpponentRows, row};
use crate::rules::Row;

/// Lines of a tile, except at a lower edge.
pub(in crate::table) const LINES: usize = 8;
/// Columns of a tile, except at a right edge.
pub(in crate::table) const COLUMNS: usize = 16;
/// The most entries of a plane in a tile.
pub(in crate::table) const CELLS: usize = LINES * COLUMNS;

/// The first sections of a layer, cut into tiles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::table) struct Tiling {
    index: LayerIndex,
    /// The number of the first tile of each section, then the number of all tiles.
    starts: Vec<u64>,
}

/// Where a tile is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::table) struct Tile {
    /// Its section: seeds in the opponent's row.
    pub section: u8,
    pub first_line: usize,
    pub lines: usize,
    pub first_column: usize,
    pub columns: usize,
}

impl Tile {
    /// Entries of a plane.
    pub fn cells(&self) -> usize {
        self.lines * self.columns
    }

    /// Its lines and columns.
    pub fn shape(&self) -> (usize, usize) {
        (self.lines, self.columns)
    }
}

impl Tiling {
    /// The first sections of a layer, at most all of them.
    pub fn new(index: LayerIndex, sections: u8) -> Tiling {
        let mut starts = vec![0];
        let mut end = 0;
        for section in 0..sections {
            let tile_rows = index.section_lines(section).div_ceil(LINES) as u64;
            end += tile_rows * tile_row(&index, section);
            starts.push(end);
        }
        Tiling { index, starts }
    }

    /// How many tiles there are.
    pub fn len(&self) -> u64 {
        self.starts[self.starts.len() - 1]
    }

    /// How many of the layer's sections are cut into them.
    pub fn sections(&self) -> u8 {
        // At most 49.
        (self.starts.len() - 1) as u8
    }

    /// The entries of a plane in all tiles: those with the lowest indexes.
    pub fn entries(&self) -> u64 {
        match self.sections() {
            all if all > self.index.seeds() => self.index.len(),
            sections => self.index.section_start(sections),
        }
    }

    /// The tile with this number, which must be below [`Tiling::len`].
    pub fn tile(&self, number: u64) -> Tile {
        // The section is the last one that begins at or before the tile; none is
        // empty.
        let section = self.starts.partition_point(|&start| start <= number) as u8 - 1;
        let within = number - self.starts[usize::from(section)];
        let tile_row = tile_row(&self.index, section);
        let (line, column) = (within / tile_row, within % tile_row);
        let (first_line, first_column) = (line as usize * LINES, column as usize * COLUMNS);
        Tile {
            section,
            first_line,
            lines: (self.index.section_lines(section) - first_line).min(LINES),
            first_column,
            columns: (self.index.section_width(section) - first_column).min(COLUMNS),
        }
    }

    /// The tile that holds the entry of a location, and the entry's cell; `None` if its
    /// section is not cut into tiles.
    #[inline]
    pub fn locate(&self, location: Location) -> Option<(u64, usize)> {
        if location.section >= self.sections() {
            return None;
        }
        let width = self.index.section_width(location.section);
        let (line, column) = (location.line as usize, location.rank as usize);
        let tile_row = width.div_ceil(COLUMNS);
        let number = (line / LINES) * tile_row + column / COLUMNS;
        let columns = (width - column / COLUMNS * COLUMNS).min(COLUMNS);
        let cell = line % LINES * columns + column % COLUMNS;
        Some((
            self.starts[usize::from(location.section)] + number as u64,
            cell,
        ))
    }

    /// The rows of tiles that hold entries of a range of indexes: for each row its
    /// tiles, and the indexes of its entries, which are whole lines.
    pub fn tile_rows(&self, indexes: Range<u64>) -> impl Iterator<Item = (Range<u64>, Range<u64>)> {
        (0..self.sections()).flat_map(move |section| {
            let start = self.index.section_start(section);
            let end = start + self.index.section_entries(section) as u64;
            let first = self.starts[usize::from(section)];
            let tiles = tile_row(&self.index, section);
            let entries = (LINES * self.index.section_width(section)) as u64;
            let from = indexes.start.clamp(start, end) - start;
            let to = indexes.end.clamp(start, end) - start;
            let tile_rows = if from < to {
                from / entries..to.div_ceil(entries)
            } else {
                0..0
            };
            tile_rows.map(move |tile_row| {
                let entries = start + tile_row * entries..end.min(start + (tile_row + 1) * entries);
                (
                    first + tile_row * tiles..first + (tile_row + 1) * tiles,
                    entries,
                )
            })
        })
    }

    /// The index of the first entry in a line of a tile.
    pub fn line_start(&self, tile: &Tile, line: usize) -> u64 {
        let width = self.index.section_width(tile.section);
        let within = (tile.first_line + line) * width + tile.first_column;
        self.index.section_start(tile.section) + within as u64
    }

    /// The opponent's rows of a tile's lines.
    pub fn opponents(&self, tile: &Tile) -> impl Iterator<Item = Row> + use<> {
        let lines = self.index.lines();
        let rows = row::rows_from(lines.row(tile.section, tile.first_line as u32));
        let has_line = move |row: &Row| lines == OpponentRows::All || row::is_open(row);
        rows.filter(has_line).take(tile.lines)
    }

    /// The mover's rows of a tile's columns.
    pub fn movers(&self, tile: &Tile) -> impl Iterator<Item = Row> + use<> {
        let first = row::unrank(self.index.seeds() - tile.section, tile.first_column as u32);
        row::rows_from(first).take(tile.columns)
    }
}

/// Copies the cells of a line of a tile. Most have [`COLUMNS`].
pub(in crate::table) fn copy_cells<T: Copy>(from: &[T], to: &mut [T]) {
    match <&[T; COLUMNS]>::try_from(from) {
        // Of a length that the compiler knows.
        Ok(line) => to.copy_from_slice(line),
        Err(_) => to.copy_from_slice(from),
    }
}

/// Tiles side by side in a section.
fn tile_row(index: &LayerIndex, section: u8) -> u64 {
    index.section_width(section).div_ceil(COLUMNS) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Ruleset;

    /// Every entry of small layers is in exactly one cell, and the tile's rows are
    /// those of its board.
    #[test]
    fn tiles_hold_every_entry_once() {
        for rules in [Ruleset::AWARI, Ruleset::KALAH] {
            for seeds in 0..=8 {
                for sections in [seeds / 2 + 1, seeds + 1] {
                    let index = LayerIndex::new(rules, seeds);
                    let tiling = Tiling::new(index.clone(), sections);
                    let mut seen = 0;
                    for number in 0..tiling.len() {
                        let tile = tiling.tile(number);
                        assert!(tile.cells() > 0);
                        let opponents: Vec<Row> = tiling.opponents(&tile).collect();
                        let movers: Vec<Row> = tiling.movers(&tile).collect();
                        for (line, opponent) in opponents.iter().enumerate() {
                            let start = tiling.line_start(&tile, line);
                            for (column, mover) in movers.iter().enumerate() {
                                let i = start + column as u64;
                                let cell = line * tile.columns + column;
                                let board = index.board(i);
                                let location = index.locate(&board).unwrap();
                                assert_eq!(tiling.locate(location), Some((number, cell)));
                                assert_eq!(board.opponent(), *opponent);
                                assert_eq!(board.mover(), *mover);
                                let tile_rows = tiling.tile_rows(i..i + 1).collect::<Vec<_>>();
                                assert_eq!(tile_rows.len(), 1);
                                assert!(tile_rows[0].0.contains(&number));
                                assert!(tile_rows[0].1.contains(&i));
                                seen += 1;
                            }
                        }
                    }
                    assert_eq!(seen, tiling.entries());
                    let mut end = (0, 0);
                    for (tiles, entries) in tiling.tile_rows(0..index.len()) {
                        assert_eq!((tiles.start, entries.start), end);
                        end = (tiles.end, entries.end);
                    }
                    assert_eq!(end, (tiling.len(), tiling.entries()));
                    for i in seen..index.len() {
                        let location = index.locate(&index.board(i)).unwrap();
                        assert_eq!(tiling.locate(location), None);
                    }
                    if sections > seeds {
                        assert_eq!(seen, index.len());
                    }
                }
            }
        }
    }
}
