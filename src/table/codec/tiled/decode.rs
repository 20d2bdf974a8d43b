//! The cells of tiles, decoded one after another from the first line to the last, each with
//! the distribution of its context.
//!
//! A symbol waits for the one before it: that selects the table, and the table gives the
//! symbol. So tiles of the same shape are decoded side by side: while one waits for memory,
//! the processor works on the others.

use std::array;

use super::ans::{DecodeTable, Decoder, SYMBOLS_PER_REFILL, Step, max_bytes};
use super::model::{DecodeTables, Decoding};
use super::tiling::{CELLS, COLUMNS};

/// The most bytes that a tile of this many planes takes.
pub(super) const fn max_tile_bytes(planes: usize) -> usize {
    max_bytes(planes * CELLS)
}

/// A tile as it is stored.
#[derive(Clone, Copy)]
pub(super) struct StoredTile<'b> {
    /// Its bytes, and those that follow it in its block, which are faster to read than the end
    /// of the tile is to find.
    pub bytes: &'b [u8],
    /// How many of them are its own.
    pub length: usize,
}

impl<'b> StoredTile<'b> {
    /// A tile of a block, if the block has as many bytes.
    pub fn new(block: &'b [u8], start: usize, length: usize) -> Option<StoredTile<'b>> {
        let bytes = block.get(start..)?;
        (length <= bytes.len()).then_some(StoredTile { bytes, length })
    }
}

/// The symbols of a plane of some tiles.
type Symbols<const TILES: usize> = [[u8; CELLS]; TILES];

/// Decodes the entries of tiles of the same shape, plane by plane, and returns for each tile
/// whether its stored bytes are sound. There is a hint for each cell.
pub(super) fn decode<const TILES: usize>(
    planes: &[Decoding],
    columns: usize,
    hints: [&[u8]; TILES],
    stored: [StoredTile; TILES],
    out: &mut [Box<[u8]>; TILES],
) -> [bool; TILES] {
    let mut decoders = stored.map(|stored| Decoder::new(stored.bytes));
    let mut others: Option<Symbols<TILES>> = None;
    let mut are_sound = [true; TILES];
    for (plane, decoding) in planes.iter().enumerate() {
        let symbols = decoding.symbols(columns, hints, others.as_ref(), &mut decoders);
        for tile in 0..TILES {
            let cells = hints[tile].len();
            let symbols = &symbols[tile][..cells];
            are_sound[tile] &= decoding.are_possible(symbols);
            let out = &mut out[tile][plane * cells..][..cells];
            for (entry, &symbol) in out.iter_mut().zip(symbols) {
                *entry = decoding.alphabet.entry(symbol);
            }
        }
        others = Some(symbols);
    }
    array::from_fn(|tile| are_sound[tile] && decoders[tile].is_at(stored[tile].length))
}

/// Decodes the entry of a cell in the last one of these planes, after all that stands
/// before it in the tile; `None` if an entry is impossible. There is a hint for each cell
/// up to this one, and for all cells if there is more than one plane.
pub(super) fn decode_entry(
    planes: &[Decoding],
    columns: usize,
    hints: &[u8],
    cell: usize,
    stored: StoredTile,
) -> Option<u8> {
    let (last, before) = planes.split_last()?;
    let mut decoders = [Decoder::new(stored.bytes)];
    let mut others: Option<Symbols<1>> = None;
    for decoding in before {
        let symbols = decoding.symbols(columns, [hints], others.as_ref(), &mut decoders);
        if !decoding.are_possible(&symbols[0][..hints.len()]) {
            return None;
        }
        others = Some(symbols);
    }
    let hints = &hints[..=cell];
    let [symbols] = last.symbols(columns, [hints], others.as_ref(), &mut decoders);
    let are_possible = last.are_possible(&symbols[..hints.len()]);
    are_possible.then(|| last.alphabet.entry(symbols[cell]))
}

impl Decoding {
    /// Whether symbols are those of entries.
    fn are_possible(&self, symbols: &[u8]) -> bool {
        symbols.iter().fold(0, |most, &symbol| symbol.max(most)) <= self.alphabet.most()
    }

    /// Decodes the symbols of the first cells of a plane of some tiles, those with a hint.
    fn symbols<const TILES: usize>(
        &self,
        columns: usize,
        hints: [&[u8]; TILES],
        others: Option<&Symbols<TILES>>,
        decoders: &mut [Decoder; TILES],
    ) -> Symbols<TILES> {
        match &self.tables {
            DecodeTables::Narrow(tables) => {
                self.symbols_with::<TILES, _, true>(tables, columns, hints, others, decoders)
            }
            DecodeTables::Wide(tables) => {
                self.symbols_with::<TILES, _, false>(tables, columns, hints, others, decoders)
            }
        }
    }

    fn symbols_with<const TILES: usize, S: Step, const SIGNED: bool>(
        &self,
        tables: &[DecodeTable<S>],
        columns: usize,
        hints: [&[u8]; TILES],
        others: Option<&Symbols<TILES>>,
        decoders: &mut [Decoder; TILES],
    ) -> Symbols<TILES> {
        // A constant, so that levels of values and bounds cost nothing.
        let alphabet = self.alphabet.with_signed(SIGNED);
        // What stands for a symbol that is too high, which is reported at the end.
        let highest = alphabet.level(alphabet.most());
        let mut symbols = [[0; CELLS]; TILES];
        let mut at_work = *decoders;
        for first in (0..hints[0].len()).step_by(columns) {
            let width = columns.min(COLUMNS).min(hints[0].len() - first);
            // Where the contexts of each cell begin: all but the left neighbour is known.
            let mut starts = [[0; COLUMNS]; TILES];
            let mut left = [alphabet.level(alphabet.zero()); TILES];
            for tile in 0..TILES {
                let above = match others {
                    Some(others) => Some(&others[tile][first..]),
                    None => first
                        .checked_sub(columns)
                        .map(|above| &symbols[tile][above..]),
                };
                let starts = starts[tile].iter_mut().zip(&hints[tile][first..][..width]);
                match above {
                    Some(above) => {
                        left[tile] = alphabet.level(above[0]).min(highest);
                        for ((start, &hint), &upper) in starts.zip(above) {
                            let upper = alphabet.level(upper).min(highest);
                            *start = self.contexts.start(hint, upper);
                        }
                    }
                    None => {
                        for (start, &hint) in starts {
                            *start = self.contexts.start_without_upper(hint);
                        }
                    }
                }
            }
            for column in 0..width {
                if column.is_multiple_of(SYMBOLS_PER_REFILL) {
                    at_work.iter_mut().for_each(Decoder::refill);
                }
                for tile in 0..TILES {
                    let context = self.contexts.at(starts[tile][column], left[tile]);
                    let symbol = at_work[tile].symbol(&tables[usize::from(context)]);
                    symbols[tile][(first + column) % CELLS] = symbol;
                    left[tile] = alphabet.level(symbol).min(highest);
                }
            }
        }
        *decoders = at_work;
        symbols
    }
}
