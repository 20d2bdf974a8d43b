//! Encoding the tiles of a table: training its models, then packing its blocks.

use std::ops::{Range, RangeInclusive};

use rayon::prelude::*;

use super::alphabet::Alphabet;
use super::ans_encoder::Encoder;
use super::contexts::Surroundings;
use super::encode::{Encoding, Wanted, encode, observe};
use super::hint::hints;
use super::log::LogTable;
use super::model::Model;
use super::tiling::{CELLS, Tile, Tiling};
use super::train::{Sample, train};
use super::varint::write_number;
use crate::table::entries::EntrySource;
use crate::table::error::Fault;
use crate::table::id::TableId;

/// Encodes the blocks of a table.
pub(in crate::table) struct TileEncoder<'a> {
    tiling: &'a Tiling,
    block_size: u64,
    planes: &'a [&'a dyn EntrySource],
    alphabet: Alphabet,
    encodings: Vec<Encoding>,
    /// The models as they are stored.
    models: Vec<u8>,
}

impl<'a> TileEncoder<'a> {
    /// Trains the models of a table.
    pub(super) fn new(
        id: TableId,
        tiling: &'a Tiling,
        block_size: u64,
        planes: &'a [&'a dyn EntrySource],
    ) -> Result<TileEncoder<'a>, Fault> {
        let mut encoder = TileEncoder {
            tiling,
            block_size,
            planes,
            alphabet: Alphabet::of(id),
            encodings: Vec::new(),
            models: Vec::new(),
        };
        let sample = encoder.sample();
        let logs = LogTable::new(sample * CELLS);
        // At first a free cell is set to its neighbour; then to what the resulting
        // models code best.
        encoder.fit(sample, &logs)?;
        encoder.fit(sample, &logs)?;
        Ok(encoder)
    }

    /// The models as they are stored.
    pub fn models(&self) -> &[u8] {
        &self.models
    }

    /// How many tiles the models are trained on.
    fn sample(&self) -> usize {
        /// One cell in this many, within limits.
        const ONE_IN: u64 = 16;
        const LIMITS: RangeInclusive<u64> = 1 << 15..=1 << 18;
        let cells = (self.tiling.entries() / ONE_IN).clamp(*LIMITS.start(), *LIMITS.end());
        // At most 2^11.
        (cells / CELLS as u64).min(self.tiling.len()) as usize
    }

    /// Trains the models, on tiles spread over the table.
    fn fit(&mut self, sample: usize, logs: &LogTable) -> Result<(), Fault> {
        let tiles = self.tiling.len();
        let observed: Vec<_> = (0..sample as u64)
            .into_par_iter()
            .map(|i| self.observe(i * tiles / sample as u64))
            .collect::<Result<_, Fault>>()?;
        let mut by_plane = vec![Vec::new(); self.planes.len()];
        for tile in observed {
            for (all, of_tile) in by_plane.iter_mut().zip(tile) {
                all.extend(of_tile);
            }
        }
        let train = |observations| {
            let sample = Sample {
                observations,
                tiles: sample as u64,
                of_tiles: tiles,
            };
            train(sample, self.alphabet, logs)
        };
        let models: Vec<Model> = by_plane.into_par_iter().map(train).collect();
        self.models = models.iter().flat_map(Model::to_bytes).collect();
        let encoding = |model: &Model| Encoding::new(model, self.alphabet);
        self.encodings = models.iter().map(encoding).collect();
        Ok(())
    }

    /// The observations of a tile, plane by plane.
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

    /// The cells of a tile, plane by plane.
    fn gather(&self, tile: &Tile) -> Result<Vec<Wanted>, Fault> {
        let gather_plane = |plane: &&dyn EntrySource| {
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
                let symbol = self.alphabet.symbol(*entry);
                *entry = symbol.ok_or_else(|| {
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

    /// The stored bytes of a block: the lengths of its tiles, then the tiles.
    pub fn encode(&self, block: u64) -> Result<Vec<u8>, Fault> {
        let tiles: Range<u64> =
            block * self.block_size..self.tiling.len().min((block + 1) * self.block_size);
        let mut encoder = Encoder::new();
        let mut stored = Vec::new();
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
            write_number(packed.len() - before, &mut stored);
        }
        stored.append(&mut packed);
        Ok(stored)
    }
}
