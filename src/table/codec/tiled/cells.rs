//! The cells of a tile, coded one after another from the first line to the last, each
//! with the distribution of its context.

use super::alphabet::Alphabet;
use super::ans::{DecodeTable, Decoder, Step, max_bytes};
use super::contexts::Surroundings;
use super::model::{DecodeTables, Decoding};
use super::tiling::{CELLS, COLUMNS};

/// The most planes of a table.
#[cfg(feature = "solve")]
pub(super) const PLANES: usize = 2;
/// The most bytes that a tile of this many planes takes.
pub(super) const fn max_tile_bytes(planes: usize) -> usize {
    max_bytes(planes * CELLS)
}

/// Visits the cells of one plane: `next` takes a cell's number and surroundings and
/// returns its symbol. `others` are the symbols of the plane before, if there is one:
/// they replace the upper neighbours. A missing neighbour is replaced by the other
/// one, and if both are missing, by 0.
#[inline(always)]
pub(super) fn walk<const SIGNED: bool>(
    alphabet: Alphabet,
    columns: usize,
    hints: &[u8],
    others: Option<&[u8; CELLS]>,
    symbols: &mut [u8; CELLS],
    mut next: impl FnMut(usize, Surroundings) -> u8,
) {
    // A constant, so that levels of values and bounds cost nothing.
    let alphabet = alphabet.with_signed(SIGNED);
    let mut above = [alphabet.level(alphabet.zero()); COLUMNS];
    let lines = symbols.chunks_mut(columns).zip(hints.chunks(columns));
    for (number, (symbols, hints)) in lines.enumerate() {
        let first = number * columns;
        if let Some(others) = others {
            for (above, &other) in above.iter_mut().zip(&others[first..]) {
                *above = alphabet.level(other);
            }
        }
        let is_top = number == 0 && others.is_none();
        let mut left = above[0];
        let cells = symbols.iter_mut().zip(hints).zip(&mut above);
        for (column, ((cell, &hint), above)) in cells.enumerate() {
            let upper = if is_top { left } else { *above };
            let symbol = next(first + column, Surroundings { hint, left, upper });
            *cell = symbol;
            left = alphabet.level(symbol);
            *above = left;
        }
    }
}

/// Decodes the entries of a tile, plane by plane; `false` if the stored bytes are not
/// sound. There is a hint for each cell.
pub(super) fn decode(
    planes: &[Decoding],
    columns: usize,
    hints: &[u8],
    stored: &[u8],
    out: &mut [u8],
) -> bool {
    let mut decoder = Decoder::new(stored);
    let mut others: Option<[u8; CELLS]> = None;
    for (decoding, out) in planes.iter().zip(out.chunks_exact_mut(hints.len())) {
        let symbols = decoding.symbols(columns, hints, others.as_ref(), &mut decoder);
        let Some(symbols) = symbols else {
            return false;
        };
        for (entry, &symbol) in out.iter_mut().zip(&symbols) {
            *entry = decoding.alphabet.entry(symbol);
        }
        others = Some(symbols);
    }
    decoder.is_at_end()
}

/// Decodes the entry of a cell in the last one of these planes, after all that stands
/// before it in the tile; `None` if an entry is impossible. There is a hint for each cell
/// up to this one, and for all cells if there is more than one plane.
pub(super) fn decode_entry(
    planes: &[Decoding],
    columns: usize,
    hints: &[u8],
    cell: usize,
    stored: &[u8],
) -> Option<u8> {
    let (last, before) = planes.split_last()?;
    let mut decoder = Decoder::new(stored);
    let mut others: Option<[u8; CELLS]> = None;
    for decoding in before {
        others = Some(decoding.symbols(columns, hints, others.as_ref(), &mut decoder)?);
    }
    let hints = &hints[..=cell];
    let symbols = last.symbols(columns, hints, others.as_ref(), &mut decoder)?;
    Some(last.alphabet.entry(symbols[cell]))
}

impl Decoding {
    /// Decodes the symbols of the first cells of a plane, those with a hint; `None` if one
    /// of them is impossible.
    fn symbols(
        &self,
        columns: usize,
        hints: &[u8],
        others: Option<&[u8; CELLS]>,
        decoder: &mut Decoder,
    ) -> Option<[u8; CELLS]> {
        match &self.tables {
            DecodeTables::Narrow(tables) => {
                self.symbols_with::<_, true>(tables, columns, hints, others, decoder)
            }
            DecodeTables::Wide(tables) => {
                self.symbols_with::<_, false>(tables, columns, hints, others, decoder)
            }
        }
    }

    fn symbols_with<S: Step, const SIGNED: bool>(
        &self,
        tables: &[DecodeTable<S>],
        columns: usize,
        hints: &[u8],
        others: Option<&[u8; CELLS]>,
        decoder: &mut Decoder,
    ) -> Option<[u8; CELLS]> {
        let mut symbols = [0; CELLS];
        let mut highest = 0;
        let most = self.alphabet.most();
        walk::<SIGNED>(
            self.alphabet,
            columns,
            hints,
            others,
            &mut symbols,
            |_, around| {
                let context = self.contexts.of(around);
                let symbol = decoder.symbol(&tables[usize::from(context)]);
                highest = highest.max(symbol);
                // A symbol that is too high is reported at the end.
                symbol.min(most)
            },
        );
        (highest <= most).then_some(symbols)
    }
}
