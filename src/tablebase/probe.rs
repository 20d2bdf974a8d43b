//! Probing: what a board and each of its moves are worth.

use super::cache::UnitCache;
use super::result::{ProbeError, ProbeResult, RankedMove};
use super::search::Search;
use super::tables::Tablebase;
use crate::rules::Board;
use crate::table::TableError;

impl Tablebase {
    /// What a board is worth.
    ///
    /// # Errors
    /// If a table is missing or damaged.
    pub fn probe(&self, board: &Board) -> Result<ProbeResult, ProbeError> {
        self.search().probe(board)
    }

    /// The legal moves of a board with what each is worth, best first: by value; among
    /// equals the shortest way to a win, the longest to a loss. Moves without a result
    /// come last. It costs a probe for each move.
    ///
    /// # Errors
    /// If a table is damaged. A missing table is not an error here.
    pub fn moves(&self, board: &Board) -> Result<Vec<RankedMove>, TableError> {
        self.search().moves(board)
    }

    fn search(&self) -> Search<'_, &UnitCache> {
        Search::new(self, &self.cache)
    }
}
