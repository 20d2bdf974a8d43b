//! The files of the score database: values in lexicographic order.
//!
//! In that order the boards with the same opponent's row are neighbours, as in the index,
//! and only the mover's rows are ordered differently. So a layer is read in its own order,
//! and each line, its entries reordered, has one place in the file. Nothing has to be
//! sorted or kept.

use std::fs::File;

use super::error::ExchangeError;
use super::fields::Field;
use crate::index::lexicographic;
use crate::rules::Ruleset;
use crate::solve::Observer;
use crate::table::write_at;
use crate::tablebase::Tablebase;

/// This many seeds are never on the board: a capture takes at least two.
const NEVER: u8 = 47;

/// Checks that the format has the layer.
pub(super) fn check(rules: Ruleset, seeds: u8) -> Result<(), ExchangeError> {
    match rules {
        Ruleset::Stores(_) => Err(ExchangeError::Family { rules }),
        Ruleset::Oware(_) if seeds == NEVER => Err(ExchangeError::NeverOccurs { seeds }),
        Ruleset::Oware(_) => Ok(()),
    }
}

/// Writes a layer to an empty file.
pub(super) fn write(
    tables: &Tablebase,
    seeds: u8,
    file: &File,
    observer: &dyn Observer,
) -> Result<(), ExchangeError> {
    for_each_line(tables, seeds, observer, |offset, line| {
        write_at(file, line, offset).map_err(ExchangeError::Output)
    })
}

/// Calls `sink` with each line of a layer as it is in the file: its offset and its values.
pub(super) fn for_each_line(
    tables: &Tablebase,
    seeds: u8,
    observer: &dyn Observer,
    mut sink: impl FnMut(u64, &[u8]) -> Result<(), ExchangeError>,
) -> Result<(), ExchangeError> {
    // The same for all lines of a section.
    let mut columns = Vec::new();
    let mut of_mover_seeds = None;
    let mut line = Vec::new();
    tables.for_each_stretch(seeds, &[Field::Value], observer, |stretch, planes| {
        if of_mover_seeds.replace(stretch.mover_seeds) != Some(stretch.mover_seeds) {
            columns = lexicographic::columns(stretch.mover_seeds);
        }
        let lines = planes[0].chunks_exact(stretch.width);
        for (opponent, values) in stretch.opponents.iter().zip(lines) {
            line.clear();
            line.extend(columns.iter().map(|&column| values[column as usize]));
            sink(lexicographic::line_offset(seeds, opponent), &line)?;
        }
        Ok(())
    })
}
