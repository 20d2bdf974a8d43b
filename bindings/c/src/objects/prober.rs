//! Probing from one thread, with a cache of its own.

use std::sync::{Arc, Mutex};

use krou::tablebase::{ProbeResult, Prober, RankedMove};
use krou::{Board, Tablebase};
use self_cell::self_cell;

use super::lock;
use crate::border::codes::Failure;

self_cell!(
    /// A prober with a share of its tables.
    struct OwnProber {
        owner: Arc<Tablebase>,
        #[not_covariant]
        dependent: Prober,
    }

    impl {Debug}
);

/// Probes tables from one thread: see krou_prober_open.
#[derive(Debug)]
pub struct krou_prober(Mutex<OwnProber>);

impl krou_prober {
    /// A prober of these tables.
    pub fn new(tables: Arc<Tablebase>) -> krou_prober {
        krou_prober(Mutex::new(OwnProber::new(tables, |tables| tables.prober())))
    }

    /// The value of a board.
    pub fn value(&self, board: &Board) -> Result<i8, Failure> {
        self.with(|prober| prober.value(board))
    }

    /// What a board is worth.
    pub fn probe(&self, board: &Board) -> Result<ProbeResult, Failure> {
        self.with(|prober| prober.probe(board))
    }

    /// The legal moves of a board with what each is worth, best first.
    pub fn moves(&self, board: &Board) -> Result<Vec<RankedMove>, Failure> {
        self.with(|prober| prober.moves(board))
    }

    fn with<T, E: Into<Failure>>(
        &self,
        f: impl FnOnce(&mut Prober<'_>) -> Result<T, E>,
    ) -> Result<T, Failure> {
        let mut prober = lock(&self.0, "prober")?;
        prober
            .with_dependent_mut(|_, prober| f(prober))
            .map_err(Into::into)
    }
}
