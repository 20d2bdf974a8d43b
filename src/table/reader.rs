//! Reading: an open table, and its blocks.
//!
//! Opening checks the header, the directory and the models; decoding a block
//! checks the block. Whatever the bytes are, the answer is an error or a possible
//! entry, not a panic. If they change while the table is open, it is an error or
//! the entry that was there. (Of a file that is mapped this is not promised:
//! `mmap.rs`.) No number in a file makes the reader ask for more memory than this:
//!
//! - An open table keeps its models, and once a tile was decoded what they are
//!   expanded into: less than a megabyte for each plane. While it is opened,
//!   there are the models' stored bytes, at most 512 KiB, and the directory, a
//!   mebibyte at a time. Of the directory 16 bytes are kept for each 32 blocks,
//!   which take 512 bytes or more of the file.
//! - Each thread that decodes has the stored bytes of a block, if the file is not
//!   mapped: hardly more than the 2 MiB that the largest run decodes to, or 515 KiB
//!   for 1024 tiles. And it has what it decodes: a run of at most 2 MiB, or a tile
//!   of at most 256 bytes with the lengths of all tiles in its block.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::directory::Directory;
use super::entries;
use super::error::{BlockFault, Fault, TableError};
use super::format::Header;
use super::id::{Codec, TableId};
use super::in_place::SoundBlocks;
use super::packed::{Model, StoredTiles, TileReader, Tiling, models};
use super::runs::{self, RunCodec};
use super::shape::{HEADER_LEN, Layout, Shape, small};
use super::source::Source;
use crate::index::Location;

/// An open table. It can be shared between threads; pieces are decoded at each
/// call, so callers that come back to the same boards keep them.
#[derive(Debug)]
pub struct Table {
    name: String,
    pub(super) source: Source,
    pub(super) header: Header,
    directory: Directory,
    models: Vec<Model>,
    /// The blocks that are known to be sound, of those that are read in place.
    pub(super) sound: SoundBlocks,
    /// Made of the models when the first tile is decoded.
    tile_reader: OnceLock<TileReader>,
}

/// Decoded entries: what a probe decodes at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    entries: usize,
    bytes: Box<[u8]>,
}

impl Piece {
    /// How many entries each plane of the piece has.
    pub fn entries(&self) -> usize {
        self.entries
    }

    /// The entries of a plane, an `i8` as its two's complement.
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
    /// Opens a file and checks all of it but the blocks. It is read piece by piece:
    /// whatever happens to the file while it is open, the answers are errors at
    /// worst.
    ///
    /// # Errors
    /// If there is no such file or it cannot be read, and if it is not a sound
    /// table of a version that this library knows.
    pub fn open(path: &Path) -> Result<Table, TableError> {
        Table::open_as(path, Source::read)
    }

