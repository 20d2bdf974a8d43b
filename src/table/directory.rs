//! The block directory: where each block ends, and its checksum.
//!
//! It stays in the file, which is mapped: a look-up reads one or two records.
//! The look-up trusts nothing that was checked at opening, since a file might
//! change underneath: it answers `None` rather than reach outside.

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use super::codec;
use super::error::Fault;
use super::format::Header;
use super::shape::{HEADER_LEN, RECORD_LEN, Shape};

/// What the directory knows of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Record {
    /// The offset in the file of the first byte after the block.
    pub end: u64,
    /// The checksum of the block's stored bytes.
    pub sum: u64,
}

impl Record {
    pub fn encode(self) -> [u8; RECORD_LEN] {
        let mut bytes = [0; RECORD_LEN];
        bytes[..8].copy_from_slice(&self.end.to_le_bytes());
        bytes[8..].copy_from_slice(&self.sum.to_le_bytes());
        bytes
    }

    fn decode(bytes: &[u8; RECORD_LEN]) -> Record {
        let (end, sum) = bytes.split_at(8);
        let number = |half: &[u8]| u64::from_le_bytes(std::array::from_fn(|i| half[i]));
        Record {
            end: number(end),
            sum: number(sum),
        }
    }
}

/// Checks the directory of a file whose header is good.
pub(super) fn check(file: &[u8], header: &Header) -> Result<(), Fault> {
    let shape = &header.shape;
    let bytes = usize::try_from(shape.blocks_offset())
        .ok()
        .and_then(|end| file.get(HEADER_LEN..end))
        .ok_or(Fault::DamagedDirectory)?;
    if xxh3_64(bytes) != header.directory_sum {
        return Err(Fault::DamagedDirectory);
    }
    let mut start = shape.blocks_offset();
    let (records, _) = bytes.as_chunks();
    for (block, record) in (0..).zip(records) {
        let end = Record::decode(record).end;
        let is_last = block + 1 == shape.block_count();
        let lengths = codec::stored_lengths(shape.codec, shape.raw_len(block));
        let good = end
            .checked_sub(start)
            .is_some_and(|length| lengths.contains(&length))
            && end <= header.file_length
            && is_last == (end == header.file_length);
        if !good {
            return Err(Fault::Place { block, end });
        }
        start = end;
    }
    Ok(())
}

/// A block's place in the file, and its checksum.
pub(super) fn find(file: &[u8], shape: &Shape, block: u64) -> Option<(Range<u64>, u64)> {
    let at = |block: u64| {
        let offset = usize::try_from(block).ok()?.checked_mul(RECORD_LEN)?;
        let bytes = file.get(HEADER_LEN.checked_add(offset)?..)?;
        bytes.first_chunk().map(Record::decode)
    };
    let start = match block.checked_sub(1) {
        Some(before) => at(before)?.end,
        None => shape.blocks_offset(),
    };
    let record = at(block)?;
    Some((start..record.end, record.sum))
}
