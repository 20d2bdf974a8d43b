//! Codecs: how entries are cut into blocks, and how blocks are stored.
//!
//! A codec belongs to one of two families. Each family is one type with all that
//! there is to know about it: the sizes and numbers of blocks and units, limits of
//! stored lengths, where an entry is, and how to encode and decode.
//!
//! - [`flat`]: entries one after another, as they are or compressed;
//! - [`tiled`]: rectangles of entries, predicted and entropy-coded.
//!
//! Reader and writer know only [`BlockCodec`], which is either of them. To add a
//! codec, add a row to [`Codec`] and follow the compiler: everything that it asks
//! for is in this folder.

pub(super) mod flat;
pub(super) mod tiled;

use std::ops::{Range, RangeInclusive};

use self::flat::{Compression, Flat};
use self::tiled::{Models, Tiled};
#[cfg(feature = "solve")]
use super::entries::EntrySource;
use super::error::{BlockFault, Fault};
use super::id::TableId;
use crate::index::{LayerIndex, Location};
use crate::rules::words;

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
enum Family {
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

    fn family(self) -> Family {
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

    /// The block size that suits it.
    #[cfg(feature = "solve")]
    pub(super) fn default_block_size(self) -> u32 {
        match self.family() {
            Family::Flat(compression) => compression.default_block_size(),
            Family::Tiled { .. } => tiled::DEFAULT_BLOCK_TILES,
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

/// A codec and a layer: everything about the blocks of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum BlockCodec {
    Flat(Flat),
    Tiled(Tiled),
}

/// Calls a method of either family.
macro_rules! either {
    ($codec:expr, $family:ident => $call:expr) => {
        match $codec {
            BlockCodec::Flat($family) => $call,
            BlockCodec::Tiled($family) => $call,
        }
    };
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

    pub fn block_count(&self) -> u64 {
        either!(self, family => family.block_count())
    }

    /// Units of all blocks.
    pub fn unit_count(&self) -> u64 {
        either!(self, family => family.unit_count())
    }

    /// The units of a block.
    pub fn units(&self, block: u64) -> Range<u64> {
        either!(self, family => family.units(block))
    }

    /// The block of a unit.
    pub fn block_of(&self, unit: u64) -> u64 {
        either!(self, family => family.block_of(unit))
    }

    /// Entries of a plane in a unit.
    #[cfg(feature = "solve")]
    pub fn unit_len(&self, unit: u64) -> usize {
        either!(self, family => family.unit_len(unit))
    }

    /// The unit that holds the entry of a location, and the entry's offset in it;
    /// `None` if the entry is not stored.
    #[inline]
    pub fn locate(&self, location: Location) -> Option<(u64, usize)> {
        match self {
            BlockCodec::Flat(flat) => Some(flat.locate(location)),
            BlockCodec::Tiled(tiled) => tiled.locate(location),
        }
    }

    /// Entries of a plane that are stored: those with the lowest indexes.
    pub fn stored_entries(&self) -> u64 {
        either!(self, family => family.stored_entries())
    }

    /// How many of the layer's sections those entries are.
    pub fn stored_sections(&self) -> u8 {
        either!(self, family => family.stored_sections())
    }

    /// The numbers of stored bytes that a block may have.
    pub fn stored_lengths(&self, block: u64) -> RangeInclusive<u64> {
        either!(self, family => family.stored_lengths(block))
    }

    /// Decoded bytes of a whole block.
    #[cfg(feature = "solve")]
    pub fn block_bytes(&self) -> u64 {
        either!(self, family => family.block_bytes())
    }

    /// Ranges of units that hold the entries of a range of indexes and are worth
    /// decoding together, each with the range of indexes that it holds.
    pub fn spans(&self, indexes: Range<u64>) -> Vec<(Range<u64>, Range<u64>)> {
        either!(self, family => family.spans(indexes))
    }

    /// Hands the entries of a unit to `each` in lines: neighbours by index, with the
    /// index of the first.
    pub fn lines<'e>(&self, unit: u64, entries: &'e [u8], each: impl FnMut(u64, &'e [u8])) {
        either!(self, family => family.lines(unit, entries, each));
    }

    /// The models of a table; `None` if they are not sound.
    pub fn models(&self, bytes: &[u8]) -> Option<Models> {
        match self {
            BlockCodec::Flat(_) => bytes.is_empty().then(Models::default),
            BlockCodec::Tiled(tiled) => tiled.models(bytes),
        }
    }

    /// Decodes and checks units of a block and hands the planes of each to `each`,
    /// whatever the stored bytes are.
    pub fn decode(
        &self,
        models: &Models,
        block: u64,
        units: Range<u64>,
        stored: &[u8],
        each: impl FnMut(u64, Box<[u8]>),
    ) -> Result<(), BlockFault> {
        match self {
            BlockCodec::Flat(flat) => flat.decode(block, stored, each),
            BlockCodec::Tiled(tiled) => tiled.decode(models, block, units, stored, each),
        }
    }

    /// Decodes one entry, that of a place in a plane of a unit, and checks what has to be
    /// decoded for it, whatever the stored bytes are.
    pub fn decode_entry(
        &self,
        models: &Models,
        unit: u64,
        plane: usize,
        place: usize,
        stored: &[u8],
    ) -> Result<u8, BlockFault> {
        match self {
            BlockCodec::Flat(flat) => flat.decode_entry(unit, plane, place, stored),
            BlockCodec::Tiled(tiled) => tiled.decode_entry(models, unit, plane, place, stored),
        }
    }

    /// An encoder for a table with these entries.
    #[cfg(feature = "solve")]
    pub fn encoder<'a>(
        &'a self,
        planes: &'a [&'a dyn EntrySource],
        level: i32,
    ) -> Result<BlockEncoder<'a>, Fault> {
        Ok(match self {
            BlockCodec::Flat(flat) => BlockEncoder::Flat(flat.encoder(planes, level)),
            BlockCodec::Tiled(tiled) => BlockEncoder::Tiled(tiled.encoder(planes)?),
        })
    }
}

/// Encodes the blocks of a table.
#[cfg(feature = "solve")]
pub(super) enum BlockEncoder<'a> {
    Flat(flat::FlatEncoder<'a>),
    Tiled(tiled::TileEncoder<'a>),
}

#[cfg(feature = "solve")]
impl BlockEncoder<'_> {
    /// The models as they are stored.
    pub fn models(&self) -> &[u8] {
        match self {
            BlockEncoder::Flat(_) => &[],
            BlockEncoder::Tiled(tiled) => tiled.models(),
        }
    }

    /// The stored bytes of a block.
    pub fn encode(&self, block: u64) -> Result<Vec<u8>, Fault> {
        match self {
            BlockEncoder::Flat(flat) => flat.encode(block),
            BlockEncoder::Tiled(tiled) => tiled.encode(block),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_parse_back() {
        for codec in Codec::ALL {
            assert_eq!(codec.word().parse(), Ok(codec));
        }
        let error = "lz4".parse::<Codec>().unwrap_err();
        assert_eq!(error.to_string(), "a codec is raw, zstd, packed or small");
    }
}
