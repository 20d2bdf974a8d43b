//! The directory of a file: checking it, and looking up blocks in it.
//!
//! A directory of up to a mebibyte, that of the layers up to 25 seeds or so, is kept in
//! memory. A larger one stays in the file, and a look-up reads a few records; memory
//! holds a checksum of each group of records and where the group's first block begins. So a
//! look-up answers according to the directory that was checked when the table was
//! opened, or with an error: a file that is overwritten meanwhile, even with another
//! table of the same layout, is not mistaken for the one that was checked.
//!
//! That of a file on another machine is never read as a whole: a look-up reads a group of its
//! records and checks the block's place. The block's own checksum is all that holds them
//! together, so whoever fetches the bytes sees to it that they are of one file.

use std::ops::Range;

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::source::Source;
use crate::table::entries::to_usize;
use crate::table::error::Fault;
use crate::table::format::{BlockRecord, HEADER_LEN, Header, RECORD_LEN};

/// Records of a group: what a look-up reads and checks.
const GROUP: usize = 32;
const GROUP_LEN: usize = GROUP * RECORD_LEN;

/// The longest directory, in bytes, that is kept in memory.
const MAX_KEPT: u64 = 1 << 20;

/// What memory holds of some records that stay in the file.
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
    records: Records,
    /// Where it ends in the file.
    end: u64,
}

/// The records of a directory.
#[derive(Debug)]
enum Records {
    Kept {
        /// Where the first block begins.
        start: u64,
        records: Box<[BlockRecord]>,
    },
    InFile(Box<[Group]>),
    Unchecked(Box<Header>),
}

impl Directory {
    /// Checks the directory of a file whose header is sound.
    pub fn check(source: &Source, header: &Header) -> Result<Directory, Fault> {
        Directory::check_keeping(source, header, MAX_KEPT)
    }

    /// As [`Directory::check`], keeping at most this number of bytes of records. It reads a
    /// batch at a time.
    fn check_keeping(source: &Source, header: &Header, most: u64) -> Result<Directory, Fault> {
        /// A multiple of a group.
        const BATCH: usize = 1 << 20;
        let whole = HEADER_LEN as u64..header.layout.directory_end();
        if source.len() < whole.end {
            return Err(Fault::DamagedDirectory);
        }
        let is_kept = whole.end - whole.start <= most;
        let mut sum = Xxh3::new();
        let mut check = RecordCheck::new(header);
        let start = check.start();
        let (mut kept, mut groups) = (Vec::new(), Vec::new());
        let mut fault = None;
        for start in whole.clone().step_by(BATCH) {
            let end = whole.end.min(start + BATCH as u64);
            let batch = source.read(start..end)?;
            sum.update(&batch);
            // After the first bad record only the checksum matters.
            if fault.is_some() {
                continue;
            }
            for group in batch.chunks(GROUP_LEN) {
                let mut records = group.chunks_exact(RECORD_LEN).map(BlockRecord::decode);
                match is_kept {
                    true => kept.extend(records.clone()),
                    false => groups.push(Group {
                        start: check.start(),
                        sum: xxh3_64(group),
                    }),
                }
                if let Err(bad) = records.try_for_each(|record| check.check(record)) {
                    fault = Some(bad);
                    break;
                }
            }
        }
        let records = match is_kept {
            true => Records::Kept {
                start,
                records: kept.into(),
            },
            false => Records::InFile(groups.into()),
        };
        match fault {
            _ if sum.digest() != header.directory_sum => Err(Fault::DamagedDirectory),
            Some(fault) => Err(fault),
            None => Ok(Directory {
                records,
                end: whole.end,
            }),
        }
    }

    /// The directory of a file on another machine, which is read group by group.
    pub fn unchecked(header: &Header) -> Directory {
        Directory {
            records: Records::Unchecked(header.clone().into()),
            end: header.layout.directory_end(),
        }
    }

    /// Where a block of the table is in the file, and its checksum.
    pub fn find(&self, source: &Source, block: u64) -> Result<(Range<u64>, u64), Fault> {
        match &self.records {
            Records::Kept { start, records } => {
                let block = to_usize(block);
                let BlockRecord { end, sum } = records[block];
                let before = block.checked_sub(1).map_or(*start, |b| records[b].end);
                Ok((before..end, sum))
            }
            Records::InFile(groups) => self.find_in_file(groups, source, block),
            Records::Unchecked(header) => self.find_unchecked(header, source, block),
        }
    }

