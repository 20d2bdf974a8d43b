//! The cells of a tile in the order in which they are coded, from the first line to the last,
//! each with its surroundings.

use super::alphabet::Alphabet;
use super::contexts::Surroundings;
use super::tiling::{CELLS, COLUMNS};

/// The most planes of a table.
pub(super) const PLANES: usize = 2;

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
