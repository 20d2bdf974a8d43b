//! A layer in the order of the index, a batch of whole lines at a time, with the fields that
//! tables have of each board.
//!
//! Exports and comparisons read fields here and never tables. A batch is small enough for
//! all its fields to be in memory, and large enough for its blocks to be decoded by all
//! threads.

use crate::index::{LayerIndex, row};
use crate::rules::{Quantity, Row};
use crate::solve::Observer;
use crate::table::Kind;
use crate::tablebase::tables::Tablebase;
use crate::tablebase::whole::error::{ExchangeError, LoadError};

/// A field of a board, one byte each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Field {
    Value,
    Distance,
    Lower,
    Upper,
}

impl Field {
    const ALL: [Field; 4] = [Field::Value, Field::Distance, Field::Lower, Field::Upper];

    /// The name of the field in files.
    pub fn name(self) -> &'static str {
        match self {
            Field::Value => "value",
            Field::Distance => "distance",
            Field::Lower => "lower",
            Field::Upper => "upper",
        }
    }

    /// Whether the byte is an `i8` in two's complement.
    pub fn is_signed(self) -> bool {
        self != Field::Distance
    }

    /// The quantity of a value or a bound.
    fn quantity(self) -> Option<Quantity> {
        match self {
            Field::Value => Some(Quantity::Value),
            Field::Lower => Some(Quantity::Lower),
            Field::Upper => Some(Quantity::Upper),
            Field::Distance => None,
        }
    }

    /// The kind of table that has it.
    fn kind(self) -> Kind {
        match self {
            Field::Value => Kind::Value,
            Field::Distance => Kind::Distance,
            Field::Lower | Field::Upper => Kind::Bounds,
        }
    }
}

/// Boards of a batch unless a single line, of at most 2,869,685, has more.
const BOARDS: usize = 1 << 20;

/// Lines of a batch if they are short.
const LINES: usize = 1 << 16;

/// Neighbouring lines of a section.
pub(super) struct Batch {
    /// The index of the first board.
    pub start: u64,
    /// Seeds in each row of the mover.
    pub mover_seeds: u8,
    /// Boards in each line: one for each row of the mover, by rank.
    pub width: usize,
    /// The opponent's row of each line.
    pub opponents: Vec<Row>,
}

impl Batch {
    /// Boards of the batch.
    pub fn len(&self) -> usize {
        self.opponents.len() * self.width
    }

    /// The mover's and the opponent's row of each board, in order.
    pub fn boards(&self) -> impl Iterator<Item = (Row, &Row)> {
        let opponents = self.opponents.iter();
        opponents.flat_map(|opponent| row::rows(self.mover_seeds).map(move |row| (row, opponent)))
    }
}

/// The batches of a layer, in order.
pub(super) fn batches(layer: &LayerIndex) -> impl Iterator<Item = Batch> {
    (0..=layer.seeds()).flat_map(move |section| {
        let width = layer.section_width(section);
        let most = (BOARDS / width).clamp(1, LINES);
        let lines = layer.lines();
        let mut rows = row::rows(section).filter(move |row| lines.line(row).is_some());
        let mut start = layer.section_start(section);
        std::iter::from_fn(move || {
            let opponents: Vec<Row> = rows.by_ref().take(most).collect();
            let batch = Batch {
                start,
                mover_seeds: layer.seeds() - section,
                width,
                opponents,
            };
            start += batch.len() as u64;
            (batch.len() > 0).then_some(batch)
        })
    })
}

impl Tablebase {
    /// The fields of a layer's boards: first the value, then those that there are tables of.
    pub(super) fn fields(&self, seeds: u8) -> Vec<Field> {
        let at_hand = |field: &Field| self.table(seeds, field.kind()).is_some();
        Field::ALL.into_iter().filter(at_hand).collect()
    }

    /// Reads these fields of all boards of a layer and calls `sink` with each batch and
    /// one plane of bytes for each field. The observer hears of the boards
    /// that have been read, of this layer and those below it, and again of those of the
    /// layer that `sink` has taken.
    pub(super) fn for_each_batch(
        &self,
        seeds: u8,
        fields: &[Field],
        observer: &dyn Observer,
        mut sink: impl FnMut(&Batch, &[Vec<u8>]) -> Result<(), ExchangeError>,
    ) -> Result<(), ExchangeError> {
        let mut loader = self.loader();
        loader.load_observed(seeds, observer)?;
        let distances = if fields.contains(&Field::Distance) {
            loader.distances(seeds)?
        } else {
            None
        };
        let layer = loader.load(seeds)?;
        let fill = |field: Field, start: u64, out: &mut [u8]| match (field.quantity(), &distances) {
            (Some(quantity), _) => {
                let scores = layer.quantity(quantity);
                let scores = scores.expect("bounds of a ruleset that has them");
                scores.copy_out(start, out, |value| value.get().cast_unsigned());
            }
            (None, Some(distances)) => distances.copy_out(start, out, |plies| plies),
            (None, None) => out.fill(0),
        };
        let mut planes = vec![Vec::new(); fields.len()];
        for batch in batches(self.index(seeds)) {
            for (&field, plane) in fields.iter().zip(&mut planes) {
                plane.resize(batch.len(), 0);
                fill(field, batch.start, plane);
            }
            sink(&batch, &planes)?;
            let done = observer.advance(batch.len() as u64);
            done.map_err(LoadError::from)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Board, MAX_SEEDS, Ruleset};

    /// In both families the boards of all batches are those of the index, in order.
    #[test]
    fn batches_cover_a_layer_in_order() {
        for rules in [Ruleset::AWARI, Ruleset::KALAH] {
            for seeds in 0..=9 {
                let layer = LayerIndex::new(rules, seeds);
                let mut index = 0;
                for batch in batches(&layer) {
                    assert_eq!(batch.start, index);
                    assert_eq!(batch.boards().count(), batch.len());
                    for (mover, opponent) in batch.boards() {
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
    fn batches_of_large_layers_are_short() {
        const LONGEST_LINE: usize = 2_869_685;
        for seeds in [20, 32, MAX_SEEDS] {
            let layer = LayerIndex::new(Ruleset::AWARI, seeds);
            let mut boards = 0;
            for batch in batches(&layer) {
                assert!(batch.len() <= BOARDS || batch.opponents.len() == 1);
                assert!(batch.len() <= LONGEST_LINE && batch.opponents.len() <= LINES);
                boards += batch.len() as u64;
            }
            assert_eq!(boards, layer.len());
        }
    }
}
