//! Decoded pieces, kept while they fit a budget of memory.

use std::sync::Arc;

use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::index::Location;
use crate::table::{Kind, Table, TableError, Unit};

/// Bytes of decoded pieces that a tablebase keeps unless told otherwise.
pub(super) const DEFAULT_BYTES: u64 = 64 << 20;

/// Where entries are read from decoded pieces.
pub(super) trait Fetch {
    /// The entry of a board's location in a plane of a table; `None` if the table
    /// does not store it.
    fn entry(
        &mut self,
        table: &Table,
        plane: usize,
        location: Location,
    ) -> Result<Option<u8>, TableError>;
}

/// Which piece of which layer's tables.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    seeds: u8,
    kind: Kind,
    piece: u64,
}

impl Key {
    fn new(table: &Table, piece: u64) -> Key {
        let id = table.id();
        Key {
            seeds: id.seeds,
            kind: id.kind,
            piece,
        }
    }
}

#[derive(Clone)]
struct Bytes;

impl Weighter<Key, Arc<Unit>> for Bytes {
    fn weight(&self, _: &Key, piece: &Arc<Unit>) -> u64 {
        // What the key and the bookkeeping weigh, roughly.
        const OVERHEAD: u64 = 128;
        piece.bytes().len() as u64 + OVERHEAD
    }
}

/// The pieces decoded last, shared by all threads.
pub(super) struct PieceCache(Cache<Key, Arc<Unit>, Bytes>);

impl PieceCache {
    pub fn new(bytes: u64) -> PieceCache {
        /// What pieces commonly weigh, for a guess at how many there will be.
        const COMMON: u64 = 384;
        let pieces = usize::try_from(bytes / COMMON).unwrap_or(usize::MAX);
        PieceCache(Cache::with_weighter(pieces, bytes, Bytes))
    }

    fn piece(&self, table: &Table, key: Key) -> Result<Arc<Unit>, TableError> {
        self.0
            .get_or_insert_with(&key, || table.unit(key.piece).map(Arc::new))
    }
}

impl Fetch for &PieceCache {
    fn entry(
        &mut self,
        table: &Table,
        plane: usize,
        location: Location,
    ) -> Result<Option<u8>, TableError> {
        if let Some(entry) = table.entry_in_place(plane, location)? {
            return Ok(Some(entry));
        }
        let Some((piece, place)) = table.locate(location) else {
            return Ok(None);
        };
        let piece = self.piece(table, Key::new(table, piece))?;
        Ok(Some(piece.plane(plane)[place]))
    }
}

/// Pieces that one thread has just used, in front of the cache that all share:
/// neither locks nor counts are touched for them.
pub(super) struct Near<'t> {
    cache: &'t PieceCache,
    slots: Vec<Option<(Key, Arc<Unit>)>>,
}

/// Pieces in front of the cache, a power of two: up to half a MiB of tiles.
const SLOTS: usize = 4096;
/// Larger pieces are left to the cache that all share: with blocks as large as a
/// table may have them, so many slots would hold gigabytes.
const LARGEST: usize = 16 << 10;

impl<'t> Near<'t> {
    pub fn new(cache: &'t PieceCache) -> Near<'t> {
        Near {
            cache,
            slots: vec![None; SLOTS],
        }
    }
}

impl Fetch for Near<'_> {
    #[inline]
    fn entry(
        &mut self,
        table: &Table,
        plane: usize,
        location: Location,
    ) -> Result<Option<u8>, TableError> {
        if let Some(entry) = table.entry_in_place(plane, location)? {
            return Ok(Some(entry));
        }
        let Some((piece, place)) = table.locate(location) else {
            return Ok(None);
        };
        let key = Key::new(table, piece);
        let spread = (piece << 8 | u64::from(key.seeds) << 2 | key.kind as u64)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let slot = &mut self.slots[(spread >> (u64::BITS - SLOTS.ilog2())) as usize];
        if let Some((there, piece)) = slot
            && *there == key
        {
            return Ok(Some(piece.plane(plane)[place]));
        }
        let piece = self.cache.piece(table, key)?;
        let entry = piece.plane(plane)[place];
        if piece.bytes().len() <= LARGEST {
            *slot = Some((key, piece));
        }
        Ok(Some(entry))
    }
}
