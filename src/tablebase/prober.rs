//! Probers: the fast way for one thread that asks again and again.

use super::cache::Near;
use super::probe::{ProbeError, ProbeResult, RankedMove, Tablebase};
use super::resolve::Resolver;
use crate::rules::Board;
use crate::table::TableError;

/// Asks a tablebase from one thread, as an engine's search does. It keeps what it
/// has just used at hand, in front of the cache that all threads share; the answers
/// are those of the [`Tablebase`]. Each thread makes its own.
///
/// ```
/// use krou::rules::Ruleset;
/// use krou::tablebase::Tablebase;
///
/// let tables = Tablebase::embedded(Ruleset::AWARI);
/// let mut prober = tables.prober();
/// assert_eq!(prober.value(&"0 0 0 0 0 1 / 2 0 0 0 0 1".parse()?)?, 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Prober<'t> {
    tables: &'t Tablebase,
    resolver: Resolver<'t, Near<'t>>,
    answers: Answers,
}

/// The values told last: what a search asks for, it often asks for again.
struct Answers(Vec<u64>);

impl Answers {
    /// Values kept, a power of two: 64 KiB.
    const SLOTS: usize = 1 << 13;

    fn new() -> Answers {
        Answers(vec![u64::MAX; Answers::SLOTS])
    }

    /// The slot of a board by its layer and its index, which is below 2^40; and what
    /// is in it, above the value, if it is this board's.
    fn slot(&mut self, seeds: u8, index: u64) -> (&mut u64, u64) {
        let board = index << 6 | u64::from(seeds);
        let spread = board.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let slot = (spread >> (u64::BITS - Answers::SLOTS.ilog2())) as usize;
        (&mut self.0[slot], board)
    }
}

impl Tablebase {
    /// A prober for one thread. It takes about 1 MiB with `packed` and `small`
    /// tables; more where pieces are larger: up to 16 MiB with `raw` tables that are
    /// not mapped, up to 64 MiB with `zstd` ones.
    pub fn prober(&self) -> Prober<'_> {
        Prober {
            tables: self,
            resolver: Resolver::new(self, Near::new(self.cache())),
            answers: Answers::new(),
        }
    }
}

impl Prober<'_> {
    /// The value of a board: what [`Tablebase::probe`] gives, without its distance
    /// and its bounds.
    ///
    /// # Errors
    /// As [`Tablebase::probe`].
    pub fn value(&mut self, board: &Board) -> Result<i8, ProbeError> {
        let seeds = board.seeds();
        let Some(index) = self.tables.index(seeds).index(board) else {
            return self.resolver.value(board);
        };
        let (slot, key) = self.answers.slot(seeds, index);
        if *slot >> 8 == key {
            return Ok((*slot as u8).cast_signed());
        }
        let value = self.resolver.value(board)?;
        *slot = key << 8 | u64::from(value.cast_unsigned());
        Ok(value)
    }

    /// As [`Tablebase::probe`].
    ///
    /// # Errors
    /// As [`Tablebase::probe`].
    pub fn probe(&mut self, board: &Board) -> Result<ProbeResult, ProbeError> {
        self.resolver.worth(board)
    }

    /// As [`Tablebase::moves`].
    ///
    /// # Errors
    /// As [`Tablebase::moves`].
    pub fn moves(&mut self, board: &Board) -> Result<Vec<RankedMove>, TableError> {
        self.resolver.moves(board)
    }
}
