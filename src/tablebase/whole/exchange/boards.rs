//! The boards of a loaded layer with what its tables say of them, in the order of the index.

use std::fmt;
use std::ops::Range;

use crate::index::LayerIndex;
use crate::rules::{Board, Quantity, Ruleset};
use crate::solve::{Layer, LayerArray, Reader, SpillError, Value};
use crate::tablebase::result::distance_of;

/// A board with what its tables say of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TabledBoard {
    /// The board.
    pub board: Board,
    /// Its value.
    pub value: i8,
    /// Its lower bound, where the ruleset has bounds.
    pub lower: Option<i8>,
    /// Its upper bound.
    pub upper: Option<i8>,
    /// Its entry in the distance table, if there is one.
    pub distance_entry: Option<u8>,
}

impl TabledBoard {
    /// Plies to the next capture or end, if that is known.
    pub fn distance(&self, rules: Ruleset) -> Option<u8> {
        distance_of(rules, &self.board, self.value, self.distance_entry?)
    }
}

/// The boards of a loaded layer.
pub struct LayerBoards<'l> {
    index: &'l LayerIndex,
    value: Reader<'l, Value>,
    lower: Option<Reader<'l, Value>>,
    upper: Option<Reader<'l, Value>>,
    distances: Option<Reader<'l, u8>>,
}

impl fmt::Debug for LayerBoards<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LayerBoards").finish_non_exhaustive()
    }
}

impl<'l> LayerBoards<'l> {
    /// The boards of a layer, with its distances if there is a table of them.
    pub fn new(layer: &'l Layer, distances: Option<&'l LayerArray<u8>>) -> LayerBoards<'l> {
        LayerBoards {
            index: layer.index(),
            value: layer.value().reader(),
            lower: layer.quantity(Quantity::Lower).map(LayerArray::reader),
            upper: layer.quantity(Quantity::Upper).map(LayerArray::reader),
            distances: distances.map(LayerArray::reader),
        }
    }

    /// The indexes of all boards in batches: each is work for one thread, and small enough
    /// to be kept.
    pub fn batches(&self) -> impl Iterator<Item = Range<u64>> + use<> {
        const BOARDS: usize = 1 << 14;
        let boards = self.index.len();
        let starts = (0..boards).step_by(BOARDS);
        starts.map(move |start| start..(start + BOARDS as u64).min(boards))
    }

    /// The boards with these indexes: about as many as in a batch, at the most.
    ///
    /// # Errors
    /// If the layer is in a file, beyond a memory limit, that cannot be read.
    pub fn boards(
        &self,
        indexes: Range<u64>,
    ) -> Result<impl Iterator<Item = TabledBoard> + use<'l>, SpillError> {
        let boards = self.index.boards_from(indexes.start);
        let numbers = |array: &Reader<'_, Value>| {
            let mut numbers = vec![0; (indexes.end - indexes.start) as usize];
            let copied = array.copy_out(indexes.start, &mut numbers, |value| {
                value.get().cast_unsigned()
            });
            copied.map(|()| numbers)
        };
        let value = numbers(&self.value)?;
        let [lower, upper] = [
            self.lower.as_ref().map(numbers).transpose()?,
            self.upper.as_ref().map(numbers).transpose()?,
        ];
        let plies = self.distances.as_ref().map(|distances| {
            let mut plies = vec![0; value.len()];
            let copied = distances.copy_out(indexes.start, &mut plies, |plies| plies);
            copied.map(|()| plies)
        });
        let plies = plies.transpose()?;
        Ok((0..value.len())
            .zip(boards)
            .map(move |(i, board)| TabledBoard {
                board,
                value: value[i].cast_signed(),
                lower: lower.as_ref().map(|lower| lower[i].cast_signed()),
                upper: upper.as_ref().map(|upper| upper[i].cast_signed()),
                distance_entry: plies.as_ref().map(|plies| plies[i]),
            }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::{Silent, Solver};

    /// In both families the boards of all batches are those of the index, in order, each
    /// with its value.
    #[test]
    fn batches_cover_a_layer_in_order() {
        for rules in [Ruleset::AWARI, Ruleset::KALAH] {
            let mut solver = Solver::new(rules);
            for seeds in 0..=7 {
                solver.solve_next(&Silent).unwrap();
                let layer = solver.layer(seeds);
                let boards = LayerBoards::new(layer, None);
                let mut index = 0;
                for tabled in boards
                    .batches()
                    .flat_map(|batch| boards.boards(batch).unwrap())
                {
                    assert_eq!(layer.index().index(&tabled.board), Some(index));
                    assert_eq!(layer.value().get(index).get(), tabled.value);
                    index += 1;
                }
                assert_eq!(index, layer.index().len());
            }
        }
    }
}
