//! Reading: from a file's bytes to entries.
//!
//! - `source`: where a table's bytes come from;
//! - `directory`: where its blocks are;
//! - `bitmap`: which blocks are known to be sound;
//! - here: an open table, and single entries and tiles of it;
//! - `whole`: many entries at once, on all threads;
//! - `mmap`: mapped files.
//!
//! Opening checks the header, the directory and the models; decoding a tile checks its
//! block. Whatever the bytes are, the result is an error or a possible entry, never a
//! panic. If they change while the table is open, it is an error or the entry that was
//! there. (This does not hold for a mapped file: see `mmap.rs`.) No number in a file
//! makes the reader take more memory than this:
//!
//! - An open table keeps its models, and after the first tile their decoding tables:
//!   less than a megabyte for each plane. While it is opened, it also has the models'
//!   stored bytes, at most 512 KiB, and a mebibyte of the directory at a time. It keeps a
//!   directory of up to a mebibyte, else 16 bytes for each 32 blocks, which take 512 bytes
//!   or more of the file.
//! - Each thread that decodes has the stored bytes of a block, unless the file is
//!   mapped: hardly more than the 2 MiB that the largest flat block decodes to, or
//!   515 KiB for 1024 tiles. And it has the tiles that it decodes: a flat block of at most
//!   2 MiB; or a tile of at most 256 bytes, and the lengths of all tiles in its block; or all
//!   tiles of a block, at most 256 KiB, where many entries are read at once.

mod bitmap;
mod directory;
#[cfg(feature = "mmap")]
mod mmap;
#[cfg(not(feature = "mmap"))]
mod no_mmap;
pub(super) mod source;
mod whole;

use std::borrow::Cow;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

#[cfg(feature = "mmap")]
use memmap2::Mmap;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use self::bitmap::{AtomicBitmap, Bit};
use self::directory::Directory;
#[cfg(not(feature = "mmap"))]
use self::no_mmap::Mmap;
use self::source::Source;
use super::codec::tiled::Models;
use super::codec::{BlockCodec, Blocks, Codec, DecodedTile};
use super::entries::to_usize;
use super::error::{BlockFault, Fault, TableError};
use super::format::{HEADER_LEN, Header};
use super::id::TableId;
use crate::index::Location;
use crate::ranges::{Ranges, both};

/// An open table. Threads can share it. It keeps no decoded tiles: callers that
/// return to the same boards keep them.
#[derive(Debug)]
pub struct Table {
    name: PathBuf,
    source: Source,
    header: Header,
    directory: Directory,
    /// Set when the table is opened, or when the first block of a remote table is read.
    models: OnceLock<Models>,
    /// The blocks that are known to be sound, if the table is in memory.
    sound: AtomicBitmap,
}

const _: () = {
    const fn is_shared_by_threads<T: Send + Sync>() {}
    is_shared_by_threads::<Table>();
};

impl Table {
    /// Opens a file and checks all of it but the blocks. It is read by position:
    /// whatever happens to the file while it is open, the worst result is an error.
    ///
    /// # Errors
    /// If the file does not exist or cannot be read, or is not a sound table of a
    /// version that this library reads, or has a codec that was not compiled in.
    pub fn open(path: impl AsRef<Path>) -> Result<Table, TableError> {
        Table::open_as(path.as_ref(), Source::open)
    }

    fn open_as(
        path: &Path,
        open: impl Fn(&Path) -> Result<Source, Fault>,
    ) -> Result<Table, TableError> {
        match open(path) {
            Ok(source) => Table::new(path.to_owned(), source),
            Err(fault) => Err(fault.of(path)),
        }
    }

    /// Opens a table in memory, such as one that is part of the program. The name is
    /// for errors.
    ///
    /// # Errors
    /// If the bytes are not a sound table of a version that this library reads, or
    /// have a codec that was not compiled in.
    pub fn from_bytes(
        name: impl Into<PathBuf>,
        bytes: impl Into<Cow<'static, [u8]>>,
    ) -> Result<Table, TableError> {
        Table::new(name.into(), Source::Memory(bytes.into()))
    }

