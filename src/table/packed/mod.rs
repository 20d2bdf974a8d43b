//! The packed codecs: tiles of entries, each predicted from its surroundings.
//!
//! - [`tiles`]: how a layer is cut up;
//! - [`threat`]: what a board shows at a glance;
//! - [`contexts`]: what an entry is predicted from;
//! - [`grow`](mod@grow): finding the contexts that tell most;
//! - [`model`]: contexts and distributions, in a file and in use;
//! - [`ans`]: the entropy coder;
//! - [`cells`]: the cells of a tile, coded one by one;
//! - here: whole blocks of tiles, and the model of a whole table.
//!
//! `docs/codec.md` tells why each of them is there and what it gains.

// Symbols, shares, states and places in a tile are small: each fits the type that
// it is kept in, as said where that is declared.
#![allow(clippy::cast_possible_truncation)]

mod alphabet;
mod ans;
mod cells;
mod contexts;
#[cfg(test)]
mod documented;
mod grow;
mod model;
mod threat;
mod tiles;

use std::ops::{Range, RangeInclusive};

use rayon::prelude::*;

pub(super) use self::cells::most_tile_bytes;
pub(super) use self::model::Model;
pub(super) use self::tiles::{CELLS, Tile, Tiling};

use self::alphabet::Alphabet;
use self::ans::Encoder;
use self::cells::{Wanted, decode, encode, observe};
use self::contexts::Surroundings;
use self::grow::grow;
use self::model::{Decoding, Encoding};
use self::threat::hints;
use super::entries::Entries;
use super::error::Fault;
use super::id::TableId;

/// Tiles in a block of the file unless the writer is told otherwise.
pub(super) const TILES: u32 = 64;

/// The most bytes of a table's models.
pub(super) const MAX_MODEL_BYTES: u64 = 1 << 19;

/// Packs the blocks of a table.
pub(super) struct TilePacker<'a> {
    tiling: &'a Tiling,
    planes: &'a [&'a dyn Entries],
    alphabet: Alphabet,
    encodings: Vec<Encoding>,
    /// The models as they are stored.
    pub model: Vec<u8>,
}

impl<'a> TilePacker<'a> {
    /// Finds the models that suit a table.
    pub fn new(
        id: TableId,
        tiling: &'a Tiling,
        planes: &'a [&'a dyn Entries],
    ) -> Result<TilePacker<'a>, Fault> {
        let alphabet = Alphabet::of(id);
        let mut packer = TilePacker {
            tiling,
            planes,
            alphabet,
            encodings: Vec::new(),
            model: Vec::new(),
        };
        // At first a free cell is like its neighbour; then as the models that
        // come of this would have it.
        packer.fit()?;
        packer.fit()?;
        Ok(packer)
    }

    /// Grows the models anew.
    fn fit(&mut self) -> Result<(), Fault> {
        /// Cells looked at: one in so many, within limits.
        const ONE_IN: u64 = 16;
        const LIMITS: RangeInclusive<u64> = 1 << 15..=1 << 18;
        let cells = (self.tiling.entries() / ONE_IN).clamp(*LIMITS.start(), *LIMITS.end());
        let tiles = self.tiling.len();
        let sample = (cells / CELLS as u64).min(tiles);
        let observed: Vec<_> = (0..sample)
            .into_par_iter()
            .map(|i| self.observe(i * tiles / sample))
            .collect::<Result<_, Fault>>()?;
        let mut by_plane = vec![Vec::new(); self.planes.len()];
        for tile in observed {
            for (all, of_tile) in by_plane.iter_mut().zip(tile) {
                all.extend(of_tile);
            }
        }
        // Less than 2^53, as is every number of tiles.
        #[allow(clippy::cast_precision_loss)]
        let weight = tiles as f64 / sample as f64;
        let grow = |observations| grow(observations, self.alphabet, weight);
        let models: Vec<Model> = by_plane.into_par_iter().map(grow).collect();
        self.model = models.iter().flat_map(Model::to_bytes).collect();
        let encoding = |model: &Model| Encoding::new(model, self.alphabet);
        self.encodings = models.iter().map(encoding).collect();
        Ok(())
    }

    fn observe(&self, tile: u64) -> Result<Vec<Vec<u32>>, Fault> {
        let tile = self.tiling.tile(tile);
        let wanted = self.gather(&tile)?;
        let mut tile_hints = [0; CELLS];
        hints(self.tiling, &tile, &mut tile_hints);
        let tile_hints = &tile_hints[..tile.cells()];
        let mut others = None;
        let observe = |(plane, wanted): (usize, &Wanted)| {
            let encoding = self.encodings.get(plane);
            let free = |around: Surroundings, highest: u8| match encoding {
                Some(encoding) => encoding.free(encoding.contexts.of(around), highest),
                None if self.alphabet.is_signed => around.left.min(highest),
                None => self.alphabet.lowest(around.left),
            };
            let (alphabet, columns) = (self.alphabet, tile.columns);
            let mut observed = Vec::with_capacity(CELLS);
            let (before, out) = (others.as_ref(), &mut observed);
            others = Some(observe(
                alphabet, columns, tile_hints, before, wanted, free, out,
            ));
            observed
        };
        Ok(wanted.iter().enumerate().map(observe).collect())
    }

    /// The cells of a tile, plane after plane.
    fn gather(&self, tile: &Tile) -> Result<Vec<Wanted>, Fault> {
        let gather_plane = |plane: &&dyn Entries| {
            let (mut entries, mut free) = ([0; CELLS], [false; CELLS]);
            for line in 0..tile.lines {
                let start = self.tiling.line_start(tile, line);
                let cells = line * tile.columns..(line + 1) * tile.columns;
                plane
                    .fill(start, &mut entries[cells.clone()])
                    .map_err(Fault::entries)?;
                plane
                    .free(start, &mut free[cells])
                    .map_err(Fault::entries)?;
            }
            for (cell, entry) in entries[..tile.cells()].iter_mut().enumerate() {
                *entry = self.alphabet.symbol(*entry).ok_or_else(|| {
                    let start = self.tiling.line_start(tile, cell / tile.columns);
                    let index = start + (cell % tile.columns) as u64;
                    Fault::Entry { index }
                })?;
            }
            Ok(Wanted {
                symbols: entries,
                free,
            })
        };
        self.planes.iter().map(gather_plane).collect()
    }

    /// The stored bytes of some tiles: how many each takes, then those.
    pub fn pack(&self, tiles: Range<u64>) -> Result<Vec<u8>, Fault> {
        let mut encoder = Encoder::new();
        let mut lengths = Vec::new();
        let mut packed = Vec::new();
        let mut tile_hints = [0; CELLS];
        for number in tiles {
            let tile = self.tiling.tile(number);
            let wanted = self.gather(&tile)?;
            hints(self.tiling, &tile, &mut tile_hints);
            let before = packed.len();
            let of_cells = &tile_hints[..tile.cells()];
            encode(
                &self.encodings,
                tile.columns,
                of_cells,
                &wanted,
                &mut encoder,
                &mut packed,
            );
            write_length(packed.len() - before, &mut lengths);
        }
        lengths.append(&mut packed);
        Ok(lengths)
    }
}

