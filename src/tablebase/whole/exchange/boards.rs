//! The boards of a loaded layer with what its tables say of them, in the order of the index.

use std::fmt;
use std::ops::Range;

use crate::index::LayerIndex;
use crate::rules::{Board, Quantity, Ruleset};
use crate::solve::{Layer, LayerArray, Value};
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
#[derive(Clone, Copy)]
pub struct LayerBoards<'l> {
    index: &'l LayerIndex,
    value: &'l [Value],
    lower: Option<&'l [Value]>,
    upper: Option<&'l [Value]>,
    distances: Option<&'l [u8]>,
}

impl fmt::Debug for LayerBoards<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LayerBoards").finish_non_exhaustive()
    }
}

impl<'l> LayerBoards<'l> {
    /// The boards of a layer, with its distances if there is a table of them.
    pub fn new(layer: &'l Layer, distances: Option<&'l LayerArray<u8>>) -> LayerBoards<'l> {
        let quantity = |quantity| layer.quantity(quantity).map(LayerArray::as_slice);
        LayerBoards {
            index: layer.index(),
            value: layer.value().as_slice(),
            lower: quantity(Quantity::Lower),
            upper: quantity(Quantity::Upper),
            distances: distances.map(LayerArray::as_slice),
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

    /// The boards with these indexes.
    pub fn boards(self, indexes: Range<u64>) -> impl Iterator<Item = TabledBoard> + use<'l> {
        let boards = self.index.boards_from(indexes.start);
        let places = indexes.start as usize..indexes.end as usize;
        places.zip(boards).map(move |(i, board)| TabledBoard {
            board,
            value: self.value[i].get(),
            lower: self.lower.map(|lower| lower[i].get()),
            upper: self.upper.map(|upper| upper[i].get()),
            distance_entry: self.distances.map(|plies| plies[i]),
        })
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
                for tabled in boards.batches().flat_map(|batch| boards.boards(batch)) {
                    assert_eq!(layer.index().index(&tabled.board), Some(index));
                    assert_eq!(layer.value().get(index).get(), tabled.value);
                    index += 1;
                }
                assert_eq!(index, layer.index().len());
            }
        }
    }
}