    fn new(name: PathBuf, source: Source) -> Result<Table, TableError> {
        match check_all_but_blocks(&source) {
            Ok((header, directory, models)) => Ok(Table {
                name,
                source,
                header,
                directory,
                models: models.into(),
                sound: AtomicBitmap::default(),
            }),
            Err(fault) => Err(fault.of(name)),
        }
    }

    /// Opens a table on another machine, whose header is known and whose bytes are fetched
    /// as they are needed.
    ///
    /// # Errors
    /// If the header is not that of a sound table of this length, or the codec was not
    /// compiled in.
    pub fn ranged(
        name: impl Into<PathBuf>,
        header: &[u8],
        len: u64,
        ranges: Arc<dyn Ranges>,
        file: usize,
    ) -> Result<Table, TableError> {
        let name = name.into();
        let decoded = Header::decode(header, len)
            .and_then(|header| header.layout.codec.check_is_built().map(|()| header));
        match decoded {
            Ok(header) => Ok(Table {
                name,
                source: Source::Ranged { ranges, file, len },
                directory: Directory::unchecked(&header),
                header,
                models: OnceLock::new(),
                sound: AtomicBitmap::default(),
            }),
            Err(fault) => Err(fault.of(name)),
        }
    }

    /// The table itself, if it is the wanted one.
    ///
    /// # Errors
    /// If its rules, layer or kind differ; the error names both tables.
    #[doc(hidden)]
    pub fn require(self, wanted: TableId) -> Result<Table, TableError> {
        let holds = self.id();
        if holds == wanted {
            return Ok(self);
        }
        let fault = match wanted.former() == Some(holds) {
            true => Fault::Old,
            false => Fault::WrongTable { holds, wanted },
        };
        Err(fault.of(self.name))
    }

    /// The file's path, or the name given for bytes in memory.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// Which table it is.
    pub fn id(&self) -> TableId {
        self.header.layout.id
    }

    /// How its blocks are stored.
    pub fn codec(&self) -> Codec {
        self.header.layout.codec
    }

    /// The version of the format in which it is stored.
    pub fn version(&self) -> u16 {
        self.codec().version()
    }

    /// Entries in each plane: the indexed boards of the layer, stored or not.
    pub fn entries(&self) -> u64 {
        self.header.layout.entries
    }

    /// Entries of each plane that are stored: those with the lowest indexes. The
    /// others follow from these by one ply.
    pub fn stored_entries(&self) -> u64 {
        self.blocks().stored_entries()
    }

    /// How many sections of the layer's [index](crate::index::LayerIndex) those
    /// entries are.
    #[doc(hidden)]
    pub fn stored_sections(&self) -> u8 {
        self.blocks().stored_sections()
    }

    /// How many tiles the entries are stored in, at least 1.
    #[doc(hidden)]
    pub fn tile_count(&self) -> u64 {
        self.blocks().tile_count()
    }

    /// How many blocks there are, at least 1. Each has a checksum.
    #[doc(hidden)]
    pub fn block_count(&self) -> u64 {
        self.blocks().block_count()
    }

    /// The block that holds a tile.
    pub(crate) fn block_of(&self, tile: u64) -> u64 {
        self.blocks().block_of(tile)
    }

    /// Whether a block has more than one tile.
    pub(crate) fn has_many_tiles(&self) -> bool {
        matches!(self.header.layout.blocks, BlockCodec::Tiled(_))
    }

    /// Whether its bytes are in memory.
    pub(crate) fn is_in_memory(&self) -> bool {
        self.source.in_memory().is_some()
    }

    /// Whether it is on another machine.
    pub(crate) fn is_remote(&self) -> bool {
        self.source.is_remote()
    }

