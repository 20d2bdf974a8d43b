//! The block directory: where each block ends, and its checksum.
//!
//! It stays in the file: a look-up reads some records. What is kept of it in
//! memory is a checksum of each group of records and where the group's first block
//! begins. So a look-up answers as the directory was when the table was opened, or
//! with an error: a file that is overwritten meanwhile, even with another table
//! of the same shape, does not pass for the one that was checked.

use std::ops::Range;

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

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

/// Records of a group: what a look-up reads and checks.
const GROUP: usize = 32;
const GROUP_LEN: usize = GROUP * RECORD_LEN;

/// What is known of some records without reading them.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// Where the first of their blocks begins.
    start: u64,
    /// The checksum of the records.
    sum: u64,
}

/// A directory that was checked.
#[derive(Debug)]
pub(super) struct Directory {
    groups: Box<[Group]>,
    /// Where it ends in the file.
    end: u64,
}

impl Directory {
    /// Checks the directory of a file whose header is good, a portion at a time.
    pub fn check(source: &Source, header: &Header) -> Result<Directory, Fault> {
        /// A multiple of a group.
        const PORTION: usize = 1 << 20;
        let whole = HEADER_LEN as u64..header.shape.directory_end();
        if source.len() < whole.end {
            return Err(Fault::DamagedDirectory);
        }
        let mut sum = Xxh3::new();
        let mut places = Places {
            header,
            start: header.models().end,
            block: 0,
        };
        let mut groups = Vec::new();
        let mut fault = None;
        for start in whole.clone().step_by(PORTION) {
            let end = whole.end.min(start + PORTION as u64);
            let portion = source.bytes(start..end).map_err(Fault::reading)?;
            sum.update(&portion);
            // After the first bad place all that matters is the checksum.
            if fault.is_some() {
                continue;
            }
            for group in portion.chunks(GROUP_LEN) {
                groups.push(Group {
                    start: places.start,
                    sum: xxh3_64(group),
                });
                if let Err(bad) = group.as_chunks().0.iter().try_for_each(|r| places.check(r)) {
                    fault = Some(bad);
                    break;
                }
            }
        }
        match fault {
            _ if sum.digest() != header.directory_sum => Err(Fault::DamagedDirectory),
            Some(fault) => Err(fault),
            None => Ok(Directory {
                groups: groups.into(),
                end: whole.end,
            }),
        }
    }

    /// A block's place in the file, and its checksum. The block must be one of the
    /// table.
    pub fn find(&self, source: &Source, block: u64) -> Result<(Range<u64>, u64), Fault> {
        let group_number = block / GROUP as u64;
        // Below the number of blocks in a group.
        #[allow(clippy::cast_possible_truncation)]
        let place = (block % GROUP as u64) as usize;
        let group = self.groups[usize::try_from(group_number).unwrap_or(usize::MAX)];
        let start = HEADER_LEN as u64 + group_number * GROUP_LEN as u64;
        let end = self.end.min(start + GROUP_LEN as u64);
        let bytes = source.bytes(start..end).map_err(Fault::reading)?;
        let records = bytes.as_chunks().0;
        if xxh3_64(&bytes) != group.sum || place >= records.len() {
            return Err(Fault::DamagedDirectory);
        }
        let Record { end, sum } = Record::decode(&records[place]);
        let start = match place.checked_sub(1) {
            Some(before) => Record::decode(&records[before]).end,
            None => group.start,
        };
        Ok((start..end, sum))
    }
}

/// Where blocks may be, one after another.
struct Places<'h> {
    header: &'h Header,
    /// Where the next block begins.
    start: u64,
    block: u64,
}

impl Places<'_> {
    fn check(&mut self, record: &[u8; RECORD_LEN]) -> Result<(), Fault> {
        let Places { header, block, .. } = *self;
        let end = Record::decode(record).end;
        let is_last = block + 1 == header.shape.block_count();
        let lengths = header.shape.stored_lengths(block);
        let good = end
            .checked_sub(self.start)
            .is_some_and(|length| lengths.contains(&length))
            && end <= header.file_length
            && is_last == (end == header.file_length);
        if !good {
            return Err(Fault::Place { block, end });
        }
        (self.start, self.block) = (end, block + 1);
        Ok(())
    }
}
