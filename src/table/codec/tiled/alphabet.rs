//! Alphabets: entries as symbols 0, 1, 2, …, and symbols as coarser levels.

use crate::table::id::{Kind, TableId};

/// What the entries of a table can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::table) struct Alphabet {
    /// What is added to an entry to make it a symbol.
    offset: u8,
    /// The highest symbol.
    most: u8,
    /// Whether a free entry may only be lower than its true one (a value or a
    /// bound), instead of any number (a distance).
    pub is_signed: bool,
}

/// Distances below this are levels of their own; from it on, four share a level.
pub(in crate::table) const FINE: u8 = 32;

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

    /// The entry that a symbol stands for.
    pub fn entry(self, symbol: u8) -> u8 {
        symbol.wrapping_sub(self.offset)
    }

    /// The symbol of 0, which replaces missing neighbours.
    pub fn zero(self) -> u8 {
        self.offset
    }

    /// The highest symbol.
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

    /// How many levels there are, at most 97.
    pub fn levels(self) -> usize {
        usize::from(self.level(self.most)) + 1
    }
}