    /// Whether its entries are read in place: those of a raw table in memory.
    #[inline]
    pub(crate) fn is_read_in_place(&self) -> bool {
        self.codec() == Codec::Raw && self.is_in_memory()
    }

    /// The tile that holds the entry of a location, and the entry's offset in each of
    /// its planes; `None` if the entry is not stored.
    #[inline]
    #[doc(hidden)]
    pub fn locate(&self, location: Location) -> Option<(u64, usize)> {
        self.blocks().locate(location)
    }

    /// Bytes of the whole file.
    pub fn stored_bytes(&self) -> u64 {
        self.source.len()
    }

    /// A hash of the table: equal for equal files. It covers the checksum of every block,
    /// but opening a file does not read the blocks.
    pub fn content_hash(&self) -> u64 {
        let mut hash = Xxh3::new();
        hash.update(self.id().file_name().as_bytes());
        hash.update(self.codec().as_str().as_bytes());
        hash.update(&self.header.directory_sum.to_le_bytes());
        hash.update(&self.header.model_sum.to_le_bytes());
        hash.digest()
    }

    /// Reads the entry of a location in a plane; `None` if it is not stored.
    ///
    /// In a raw table that is mapped or in memory it is read in place: a block is checked
    /// when the first of its entries is read, and after that an entry is one load. In any
    /// other table, its block is read and checked, and its tile decoded up to the entry.
    ///
    /// # Errors
    /// If the block that holds it is damaged or cannot be read.
    ///
    /// # Panics
    /// If the location is not in this layer, or there is no such plane.
    #[inline]
    #[doc(hidden)]
    pub fn entry(&self, plane: usize, location: Location) -> Result<Option<u8>, TableError> {
        let in_memory = match &self.header.layout.blocks {
            BlockCodec::Flat(flat) => {
                let bytes = self.source.in_memory();
                bytes.and_then(|bytes| Some((bytes, flat.locate_raw(plane, location)?)))
            }
            BlockCodec::Tiled(_) => None,
        };
        if let Some((bytes, (block, offset))) = in_memory {
            let is_sound = self.sound.bit(block, || self.block_count());
            if !is_sound.is_set() {
                self.tile(block)?;
                is_sound.set();
            }
            // Opening has checked that the file is long enough.
            let offset = to_usize(self.header.models().end + offset);
            return Ok(bytes.get(offset).copied());
        }
        self.decode_entry(plane, location)
    }

    fn decode_entry(&self, plane: usize, location: Location) -> Result<Option<u8>, TableError> {
        let Some((tile, offset)) = self.locate(location) else {
            return Ok(None);
        };
        let block = self.block_of(tile);
        let stored = self.stored(block)?;
        let entry = self
            .blocks()
            .decode_entry(self.models()?, tile, plane, offset, &stored);
        entry.map(Some).map_err(|fault| self.damaged(block, fault))
    }

    /// Reads, checks and decodes a tile.
    ///
    /// # Errors
    /// If the block that holds it is damaged or cannot be read.
    ///
    /// # Panics
    /// If `tile` is not below [`Table::tile_count`].
    #[doc(hidden)]
    pub fn tile(&self, tile: u64) -> Result<DecodedTile, TableError> {
        let count = self.tile_count();
        assert!(tile < count, "tile {tile} of {count}");
        let stored = self.stored(self.block_of(tile))?;
        let decoded = self.decode(tile..tile + 1, &stored)?;
        Ok(decoded.into_iter().next().expect("a tile was decoded"))
    }

    /// Decodes and checks tiles of one block, given its stored bytes.
    ///
    /// # Errors
    /// If these are damaged.
    pub(crate) fn decode(
        &self,
        tiles: Range<u64>,
        stored: &[u8],
    ) -> Result<Vec<DecodedTile>, TableError> {
        let block = self.block_of(tiles.start);
        let decoded = self.blocks().decode(self.models()?, tiles, stored);
        decoded.map_err(|fault| self.damaged(block, fault))
    }

