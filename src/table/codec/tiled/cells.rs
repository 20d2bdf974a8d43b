//! The cells of a tile, coded one after another from the first line to the last, each
//! with the distribution of its context.

use super::alphabet::Alphabet;
use super::ans::{Decoder, decoder_bytes, max_bytes};
use super::contexts::Surroundings;
use super::model::Decoding;
use super::tiling::{CELLS, COLUMNS};

/// The most planes of a table.
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
    const ONE: usize = decoder_bytes(CELLS);
    const TWO: usize = decoder_bytes(PLANES * CELLS);
    match planes {
        [plane] if !plane.alphabet.is_signed => {
            decode_as::<ONE, false>(planes, columns, hints, stored, out)
        }
        [_] => decode_as::<ONE, true>(planes, columns, hints, stored, out),
        _ => decode_as::<TWO, true>(planes, columns, hints, stored, out),
    }
}

fn decode_as<const BYTES: usize, const SIGNED: bool>(
    planes: &[Decoding],
    columns: usize,
    hints: &[u8],
    stored: &[u8],
    out: &mut [u8],
) -> bool {
    let Some(mut decoder) = Decoder::<BYTES>::new(stored) else {
        return false;
    };
    let mut others: Option<[u8; CELLS]> = None;
    let mut highest = 0;
    for (decoding, out) in planes.iter().zip(out.chunks_exact_mut(hints.len())) {
        let Decoding {
            alphabet,
            contexts,
            tables,
        } = decoding;
        let mut symbols = [0; CELLS];
        walk::<SIGNED>(
            *alphabet,
            columns,
            hints,
            others.as_ref(),
            &mut symbols,
            |_, around| {
                let symbol = decoder.symbol(&tables[usize::from(contexts.of(around))]);
                highest = highest.max(symbol);
                // A symbol that is too high is reported at the end.
                symbol.min(alphabet.most())
            },
        );
        if highest > alphabet.most() {
            return false;
        }
        for (entry, &symbol) in out.iter_mut().zip(&symbols) {
            *entry = alphabet.entry(symbol);
        }
        others = Some(symbols);
    }
    decoder.is_at_end()
}
