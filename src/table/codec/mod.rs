//! Codecs: how entries are cut into tiles and blocks, and how blocks are stored.
//!
//! A *tile* is what a probe decodes at a time; a *block* is one tile or several in a row
//! and has a checksum. A codec belongs to one of two families, and each family implements
//! [`Blocks`]:
//!
//! - [`flat`]: entries one after another, uncompressed or compressed; a block is a tile;
//! - [`tiled`]: rectangles of entries, predicted and entropy-coded; a block is many tiles.
//!
//! The reader knows only [`Blocks`]; the writer's half of each family is in
//! `write/encode/`. To add a codec, add a row to [`Codec`] and follow the compiler.

pub(crate) mod flat;
pub(crate) mod tiled;
#[cfg(feature = "zstd")]
pub(crate) mod zstandard;
#[cfg(not(feature = "zstd"))]
#[path = "no_zstandard.rs"]
pub(crate) mod zstandard;

use std::ops::{Deref, Range, RangeInclusive};

use self::flat::{Compression, Flat};
use self::tiled::{Models, Tiled};
use super::error::{BlockFault, Fault};
use super::id::TableId;
use crate::index::{LayerIndex, Location};
use crate::words::words;

words! {
    /// How the blocks of a table are stored.
    "codec": pub enum Codec {
        /// Not compressed.
        Raw = "raw",
        /// Each block compressed with Zstandard. This takes the feature `zstd`.
        Zstd = "zstd",
        /// Tile by tile with an entropy coder, in which entries are predicted from
        /// their neighbours. An entry that a conversion determines is not stored: a
        /// probe looks at the conversions.
        Packed = "packed",
        /// Like `Packed`, but only boards whose mover has at least half of the
        /// seeds: a probe of another board looks at its moves.
        Small = "small",
    }
}

/// What kind of blocks a codec makes.
pub(super) enum Family {
    Flat(Compression),
    /// Tiles of the sections up to this one.
    Tiled {
        last_section: fn(seeds: u8) -> u8,
    },
}

impl Codec {
    /// Whether every entry equals what its board is worth. In other tables an entry
    /// may be lower than that if a conversion is worth as much, and some entries are
    /// not stored at all.
    pub fn is_exact(self) -> bool {
        match self.family() {
            Family::Flat(_) => true,
            Family::Tiled { .. } => false,
        }
    }

    pub(super) fn family(self) -> Family {
        match self {
            Codec::Raw => Family::Flat(Compression::None),
            Codec::Zstd => Family::Flat(Compression::Zstd),
            Codec::Packed => Family::Tiled {
                last_section: |seeds| seeds,
            },
            // A quiet move leads from a board whose mover has less than half of
            // the seeds to one whose mover has more.
            Codec::Small => Family::Tiled {
                last_section: |seeds| seeds / 2,
            },
        }
    }

    /// The version of a table with this codec: the first that has the codec, so that
    /// older readers read what they can.
    pub(super) fn version(self) -> u16 {
        match self {
            Codec::Raw | Codec::Zstd => 1,
            Codec::Packed | Codec::Small => 2,
        }
    }

    /// The block sizes that it allows: entries, or tiles.
    pub(super) fn block_sizes(self) -> RangeInclusive<u32> {
        match self.family() {
            Family::Flat(_) => 1..=flat::MAX_BLOCK_ENTRIES,
            Family::Tiled { .. } => 1..=tiled::MAX_BLOCK_TILES,
        }
    }

    /// The lengths that the models of a table may have.
    pub(super) fn model_lengths(self) -> RangeInclusive<u64> {
        match self.family() {
            Family::Flat(_) => 0..=0,
            Family::Tiled { .. } => 1..=tiled::MAX_MODEL_BYTES,
        }
    }

    /// An error if this build of krou lacks the codec.
    pub(super) fn check_is_built(self) -> Result<(), Fault> {
        match self {
            Codec::Zstd if !cfg!(feature = "zstd") => {
                Err(Fault::MissingFeature { feature: "zstd" })
            }
            Codec::Raw | Codec::Zstd | Codec::Packed | Codec::Small => Ok(()),
        }
    }
}

/// A decoded tile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecodedTile {
    entries: usize,
    bytes: Box<[u8]>,
}