    /// The stored bytes of a block, checked.
    ///
    /// # Errors
    /// If the block is damaged or cannot be read.
    pub(crate) fn stored(&self, block: u64) -> Result<Cow<'_, [u8]>, TableError> {
        let found = self.named(self.directory.find(&self.source, block));
        let (_, (range, sum)) = both(self.models(), found)?;
        let stored = self.named(self.source.read(range))?;
        // Bytes in memory do not change.
        let may_be_known = self.has_many_tiles() && self.is_in_memory();
        let is_sound = may_be_known.then(|| self.sound.bit(block, || self.block_count()));
        if is_sound.as_ref().is_some_and(Bit::is_set) {
            return Ok(stored);
        }
        if xxh3_64(&stored) != sum {
            return Err(self.damaged(block, BlockFault::Checksum));
        }
        if let Some(is_sound) = is_sound {
            is_sound.set();
        }
        Ok(stored)
    }

    /// Reads what tells where the block of a location is; false if the location's entry is not
    /// stored.
    ///
    /// # Errors
    /// If that cannot be read or has yet to be fetched.
    pub(crate) fn read_directory(&self, location: Location) -> Result<bool, TableError> {
        let Some((tile, _)) = self.locate(location) else {
            return Ok(false);
        };
        let found = self.directory.find(&self.source, self.block_of(tile));
        both(self.models(), self.named(found))?;
        Ok(true)
    }

    /// The models; those of a remote table may have to be read first.
    #[inline]
    fn models(&self) -> Result<&Models, TableError> {
        match self.models.get() {
            Some(models) => Ok(models),
            None => self.named(self.read_models()),
        }
    }

    /// Reads the models of a remote table, and checks that the header is still the known one.
    #[cold]
    fn read_models(&self) -> Result<&Models, Fault> {
        let read = |range| self.source.read(range);
        let (header, models) = both(read(0..HEADER_LEN as u64), read(self.header.models()))?;
        if !Header::decode(&header, self.source.len()).is_ok_and(|header| header == self.header) {
            return Err(Fault::Changed);
        }
        let models = check_models(&models, &self.header)?;
        Ok(self.models.get_or_init(|| models))
    }

    fn blocks(&self) -> &dyn Blocks {
        &*self.header.layout.blocks
    }

    /// The same result with the file's name.
    fn named<T>(&self, result: Result<T, Fault>) -> Result<T, TableError> {
        result.map_err(|fault| self.error(fault))
    }

    fn damaged(&self, block: u64, fault: BlockFault) -> TableError {
        self.error(Fault::Block { block, fault })
    }

    /// The error of this file. Damage in bytes from another machine may be that of a cache: once,
    /// they are to be fetched anew.
    #[cold]
    fn error(&self, fault: Fault) -> TableError {
        let is_damage = matches!(
            fault,
            Fault::Block { .. }
                | Fault::BlockPosition { .. }
                | Fault::DamagedDirectory
                | Fault::DamagedModel
        );
        match is_damage && self.source.forget() {
            true => Fault::Lacking(Vec::new()).of(&self.name),
            false => fault.of(&self.name),
        }
    }
}

/// Checks the header, the directory and the models.
fn check_all_but_blocks(source: &Source) -> Result<(Header, Directory, Models), Fault> {
    let bytes = source.read(0..HEADER_LEN as u64)?;
    let header = Header::decode(&bytes, source.len())?;
    header.layout.codec.check_is_built()?;
    let directory = Directory::check(source, &header)?;
    let models = check_models(&source.read(header.models())?, &header)?;
    Ok((header, directory, models))
}

fn check_models(bytes: &[u8], header: &Header) -> Result<Models, Fault> {
    if !bytes.is_empty() && xxh3_64(bytes) != header.model_sum {
        return Err(Fault::DamagedModel);
    }
    let models = header.layout.blocks.models(bytes);
    models.ok_or(Fault::DamagedModel)
}