    fn find_in_file(
        &self,
        groups: &[Group],
        source: &Source,
        block: u64,
    ) -> Result<(Range<u64>, u64), Fault> {
        let group_number = block / GROUP as u64;
        // Below the number of records in a group.
        let within = to_usize(block % GROUP as u64);
        let group = groups[usize::try_from(group_number).unwrap_or(usize::MAX)];
        let start = HEADER_LEN as u64 + group_number * GROUP_LEN as u64;
        let end = self.end.min(start + GROUP_LEN as u64);
        let bytes = source.read(start..end)?;
        if xxh3_64(&bytes) != group.sum || within >= bytes.len() / RECORD_LEN {
            return Err(Fault::DamagedDirectory);
        }
        let record = |n: usize| BlockRecord::decode(&bytes[n * RECORD_LEN..][..RECORD_LEN]);
        let BlockRecord { end, sum } = record(within);
        let start = match within.checked_sub(1) {
            Some(before) => record(before).end,
            None => group.start,
        };
        Ok((start..end, sum))
    }

    fn find_unchecked(
        &self,
        header: &Header,
        source: &Source,
        block: u64,
    ) -> Result<(Range<u64>, u64), Fault> {
        let place = |record: u64| HEADER_LEN as u64 + record * RECORD_LEN as u64;
        let first = block - block % GROUP as u64;
        // The record before tells where the first block of the group begins.
        let first = first.saturating_sub(1);
        let end = self.end.min(place(first + 1 + GROUP as u64));
        let bytes = source.read(place(first)..end)?;
        let records = bytes.chunks_exact(RECORD_LEN).map(BlockRecord::decode);
        let records: Vec<BlockRecord> = records.collect();
        let within = to_usize(block - first);
        let Some(&record) = records.get(within) else {
            return Err(Fault::DamagedDirectory);
        };
        let mut check = RecordCheck::new(header);
        if let Some(before) = within.checked_sub(1) {
            check.start = records[before].end;
            check.block = block;
        }
        let start = check.start;
        check.check(record)?;
        Ok((start..record.end, record.sum))
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
    fn check(&mut self, record: BlockRecord) -> Result<(), Fault> {
        let RecordCheck { header, block, .. } = *self;
        let end = record.end;
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

#[cfg(all(test, feature = "solve"))]
mod tests {
    use super::*;
    use crate::rules::Ruleset;
    use crate::table::codec::Codec;
    use crate::table::format::Layout;
    use crate::table::id::{Kind, TableId};

    /// A table with many blocks of 20 boards.
    fn file() -> Vec<u8> {
        let id = TableId {
            rules: Ruleset::AWARI,
            seeds: 4,
            kind: Kind::Value,
        };
        let layout = Layout::new(id, Codec::Raw, 20);
        let entries = layout.blocks.stored_entries();
        let start = layout.directory_end();
        let mut directory = Vec::new();
        for block in 0..layout.blocks.block_count() {
            let end = start + entries.min(20 * (block + 1));
            directory.push(BlockRecord { end, sum: block }.encode());
        }
        let directory = directory.as_flattened();
        let header = Header {
            file_length: start + entries,
            directory_sum: xxh3_64(directory),
            model_length: 0,
            model_sum: 0,
            layout,
        };
        let blocks = vec![0; to_usize(entries)];
        [&header.encode(), directory, &blocks].concat()
    }

    /// Kept in memory or not, a directory says the same; one in the file is read again and
    /// checked again, and one in memory is not.
    #[test]
    fn directories_in_memory_and_in_the_file_agree() {
        let file = file();
        let source = Source::Memory(file.clone().into());
        let header = Header::decode(&file, file.len() as u64).unwrap();
        let kept = Directory::check_keeping(&source, &header, MAX_KEPT).unwrap();
        let in_file = Directory::check_keeping(&source, &header, 0).unwrap();
        let blocks = header.layout.blocks.block_count();
        assert!(blocks > 2 * GROUP as u64);
        for block in 0..blocks {
            let found = kept.find(&source, block).unwrap();
            assert_eq!(in_file.find(&source, block).unwrap(), found);

            let mut forged = file.clone();
            // Below the length of the file.
            let record = HEADER_LEN + usize::try_from(block).unwrap() * RECORD_LEN;
            forged[record] ^= 1;
            let forged = Source::Memory(forged.into());
            assert_eq!(kept.find(&forged, block).unwrap(), found);
            let fault = in_file.find(&forged, block).unwrap_err();
            assert!(matches!(fault, Fault::DamagedDirectory));
        }
    }
}
