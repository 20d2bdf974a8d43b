//! Reading: an open table, and its blocks.
//!
//! Opening checks the header and the directory; decoding a block checks the
//! block. Whatever the bytes are, the answer is an error, not a panic, and no
//! more memory is asked for than one block of at most 2 MiB a thread, or one
//! batch of 4 MiB where blocks are read in order.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::error::{BlockFault, Fault, TableError};
use super::format::Header;
use super::id::{Codec, TableId};
use super::shape::{HEADER_LEN, Shape};
use super::source::Source;
use super::{codec, directory, entries};

/// An open table. It can be shared between threads; blocks are decoded at each
/// call, so callers that come back to the same boards keep them.
#[derive(Debug)]
pub struct Table {
    name: String,
    source: Source,
    shape: Shape,
}

/// The decoded entries of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    start: u64,
    entries: usize,
    bytes: Box<[u8]>,
}

impl Block {
    /// The index in the layer of the block's first entry.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// How many entries each plane of the block has.
    pub fn entries(&self) -> usize {
        self.entries
    }

    /// The entries of a plane from [`Block::start`] on, an `i8` as its two's
    /// complement.
    ///
    /// # Panics
    /// If the table's [`Kind`](super::Kind) has no such plane.
    pub fn plane(&self, plane: usize) -> &[u8] {
        &self.bytes[plane * self.entries..][..self.entries]
    }

    /// All planes, one after another.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl Table {
    /// Opens a file and checks all of it but the blocks. The file is mapped,
    /// not read: it must not be altered in place, only replaced by renaming,
    /// while the table is open.
    ///
    /// # Errors
    /// If there is no such file or it cannot be read, and if it is not a sound
    /// table of the format's version 1.
    pub fn open(path: &Path) -> Result<Table, TableError> {
        Table::open_as(path, Source::map)
    }

    /// As [`Table::open`], but the file is read piece by piece and not mapped:
    /// slower for probing, but what has been read no longer takes memory.
    ///
    /// # Errors
    /// As [`Table::open`].
    pub fn open_unmapped(path: &Path) -> Result<Table, TableError> {
        Table::open_as(path, Source::read)
    }

    fn open_as(
        path: &Path,
        open: impl Fn(&Path) -> Result<Source, Fault>,
    ) -> Result<Table, TableError> {
        let name = path.display().to_string();
        match open(path) {
            Ok(source) => Table::new(name, source),
            Err(fault) => Err(fault.of(name)),
        }
    }

    /// Opens a table in memory, such as one that is part of the program. The
    /// name is for errors.
    ///
    /// # Errors
    /// If the bytes are not a sound table of the format's version 1.
    pub fn from_bytes(
        name: impl Into<String>,
        bytes: impl Into<Cow<'static, [u8]>>,
    ) -> Result<Table, TableError> {
        Table::new(name.into(), Source::Memory(bytes.into()))
    }

    fn new(name: String, source: Source) -> Result<Table, TableError> {
        match check_head(&source) {
            Ok(Header { shape, .. }) => Ok(Table {
                name,
                source,
                shape,
            }),
            Err(fault) => Err(fault.of(name)),
        }
    }

    /// The table itself if it is the wanted one.
    ///
    /// # Errors
    /// If it is of other rules, another layer or another kind; the error says
    /// which it is and which was wanted.
    pub fn expect(self, wanted: TableId) -> Result<Table, TableError> {
        let holds = self.id();
        if holds == wanted {
            return Ok(self);
        }
        Err(Fault::Another { holds, wanted }.of(self.name))
    }

    /// The file's path or the name that was given for the bytes.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Which table it is.
    pub fn id(&self) -> TableId {
        self.shape.id
    }

    /// How its blocks are compressed.
    pub fn codec(&self) -> Codec {
        self.shape.codec
    }

    /// Entries in each plane: the boards of the layer's index.
    pub fn entries(&self) -> u64 {
        self.shape.entries
    }

    /// Entries in each block but the last, so that entry `i` is in block
    /// `i / block_entries`.
    pub fn block_entries(&self) -> u32 {
        self.shape.block_entries
    }

    /// How many blocks there are, at least 1.
    pub fn block_count(&self) -> u64 {
        self.shape.block_count()
    }

    /// Bytes of the whole file.
    pub fn stored_bytes(&self) -> u64 {
        self.source.len()
    }

