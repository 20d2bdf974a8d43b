//! Statistics: how many boards have each value.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::error::LoadError;
use super::loader::Loader;
use crate::rules::{Board, Quantity};
use crate::solve::{ArrayEntry, Buffer, LayerArray, LayerBounds, Observer, SpillError, Value};
use crate::tablebase::tables::Tablebase;

/// How many boards have each value, by value; only values that occur.
pub type Counts = BTreeMap<i8, u64>;

/// Which boards of a layer are counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum CountedBoards {
    /// The indexed ones: those that a move can lead to.
    Indexed,
    /// Every board with the layer's seeds, C(seeds + 11, 11) of them.
    All,
}

/// How many boards have which bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct BoundsCounts {
    /// Boards that were counted.
    pub boards: u64,
    /// Those whose bounds are equal, so that their value is the same however loops are settled.
    pub exact: u64,
    /// Those whose bounds agree about who takes more seeds, or that nobody does.
    pub decided: u64,
    /// The sum of the differences between their bounds.
    pub width: u64,
}

impl BoundsCounts {
    fn add(&mut self, lower: &[Value], upper: &[Value]) {
        let pairs = lower.iter().zip(upper);
        for (lower, upper) in pairs.map(|(lower, upper)| (lower.get(), upper.get())) {
            self.boards += 1;
            self.exact += u64::from(lower == upper);
            self.decided += u64::from(lower.signum() == upper.signum());
            self.width += u64::from(upper.abs_diff(lower));
        }
    }
}

/// A board with the longest distance of its layer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct RecordBoard {
    /// The board.
    pub board: Board,
    /// Its value.
    pub value: i8,
    /// Its distance, in plies.
    pub distance: u8,
}

/// Counts boards of a tablebase, layer by layer. A layer needs those below it, which
/// are read once and kept.
#[derive(Debug)]
pub struct Counter<'t> {
    loader: Loader<'t>,
}

/// Entries copied at a time.
const BATCH: usize = 1 << 20;

impl Counter<'_> {
    /// Reads the layers up to one, which counting would otherwise do. The observer is told
    /// how many boards have been read.
    ///
    /// # Errors
    /// As [`Loader::load`].
    pub fn load(&mut self, seeds: u8, observer: &dyn Observer) -> Result<(), LoadError> {
        self.loader.load_observed(seeds, observer).map(|_| ())
    }

    /// Counts the boards of a layer by value.
    ///
    /// # Errors
    /// If the layer or one below is missing, or a table is damaged.
    pub fn count_values(&mut self, seeds: u8, boards: CountedBoards) -> Result<Counts, LoadError> {
        let mut by_byte = [0_u64; 256];
        let layer = self.loader.load(seeds)?;
        each_batch(
            layer.value(),
            |value| value.get().cast_unsigned(),
            |bytes| {
                for &byte in bytes {
                    by_byte[usize::from(byte)] += 1;
                }
            },
        )?;
        if boards == CountedBoards::All {
            let solver = self.loader.solver_mut();
            solver.for_unindexed(seeds, [Quantity::Value], |[values]| {
                for value in values {
                    by_byte[usize::from(value.get().cast_unsigned())] += 1;
                }
            })?;
        }
        let values = i8::MIN..=i8::MAX;
        let counts = values.map(|value| (value, by_byte[usize::from(value.cast_unsigned())]));
        Ok(counts.filter(|(_, count)| *count > 0).collect())
    }

    /// Counts the boards of a layer by what their bounds say. `None` without bounds.
    ///
    /// # Errors
    /// As [`Counter::count_values`].
    pub fn count_bounds(
        &mut self,
        seeds: u8,
        boards: CountedBoards,
    ) -> Result<Option<BoundsCounts>, LoadError> {
        let layer = self.loader.load(seeds)?;
        let Some(LayerBounds { lower, upper }) = layer.bounds() else {
            return Ok(None);
        };
        let mut counts = BoundsCounts::default();
        let mut buffers = [Buffer::empty(), Buffer::empty()];
        for range in lower.ranges() {
            let [of_lower, of_upper] = &mut buffers;
            counts.add(
                lower.read(range.clone(), of_lower)?,
                upper.read(range, of_upper)?,
            );
        }
        if boards == CountedBoards::All {
            let solver = self.loader.solver_mut();
            let bounds = [Quantity::Lower, Quantity::Upper];
            solver.for_unindexed(seeds, bounds, |[lower, upper]| {
                counts.add(lower, upper);
            })?;
        }
        Ok(Some(counts))
    }

    /// The first board of a layer with the longest distance; `None` without a table of
    /// distances.
    ///
    /// # Errors
    /// As [`Counter::count_values`].
    pub fn record_board(&mut self, seeds: u8) -> Result<Option<RecordBoard>, LoadError> {
        let Some(distances) = self.loader.distances(seeds)? else {
            return Ok(None);
        };
        let (mut longest, mut index) = (None, 0);
        each_batch(
            &distances,
            |plies| plies,
            |batch| {
                for &plies in batch {
                    longest = longest.max(Some((plies, Reverse(index))));
                    index += 1;
                }
            },
        )?;
        let Some((distance, Reverse(first))) = longest else {
            return Ok(None);
        };
        let layer = self.loader.load(seeds)?;
        Ok(Some(RecordBoard {
            board: layer.index().board(first),
            value: layer.value().reader().at(first)?.get(),
            distance,
        }))
    }
}

/// Passes all entries of an array on as bytes, batch by batch.
fn each_batch<E: ArrayEntry>(
    array: &LayerArray<E>,
    to_byte: impl Fn(E) -> u8,
    mut then: impl FnMut(&[u8]),
) -> Result<(), SpillError> {
    let (len, reader) = (array.index().len(), array.reader());
    let mut bytes = vec![0; BATCH];
    for start in (0..len).step_by(BATCH) {
        let bytes = &mut bytes[..(len - start).min(BATCH as u64) as usize];
        reader.copy_out(start, bytes, &to_byte)?;
        then(bytes);
    }
    Ok(())
}

impl Tablebase {
    /// Counts the boards of layers.
    pub fn counter(&self) -> Counter<'_> {
        Counter {
            loader: self.loader(),
        }
    }
}
