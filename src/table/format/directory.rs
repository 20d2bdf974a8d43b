//! The records of the block directory: where each block ends, and its checksum.

use super::header::Header;
use super::layout::RECORD_LEN;
use crate::table::error::Fault;

/// What the directory says about a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::table) struct Record {
    /// The offset in the file of the first byte after the block.
    pub end: u64,
    /// The checksum of the block's stored bytes.
    pub sum: u64,
}

impl Record {
    #[cfg(feature = "solve")]
    pub fn encode(self) -> [u8; RECORD_LEN] {
        let mut bytes = [0; RECORD_LEN];
        bytes[..8].copy_from_slice(&self.end.to_le_bytes());
        bytes[8..].copy_from_slice(&self.sum.to_le_bytes());
        bytes
    }

    pub fn decode(bytes: &[u8; RECORD_LEN]) -> Record {
        let (end, sum) = bytes.split_at(8);
        let number = |half: &[u8]| u64::from_le_bytes(std::array::from_fn(|i| half[i]));
        Record {
            end: number(end),
            sum: number(sum),
        }
    }
}

/// Checks records one after another.
pub(in crate::table) struct RecordCheck<'h> {
    header: &'h Header,
    /// Where the next block begins.
    start: u64,
    block: u64,
}

impl<'h> RecordCheck<'h> {
    pub fn new(header: &'h Header) -> RecordCheck<'h> {
        RecordCheck {
            header,
            start: header.models().end,
            block: 0,
        }
    }

    /// Where the next block begins.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// Checks the next record.
    pub fn check(&mut self, record: &[u8; RECORD_LEN]) -> Result<(), Fault> {
        let RecordCheck { header, block, .. } = *self;
        let end = Record::decode(record).end;
        let blocks = &header.layout.blocks;
        let is_last = block + 1 == blocks.block_count();
        let lengths = blocks.stored_lengths(block);
        let is_sound = end
            .checked_sub(self.start)
            .is_some_and(|length| lengths.contains(&length))
            && end <= header.file_length
            && is_last == (end == header.file_length);
        if !is_sound {
            return Err(Fault::BlockPosition { block, end });
        }
        (self.start, self.block) = (end, block + 1);
        Ok(())
    }
}
