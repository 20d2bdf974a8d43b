//! Reading in place: entries of raw tables in memory, without a copy.
//!
//! A block is checked when the first of its entries is read, and remembered as
//! sound; after that an entry is one load from memory.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use super::error::TableError;
use super::reader::Table;
use super::runs::RunCodec;
use super::shape::Layout;
use super::source::Source;
use crate::index::Location;

/// Which blocks have been found to be sound: a bit for each.
#[derive(Debug, Default)]
pub(super) struct SoundBlocks(OnceLock<Box<[AtomicU64]>>);

impl SoundBlocks {
    /// The word that has a block's bit, and the bit.
    fn bit(&self, block: u64, blocks: u64) -> (&AtomicU64, u64) {
        let words = self.0.get_or_init(|| {
            let words = blocks.div_ceil(64);
            (0..words).map(|_| AtomicU64::new(0)).collect()
        });
        // Not more words than fit into memory.
        (&words[(block / 64) as usize], 1 << (block % 64))
    }
}

impl Table {
    /// The entry of a location in a plane, if it can be read where it lies: in a raw
    /// table that is mapped or part of the program.
    ///
    /// # Errors
    /// If the block that has it is damaged.
    ///
    /// # Panics
    /// If the location is not of this layer, or there is no such plane.
    #[inline]
    #[allow(clippy::cast_possible_truncation)]
    pub fn entry_in_place(
        &self,
        plane: usize,
        location: Location,
    ) -> Result<Option<u8>, TableError> {
        let bytes = match (&self.shape().layout, &self.source) {
            (Layout::Runs(RunCodec::Raw), Source::Mapped(mapped)) => mapped.bytes(),
            (Layout::Runs(RunCodec::Raw), Source::Memory(bytes)) => bytes,
            _ => return Ok(None),
        };
        let shape = self.shape();
        let size = u64::from(shape.block_size);
        let index = shape.index.index_of(location);
        let block = index / size;
        let (word, bit) = self.sound.bit(block, shape.block_count());
        if word.load(Ordering::Relaxed) & bit == 0 {
            self.piece(block)?;
            word.fetch_or(bit, Ordering::Relaxed);
        }
        // All blocks but the last are as long, in each plane.
        let planes = shape.id.kind.planes() as u64;
        let before = self.header.models().end + block * size * planes;
        let within = plane as u64 * shape.piece_len(block) as u64 + index % size;
        // Opening has checked that the file is as long.
        Ok(bytes.get((before + within) as usize).copied())
    }
}
