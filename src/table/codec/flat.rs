//! Flat blocks: entries one after another, as they are or compressed.
//!
//! A block holds the same range of each plane, and is the unit that a probe
//! decodes. Zstandard's contexts take longer to make than a block takes to decode,
//! so each thread keeps its own.

#[cfg(feature = "zstd")]
use std::cell::RefCell;
use std::ops::{Range, RangeInclusive};

#[cfg(all(feature = "solve", feature = "zstd"))]
use zstd::bulk::Compressor;
#[cfg(feature = "zstd")]
use zstd::bulk::Decompressor;

use crate::index::{LayerIndex, Location};
#[cfg(feature = "solve")]
use crate::table::entries::EntrySource;
use crate::table::entries::{first_impossible, to_usize};
use crate::table::error::BlockFault;
#[cfg(feature = "solve")]
use crate::table::error::Fault;
use crate::table::id::TableId;

/// The most entries a block may have: what a reader must be ready to decode
/// at once.
pub const MAX_BLOCK_ENTRIES: u32 = 1 << 20;

/// How the content of a block is compressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::table) enum Compression {
    None,
    Zstd,
}

impl Compression {
    #[cfg(feature = "solve")]
    pub fn default_block_size(self) -> u32 {
        match self {
            Compression::None => 4096,
            Compression::Zstd => 16384,
        }
    }

    /// The numbers of stored bytes for a content of `length` bytes.
    fn stored_lengths(self, length: usize) -> RangeInclusive<u64> {
        let length = length as u64;
        match self {
            Compression::None => length..=length,
            // No less than ZSTD_COMPRESSBOUND.
            Compression::Zstd => 1..=length + length / 256 + 64,
        }
    }

    /// The stored bytes of a content; `level` is the effort of Zstandard.
    #[cfg(feature = "solve")]
    fn compress(self, level: i32, content: Vec<u8>) -> Result<Vec<u8>, Fault> {
        match self {
            Compression::None => Ok(content),
            #[cfg(feature = "zstd")]
            Compression::Zstd => compress(level, &content).map_err(Fault::writing),
            #[cfg(not(feature = "zstd"))]
            Compression::Zstd => {
                let _ = level;
                Err(Fault::MissingFeature { feature: "zstd" })
            }
        }
    }

    /// Decompresses to exactly the length of `content`, whatever the stored bytes
    /// are; `false` if they do not have it.
    fn decompress(self, stored: &[u8], content: &mut [u8]) -> bool {
        match self {
            Compression::None if stored.len() == content.len() => {
                content.copy_from_slice(stored);
                true
            }
            Compression::None => false,
            #[cfg(feature = "zstd")]
            Compression::Zstd => {
                decompress(stored, content).is_ok_and(|length| length == content.len())
            }
            // Such a table does not open.
            #[cfg(not(feature = "zstd"))]
            Compression::Zstd => false,
        }
    }
}

#[cfg(all(feature = "solve", feature = "zstd"))]
fn compress(level: i32, content: &[u8]) -> std::io::Result<Vec<u8>> {
    thread_local! {
        static COMPRESSOR: RefCell<Option<(i32, Compressor<'static>)>> = const { RefCell::new(None) };
    }
    COMPRESSOR.with_borrow_mut(|slot| {
        let (_, compressor) = match slot {
            Some(compressor) if compressor.0 == level => compressor,
            other => other.insert((level, Compressor::new(level)?)),
        };
        compressor.compress(content)
    })
}

/// Decompresses to at most `content.len()` bytes and returns how many there were.
#[cfg(feature = "zstd")]
fn decompress(stored: &[u8], content: &mut [u8]) -> std::io::Result<usize> {
    thread_local! {
        static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
    }
    DECOMPRESSOR.with_borrow_mut(|slot| {
        let decompressor = match slot {
            Some(decompressor) => decompressor,
            none => none.insert(Decompressor::new()?),
        };
        decompressor.decompress_to_buffer(stored, content)
    })
}

/// The flat blocks of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::table) struct Flat {
    id: TableId,
    compression: Compression,
    /// Entries of a plane in each block but the last.
    block_size: u64,
    /// Entries of a plane.
    entries: u64,
    index: LayerIndex,
}

impl Flat {
    pub fn new(id: TableId, compression: Compression, block_size: u32, index: LayerIndex) -> Flat {
        Flat {
            id,
            compression,
            block_size: block_size.into(),
            entries: index.len(),
            index,
        }
    }

    pub fn block_count(&self) -> u64 {
        self.entries.div_ceil(self.block_size)
    }

    pub fn unit_count(&self) -> u64 {
        self.block_count()
    }

    #[allow(clippy::unused_self)] // As tiles have it.
    pub fn units(&self, block: u64) -> Range<u64> {
        block..block + 1
    }

    #[allow(clippy::unused_self)] // As tiles have it.
    pub fn block_of(&self, unit: u64) -> u64 {
        unit
    }

    #[inline]
    pub fn unit_len(&self, unit: u64) -> usize {
        // At most 2^20.
        to_usize((self.entries - self.start(unit)).min(self.block_size))
    }

    /// The index of a block's first entry.
    pub fn start(&self, block: u64) -> u64 {
        block * self.block_size
    }

    #[inline]
    pub fn locate(&self, location: Location) -> (u64, usize) {
        let index = self.index.index_of(location);
        // The offset is below the block size, which is a `u32`.
        (index / self.block_size, to_usize(index % self.block_size))
    }

