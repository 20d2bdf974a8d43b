//! Probing, as a handle of its own.

use std::sync::Arc;

use krou::tablebase::{ProbeResult, RankedMove};
use krou::{Board, Tablebase};

use crate::border::codes::Failure;

/// A share of the tables that it probes: see krou_prober_open.
#[derive(Debug)]
pub struct krou_prober(Arc<Tablebase>);

impl krou_prober {
    /// A prober of these tables.
    pub fn new(tables: Arc<Tablebase>) -> krou_prober {
        krou_prober(tables)
    }

    /// The value of a board.
    pub fn value(&self, board: &Board) -> Result<i8, Failure> {
        Ok(self.0.value(board)?)
    }

    /// What a board is worth.
    pub fn probe(&self, board: &Board) -> Result<ProbeResult, Failure> {
        Ok(self.0.probe(board)?)
    }

    /// The legal moves of a board with what each is worth, best first.
    pub fn moves(&self, board: &Board) -> Result<Vec<RankedMove>, Failure> {
        Ok(self.0.moves(board)?)
    }
}
