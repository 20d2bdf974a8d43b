//! Probers: the fast way for one thread that asks again and again.

use super::cache::Near;
use super::probe::{ProbeError, RankedMove, Tablebase, Worth};
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
pub struct Prober<'t>(Resolver<'t, Near<'t>>);

impl Tablebase {
    /// A prober for one thread. It takes up to a few hundred KiB.
    pub fn prober(&self) -> Prober<'_> {
        Prober(Resolver::new(self, Near::new(self.cache())))
    }
}

impl Prober<'_> {
    /// The value of a board: what [`Tablebase::probe`] gives, without its distance
    /// and its bounds.
    ///
    /// # Errors
    /// As [`Tablebase::probe`].
    pub fn value(&mut self, board: &Board) -> Result<i8, ProbeError> {
        self.0.value(board)
    }

    /// As [`Tablebase::probe`].
    ///
    /// # Errors
    /// As [`Tablebase::probe`].
    pub fn probe(&mut self, board: &Board) -> Result<Worth, ProbeError> {
        self.0.worth(board)
    }

    /// As [`Tablebase::moves`].
    ///
    /// # Errors
    /// As [`Tablebase::moves`].
    pub fn moves(&mut self, board: &Board) -> Result<Vec<RankedMove>, TableError> {
        self.0.moves(board)
    }
}
