//! Packing: from entries to the bytes of a whole table.
//!
//! Blocks are encoded in parallel, a batch at a time, and written in order while the next
//! batch is encoded, so the bytes do not depend on the number of threads. The header, the
//! directory and the models come first in the file but are written last, when they are
//! known.

use std::io::{Seek, SeekFrom, Write};
use std::ops::Range;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::encode::BlockEncoder;
use super::source::EntrySource;
use crate::rules::MAX_SEEDS;
use crate::table::codec::flat::Compression;
use crate::table::codec::{Blocks, Codec, Family};
use crate::table::error::{Fault, Stopped};
use crate::table::format::{BlockRecord, Header, Layout};
use crate::table::id::TableId;

/// How a table is packed.
///
/// ```
/// use krou::table::{Codec, WriteOptions};
///
/// let options = WriteOptions { level: 19, check: true, ..Codec::Zstd.into() };
/// assert_eq!(options.codec, Codec::Zstd);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WriteOptions {
    /// How blocks are stored.
    pub codec: Codec,
    /// Entries in a block, 1 to `MAX_BLOCK_ENTRIES`;
    /// if the codec is tiled, tiles in a block, 1 to
    /// `MAX_BLOCK_TILES`. `None` chooses what suits
    /// the codec.
    pub block_size: Option<u32>,
    /// The effort of [`Codec::Zstd`], 1 to 22.
    pub level: i32,
    /// Whether to read the table back before it gets its final name, and compare it
    /// with its entries.
    pub check: bool,
}

impl Default for WriteOptions {
    /// The codec that takes the least space.
    fn default() -> WriteOptions {
        Codec::Small.into()
    }
}

impl From<Codec> for WriteOptions {
    /// What suits a codec; Zstandard at level 9; without a check.
    fn from(codec: Codec) -> WriteOptions {
        WriteOptions {
            codec,
            block_size: None,
            level: 9,
            check: false,
        }
    }
}

impl WriteOptions {
    fn checked_block_size(&self) -> u32 {
        let size = self
            .block_size
            .unwrap_or_else(|| default_block_size(self.codec));
        let sizes = self.codec.block_sizes();
        assert!(sizes.contains(&size), "blocks of {size}");
        size
    }
}

/// The block size that suits a codec: entries, or tiles.
fn default_block_size(codec: Codec) -> u32 {
    match codec.family() {
        Family::Flat(Compression::None) => 4096,
        Family::Flat(Compression::Zstd) => 16384,
        Family::Tiled { .. } => 64,
    }
}

/// Blocks that are encoded together: few enough to need little memory, enough to occupy
/// all threads.
fn batches(blocks: &dyn Blocks, planes: usize) -> impl Iterator<Item = Range<u64>> + use<> {
    /// Decoded bytes of a batch.
    const BATCH: u64 = 4 << 20;
    let count = blocks.block_count();
    let bytes_of_block = (blocks.stored_entries() * planes as u64).div_ceil(count);
    let of_batch = (BATCH / bytes_of_block).clamp(1, 1024);
    (0..count.div_ceil(of_batch)).map(move |batch| {
        let first = batch * of_batch;
        first..count.min(first + of_batch)
    })
}

/// A packed block and its checksum.
struct Packed {
    stored: Vec<u8>,
    sum: u64,
}

/// Writes a table to `out`, which must be empty, and returns its length.
pub(super) fn pack_into(
    out: &mut (impl Write + Seek + Send),
    id: TableId,
    planes: &[&dyn EntrySource],
    options: &WriteOptions,
    on_entries: &(dyn Fn(u64) -> Result<(), Stopped> + Sync),
) -> Result<u64, Fault> {
    assert!(id.seeds <= MAX_SEEDS, "a layer of {} seeds", id.seeds);
    assert_eq!(planes.len(), id.kind.planes(), "planes of a {id}");
    let layout = Layout::new(id, options.codec, options.checked_block_size());
    let blocks = &layout.blocks;
    let encoder = BlockEncoder::new(blocks, planes, options.level)?;
    let models = encoder.models();
    let mut directory = Vec::new();
    let mut end = layout.directory_end() + models.len() as u64;
    out.seek(SeekFrom::Start(end)).map_err(Fault::writing)?;
    let encode = |batch: Range<u64>| {
        let blocks_of_batch: Vec<u64> = batch.collect();
        let packed = blocks_of_batch.into_par_iter().with_max_len(1);
        let packed = packed.map(|block| {
            let stored = encoder.encode(block)?;
            let tiles = blocks.tiles(block);
            on_entries(tiles.map(|tile| blocks.tile_len(tile) as u64).sum())?;
            let sum = xxh3_64(&stored);
            Ok(Packed { stored, sum })
        });
        packed.collect::<Result<Vec<Packed>, Fault>>()
    };
    let mut write = |packed: Vec<Packed>| {
        for Packed { stored, sum } in packed {
            out.write_all(&stored).map_err(Fault::writing)?;
            end += stored.len() as u64;
            directory.push(BlockRecord { end, sum }.encode());
        }
        Ok::<_, Fault>(())
    };
    // A batch is written while the next one is encoded.
    let mut before = Vec::new();
    for batch in batches(&**blocks, planes.len()) {
        let (packed, written) = rayon::join(|| encode(batch), || write(before));
        written?;
        before = packed?;
    }
    write(before)?;
    // Entries that are not stored are done too.
    on_entries(layout.entries - blocks.stored_entries())?;
    let directory = directory.as_flattened();
    let header = Header {
        file_length: end,
        directory_sum: xxh3_64(directory),
        model_length: models.len() as u64,
        model_sum: match models {
            [] => 0,
            _ => xxh3_64(models),
        },
        layout: layout.clone(),
    };
    write_start(out, &header, directory, models).map_err(Fault::writing)?;
    Ok(end)
}

