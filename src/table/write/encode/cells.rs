//! The cells of a tile in the order in which they are coded, from the first line to the
//! last, each with its symbol and its surroundings.

use crate::table::codec::tiled::alphabet::{Alphabet, FINE};
use crate::table::codec::tiled::contexts::{Contexts, Surroundings};
use crate::table::codec::tiled::tiling::{CELLS, COLUMNS};

impl Alphabet {
    /// The symbol of an entry; `None` if the entry is out of range.
    pub fn symbol(self, entry: u8) -> Option<u8> {
        let symbol = entry.wrapping_add(self.zero());
        (symbol <= self.most()).then_some(symbol)
    }

    /// The lowest symbol of a level.
    pub fn lowest(self, level: u8) -> u8 {
        match level {
            FINE.. if !self.is_signed => FINE + (level - FINE) * 4,
            _ => level,
        }
    }
}

impl Contexts {
    /// The context of surroundings.
    #[inline(always)]
    pub fn of(&self, around: Surroundings) -> u8 {
        self.at(self.start(around.hint, around.upper), around.left)
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Ruleset;
    use crate::table::{Kind, TableId};

    #[test]
    fn symbols_and_entries_are_one_to_one() {
        for seeds in [0, 1, 20, 48] {
            for &kind in Kind::ALL {
                let rules = Ruleset::ABAPA;
                let alphabet = Alphabet::of(TableId { rules, seeds, kind });
                let mut before = 0;
                for symbol in 0..=alphabet.most() {
                    let entry = alphabet.entry(symbol);
                    assert_eq!(alphabet.symbol(entry), Some(symbol));
                    let level = alphabet.level(symbol);
                    assert!(level == before || level == before + 1);
                    assert!(symbol - alphabet.lowest(level) < 4);
                    before = level;
                }
                assert_eq!(usize::from(before) + 1, alphabet.levels());
                assert!(alphabet.levels() <= 97);
                assert_eq!(alphabet.entry(alphabet.zero()), 0);
                if kind != Kind::Distance {
                    assert_eq!(alphabet.symbol((seeds + 1).wrapping_neg()), None);
                }
            }
        }
    }
}
