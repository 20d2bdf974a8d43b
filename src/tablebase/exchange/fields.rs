//! Fields: what is known of a board, and the one place where it is read.
//!
//! Whoever exports or compares asks here, and never a table: how entries become
//! values is not theirs to know.

use crate::table::{Kind, TableError};
use crate::tablebase::{ProbeError, Tablebase};

/// What may be known of a board. Each is a byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Field {
    Value,
    Distance,
    Lower,
    Upper,
}

impl Field {
    const ALL: [Field; 4] = [Field::Value, Field::Distance, Field::Lower, Field::Upper];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Field::Value => "value",
            Field::Distance => "distance",
            Field::Lower => "lower",
            Field::Upper => "upper",
        }
    }

    /// Whether the byte is an `i8` as its two's complement.
    pub fn is_signed(self) -> bool {
        self != Field::Distance
    }

    /// The table that has it, and the plane there.
    fn place(self) -> (Kind, usize) {
        match self {
            Field::Value => (Kind::Value, 0),
            Field::Distance => (Kind::Distance, 0),
            Field::Lower => (Kind::Bounds, 0),
            Field::Upper => (Kind::Bounds, 1),
        }
    }
}

impl Tablebase {
    /// What is known of the boards of a layer: first the value, which must be,
    /// then whatever else there are tables of.
    pub(super) fn fields(&self, seeds: u8) -> Result<Vec<Field>, ProbeError> {
        let rules = self.rules();
        let at_hand = |field: &Field| self.table(seeds, field.place().0).is_some();
        let fields: Vec<Field> = Field::ALL.into_iter().filter(at_hand).collect();
        match fields.contains(&Field::Value) {
            true => Ok(fields),
            false => Err(ProbeError::Missing { rules, seeds }),
        }
    }

    /// Fills `out` with a field of the boards of a layer from index `start` on.
    pub(super) fn read_field(
        &self,
        seeds: u8,
        field: Field,
        start: u64,
        out: &mut [u8],
    ) -> Result<(), ProbeError> {
        let rules = self.rules();
        let (kind, plane) = field.place();
        let missing = ProbeError::Missing { rules, seeds };
        let table = self.table(seeds, kind).ok_or(missing)?;
        table.read(plane, start, out).map_err(TableError::into)
    }
}
