//! Reading in place: entries of raw tables in memory, without a copy.
//!
//! A block is checked when the first of its entries is read, and remembered as
//! sound; after that an entry is one load from memory.

use super::source::Source;
use super::table::Table;
use crate::index::Location;
use crate::table::codec::BlockCodec;
use crate::table::error::TableError;
use crate::table::number::to_usize;

impl Table {
    /// The entry of a location in a plane, if it can be read without a copy: in a raw
    /// table that is mapped or part of the program.
    ///
    /// # Errors
    /// If the block that holds it is damaged.
    ///
    /// # Panics
    /// If the location is not in this layer, or there is no such plane.
    #[inline]
    pub fn entry_in_place(
        &self,
        plane: usize,
        location: Location,
    ) -> Result<Option<u8>, TableError> {
        let (BlockCodec::Flat(flat), Some(bytes)) = (self.blocks(), self.source.in_memory()) else {
            return Ok(None);
        };
        let Some((block, offset)) = flat.locate_raw(plane, location) else {
            return Ok(None);
        };
        let is_sound = self.sound.bit(block, || flat.block_count());
        if !is_sound.is_set() {
            self.unit(block)?;
            is_sound.set();
        }
        // Opening has checked that the file is long enough.
        let offset = to_usize(self.header.models().end + offset);
        Ok(bytes.get(offset).copied())
    }
}

impl Source {
    /// All bytes, if they are in memory.
    #[inline]
    fn in_memory(&self) -> Option<&[u8]> {
        match self {
            #[cfg(feature = "mmap")]
            Source::Mapped(mapped) => Some(mapped),
            Source::Memory(bytes) => Some(bytes),
            Source::File { .. } => None,
        }
    }
}
