//! Encoding a tile cell by cell, and observing it for the training of a model.

use super::alphabet::Alphabet;
use super::ans::Distribution;
use super::ans_encoder::{EncodeTable, Encoder};
use super::cells::{PLANES, walk};
use super::contexts::{Contexts, Surroundings};
use super::model::Model;
use super::tiling::CELLS;
use super::train::observation;

/// A model made ready for encoding.
pub(super) struct Encoding {
    pub alphabet: Alphabet,
    pub contexts: Contexts,
    pub tables: Vec<EncodeTable>,
    /// For each context and symbol: which symbol takes the fewest bits, of those up to
    /// it (a value or a bound) or of all (a distance).
    cheapest: Vec<u8>,
}

impl Encoding {
    pub fn new(model: &Model, alphabet: Alphabet) -> Encoding {
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
    pub fn free(&self, context: u8, symbol: u8) -> u8 {
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
pub(super) struct Wanted {
    /// The symbol of each cell.
    pub symbols: [u8; CELLS],
    /// Whether the cell may hold any lower symbol (of a value or bound) or any symbol
    /// (of a distance).
    pub free: [bool; CELLS],
}

/// Encodes the planes of a tile. It decodes to the wanted symbols, or to what suits
/// the model where they are free.
pub(super) fn encode(
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
pub(super) fn observe(
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
