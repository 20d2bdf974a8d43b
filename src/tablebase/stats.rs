//! Statistics: how many boards have each value.

use std::collections::BTreeMap;

use super::probe::{ProbeError, Tablebase};
use crate::index::row;
use crate::rules::Board;
use crate::table::{Kind, TableError};

/// How many boards have each value, by value; only values that occur.
pub type Counts = BTreeMap<i8, u64>;

impl Tablebase {
    /// Counts the boards of a layer by value: those of the index or, with
    /// `all`, every board there is, C(seeds + 11, 11) of them.
    ///
    /// # Errors
    /// If the layer is missing, or a table is damaged.
    pub fn count_values(&self, seeds: u8, all: bool) -> Result<Counts, ProbeError> {
        let rules = self.rules();
        let missing = ProbeError::Missing { rules, seeds };
        let table = self.table(seeds, Kind::Value).ok_or(missing)?;
        let mut by_byte = [0_u64; 256];
        table.for_each_block(|block| {
            for &entry in block.plane(0) {
                by_byte[usize::from(entry)] += 1;
            }
        })?;
        if all {
            for board in self.boards_outside(seeds) {
                let value = self.probe(&board)?.value;
                by_byte[usize::from(value.cast_unsigned())] += 1;
            }
        }
        let values = i8::MIN..=i8::MAX;
        let counts = values.map(|value| (value, by_byte[usize::from(value.cast_unsigned())]));
        Ok(counts.filter(|(_, count)| *count > 0).collect())
    }

    /// How many boards of a layer's index have equal bounds, so that their value
    /// is exact however loops are settled, and of how many. `None` without a
    /// table of bounds.
    ///
    /// # Errors
    /// If a table is damaged.
    pub fn count_exact(&self, seeds: u8) -> Result<Option<(u64, u64)>, TableError> {
        let Some(table) = self.table(seeds, Kind::Bounds) else {
            return Ok(None);
        };
        let mut exact = 0;
        table.for_each_block(|block| {
            let pairs = block.plane(0).iter().zip(block.plane(1));
            exact += pairs.filter(|(lower, upper)| lower == upper).count() as u64;
        })?;
        Ok(Some((exact, table.entries())))
    }

    /// The longest distance of a layer, in plies; `None` without a table of
    /// distances.
    ///
    /// # Errors
    /// If a table is damaged.
    pub fn longest_distance(&self, seeds: u8) -> Result<Option<u8>, TableError> {
        let Some(table) = self.table(seeds, Kind::Distance) else {
            return Ok(None);
        };
        let mut longest = 0;
        table.for_each_block(|block| {
            longest = longest.max(block.plane(0).iter().copied().max().unwrap_or(0));
        })?;
        Ok(Some(longest))
    }

    /// The boards of a layer that are not in its index.
    fn boards_outside(&self, seeds: u8) -> impl Iterator<Item = Board> {
        let lines = self.index(seeds).lines();
        let opponents = (0..=seeds).flat_map(|k| row::rows(k).map(move |row| (k, row)));
        opponents
            .filter(move |(_, opponent)| lines.line(opponent).is_none())
            .flat_map(move |(k, opponent)| {
                row::rows(seeds - k).map(move |mover| Board::trusted_rows(mover, opponent))
            })
    }
}