/// Writes what comes before the blocks.
fn write_start(
    out: &mut (impl Write + Seek),
    header: &Header,
    directory: &[u8],
    models: &[u8],
) -> std::io::Result<()> {
    out.rewind()?;
    out.write_all(&header.encode())?;
    out.write_all(directory)?;
    out.write_all(models)?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use std::io::{self, Cursor};

    use super::*;
    use crate::rules::Ruleset;
    use crate::table::{Kind, Table};

    const ID: TableId = TableId {
        rules: Ruleset::AWARI,
        seeds: 2,
        kind: Kind::Distance,
    };

    const CODEC: Codec = match cfg!(feature = "zstd") {
        true => Codec::Zstd,
        false => Codec::Raw,
    };

    fn pack_plane(out: &mut (impl Write + Seek + Send)) -> Result<u64, Fault> {
        let plane: Vec<u8> = (0..78).collect();
        let options = WriteOptions {
            block_size: Some(10),
            ..CODEC.into()
        };
        pack_into(out, ID, &[&plane], &options, &|_| Ok(()))
    }

    /// Takes a few bytes at a time, and no more after `room` bytes.
    struct Narrow {
        inner: Cursor<Vec<u8>>,
        room: usize,
    }

    impl Write for Narrow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let taken = bytes.len().min(3).min(self.room);
            if taken == 0 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.room -= taken;
            self.inner.write(&bytes[..taken])
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Seek for Narrow {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.inner.seek(to)
        }
    }

    #[test]
    fn short_writes_make_the_same_bytes() {
        let mut whole = Cursor::new(Vec::new());
        let length = pack_plane(&mut whole).unwrap();
        assert_eq!(length, whole.get_ref().len() as u64);
        let mut narrow = Narrow {
            inner: Cursor::new(Vec::new()),
            room: whole.get_ref().len(),
        };
        pack_plane(&mut narrow).unwrap();
        assert_eq!(narrow.inner, {
            whole.set_position(narrow.inner.position());
            whole
        });
        let table = Table::from_bytes("narrow", narrow.inner.into_inner()).unwrap();
        table.check().unwrap();
    }

    /// Whichever byte is the first that does not fit: writing fails, and the bytes
    /// written so far are not a table, because the header comes last.
    #[test]
    fn full_disk_at_every_byte_is_an_error() {
        let mut whole = Cursor::new(Vec::new());
        pack_plane(&mut whole).unwrap();
        for room in 0..whole.get_ref().len() {
            let inner = Cursor::new(Vec::new());
            let mut narrow = Narrow { inner, room };
            let fault = pack_plane(&mut narrow).unwrap_err();
            assert!(matches!(fault, Fault::Write { .. }), "{fault}");
            let written = narrow.inner.into_inner();
            assert!(Table::from_bytes("part", written).is_err(), "{room}");
        }
    }

    /// Batches cover the blocks and blocks the entries, once each, also in the largest layer.
    #[test]
    fn batches_and_blocks_cover_the_layer() {
        use crate::table::codec::flat::MAX_BLOCK_ENTRIES;
        for (seeds, block_size) in [(0, 1), (5, 7), (9, 16384), (48, MAX_BLOCK_ENTRIES)] {
            for &kind in Kind::ALL {
                let layout = Layout::new(TableId { seeds, kind, ..ID }, Codec::Raw, block_size);
                let (mut blocks, mut entries) = (0, 0);
                for batch in batches(&*layout.blocks, kind.planes()) {
                    for block in batch {
                        assert_eq!(block, blocks);
                        let lines = layout.blocks.lines(block);
                        let length = layout.blocks.tile_len(block);
                        assert_eq!(lines, [(entries, length)]);
                        entries += length as u64;
                        blocks += 1;
                    }
                }
                assert_eq!(blocks, layout.blocks.block_count());
                assert_eq!(entries, layout.entries);
            }
        }
    }

    #[test]
    fn impossible_entries_are_not_written() {
        let id = TableId {
            kind: Kind::Value,
            ..ID
        };
        let mut plane = vec![2_i8; 78];
        plane[61] = -3;
        for &codec in Codec::ALL {
            let mut out = Cursor::new(Vec::new());
            let options = codec.into();
            let written = pack_into(&mut out, id, &[&plane], &options, &|_| Ok(()));
            match codec {
                // Stores only the first two sections, which end before it.
                Codec::Small => assert!(written.is_ok()),
                _ => assert!(matches!(written, Err(Fault::Entry { index: 61 }))),
            }
        }
        (plane[20], plane[61]) = (3, 2);
        for &codec in Codec::ALL {
            let mut out = Cursor::new(Vec::new());
            let options = codec.into();
            let written = pack_into(&mut out, id, &[&plane], &options, &|_| Ok(()));
            assert!(matches!(written, Err(Fault::Entry { index: 20 })));
        }
    }
}
