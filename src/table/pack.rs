//! Packing: from entries to the bytes of a whole table.
//!
//! Blocks are filled and compressed in parallel, a batch at a time, and
//! written in order, so the bytes are the same whatever the number of
//! threads. The header and the directory, which come first, are known last:
//! their place is left out and filled at the end.

use std::io::{Seek, SeekFrom, Write};

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::directory::Record;
use super::entries::{Entries, first_impossible};
use super::error::Fault;
use super::format::Header;
use super::id::{Codec, TableId};
use super::packed::{TILES, TilePacker};
use super::runs::{self, RunCodec};
use super::shape::{Layout, Shape};
use crate::rules::MAX_SEEDS;

/// How a table is packed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WriteOptions {
    /// How blocks are stored.
    pub codec: Codec,
    /// Entries to a block, 1 to [`MAX_BLOCK_ENTRIES`](super::MAX_BLOCK_ENTRIES),
    /// or tiles to a block where the codec has them, 1 to
    /// [`MAX_BLOCK_TILES`](super::MAX_BLOCK_TILES); what suits the codec unless
    /// given.
    pub block_size: Option<u32>,
    /// The effort of [`Codec::Zstd`], 1 to 22.
    pub level: i32,
    /// Whether to read the table back, before it is put in its place, and compare
    /// it with what was written.
    pub check: bool,
}

impl Default for WriteOptions {
    /// The codec that takes the least space.
    fn default() -> WriteOptions {
        Codec::Small.into()
    }
}

impl From<Codec> for WriteOptions {
    /// What suits a codec; Zstandard at level 9.
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
    fn block_size(&self) -> u32 {
        let size = self.block_size.unwrap_or(match self.codec {
            Codec::Raw => 4096,
            Codec::Zstd => 16384,
            Codec::Packed | Codec::Small => TILES,
        });
        let sizes = Shape::block_sizes(self.codec);
        assert!(sizes.contains(&size), "blocks of {size}");
        size
    }
}

/// A packed block and its checksum.
struct Packed {
    stored: Vec<u8>,
    sum: u64,
}

/// Writes a table from the start of `out` on, which must be empty; says how
/// long it is.
pub(super) fn pack(
    out: &mut (impl Write + Seek),
    id: TableId,
    planes: &[&dyn Entries],
    options: &WriteOptions,
    on_entries: &(dyn Fn(u64) + Sync),
) -> Result<u64, Fault> {
    assert!(id.seeds <= MAX_SEEDS, "a layer of {} seeds", id.seeds);
    assert_eq!(planes.len(), id.kind.planes(), "planes of a {id}");
    let shape = Shape::new(id, options.codec, options.block_size());
    let how = match &shape.layout {
        Layout::Runs(codec) => How::Runs(*codec),
        Layout::Tiles(tiling) => How::Tiles(TilePacker::new(id, tiling, planes)?),
    };
    let (model, model_sum) = match &how {
        How::Runs(_) => (&[][..], 0),
        How::Tiles(packer) => (&packer.model[..], xxh3_64(&packer.model)),
    };
    let mut directory = Vec::new();
    let mut end = shape.directory_end() + model.len() as u64;
    out.seek(SeekFrom::Start(end)).map_err(Fault::writing)?;
    for batch in shape.batches() {
        let packed: Vec<Packed> = batch
            .into_par_iter()
            .map_init(Vec::new, |raw, block| {
                let stored = match &how {
                    How::Runs(codec) => {
                        fill_run(&shape, planes, block, raw)?;
                        runs::pack(*codec, options.level, raw).map_err(Fault::writing)?
                    }
                    How::Tiles(packer) => packer.pack(shape.pieces(block))?,
                };
                let entries = shape
                    .pieces(block)
                    .map(|piece| shape.piece_len(piece) as u64);
                on_entries(entries.sum());
                let sum = xxh3_64(&stored);
                Ok(Packed { stored, sum })
            })
            .collect::<Result<_, Fault>>()?;
        for Packed { stored, sum } in packed {
            out.write_all(&stored).map_err(Fault::writing)?;
            end += stored.len() as u64;
            directory.push(Record { end, sum }.encode());
        }
    }
    // What is not stored is done with too.
    on_entries(shape.entries - shape.stored_entries());
    let directory = directory.as_flattened();
    let header = Header {
        file_length: end,
        directory_sum: xxh3_64(directory),
        model_length: model.len() as u64,
        model_sum,
        shape: shape.clone(),
    };
    finish(out, &header, directory, model).map_err(Fault::writing)?;
    Ok(end)
}

