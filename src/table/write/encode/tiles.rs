//! Encoding the tiles of a table: training its models, then packing its blocks, tile by
//! tile and cell by cell.

use std::ops::RangeInclusive;

use rayon::prelude::*;

use super::ans::{EncodeTable, Encoder};
use super::cells::{PLANES, walk};
use super::models::write_number;
use super::train::{LogTable, TrainingSample, observation, train};
use crate::table::codec::Blocks;
use crate::table::codec::tiled::Tiled;
use crate::table::codec::tiled::alphabet::Alphabet;
use crate::table::codec::tiled::contexts::{Contexts, Surroundings, hints};
use crate::table::codec::tiled::distribution::Distribution;
use crate::table::codec::tiled::model::Model;
use crate::table::codec::tiled::tiling::{CELLS, Tile, Tiling, copy_cells};
use crate::table::error::Fault;
use crate::table::write::source::EntrySource;

/// Encodes the blocks of a table.
pub(in crate::table::write) struct TileEncoder<'a> {
    tiled: &'a Tiled,
    tiling: &'a Tiling,
    planes: &'a [&'a dyn EntrySource],
    alphabet: Alphabet,
    encodings: Vec<Encoding>,
    /// The stored bytes of the models.
    models: Vec<u8>,
}

impl<'a> TileEncoder<'a> {
    /// Trains the models of a table.
    pub fn new(
        tiled: &'a Tiled,
        planes: &'a [&'a dyn EntrySource],
    ) -> Result<TileEncoder<'a>, Fault> {
        let mut encoder = TileEncoder {
            tiled,
            tiling: &tiled.tiling,
            planes,
            alphabet: Alphabet::of(tiled.id),
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

    /// The stored bytes of the models.
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
            let sample = TrainingSample {
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
        let wanted = self.gather(&[tile])?.remove(0);
        let mut tile_hints = [0; CELLS];
        let tile_hints = &mut tile_hints[..tile.cells()];
        hints(self.tiling, &tile, tile_hints);
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

    /// The cells of tiles side by side: for each tile, plane by plane. Each line is read at once,
    /// since a call for each entry would take longer.
    fn gather(&self, tiles: &[Tile]) -> Result<Vec<Vec<Wanted>>, Fault> {
        let first = &tiles[0];
        let columns = tiles.iter().map(|tile| tile.columns).sum();
        let (mut entries, mut free) = (vec![0; columns], vec![false; columns]);
        let mut wanted = vec![vec![Wanted::default(); self.planes.len()]; tiles.len()];
        for (plane, source) in self.planes.iter().enumerate() {
            for line in 0..first.lines {
                let start = self.tiling.line_start(first, line);
                source.fill(start, &mut entries).map_err(Fault::entries)?;
                source.free(start, &mut free).map_err(Fault::entries)?;
                for (index, entry) in (start..).zip(&mut entries) {
                    let symbol = self.alphabet.symbol(*entry);
                    *entry = symbol.ok_or(Fault::Entry { index })?;
                }
                for (tile, wanted) in tiles.iter().zip(&mut wanted) {
                    let wanted = &mut wanted[plane];
                    let from = tile.first_column - first.first_column;
                    let of_line = from..from + tile.columns;
                    let cells = line * tile.columns..(line + 1) * tile.columns;
                    copy_cells(&free[of_line.clone()], &mut wanted.free[cells.clone()]);
                    copy_cells(&entries[of_line], &mut wanted.symbols[cells]);
                }
            }
        }
        Ok(wanted)
    }

    /// The stored bytes of a block: the lengths of its tiles, then the tiles.
    pub fn encode(&self, block: u64) -> Result<Vec<u8>, Fault> {
        let mut encoder = Encoder::new();
        let mut stored = Vec::new();
        let mut packed = Vec::new();
        let mut tile_hints = [0; CELLS];
        let tiles = self.tiled.tiles(block);
        let tiles: Vec<Tile> = tiles.map(|number| self.tiling.tile(number)).collect();
        for side_by_side in tiles.chunk_by(are_side_by_side) {
            let wanted = self.gather(side_by_side)?;
            for (tile, wanted) in side_by_side.iter().zip(wanted) {
                let of_cells = &mut tile_hints[..tile.cells()];
                hints(self.tiling, tile, of_cells);
                let before = packed.len();
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
        }
        stored.append(&mut packed);
        Ok(stored)
    }
}

/// Whether two tiles are in the same lines.
fn are_side_by_side(one: &Tile, other: &Tile) -> bool {
    (one.section, one.first_line) == (other.section, other.first_line)
}

/// A model made ready for encoding.
struct Encoding {
    alphabet: Alphabet,
    contexts: Contexts,
    tables: Vec<EncodeTable>,
    /// For each context and symbol: which symbol takes the fewest bits, of those up to
    /// it (a value or a bound) or of all (a distance).
    cheapest: Vec<u8>,
}

impl Encoding {
    fn new(model: &Model, alphabet: Alphabet) -> Encoding {
        let cheapest = model.distributions.iter();
        Encoding {
            alphabet,
            contexts: Contexts::new(&model.tree, alphabet.levels()),
            tables: model.distributions.iter().map(EncodeTable::new).collect(),
            cheapest: cheapest.flat_map(|d| cheapest_of(d, alphabet)).collect(),
        }
    }

    /// The symbol to write for a free entry.
    #[inline]
    fn free(&self, context: u8, symbol: u8) -> u8 {
        self.cheapest[usize::from(context) * 256 + usize::from(symbol)]
    }
}

fn cheapest_of(distribution: &Distribution, alphabet: Alphabet) -> [u8; 256] {
    // Every symbol without a share takes an escape.
    let mut cheapest = std::array::from_fn(|symbol| symbol as u8);
    let mut known = distribution.shares().iter().peekable();
    let mut best = None;
    for (symbol, cheapest) in (0_u16..).zip(&mut cheapest) {
        if let Some(&(_, share)) = known.next_if(|&&(next, _)| next == symbol)
            && best.is_none_or(|(_, most)| share > most)
        {
            best = Some((symbol as u8, share));
        }
        if let Some((best, _)) = best {
            *cheapest = best;
        }
    }
    if !alphabet.is_signed {
        cheapest = [cheapest[255]; 256];
    }
    cheapest
}

/// [`walk`] for any alphabet.
#[inline(always)]
fn walk_any(
    alphabet: Alphabet,
    columns: usize,
    hints: &[u8],
    others: Option<&[u8; CELLS]>,
    symbols: &mut [u8; CELLS],
    next: impl FnMut(usize, Surroundings) -> u8,
) {
    match alphabet.is_signed {
        true => walk::<true>(alphabet, columns, hints, others, symbols, next),
        false => walk::<false>(alphabet, columns, hints, others, symbols, next),
    }
}

/// One plane of a tile to be encoded.
#[derive(Clone)]
struct Wanted {
    /// The symbol of each cell.
    symbols: [u8; CELLS],
    /// Whether the cell may hold any lower symbol (of a value or bound) or any symbol
    /// (of a distance).
    free: [bool; CELLS],
}

impl Default for Wanted {
    fn default() -> Wanted {
        Wanted {
            symbols: [0; CELLS],
            free: [false; CELLS],
        }
    }
}

/// Encodes the planes of a tile. It decodes to the wanted symbols, or to what suits
/// the model where they are free.
fn encode(
    planes: &[Encoding],
    columns: usize,
    hints: &[u8],
    wanted: &[Wanted],
    encoder: &mut Encoder,
    out: &mut Vec<u8>,
) {
    // For each plane its symbols and their contexts.
    let mut chosen = [([0; CELLS], [0; CELLS]); PLANES];
    for (plane, (encoding, wanted)) in planes.iter().zip(wanted).enumerate() {
        let (before, here) = chosen.split_at_mut(plane);
        let others = before.last().map(|(symbols, _)| symbols);
        let (symbols, its_contexts) = &mut here[0];
        walk_any(
            encoding.alphabet,
            columns,
            hints,
            others,
            symbols,
            |cell, around| {
                let context = encoding.contexts.of(around);
                its_contexts[cell] = context;
                match wanted.free[cell] {
                    true => encoding.free(context, wanted.symbols[cell]),
                    false => wanted.symbols[cell],
                }
            },
        );
    }
    for (encoding, (symbols, contexts)) in planes.iter().zip(&chosen).rev() {
        let cells = symbols.iter().zip(contexts).take(hints.len());
        for (&symbol, &context) in cells.rev() {
            encoder.symbol(&encoding.tables[usize::from(context)], symbol);
        }
    }
    encoder.finish(out);
}

/// Adds the observations of a plane of a tile. `free` chooses the symbols of free
/// cells from their surroundings and the highest symbol allowed.
fn observe(
    alphabet: Alphabet,
    columns: usize,
    hints: &[u8],
    others: Option<&[u8; CELLS]>,
    wanted: &Wanted,
    free: impl Fn(Surroundings, u8) -> u8,
    observations: &mut Vec<u32>,
) -> [u8; CELLS] {
    let mut symbols = [0; CELLS];
    walk_any(
        alphabet,
        columns,
        hints,
        others,
        &mut symbols,
        |cell, around| {
            let symbol = match wanted.free[cell] {
                true => free(around, wanted.symbols[cell]),
                false => wanted.symbols[cell],
            };
            observations.push(observation(around, symbol));
            symbol
        },
    );
    symbols
}
