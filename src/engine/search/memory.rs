//! What the threads of a search remember of the nodes that they have searched or are
//! searching.

use super::deferred::DeferredMoves;
use super::transposition::TranspositionTable;

/// The memory of one thread.
#[derive(Clone, Copy)]
pub(super) struct Memory<'a> {
    /// The transposition table of all threads.
    pub hash: &'a TranspositionTable,
    /// That of this thread for shallow nodes.
    pub shallow: &'a TranspositionTable,
    /// The marks of all threads.
    pub deferred: &'a DeferredMoves,
}

/// Nodes that are searched to this depth or less are shallow: most of all nodes. Their table
/// is small enough for the processor's cache, so that there is no wait for it, and leaves the
/// large one to results that took longer.
pub(super) const SHALLOW_DEPTH: u8 = 2;

/// Bytes of a table for shallow nodes: a part of the cache that a core has for itself.
pub(super) const SHALLOW_BYTES: usize = 256 << 10;

impl<'a> Memory<'a> {
    /// The transposition table for nodes that are searched to this depth.
    #[inline(always)]
    pub fn table(self, depth: u8) -> &'a TranspositionTable {
        match depth <= SHALLOW_DEPTH {
            true => self.shallow,
            false => self.hash,
        }
    }
}