    pub(super) fn open_as(
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
    /// If the bytes are not a sound table of a version that this library knows.
    pub fn from_bytes(
        name: impl Into<String>,
        bytes: impl Into<Cow<'static, [u8]>>,
    ) -> Result<Table, TableError> {
        Table::new(name.into(), Source::Memory(bytes.into()))
    }

    fn new(name: String, source: Source) -> Result<Table, TableError> {
        match check_head(&source) {
            Ok((header, directory, models)) => Ok(Table {
                name,
                source,
                header,
                directory,
                models,
                sound: SoundBlocks::default(),
                tile_reader: OnceLock::new(),
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
        self.shape().id
    }

    /// How its blocks are stored.
    pub fn codec(&self) -> Codec {
        self.shape().codec
    }

    /// Entries in each plane: the boards of the layer's index, whether they are
    /// stored or not.
    pub fn entries(&self) -> u64 {
        self.shape().entries
    }

    /// Entries of each plane that are stored: those with the lowest indexes. The
    /// others follow from these by one ply.
    pub fn stored_entries(&self) -> u64 {
        self.shape().stored_entries()
    }

    /// How many of the layer's matrices, the blocks of its
    /// [index](crate::index::LayerIndex), those entries are.
    pub fn stored_matrices(&self) -> u8 {
        self.shape().stored_matrices()
    }

    /// Pieces that the entries are stored in, at least 1.
    pub fn piece_count(&self) -> u64 {
        self.shape().piece_count()
    }

    /// Blocks that have a checksum each, at least 1.
    pub fn block_count(&self) -> u64 {
        self.shape().block_count()
    }

    /// The piece that has the entry of a location in the layer's index, and the entry's
    /// place in each of its planes; `None` if it is not stored.
    #[inline]
    pub fn place(&self, location: Location) -> Option<(u64, usize)> {
        self.shape().place(location)
    }

    /// Bytes of the whole file.
    pub fn stored_bytes(&self) -> u64 {
        self.source.len()
    }

    /// Reads, checks and decodes a piece.
    ///
    /// # Errors
    /// If the block that has it is damaged or cannot be read.
    ///
    /// # Panics
    /// If `piece` is not below [`Table::piece_count`].
    pub fn piece(&self, piece: u64) -> Result<Piece, TableError> {
        let count = self.piece_count();
        assert!(piece < count, "piece {piece} of {count}");
        let mut decoded = None;
        let block = self.shape().block_of(piece);
        self.decode(block, piece..piece + 1, |_, piece| decoded = Some(piece))?;
        Ok(decoded.expect("the piece was decoded"))
    }

    /// Decodes and checks all blocks, in parallel, and keeps none.
    ///
    /// # Errors
    /// If a block is damaged: the first such one.
    pub fn check(&self) -> Result<(), TableError> {
        self.check_with(&|_| ())
    }

    /// As [`Table::check`]. `on_entries` is for progress: it is called, from several threads, with how many entries of
    /// each plane have just been checked.
    ///
    /// # Errors
    /// If a block is damaged: the first such one.
    pub fn check_with(&self, on_entries: &(dyn Fn(u64) + Sync)) -> Result<(), TableError> {
        let verdicts = (0..self.block_count()).into_par_iter().map(|block| {
            let mut entries = 0;
            self.decode(block, self.shape().pieces(block), |_, piece| {
                entries += piece.entries() as u64;
            })?;
            on_entries(entries);
            Ok(())
        });
        verdicts.find_first(Result::is_err).unwrap_or(Ok(()))
    }

    fn tile_reader(&self) -> &TileReader {
        let id = self.id();
        self.tile_reader
            .get_or_init(|| TileReader::new(id, &self.models))
    }

    pub(super) fn shape(&self) -> &Shape {
        &self.header.shape
    }

    /// Decodes some pieces of a block and hands them to `each`.
    pub(super) fn decode(
        &self,
        block: u64,
        pieces: Range<u64>,
        each: impl FnMut(u64, Piece),
    ) -> Result<(), TableError> {
        let stored = self.stored(block)?;
        let decoded = match &self.shape().layout {
            Layout::Runs(codec) => self.decode_run(*codec, block, &stored, each),
            Layout::Tiles(tiling) => self.decode_tiles(tiling, block, &stored, pieces, each),
        };
        decoded.map_err(|fault| self.damaged(block, fault))
    }

    fn decode_run(
        &self,
        codec: RunCodec,
        block: u64,
        stored: &[u8],
        mut each: impl FnMut(u64, Piece),
    ) -> Result<(), BlockFault> {
        let TableId { kind, seeds, .. } = self.id();
        let mut piece = self.empty(block);
        runs::unpack(codec, stored, &mut piece.bytes)?;
        if let Some(place) = entries::first_impossible(kind, seeds, &piece.bytes) {
            let index = self.shape().run_start(block) + place as u64;
            return Err(BlockFault::Entry { index });
        }
        each(block, piece);
        Ok(())
    }

    fn decode_tiles(
        &self,
        tiling: &Tiling,
        block: u64,
        stored: &[u8],
        pieces: Range<u64>,
        mut each: impl FnMut(u64, Piece),
    ) -> Result<(), BlockFault> {
        let of_block = self.shape().pieces(block);
        // At most as many as a block has.
        let count = small(of_block.end - of_block.start);
        let tiles = StoredTiles::find(stored, count).ok_or(BlockFault::Tiles)?;
        for number in pieces {
            let stored = tiles.tile(small(number - of_block.start));
            let mut piece = self.empty(number);
            let tile = tiling.tile(number);
            if !self
                .tile_reader()
                .decode(tiling, &tile, stored, &mut piece.bytes)
            {
                return Err(BlockFault::Tile { tile: number });
            }
            each(number, piece);
        }
        Ok(())
    }

    /// Memory for a piece.
    fn empty(&self, piece: u64) -> Piece {
        let entries = self.shape().piece_len(piece);
        Piece {
            entries,
            bytes: vec![0; entries * self.id().kind.planes()].into(),
        }
    }

    /// The stored bytes of a block, checked.
    fn stored(&self, block: u64) -> Result<Cow<'_, [u8]>, TableError> {
        let (place, sum) = self.named(self.directory.find(&self.source, block))?;
        let stored = self.named(self.source.bytes(place).map_err(Fault::reading))?;
        match xxh3_64(&stored) == sum {
            true => Ok(stored),
            false => Err(self.damaged(block, BlockFault::Checksum)),
        }
    }

    /// The same with the name of the file.
    fn named<T>(&self, result: Result<T, Fault>) -> Result<T, TableError> {
        result.map_err(|fault| fault.of(&self.name))
    }

    fn damaged(&self, block: u64, fault: BlockFault) -> TableError {
        Fault::Block { block, fault }.of(&self.name)
    }
}

/// Checks the header, the directory and the models.
fn check_head(source: &Source) -> Result<(Header, Directory, Vec<Model>), Fault> {
    let bytes = source.bytes(0..HEADER_LEN as u64).map_err(Fault::reading)?;
    let header = Header::decode(&bytes, source.len())?;
    let directory = Directory::check(source, &header)?;
    if header.model_length == 0 {
        return Ok((header, directory, Vec::new()));
    }
    let bytes = source.bytes(header.models()).map_err(Fault::reading)?;
    if xxh3_64(&bytes) != header.model_sum {
        return Err(Fault::DamagedModel);
    }
    let sound = models(header.shape.id, &bytes);
    Ok((header, directory, sound.ok_or(Fault::DamagedModel)?))
}
