//! The directory of a file: checking it, and looking up blocks in it.
//!
//! The directory stays in the file, and a look-up reads a few records. Memory holds a
//! checksum of each group of records and where the group's first block begins. So a
//! look-up answers according to the directory that was checked when the table was
//! opened, or with an error: a file that is overwritten meanwhile, even with another
//! table of the same layout, is not mistaken for the one that was checked.

use std::ops::Range;

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::source::Source;
use crate::table::entries::to_usize;
use crate::table::error::Fault;
use crate::table::format::{HEADER_LEN, Header, RECORD_LEN, Record};

/// Records of a group: what a look-up reads and checks.
const GROUP: usize = 32;
const GROUP_LEN: usize = GROUP * RECORD_LEN;

/// What memory holds of some records.
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
    /// Checks the directory of a file whose header is sound, a portion at a time.
    pub fn check(source: &Source, header: &Header) -> Result<Directory, Fault> {
        /// A multiple of a group.
        const PORTION: usize = 1 << 20;
        let whole = HEADER_LEN as u64..header.layout.directory_end();
        if source.len() < whole.end {
            return Err(Fault::DamagedDirectory);
        }
        let mut sum = Xxh3::new();
        let mut records = RecordCheck::new(header);
        let mut groups = Vec::new();
        let mut fault = None;
        for start in whole.clone().step_by(PORTION) {
            let end = whole.end.min(start + PORTION as u64);
            let portion = source.bytes(start..end).map_err(Fault::reading)?;
            sum.update(&portion);
            // After the first bad record only the checksum matters.
            if fault.is_some() {
                continue;
            }
            for group in portion.chunks(GROUP_LEN) {
                groups.push(Group {
                    start: records.start(),
                    sum: xxh3_64(group),
                });
                let mut of_group = group.as_chunks().0.iter();
                if let Err(bad) = of_group.try_for_each(|record| records.check(record)) {
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

    /// Where a block of the table is in the file, and its checksum.
    pub fn find(&self, source: &Source, block: u64) -> Result<(Range<u64>, u64), Fault> {
        let group_number = block / GROUP as u64;
        // Below the number of records in a group.
        let within = to_usize(block % GROUP as u64);
        let group = self.groups[usize::try_from(group_number).unwrap_or(usize::MAX)];
        let start = HEADER_LEN as u64 + group_number * GROUP_LEN as u64;
        let end = self.end.min(start + GROUP_LEN as u64);
        let bytes = source.bytes(start..end).map_err(Fault::reading)?;
        let records = bytes.as_chunks().0;
        if xxh3_64(&bytes) != group.sum || within >= records.len() {
            return Err(Fault::DamagedDirectory);
        }
        let Record { end, sum } = Record::decode(&records[within]);
        let start = match within.checked_sub(1) {
            Some(before) => Record::decode(&records[before]).end,
            None => group.start,
        };
        Ok((start..end, sum))
    }
}

/// Checks records one after another.
struct RecordCheck<'h> {
    header: &'h Header,
    /// Where the next block begins.
    start: u64,
    block: u64,
}

impl<'h> RecordCheck<'h> {
    fn new(header: &'h Header) -> RecordCheck<'h> {
        RecordCheck {
            header,
            start: header.models().end,
            block: 0,
        }
    }

    /// Where the next block begins.
    fn start(&self) -> u64 {
        self.start
    }

    /// Checks the next record.
    fn check(&mut self, record: &[u8; RECORD_LEN]) -> Result<(), Fault> {
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