/// Decodes the tiles of a table.
pub(super) struct TileReader {
    decodings: Vec<Decoding>,
}

impl std::fmt::Debug for TileReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TileReader").finish_non_exhaustive()
    }
}

/// The models of a table, one for each plane; `None` if they are not sound.
pub(super) fn models(id: TableId, mut bytes: &[u8]) -> Option<Vec<Model>> {
    let model = |_| Model::from_bytes(&mut bytes, Alphabet::of(id));
    let models = (0..id.kind.planes())
        .map(model)
        .collect::<Option<Vec<_>>>()?;
    bytes.is_empty().then_some(models)
}

impl TileReader {
    /// A reader with the models of a table.
    pub fn new(id: TableId, models: &[Model]) -> TileReader {
        let decoding = |model| Decoding::new(model, Alphabet::of(id));
        TileReader {
            decodings: models.iter().map(decoding).collect(),
        }
    }

    /// Decodes a tile's entries, plane after plane, from its stored bytes;
    /// `false` if these are not sound.
    pub fn decode(&self, tiling: &Tiling, tile: &Tile, stored: &[u8], out: &mut [u8]) -> bool {
        let mut tile_hints = [0; CELLS];
        hints(tiling, tile, &mut tile_hints);
        let of_cells = &tile_hints[..tile.cells()];
        decode(&self.decodings, tile.columns, of_cells, stored, out)
    }
}

/// The stored bytes of a block's tiles.
pub(super) struct StoredTiles<'b> {
    /// Where each tile ends.
    ends: Vec<usize>,
    bytes: &'b [u8],
}

impl<'b> StoredTiles<'b> {
    /// Finds so many tiles in a block; `None` if the block is not sound.
    pub fn find(mut block: &'b [u8], tiles: usize) -> Option<StoredTiles<'b>> {
        let mut end = 0;
        let mut ends = Vec::with_capacity(tiles);
        for _ in 0..tiles {
            end += read_length(&mut block)?;
            ends.push(end);
        }
        (end == block.len()).then_some(StoredTiles { ends, bytes: block })
    }

    /// The stored bytes of a tile, by its place in the block.
    pub fn tile(&self, place: usize) -> &'b [u8] {
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[place]]
    }
}

/// One byte up to 127, else two: the lower seven bits first, with the highest
/// bit set.
fn write_length(length: usize, out: &mut Vec<u8>) {
    if length >= 0x80 {
        out.push(length as u8 | 0x80);
        out.push((length >> 7) as u8);
    } else {
        out.push(length as u8);
    }
}

#[inline]
fn read_length(bytes: &mut &[u8]) -> Option<usize> {
    let (&low, rest) = bytes.split_first()?;
    *bytes = rest;
    if low < 0x80 {
        return Some(usize::from(low));
    }
    let (&high, rest) = bytes.split_first()?;
    *bytes = rest;
    // A second byte only where one is not enough.
    (high > 0).then_some(usize::from(low & 0x7F) | usize::from(high) << 7)
}
