//! The block directory: where each block ends, and its checksum.
//!
//! It stays in the file: a look-up reads one or two records.
//! The look-up trusts nothing that was checked at opening, since a file might
//! change underneath: it answers `None` rather than reach outside.

use std::io;
use std::ops::Range;

use xxhash_rust::xxh3::Xxh3;

use super::error::Fault;
use super::format::Header;
use super::shape::{HEADER_LEN, RECORD_LEN};
use super::source::Source;

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

/// Checks the directory of a file whose header is good, a portion at a time.
pub(super) fn check(source: &Source, header: &Header) -> Result<(), Fault> {
    const PORTION: usize = 1 << 20;
    let shape = &header.shape;
    let whole = HEADER_LEN as u64..shape.directory_end();
    if source.len() < whole.end {
        return Err(Fault::DamagedDirectory);
    }
    let portions = || {
        let starts = whole.clone().step_by(PORTION);
        starts.map(|start| {
            let end = whole.end.min(start + PORTION as u64);
            source.bytes(start..end).map_err(Fault::reading)
        })
    };
    let mut sum = Xxh3::new();
    for portion in portions() {
        sum.update(&portion?);
    }
    if sum.digest() != header.directory_sum {
        return Err(Fault::DamagedDirectory);
    }
    let mut start = header.models().end;
    let mut block = 0;
    for portion in portions() {
        for record in portion?.as_chunks().0 {
            let end = Record::decode(record).end;
            let is_last = block + 1 == shape.block_count();
            let lengths = shape.stored_lengths(block);
            let good = end
                .checked_sub(start)
                .is_some_and(|length| lengths.contains(&length))
                && end <= header.file_length
                && is_last == (end == header.file_length);
            if !good {
                return Err(Fault::Place { block, end });
            }
            (start, block) = (end, block + 1);
        }
    }
    Ok(())
}

/// A block's place in the file, and its checksum, where the first block is at
/// `first_block`. `None` if the directory is no longer there.
pub(super) fn find(
    source: &Source,
    first_block: u64,
    block: u64,
) -> io::Result<Option<(Range<u64>, u64)>> {
    let end_of = |block: u64| HEADER_LEN as u64 + (block + 1) * RECORD_LEN as u64;
    // The record before says where the block begins.
    let before = block.saturating_sub(1);
    let bytes = source.bytes(end_of(before) - RECORD_LEN as u64..end_of(block))?;
    let (records, _) = bytes.as_chunks();
    let place = match (block, records) {
        (0, [record]) => Some((first_block, Record::decode(record))),
        (1.., [before, record]) => Some((Record::decode(before).end, Record::decode(record))),
        _ => None,
    };
    Ok(place.map(|(start, record)| (start..record.end, record.sum)))
}