    /// Decodes and checks a block.
    ///
    /// # Errors
    /// If the block is damaged.
    ///
    /// # Panics
    /// If `block` is not below [`Table::block_count`].
    pub fn block(&self, block: u64) -> Result<Block, TableError> {
        assert!(
            block < self.block_count(),
            "block {block} of {}",
            self.block_count()
        );
        let mut bytes = vec![0; self.shape.raw_len(block)].into_boxed_slice();
        self.decode(block, &mut bytes)?;
        Ok(Block {
            start: self.shape.block_start(block),
            entries: self.shape.block_len(block),
            bytes,
        })
    }

    /// Decodes and checks all blocks and hands them to `sink` in order. A
    /// batch of them is decoded at a time, in parallel.
    ///
    /// # Errors
    /// If a block is damaged; `sink` has seen the blocks before it.
    pub fn for_each_block(&self, mut sink: impl FnMut(&Block)) -> Result<(), TableError> {
        for batch in self.shape.batches() {
            let decoded: Vec<_> = batch
                .into_par_iter()
                .map(|block| self.block(block))
                .collect();
            for block in decoded {
                sink(&block?);
            }
        }
        Ok(())
    }

    /// Decodes and checks all blocks, in parallel, and keeps none.
    ///
    /// # Errors
    /// If a block is damaged: the first such one.
    pub fn check(&self) -> Result<(), TableError> {
        let verdicts =
            (0..self.block_count())
                .into_par_iter()
                .map_init(Vec::new, |bytes, block| {
                    bytes.resize(self.shape.raw_len(block), 0);
                    self.decode(block, bytes)
                });
        verdicts.find_first(Result::is_err).unwrap_or(Ok(()))
    }

    /// Decodes and checks the blocks that hold the entries of a plane from index
    /// `start` on, in parallel, and fills `out` with these.
    ///
    /// # Errors
    /// If a block is damaged or cannot be read.
    ///
    /// # Panics
    /// If there are not so many entries, or the table has no such plane.
    pub fn read(&self, plane: usize, start: u64, out: &mut [u8]) -> Result<(), TableError> {
        let block_entries = u64::from(self.shape.block_entries);
        let mut pieces = Vec::new();
        let (mut rest, mut at) = (out, start);
        while !rest.is_empty() {
            let block = at / block_entries;
            let within = at - self.shape.block_start(block);
            // Both are below the length of a block.
            let within = usize::try_from(within).unwrap_or(usize::MAX);
            let here = (self.shape.block_len(block) - within).min(rest.len());
            let (piece, others) = rest.split_at_mut(here);
            pieces.push((block, within, piece));
            (rest, at) = (others, at + here as u64);
        }
        pieces
            .into_par_iter()
            .try_for_each(|(block, within, piece)| {
                let block = self.block(block)?;
                piece.copy_from_slice(&block.plane(plane)[within..][..piece.len()]);
                Ok(())
            })
    }

    fn decode(&self, block: u64, raw: &mut [u8]) -> Result<(), TableError> {
        match self.try_decode(block, raw) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(fault)) => Err(Fault::Block { block, fault }.of(&self.name)),
            Err(cause) => Err(Fault::reading(cause).of(&self.name)),
        }
    }

    /// The outer error is one of reading, the inner one of the bytes read.
    fn try_decode(&self, block: u64, raw: &mut [u8]) -> io::Result<Result<(), BlockFault>> {
        let Some((place, sum)) = directory::find(&self.source, &self.shape, block)? else {
            return Ok(Err(BlockFault::Checksum));
        };
        let stored = self.source.bytes(place)?;
        Ok(self.unpack(block, &stored, sum, raw))
    }

    fn unpack(
        &self,
        block: u64,
        stored: &[u8],
        sum: u64,
        raw: &mut [u8],
    ) -> Result<(), BlockFault> {
        if xxh3_64(stored) != sum {
            return Err(BlockFault::Checksum);
        }
        codec::unpack(self.shape.codec, stored, raw)?;
        let TableId { kind, seeds, .. } = self.shape.id;
        match entries::first_impossible(kind, seeds, raw) {
            Some(place) => Err(BlockFault::Entry {
                index: self.shape.block_start(block) + place as u64,
            }),
            None => Ok(()),
        }
    }
}

/// Checks the header and the directory.
fn check_head(source: &Source) -> Result<Header, Fault> {
    let bytes = source.bytes(0..HEADER_LEN as u64).map_err(Fault::reading)?;
    let header = Header::decode(&bytes, source.len())?;
    directory::check(source, &header)?;
    Ok(header)
}
