//! Stretches: a layer in the order of the index, a batch of whole lines at a time.
//!
//! A stretch is small enough for all its fields to be in memory, and large enough for its
//! blocks to be decoded by all threads.

use super::error::ExchangeError;
use super::fields::Field;
use crate::index::{LayerIndex, row};
use crate::rules::Row;
use crate::solve::Observer;
use crate::tablebase::Tablebase;

/// Boards of a stretch unless a single line, of at most 2,869,685, has more.
const BOARDS: usize = 1 << 20;

/// Lines of a stretch if they are short.
const LINES: usize = 1 << 16;

/// Neighbouring lines of a section.
pub(super) struct Stretch {
    /// The index of the first board.
    pub start: u64,
    /// Seeds in each row of the mover.
    pub mover_seeds: u8,
    /// Boards in each line: one for each row of the mover, by rank.
    pub width: usize,
    /// The opponent's row of each line.
    pub opponents: Vec<Row>,
}

impl Stretch {
    /// Boards of the stretch.
    pub fn len(&self) -> usize {
        self.opponents.len() * self.width
    }

    /// The mover's and the opponent's row of each board, in order.
    pub fn boards(&self) -> impl Iterator<Item = (Row, &Row)> {
        let opponents = self.opponents.iter();
        opponents.flat_map(|opponent| row::rows(self.mover_seeds).map(move |row| (row, opponent)))
    }
}

/// The stretches of a layer, in order.
pub(super) fn stretches(layer: &LayerIndex) -> impl Iterator<Item = Stretch> {
    (0..=layer.seeds()).flat_map(move |block| {
        let width = layer.section_width(block);
        let most = (BOARDS / width).clamp(1, LINES);
        let lines = layer.lines();
        let mut rows = row::rows(block).filter(move |row| lines.line(row).is_some());
        let mut start = layer.section_start(block);
        std::iter::from_fn(move || {
            let opponents: Vec<Row> = rows.by_ref().take(most).collect();
            let stretch = Stretch {
                start,
                mover_seeds: layer.seeds() - block,
                width,
                opponents,
            };
            start += stretch.len() as u64;
            (stretch.len() > 0).then_some(stretch)
        })
    })
}

impl Tablebase {
    /// Reads these fields of all boards of a layer and calls `sink` with each stretch and
    /// one plane of bytes for each field. The observer hears of the boards
    /// that have been read, of this layer and those below it, and again of those of the
    /// layer that `sink` has taken.
    pub(super) fn for_each_stretch(
        &self,
        seeds: u8,
        fields: &[Field],
        observer: &dyn Observer,
        mut sink: impl FnMut(&Stretch, &[Vec<u8>]) -> Result<(), ExchangeError>,
    ) -> Result<(), ExchangeError> {
        let read = self.read_fields(seeds, fields, observer)?;
        let mut planes = vec![Vec::new(); fields.len()];
        for stretch in stretches(self.index(seeds)) {
            for (&field, plane) in fields.iter().zip(&mut planes) {
                plane.resize(stretch.len(), 0);
                read.fill(field, stretch.start, plane);
            }
            sink(&stretch, &planes)?;
            observer.advance(stretch.len() as u64);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Board, MAX_SEEDS, Ruleset};

    /// In both families the boards of all stretches are those of the index, in order.
    #[test]
    fn stretches_cover_a_layer_in_order() {
        for rules in [Ruleset::AWARI, Ruleset::KALAH] {
            for seeds in 0..=9 {
                let layer = LayerIndex::new(rules, seeds);
                let mut index = 0;
                for stretch in stretches(&layer) {
                    assert_eq!(stretch.start, index);
                    assert_eq!(stretch.boards().count(), stretch.len());
                    for (mover, opponent) in stretch.boards() {
                        let board = Board::from_rows(mover, *opponent).unwrap();
                        assert_eq!(layer.index(&board), Some(index));
                        index += 1;
                    }
                }
                assert_eq!(index, layer.len());
            }
        }
    }

    /// The memory needed does not grow with the layer.
    #[test]
    fn stretches_of_large_layers_are_short() {
        const LONGEST_LINE: usize = 2_869_685;
        for seeds in [20, 32, MAX_SEEDS] {
            let layer = LayerIndex::new(Ruleset::AWARI, seeds);
            let mut boards = 0;
            for stretch in stretches(&layer) {
                assert!(stretch.len() <= BOARDS || stretch.opponents.len() == 1);
                assert!(stretch.len() <= LONGEST_LINE && stretch.opponents.len() <= LINES);
                boards += stretch.len() as u64;
            }
            assert_eq!(boards, layer.len());
        }
    }
}
