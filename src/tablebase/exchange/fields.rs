//! Fields: what tables say about a board, and the one place that reads it.
//!
//! Exports and comparisons read fields and never tables, so that how entries become values
//! is known in one place.

use crate::rules::Quantity;
use crate::solve::{LayerArray, Observer};
use crate::table::Kind;
use crate::tablebase::{LoadError, Loader, ProbeError, Tablebase};

/// A field of a board, one byte each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Field {
    Value,
    Distance,
    Lower,
    Upper,
}

impl Field {
    const ALL: [Field; 4] = [Field::Value, Field::Distance, Field::Lower, Field::Upper];

    /// The name of the field in files.
    pub fn name(self) -> &'static str {
        match self {
            Field::Value => "value",
            Field::Distance => "distance",
            Field::Lower => "lower",
            Field::Upper => "upper",
        }
    }

    /// Whether the byte is an `i8` in two's complement.
    pub fn is_signed(self) -> bool {
        self != Field::Distance
    }

    /// The kind of table that has it.
    fn kind(self) -> Kind {
        match self {
            Field::Value => Kind::Value,
            Field::Distance => Kind::Distance,
            Field::Lower | Field::Upper => Kind::Bounds,
        }
    }
}

/// Some fields of the boards of a layer.
pub(super) struct Fields<'t> {
    seeds: u8,
    loader: Loader<'t>,
    distances: Option<LayerArray<u8>>,
}

impl Tablebase {
    /// The fields of a layer's boards: first the value, which must exist, then those that
    /// there are tables of.
    pub(super) fn fields(&self, seeds: u8) -> Result<Vec<Field>, ProbeError> {
        let rules = self.rules();
        let at_hand = |field: &Field| self.table(seeds, field.kind()).is_some();
        let fields: Vec<Field> = Field::ALL.into_iter().filter(at_hand).collect();
        match fields.contains(&Field::Value) {
            true => Ok(fields),
            false => Err(ProbeError::Missing {
                rules,
                seeds,
                kind: Kind::Value,
            }),
        }
    }

    /// Reads some fields of the boards of a layer.
    pub(super) fn read_fields(
        &self,
        seeds: u8,
        fields: &[Field],
        observer: &dyn Observer,
    ) -> Result<Fields<'_>, LoadError> {
        let mut loader = self.loader();
        loader.load_observed(seeds, observer)?;
        let distances = match fields.contains(&Field::Distance) {
            true => loader.distances(seeds)?,
            false => None,
        };
        Ok(Fields {
            seeds,
            loader,
            distances,
        })
    }
}

impl Fields<'_> {
    /// Fills `out` with a field that was read, for the boards from index `start` on.
    pub fn fill(&self, field: Field, start: u64, out: &mut [u8]) {
        let layer = &self.loader.layers()[usize::from(self.seeds)];
        let scores = |number| {
            let scores = layer
                .quantity(number)
                .expect("bounds of a ruleset that has them");
            move |out: &mut [u8]| scores.copy_out(start, out, |value| value.get().cast_unsigned())
        };
        match (field, &self.distances) {
            (Field::Value, _) => scores(Quantity::Value)(out),
            (Field::Lower, _) => scores(Quantity::Lower)(out),
            (Field::Upper, _) => scores(Quantity::Upper)(out),
            (Field::Distance, Some(distances)) => distances.copy_out(start, out, |plies| plies),
            (Field::Distance, None) => out.fill(0),
        }
    }
}
