//! The entries of loaded layers as probes find them in memory.

use std::sync::atomic::AtomicBool;

use super::error::LoadError;
use crate::cpu::vec_in_large_pages;
use crate::rules::{Bounds, Ruleset};
use crate::solve::{Layer, LayerArray, LayerBounds, Observer, Stopped, Value};
use crate::tablebase::residence::{fit_into_byte, to_byte};
use crate::tablebase::resident::ResidentLayer;
use crate::tablebase::result::ProbeError;
use crate::tablebase::tables::Tablebase;

impl Tablebase {
    /// Loads this number of layers, until `stop` is set. After a stop, the layers that were
    /// complete by then stay.
    pub(in crate::tablebase) fn load_resident(
        &self,
        layers: u8,
        stop: &AtomicBool,
        on_boards: &(dyn Fn(u64) + Sync),
    ) -> Result<(), ProbeError> {
        let observer = StoppableLoading { stop, on_boards };
        let mut loader = self.loader_in_memory();
        for seeds in 0..layers {
            // Higher layers need it even if it is in memory.
            let layer = match loader.load_observed(seeds, &observer) {
                Ok(layer) => layer,
                Err(LoadError::Stopped(Stopped)) => break,
                Err(LoadError::Probe(error)) => return Err(error),
                Err(other) => unreachable!("layers in memory need no files: {other}"),
            };
            if !self.is_resident(seeds) {
                self.resident.add(seeds, resident(self.rules(), layer));
            }
        }
        Ok(())
    }
}

/// Follows the loading of layers, and stops it when the flag is set.
struct StoppableLoading<'a> {
    stop: &'a AtomicBool,
    on_boards: &'a (dyn Fn(u64) + Sync),
}

impl Observer for StoppableLoading<'_> {
    fn advance(&self, boards: u64) -> Result<(), Stopped> {
        self.stop.advance(boards)?;
        (self.on_boards)(boards);
        Ok(())
    }
}

/// A layer's entries in the form in which they are probed.
fn resident(rules: Ruleset, layer: &Layer) -> ResidentLayer {
    let index = layer.index();
    let (seeds, len) = (index.seeds(), index.len() as usize);
    let Some(bounds) = layer.bounds() else {
        let mut values = vec_in_large_pages(len);
        values.resize(len, 0);
        copy_bytes(layer.value(), 0, &mut values);
        return ResidentLayer::Values(values);
    };
    if fit_into_byte(rules, seeds)
        && let Some(bytes) = pairs(bounds, len, |pair| to_byte(pair, seeds))
    {
        return ResidentLayer::Pairs { bytes, seeds };
    }
    let both = pairs(bounds, len, Some);
    ResidentLayer::Bounds(both.unwrap_or_default())
}

/// Both bounds of each of `len` boards as one element; `None` if one has none.
fn pairs<E>(
    bounds: &LayerBounds,
    len: usize,
    pair: impl Fn(Bounds) -> Option<E>,
) -> Option<Vec<E>> {
    /// Boards copied at a time.
    const BATCH: usize = 1 << 16;
    let mut pairs = vec_in_large_pages(len);
    let (mut lower, mut upper) = (vec![0; BATCH], vec![0; BATCH]);
    while pairs.len() < len {
        let start = pairs.len() as u64;
        let batch = BATCH.min(len - pairs.len());
        copy_bytes(&bounds.lower, start, &mut lower[..batch]);
        copy_bytes(&bounds.upper, start, &mut upper[..batch]);
        for (&lower, &upper) in lower[..batch].iter().zip(&upper[..batch]) {
            let bounds = Bounds {
                lower: lower.cast_signed(),
                upper: upper.cast_signed(),
            };
            pairs.push(pair(bounds)?);
        }
    }
    Some(pairs)
}

/// Copies values from an index on, in two's complement.
fn copy_bytes(array: &LayerArray<Value>, start: u64, bytes: &mut [u8]) {
    let copied = array.copy_out(start, bytes, |value| value.get().cast_unsigned());
    copied.expect("layers in memory need no files");
}
