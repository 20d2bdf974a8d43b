//! Layers in memory, each board with its exact entries: a probe is one load.
//!
//! A search that probes millions of boards a second cannot wait for units to be read and
//! decoded. Layers are loaded from 0 seeds on, while others already probe.

use std::sync::OnceLock;
#[cfg(feature = "solve")]
use std::sync::atomic::{AtomicBool, Ordering};

#[cfg(feature = "solve")]
use super::loader::LoadError;
use super::tables::Tablebase;
use crate::rules::{Board, Bounds, MAX_SEEDS, Quantity};
#[cfg(feature = "solve")]
use crate::solve::{Layer, LayerArray, SpillError, Value};

/// The layers in memory, by seeds.
#[derive(Debug)]
pub(super) struct ResidentLayers(Vec<OnceLock<Entries>>);

/// The entries of a layer in two's complement, by index.
enum Entries {
    Values(Vec<u8>),
    /// Lower and upper bound beside each other.
    Bounds(Vec<[u8; 2]>),
}

impl std::fmt::Debug for Entries {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Entries::Values(values) => write!(f, "{} values", values.len()),
            Entries::Bounds(bounds) => write!(f, "{} bounds", bounds.len()),
        }
    }
}

impl ResidentLayers {
    pub fn none() -> ResidentLayers {
        ResidentLayers((0..=MAX_SEEDS).map(|_| OnceLock::new()).collect())
    }
}

impl Tablebase {
    /// Whether a layer is in memory: see [`Tablebase::make_resident`].
    pub fn is_resident(&self, seeds: u8) -> bool {
        self.resident.0[usize::from(seeds)].get().is_some()
    }

    /// The bounds of a board whose layer is in memory, equal where the ruleset gives
    /// every board one value.
    pub(super) fn resident_bounds(&self, board: &Board) -> Option<Bounds> {
        let seeds = board.seeds();
        let entries = self.resident.0[usize::from(seeds)].get()?;
        let index = usize::try_from(self.index(seeds).index(board)?).ok()?;
        Some(match entries {
            Entries::Values(values) => Bounds::of_value(values[index].cast_signed()),
            Entries::Bounds(bounds) => {
                let [lower, upper] = bounds[index].map(u8::cast_signed);
                Bounds { lower, upper }
            }
        })
    }

    /// A quantity of a board whose layer is in memory.
    pub(super) fn resident_quantity(&self, board: &Board, quantity: Quantity) -> Option<i8> {
        match (quantity, self.rules().has_bounds()) {
            (Quantity::Value, true) => None,
            (Quantity::Value | Quantity::Lower, _) => Some(self.resident_bounds(board)?.lower),
            (Quantity::Upper, _) => Some(self.resident_bounds(board)?.upper),
        }
    }
}

#[cfg(feature = "solve")]
impl Tablebase {
    /// Loads layers into memory, from 0 seeds on, until the next one would exceed
    /// `bytes` in all, a table is missing, or `stop` is set. Returns the number of
    /// layers in memory.
    ///
    /// A board takes one byte, or two where the ruleset has bounds. While it loads, the
    /// function uses as much again, or one and a half times as much where there are
    /// bounds. Other threads may probe meanwhile; each layer answers as soon as it is
    /// complete.
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    ///
    /// use krou::{Ruleset, Tablebase};
    ///
    /// let tables = Tablebase::embedded(Ruleset::AWARI);
    /// assert_eq!(tables.make_resident(1 << 20, &AtomicBool::new(false))?, 10);
    /// assert!(tables.is_resident(9));
    /// # Ok::<(), krou::tablebase::LoadError>(())
    /// ```
    ///
    /// # Errors
    /// If a table is damaged. The layers below it are in memory.
    pub fn make_resident(&self, bytes: u64, stop: &AtomicBool) -> Result<u8, LoadError> {
        let layers = self.layers_within(bytes);
        if (0..layers).all(|seeds| self.is_resident(seeds)) {
            return Ok(layers);
        }
        let mut loader = self.loader_in_memory();
        for seeds in 0..layers {
            if stop.load(Ordering::Relaxed) {
                return Ok(seeds);
            }
            let entries = entries(loader.load(seeds)?)?;
            // Another thread may have loaded it at the same time.
            let _ = self.resident.0[usize::from(seeds)].set(entries);
        }
        Ok(layers)
    }

    /// The number of layers, from 0 seeds on, that have tables and fit into `bytes`.
    fn layers_within(&self, bytes: u64) -> u8 {
        let bytes_of_board = if self.rules().has_bounds() { 2 } else { 1 };
        let mut left = bytes;
        for seeds in 0..=MAX_SEEDS {
            let is_missing = self.tables(seeds).missing_kind(self.rules()).is_some();
            let size = self.index(seeds).len() * bytes_of_board;
            if is_missing || size > left {
                return seeds;
            }
            left -= size;
        }
        MAX_SEEDS + 1
    }
}

/// The entries of a layer.
#[cfg(feature = "solve")]
fn entries(layer: &Layer) -> Result<Entries, SpillError> {
    /// Boards copied at a time.
    const PORTION: usize = 1 << 16;
    let copy = |array: &LayerArray<Value>, start: u64, out: &mut [u8]| {
        array.copy_out(start, out, |value| value.get().cast_unsigned())
    };
    let len = layer.index().len() as usize;
    let Some(bounds) = layer.bounds() else {
        let mut values = vec![0; len];
        copy(layer.value(), 0, &mut values)?;
        return Ok(Entries::Values(values));
    };
    let mut both = Vec::with_capacity(len);
    let (mut lower, mut upper) = (vec![0; PORTION], vec![0; PORTION]);
    while both.len() < len {
        let start = both.len() as u64;
        let portion = PORTION.min(len - both.len());
        copy(&bounds.lower, start, &mut lower[..portion])?;
        copy(&bounds.upper, start, &mut upper[..portion])?;
        let pairs = lower[..portion].iter().zip(&upper[..portion]);
        both.extend(pairs.map(|(&lower, &upper)| [lower, upper]));
    }
    Ok(Entries::Bounds(both))
}
