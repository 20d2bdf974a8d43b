//! Alphabets: entries as symbols 0, 1, 2, …, and symbols as coarser levels.

use crate::table::id::{Kind, TableId};

/// What the entries of a table can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Alphabet {
    /// What is added to an entry to make it a symbol.
    offset: u8,
    /// The highest symbol.
    most: u8,
    /// Whether a free entry may only be lower than its true one (a value or a
    /// bound), instead of any number (a distance).
    pub is_signed: bool,
}

/// Distances below this are levels of their own; from it on, four share a level.
const FINE: u8 = 32;

impl Alphabet {
    pub fn of(id: TableId) -> Alphabet {
        match id.kind {
            Kind::Value | Kind::Bounds => Alphabet {
                offset: id.seeds,
                most: 2 * id.seeds,
                is_signed: true,
            },
            Kind::Distance => Alphabet {
                offset: 0,
                most: u8::MAX,
                is_signed: false,
            },
        }
    }

    /// The symbol of an entry; `None` if the entry is out of range.
    pub fn symbol(self, entry: u8) -> Option<u8> {
        let symbol = entry.wrapping_add(self.offset);
        (symbol <= self.most).then_some(symbol)
    }

    pub fn entry(self, symbol: u8) -> u8 {
        symbol.wrapping_sub(self.offset)
    }

    /// The symbol of 0, which replaces missing neighbours.
    pub fn zero(self) -> u8 {
        self.offset
    }

    pub fn most(self) -> u8 {
        self.most
    }

    /// The same alphabet with `is_signed` as a constant for the compiler.
    #[inline(always)]
    pub fn with_signed(self, is_signed: bool) -> Alphabet {
        Alphabet { is_signed, ..self }
    }

    /// The level of a symbol: of values and bounds, the symbol itself.
    #[inline(always)]
    pub fn level(self, symbol: u8) -> u8 {
        match symbol {
            FINE.. if !self.is_signed => FINE + (symbol - FINE) / 4,
            _ => symbol,
        }
    }

    /// The lowest symbol of a level.
    pub fn lowest(self, level: u8) -> u8 {
        match level {
            FINE.. if !self.is_signed => FINE + (level - FINE) * 4,
            _ => level,
        }
    }

    /// How many levels there are, at most 97.
    pub fn levels(self) -> usize {
        usize::from(self.level(self.most)) + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Ruleset;

    #[test]
    fn symbols_and_entries_are_one_to_one() {
        for seeds in [0, 1, 20, 48] {
            for kind in Kind::ALL {
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