    /// The block of an entry, and the entry's offset from the start of the first
    /// block, if blocks are not compressed.
    #[inline]
    pub fn locate_raw(&self, plane: usize, location: Location) -> Option<(u64, u64)> {
        if self.compression != Compression::None {
            return None;
        }
        let index = self.index.index_of(location);
        let block = index / self.block_size;
        // All blocks but the last have the same length.
        let before = self.start(block) * self.id.kind.planes() as u64;
        let within = plane as u64 * self.unit_len(block) as u64 + index % self.block_size;
        Some((block, before + within))
    }

    pub fn stored_entries(&self) -> u64 {
        self.entries
    }

    pub fn stored_sections(&self) -> u8 {
        self.id.seeds + 1
    }

    pub fn stored_lengths(&self, block: u64) -> RangeInclusive<u64> {
        self.compression.stored_lengths(self.content_len(block))
    }

    #[cfg(feature = "solve")]
    pub fn block_bytes(&self) -> u64 {
        self.block_size * self.id.kind.planes() as u64
    }

    pub fn spans(&self, indexes: Range<u64>) -> Vec<(Range<u64>, Range<u64>)> {
        /// Fewer entries are not worth a task: blocks may be tiny.
        const MIN_ENTRIES: u64 = 4096;
        let size = self.block_size;
        let blocks = indexes.start / size..indexes.end.div_ceil(size);
        let count = MIN_ENTRIES.div_ceil(size);
        let firsts = blocks.clone().step_by(to_usize(count));
        firsts
            .map(|first| first..blocks.end.min(first + count))
            .map(|span| (span.clone(), span.start * size..span.end * size))
            .collect()
    }

    pub fn lines<'e>(&self, unit: u64, entries: &'e [u8], mut each: impl FnMut(u64, &'e [u8])) {
        each(self.start(unit), entries);
    }

    /// Bytes of a block's content.
    fn content_len(&self, block: u64) -> usize {
        self.unit_len(block) * self.id.kind.planes()
    }

    pub fn decode(
        &self,
        block: u64,
        stored: &[u8],
        mut each: impl FnMut(u64, Box<[u8]>),
    ) -> Result<(), BlockFault> {
        let mut content = vec![0; self.content_len(block)].into_boxed_slice();
        if !self.compression.decompress(stored, &mut content) {
            let expected = content.len();
            return Err(BlockFault::Content { expected });
        }
        if let Some(index) = self.impossible_index(block, &content) {
            return Err(BlockFault::Entry { index });
        }
        each(block, content);
        Ok(())
    }

    /// Decodes a block for one entry.
    pub fn decode_entry(
        &self,
        block: u64,
        plane: usize,
        place: usize,
        stored: &[u8],
    ) -> Result<u8, BlockFault> {
        let mut entry = 0;
        let offset = plane * self.unit_len(block) + place;
        self.decode(block, stored, |_, content| entry = content[offset])?;
        Ok(entry)
    }

    /// The index of the first impossible entry of a block.
    fn impossible_index(&self, block: u64, content: &[u8]) -> Option<u64> {
        let TableId { kind, seeds, .. } = self.id;
        first_impossible(kind, seeds, content).map(|offset| self.start(block) + offset as u64)
    }

    #[cfg(feature = "solve")]
    pub fn encoder<'a>(&'a self, planes: &'a [&'a dyn EntrySource], level: i32) -> FlatEncoder<'a> {
        FlatEncoder {
            flat: self,
            planes,
            level,
        }
    }
}

/// Encodes flat blocks.
#[cfg(feature = "solve")]
pub(in crate::table) struct FlatEncoder<'a> {
    flat: &'a Flat,
    planes: &'a [&'a dyn EntrySource],
    level: i32,
}

#[cfg(feature = "solve")]
impl FlatEncoder<'_> {
    /// The stored bytes of a block.
    pub fn encode(&self, block: u64) -> Result<Vec<u8>, Fault> {
        let start = self.flat.start(block);
        let entries = self.flat.unit_len(block);
        let mut content = vec![0; self.flat.content_len(block)];
        for (plane, out) in self.planes.iter().zip(content.chunks_mut(entries)) {
            plane.fill(start, out).map_err(Fault::entries)?;
        }
        if let Some(index) = self.flat.impossible_index(block, &content) {
            return Err(Fault::Entry { index });
        }
        self.flat.compression.compress(self.level, content)
    }
}

#[cfg(all(test, feature = "solve", feature = "zstd"))]
mod tests {
    use super::*;

    /// What cannot be compressed stays within the limits of stored lengths.
    #[test]
    fn incompressible_blocks_fit_their_limits() {
        let mut state = 1_u64;
        for length in [1, 2, 255, 256, 16384, 1 << 17, 1 << 21] {
            let noise: Vec<u8> = (0..length)
                .map(|_| {
                    state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
                    state.to_le_bytes()[7]
                })
                .collect();
            for compression in [Compression::None, Compression::Zstd] {
                assert!(
                    zstd::zstd_safe::compress_bound(length) as u64
                        <= *Compression::Zstd.stored_lengths(length).end()
                );
                let stored = compression.compress(9, noise.clone()).unwrap();
                let lengths = compression.stored_lengths(length);
                assert!(lengths.contains(&(stored.len() as u64)));
                let mut back = vec![0; length];
                assert!(compression.decompress(&stored, &mut back));
                assert!(back == noise);
            }
        }
    }

    #[test]
    fn contents_of_another_length_are_refused() {
        for compression in [Compression::None, Compression::Zstd] {
            let stored = compression.compress(9, vec![5; 100]).unwrap();
            for expected in [0, 1, 99, 101, 4096] {
                assert!(!compression.decompress(&stored, &mut vec![0; expected]));
            }
        }
    }
}