impl DecodedTile {
    /// A tile with its planes one after another.
    pub(super) fn new(id: TableId, bytes: Box<[u8]>) -> DecodedTile {
        DecodedTile {
            entries: bytes.len() / id.kind.planes(),
            bytes,
        }
    }

    /// How many entries each plane of the tile has.
    pub fn entries(&self) -> usize {
        self.entries
    }

    /// The entries of a plane, an `i8` as its two's complement.
    ///
    /// # Panics
    /// If the table's [`Kind`](crate::table::Kind) has no such plane.
    pub fn plane(&self, plane: usize) -> &[u8] {
        &self.bytes[plane * self.entries..][..self.entries]
    }

    /// All planes, one after another.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// The blocks of a table, given its codec and its layer.
pub(super) trait Blocks {
    /// Tiles of all blocks, at least 1.
    fn tile_count(&self) -> u64;

    /// Tiles of each block but the last, which may have fewer.
    fn tiles_per_block(&self) -> u64;

    /// Entries of a plane in a tile.
    fn tile_len(&self, tile: u64) -> usize;

    /// The tile that holds the entry of a location, and the entry's offset in each of
    /// its planes; `None` if the entry is not stored.
    fn locate(&self, location: Location) -> Option<(u64, usize)>;

    /// Entries of a plane that are stored: those with the lowest indexes.
    fn stored_entries(&self) -> u64;

    /// How many of the layer's sections those entries are.
    fn stored_sections(&self) -> u8;

    /// The numbers of stored bytes that a block may have.
    fn stored_lengths(&self, block: u64) -> RangeInclusive<u64>;

    /// Ranges of tiles that hold the entries of a range of indexes and are worth
    /// decoding together, each with the range of indexes that it holds.
    fn spans(&self, indexes: Range<u64>) -> Vec<(Range<u64>, Range<u64>)>;

    /// The indexes of a tile's entries: for each line of neighbours the index of its
    /// first entry and its length.
    fn lines(&self, tile: u64) -> Vec<(u64, usize)>;

    /// The models of a table; `None` if they are not sound.
    fn models(&self, bytes: &[u8]) -> Option<Models>;

    /// Decodes and checks tiles of one block, whatever its stored bytes are.
    fn decode(
        &self,
        models: &Models,
        tiles: Range<u64>,
        stored: &[u8],
    ) -> Result<Vec<DecodedTile>, BlockFault>;

    /// Decodes the entry at an offset in a plane of a tile, and checks everything that
    /// has to be decoded for it, whatever the stored bytes of its block are.
    fn decode_entry(
        &self,
        models: &Models,
        tile: u64,
        plane: usize,
        offset: usize,
        stored: &[u8],
    ) -> Result<u8, BlockFault>;

    /// How many blocks there are, at least 1.
    fn block_count(&self) -> u64 {
        self.tile_count().div_ceil(self.tiles_per_block())
    }

    /// The block of a tile.
    fn block_of(&self, tile: u64) -> u64 {
        tile / self.tiles_per_block()
    }

    /// The tiles of a block.
    fn tiles(&self, block: u64) -> Range<u64> {
        let size = self.tiles_per_block();
        block * size..self.tile_count().min((block + 1) * size)
    }
}

/// The blocks of either family.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum BlockCodec {
    Flat(Flat),
    Tiled(Tiled),
}

impl BlockCodec {
    /// The blocks of a table. The seeds must not exceed 48, and the block size must
    /// be one of [`Codec::block_sizes`].
    pub fn new(id: TableId, codec: Codec, block_size: u32) -> BlockCodec {
        let index = LayerIndex::new(id.rules, id.seeds);
        match codec.family() {
            Family::Flat(compression) => {
                BlockCodec::Flat(Flat::new(id, compression, block_size, index))
            }
            Family::Tiled { last_section } => {
                let sections = last_section(id.seeds) + 1;
                BlockCodec::Tiled(Tiled::new(id, sections, block_size, index))
            }
        }
    }
}

impl Deref for BlockCodec {
    type Target = dyn Blocks + 'static;

    #[inline]
    fn deref(&self) -> &(dyn Blocks + 'static) {
        match self {
            BlockCodec::Flat(flat) => flat,
            BlockCodec::Tiled(tiled) => tiled,
        }
    }
}
