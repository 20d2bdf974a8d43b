//! Whole layers in memory, from tables and to them.

use std::io;

use super::folder::LayerTables;
use crate::index::LayerIndex;
use crate::rules::Ruleset;
use crate::solve::{Bounds, Layer, Plane, Score, Store};
use crate::table::{Entries, Table, TableError};

/// Reads the values and, where the ruleset has them, the bounds of a layer.
/// `None` if the tables are not all there.
pub(super) fn load_layer(
    rules: Ruleset,
    seeds: u8,
    tables: &LayerTables,
) -> Result<Option<Layer>, TableError> {
    let index = LayerIndex::new(rules, seeds);
    let Some(value) = &tables.value else {
        return Ok(None);
    };
    let bounds = match (&tables.bounds, rules.has_bounds()) {
        (_, false) => None,
        (None, true) => return Ok(None),
        (Some(table), true) => {
            let [lower, upper] = load_scores(&index, table)?;
            Some(Bounds { lower, upper })
        }
    };
    let [value] = load_scores(&index, value)?;
    Ok(Some(Layer { value, bounds }))
}

/// Reads a layer's distances.
pub(super) fn load_distance(table: &Table) -> Result<Plane<u8>, TableError> {
    let id = table.id();
    let mut plane = Plane::new(LayerIndex::new(id.rules, id.seeds), 0);
    table.for_each_block(|block| plane.copy_in(block.start(), block.plane(0).iter().copied()))?;
    Ok(plane)
}

/// Reads the planes of a table of values or bounds, whose entries the table
/// has found to be in range.
fn load_scores<const PLANES: usize>(
    index: &LayerIndex,
    table: &Table,
) -> Result<[Plane<Score>; PLANES], TableError> {
    let mut planes = std::array::from_fn(|_| Plane::new(index.clone(), Score::new(0)));
    table.for_each_block(|block| {
        for (number, plane) in planes.iter_mut().enumerate() {
            let entries = block.plane(number).iter();
            plane.copy_in(block.start(), entries.map(|e| Score::new(e.cast_signed())));
        }
    })?;
    Ok(planes)
}

/// Fills scores from a plane of a table of values or bounds, whose entries the
/// table has found to be in range.
pub(super) fn fill_scores(
    table: &Table,
    plane: usize,
    start: u64,
    out: &mut [Score],
) -> Result<(), TableError> {
    /// Entries read at a time.
    const PORTION: usize = 1 << 20;
    let mut bytes = vec![0; out.len().min(PORTION)];
    for (out, start) in out.chunks_mut(PORTION).zip((start..).step_by(PORTION)) {
        let bytes = &mut bytes[..out.len()];
        table.read(plane, start, bytes)?;
        for (score, byte) in out.iter_mut().zip(bytes) {
            *score = Score::new(byte.cast_signed());
        }
    }
    Ok(())
}

/// Values and bounds are stored as they are counted, in two's complement.
impl Entries for Store<Score> {
    fn fill(&self, start: u64, out: &mut [u8]) -> io::Result<()> {
        self.copy_out(start, out, |score| score.value().cast_unsigned())
            .map_err(io::Error::other)
    }
}

impl Entries for Plane<Score> {
    fn fill(&self, start: u64, out: &mut [u8]) -> io::Result<()> {
        self.copy_out(start, out, |score| score.value().cast_unsigned());
        Ok(())
    }
}

impl Entries for Store<u8> {
    fn fill(&self, start: u64, out: &mut [u8]) -> io::Result<()> {
        self.copy_out(start, out, |distance| distance)
            .map_err(io::Error::other)
    }
}
