//! Probing many boards at once.
//!
//! Boards are probed in the order of their layers and indexes, so that each tile is decoded
//! about once; where memory answers all of them, in the order in which they come.

use super::result::{ProbeError, ProbeResult};
use super::tables::Tablebase;
use crate::parallel::{map, order};
use crate::rules::{Board, Next, ROW};
use crate::table::{Kind, TableError};

impl Tablebase {
    /// Probes many boards; the results are in the order of the boards. With the feature
    /// `solve` all threads of the rayon pool probe, else the calling thread.
    pub fn probe_all(&self, boards: &[Board]) -> Vec<Result<ProbeResult, ProbeError>> {
        let in_memory = |seeds| {
            self.has_all_values_in_memory(seeds) && self.table(seeds, Kind::Distance).is_none()
        };
        self.map_boards(boards, in_memory, |board| self.probe(board))
    }

    /// Writes the value of each board to `values`: as [`Tablebase::probe_all`], with a byte
    /// for each board. Returns the numbers of the boards without a value, ascending, and why
    /// they have none; their bytes become 0.
    ///
    /// ```
    /// use krou::{Board, Ruleset, Tablebase};
    ///
    /// let tables = Tablebase::embedded(Ruleset::AWARI);
    /// let boards = ["0 0 0 0 0 1 / 2 0 0 0 0 1".parse()?, Board::START];
    /// let mut values = [0; 2];
    /// let failed = tables.probe_values(&boards, &mut values);
    /// assert_eq!(values, [4, 0]);
    /// assert_eq!(failed[0].0, 1);
    /// # Ok::<(), krou::rules::ParseBoardError>(())
    /// ```
    ///
    /// # Panics
    /// If there are not as many values as boards.
    pub fn probe_values(&self, boards: &[Board], values: &mut [i8]) -> Vec<(usize, ProbeError)> {
        /// Their results take sixteen bytes a board.
        const BATCH: usize = 1 << 20;
        assert_eq!(boards.len(), values.len(), "a value for each board");
        let mut failed = Vec::new();
        let batches = boards.chunks(BATCH).zip(values.chunks_mut(BATCH));
        for (number, (boards, values)) in batches.enumerate() {
            let in_memory = |seeds| self.has_all_values_in_memory(seeds);
            let probed = self.map_boards(boards, in_memory, |board| self.value(board));
            for ((i, value), probed) in values.iter_mut().enumerate().zip(probed) {
                *value = probed.unwrap_or_else(|error| {
                    failed.push((number * BATCH + i, error));
                    0
                });
            }
        }
        failed
    }

    /// The value of each legal move of many boards, by pit, for the mover: `None` where the
    /// pit may not be played, as [`Ruleset::legal_mask`](crate::Ruleset::legal_mask) tells, or
    /// a table is missing. It takes twelve bytes a board.
    ///
    /// # Errors
    /// As [`Tablebase::moves`].
    pub fn moves_many(&self, boards: &[Board]) -> Result<Vec<[Option<i8>; ROW]>, TableError> {
        let values = |board: &Board| {
            let mut values = [None; ROW];
            for step in self.rules().moves(board).legal() {
                let child = match step.next {
                    Next::Over => Ok(0),
                    Next::Opponent | Next::Again => self.value(&step.board),
                };
                values[usize::from(step.pit)] = match child {
                    Ok(child) => Some(step.value(child)),
                    Err(ProbeError::Missing(_) | ProbeError::Damaged { .. }) => None,
                    Err(ProbeError::Table(error)) => return Err(error),
                };
            }
            Ok(values)
        };
        let in_memory = |seeds| self.has_all_values_in_memory(seeds);
        self.map_boards(boards, in_memory, values)
            .into_iter()
            .collect()
    }

    /// Whether no value of a layer comes from a table. Bounds in memory do not tell all values.
    fn has_all_values_in_memory(&self, seeds: u8) -> bool {
        self.is_resident(seeds) && !self.rules().has_bounds()
    }

    /// What `probe` says about each board; it reads no table for boards of layers for which
    /// `in_memory` holds.
    fn map_boards<T: Send>(
        &self,
        boards: &[Board],
        in_memory: impl Fn(u8) -> bool,
        probe: impl Fn(&Board) -> T + Send + Sync,
    ) -> Vec<T> {
        if boards.iter().all(|board| in_memory(board.seeds())) {
            return map(boards, probe);
        }
        let order = order(boards.len(), |i| {
            let seeds = boards[i].seeds();
            (seeds, self.index(seeds).index(&boards[i]))
        });
        let mut results = map(&order, |&i| (i, probe(&boards[i])));
        results.sort_unstable_by_key(|&(i, _)| i);
        results.into_iter().map(|(_, result)| result).collect()
    }
}
