//! The cells of a tile, coded one after another from the first line to the last:
//! each by the distribution of its context.

use super::alphabet::Alphabet;
use super::ans::{Decoder, Encoder, decoder_bytes, most_bytes};
use super::contexts::Surroundings;
use super::grow::observation;
use super::model::{Decoding, Encoding};
use super::tiles::{CELLS, COLUMNS};

/// The most planes of a table.
pub(in super::super) const PLANES: usize = 2;
/// The most bytes that a tile of so many planes takes.
pub(in super::super) const fn most_tile_bytes(planes: usize) -> usize {
    most_bytes(planes * CELLS)
}

/// One plane of a tile that is to be packed.
#[derive(Clone)]
pub(in super::super) struct Wanted {
    /// The symbol of each cell.
    pub symbols: [u8; CELLS],
    /// Whether the cell may as well hold less (a value or a bound) or anything
    /// (a distance).
    pub free: [bool; CELLS],
}

/// Goes through the cells of one plane: `next` gets a cell's place and its
/// surroundings, and says which symbol it has. `others` are the symbols of the
/// plane before, if there is one: they stand in for the upper neighbours. Where a
/// neighbour is not there, the other one stands in for it, and where there is
/// none, a zero.
#[inline(always)]
fn walk<const SIGNED: bool>(
    alphabet: Alphabet,
    columns: usize,
    hints: &[u8],
    others: Option<&[u8; CELLS]>,
    symbols: &mut [u8; CELLS],
    mut next: impl FnMut(usize, Surroundings) -> u8,
) {
    // Known where this is compiled: so levels are compiled to what they are.
    let alphabet = alphabet.known(SIGNED);
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
        for (column, ((place, &hint), above)) in cells.enumerate() {
            let upper = if is_top { left } else { *above };
            let symbol = next(first + column, Surroundings { hint, left, upper });
            *place = symbol;
            left = alphabet.level(symbol);
            *above = left;
        }
    }
}

/// As `walk`, of any alphabet.
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

/// Decodes the planes of a tile into their entries, plane after plane; `false`
/// if the stored bytes are not sound. `hints` has one for each cell.
pub(in super::super) fn decode(
    planes: &[Decoding],
    columns: usize,
    hints: &[u8],
    stored: &[u8],
    out: &mut [u8],
) -> bool {
    const ONE: usize = decoder_bytes(CELLS);
    const MORE: usize = decoder_bytes(PLANES * CELLS);
    match planes {
        [plane] if !plane.alphabet.is_signed => {
            decode_as::<ONE, false>(planes, columns, hints, stored, out)
        }
        [_] => decode_as::<ONE, true>(planes, columns, hints, stored, out),
        _ => decode_as::<MORE, true>(planes, columns, hints, stored, out),
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
                // What is too high is told at the end.
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

/// Packs the planes of a tile. What it decodes to is what is wanted, or less
/// where that is free.
pub(in super::super) fn encode(
    planes: &[Encoding],
    columns: usize,
    hints: &[u8],
    wanted: &[Wanted],
    encoder: &mut Encoder,
    out: &mut Vec<u8>,
) {
    // Of each plane its symbols and their contexts.
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

/// What a plane of a tile has to tell for its model: free cells are filled as
/// `free` says, which gets the surroundings and the highest symbol that will do.
pub(in super::super) fn observe(
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