/// How blocks are packed.
enum How<'a> {
    Runs(RunCodec),
    Tiles(TilePacker<'a>),
}

/// Fills `raw` with the content of a block that is a run.
fn fill_run(
    shape: &Shape,
    planes: &[&dyn Entries],
    block: u64,
    raw: &mut Vec<u8>,
) -> Result<(), Fault> {
    let start = shape.run_start(block);
    let entries = shape.piece_len(block);
    raw.resize(entries * planes.len(), 0);
    for (plane, out) in planes.iter().zip(raw.chunks_mut(entries)) {
        plane.fill(start, out).map_err(Fault::entries)?;
    }
    match first_impossible(shape.id.kind, shape.id.seeds, raw) {
        Some(place) => Err(Fault::Entry {
            index: start + place as u64,
        }),
        None => Ok(()),
    }
}

/// Fills the place that was left out at the start.
fn finish(
    out: &mut (impl Write + Seek),
    header: &Header,
    directory: &[u8],
    model: &[u8],
) -> std::io::Result<()> {
    out.rewind()?;
    out.write_all(&header.encode())?;
    out.write_all(directory)?;
    out.write_all(model)?;
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

    fn pack_into(out: &mut (impl Write + Seek)) -> Result<u64, Fault> {
        let plane: Vec<u8> = (0..78).collect();
        let options = WriteOptions {
            block_size: Some(10),
            ..Codec::Zstd.into()
        };
        pack(out, ID, &[&plane], &options, &|_| ())
    }

    /// Takes a few bytes at a time, and after `room` bytes no more.
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
        let length = pack_into(&mut whole).unwrap();
        assert_eq!(length, whole.get_ref().len() as u64);
        let mut narrow = Narrow {
            inner: Cursor::new(Vec::new()),
            room: whole.get_ref().len(),
        };
        pack_into(&mut narrow).unwrap();
        assert_eq!(narrow.inner, {
            whole.set_position(narrow.inner.position());
            whole
        });
        let table = Table::from_bytes("narrow", narrow.inner.into_inner()).unwrap();
        table.check().unwrap();
    }

    /// Whichever byte is the first that does not fit, writing fails, and what
    /// was written up to there is not a table: the header comes last.
    #[test]
    fn a_full_disk_at_every_byte() {
        let mut whole = Cursor::new(Vec::new());
        pack_into(&mut whole).unwrap();
        for room in 0..whole.get_ref().len() {
            let inner = Cursor::new(Vec::new());
            let mut narrow = Narrow { inner, room };
            let fault = pack_into(&mut narrow).unwrap_err();
            assert!(matches!(fault, Fault::Write { .. }), "{fault}");
            let written = narrow.inner.into_inner();
            assert!(Table::from_bytes("part", written).is_err(), "{room}");
        }
    }

    #[test]
    fn an_impossible_entry_is_not_written() {
        let id = TableId {
            kind: Kind::Value,
            ..ID
        };
        let mut plane = vec![2_i8; 78];
        plane[61] = -3;
        for codec in Codec::ALL {
            let mut out = Cursor::new(Vec::new());
            let written = pack(&mut out, id, &[&plane], &codec.into(), &|_| ());
            match codec {
                // Of the first two matrices only, which end before it.
                Codec::Small => assert!(written.is_ok()),
                _ => assert!(matches!(written, Err(Fault::Entry { index: 61 }))),
            }
        }
        (plane[20], plane[61]) = (3, 2);
        for codec in Codec::ALL {
            let mut out = Cursor::new(Vec::new());
            let written = pack(&mut out, id, &[&plane], &codec.into(), &|_| ());
            assert!(matches!(written, Err(Fault::Entry { index: 20 })));
        }
    }
}
