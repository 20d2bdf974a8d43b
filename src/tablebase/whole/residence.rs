//! Loading layers into memory, where probes find them without reading tables.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{MutexGuard, OnceLock, TryLockError};
use std::thread;
use std::time::Duration;

use super::error::LoadError;
use crate::cpu::vec_in_large_pages;
use crate::rules::{Bounds, Leftovers, MAX_SEEDS, Ruleset};
use crate::solve::{Layer, LayerArray, LayerBounds, Observer, Silent, Stoppable, Value};
use crate::tablebase::resident::{ResidentLayer, ResidentLayers};
use crate::tablebase::tables::Tablebase;

impl Tablebase {
    /// Loads layers into memory, from 0 seeds on, as far as there are tables and all of
    /// them together fit into `bytes`; until `stop` is set. Returns the number of layers
    /// in memory.
    ///
    /// A probe of such a layer is one load. Distances are not loaded: they come from their
    /// tables. Where the ruleset has bounds, these are loaded; a value that they do not
    /// tell comes from its table.
    ///
    /// A board takes one byte, or two where there are bounds with more than 21 seeds or
    /// with [leftovers that count for nobody](crate::rules::Leftovers::Nobody). While it loads,
    /// the function uses another byte a board, or three where there are bounds, whatever the
    /// [limit](Tablebase::with_memory). Other threads may probe meanwhile; each layer answers
    /// as soon as it is complete. If another thread is loading layers already, the function
    /// waits for it and loads what is still missing.
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
        self.make_resident_observed(bytes, stop, &Silent)
    }

    /// As [`Tablebase::make_resident`]. The observer hears of the boards that have been
    /// read: if no layer is in memory yet, those [up to](Tablebase::boards_up_to) the last
    /// of [`Tablebase::layers_within`].
    ///
    /// # Errors
    /// As [`Tablebase::make_resident`].
    pub fn make_resident_observed(
        &self,
        bytes: u64,
        stop: &AtomicBool,
        observer: &dyn Observer,
    ) -> Result<u8, LoadError> {
        let layers = self.layers_within(bytes);
        let resident_layers = || (0..layers).take_while(|&seeds| self.is_resident(seeds));
        let Some(_loading) = self.resident.begin_loading(stop) else {
            return Ok(resident_layers().count() as u8);
        };
        if resident_layers().count() < usize::from(layers) {
            let stoppable = Stoppable::new(observer, stop);
            let loaded = stoppable.run(|observer| self.load_resident(layers, stop, observer));
            // After a stop, the layers that were complete by then stay.
            loaded.unwrap_or(Ok(()))?;
        }
        Ok(resident_layers().count() as u8)
    }

    /// Loads this number of layers, until `stop` is set.
    fn load_resident(
        &self,
        layers: u8,
        stop: &AtomicBool,
        observer: &dyn Observer,
    ) -> Result<(), LoadError> {
        let mut loader = self.loader_in_memory();
        for seeds in 0..layers {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            // Higher layers need it even if it is in memory.
            let layer = loader.load_observed(seeds, observer)?;
            if !self.is_resident(seeds) {
                self.resident.add(seeds, resident(self.rules(), layer));
            }
        }
        Ok(())
    }

    /// The number of layers, from 0 seeds on, that have tables on this machine and
    /// fit into `bytes` together: as many as [`Tablebase::make_resident`] loads.
    pub fn layers_within(&self, bytes: u64) -> u8 {
        let mut left = bytes;
        for seeds in 0..=MAX_SEEDS {
            let rules = self.rules();
            let is_missing = !self.tables(seeds).is_complete(rules);
            let has_two_bytes = rules.has_bounds() && !fit_into_byte(rules, seeds);
            let size = self.index(seeds).len() * if has_two_bytes { 2 } else { 1 };
            if is_missing || self.is_remote(seeds) || size > left {
                return seeds;
            }
            left -= size;
        }
        MAX_SEEDS + 1
    }

    /// Bytes of the layers in memory.
    pub fn resident_bytes(&self) -> u64 {
        self.resident.bytes()
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
    const PORTION: usize = 1 << 16;
    let mut pairs = vec_in_large_pages(len);
    let (mut lower, mut upper) = (vec![0; PORTION], vec![0; PORTION]);
    while pairs.len() < len {
        let start = pairs.len() as u64;
        let portion = PORTION.min(len - pairs.len());
        copy_bytes(&bounds.lower, start, &mut lower[..portion]);
        copy_bytes(&bounds.upper, start, &mut upper[..portion]);
        for (&lower, &upper) in lower[..portion].iter().zip(&upper[..portion]) {
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
    array.copy_out(start, bytes, |value| value.get().cast_unsigned());
}

impl ResidentLayers {
    /// Bytes of all layers.
    pub fn bytes(&self) -> u64 {
        let layers = self.layers.iter().filter_map(OnceLock::get);
        layers.map(ResidentLayer::bytes).sum()
    }

    /// Adds a layer, unless it is there.
    pub fn add(&self, seeds: u8, layer: ResidentLayer) {
        let _ = self.layers[usize::from(seeds)].set(layer);
    }

    /// Waits until nobody else is loading layers; `None` if `stop` is set before.
    pub fn begin_loading(&self, stop: &AtomicBool) -> Option<MutexGuard<'_, ()>> {
        /// How long a thread that waits takes at most to see `stop`.
        const WAIT: Duration = Duration::from_millis(5);
        while !stop.load(Ordering::Relaxed) {
            match self.loading.try_lock() {
                Ok(guard) => return Some(guard),
                // It guards no data.
                Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) => thread::sleep(WAIT),
            }
        }
        None
    }
}

impl ResidentLayer {
    fn bytes(&self) -> u64 {
        let bytes = match self {
            ResidentLayer::Values(bytes) | ResidentLayer::Pairs { bytes, .. } => bytes.len(),
            ResidentLayer::Bounds(bounds) => size_of_val(bounds.as_slice()),
        };
        bytes as u64
    }
}

/// The most seeds with which each pair of bounds has a byte of its own.
const MAX_SEEDS_IN_BYTE: u8 = 21;

/// Whether each pair of bounds that a board with this number of seeds can have has a byte.
fn fit_into_byte(rules: Ruleset, seeds: u8) -> bool {
    let all_seeds_count = match rules {
        Ruleset::Oware(rules) => rules.leftovers == Leftovers::Owner,
        Ruleset::Stores(_) => true,
    };
    all_seeds_count && seeds <= MAX_SEEDS_IN_BYTE
}

/// The byte of the bounds of a board with this number of seeds; `None` if no board with so
/// many seeds has them, or there are too many seeds for a byte.
fn to_byte(bounds: Bounds, seeds: u8) -> Option<u8> {
    let taken = |bound: i8| {
        let twice = u8::try_from(bound.checked_add_unsigned(seeds)?).ok()?;
        (twice % 2 == 0 && twice <= 2 * seeds).then_some(twice / 2)
    };
    if seeds > MAX_SEEDS_IN_BYTE || bounds.lower > bounds.upper {
        return None;
    }
    let (a, b) = (taken(bounds.lower)?, taken(bounds.upper)?);
    let pairs_before = u16::from(b) * u16::from(b + 1) / 2;
    u8::try_from(pairs_before + u16::from(a)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tablebase::resident::bounds_of_byte;

    #[test]
    fn a_byte_stands_for_one_pair_of_bounds() {
        for seeds in 0..=MAX_SEEDS_IN_BYTE {
            let most = seeds.cast_signed();
            let mut next = 0..;
            for upper in (-most..=most).step_by(2) {
                for lower in (-most..=upper).step_by(2) {
                    let bounds = Bounds { lower, upper };
                    let byte = to_byte(bounds, seeds).unwrap();
                    assert_eq!(Some(byte), next.next());
                    assert_eq!(bounds_of_byte(byte, seeds), bounds);
                }
            }
        }
    }

    #[test]
    fn bounds_that_no_board_has_have_no_byte() {
        let byte = |lower, upper, seeds| to_byte(Bounds { lower, upper }, seeds);
        assert_eq!(byte(1, 3, 4), None);
        assert_eq!(byte(2, 0, 4), None);
        assert_eq!(byte(-6, 0, 4), None);
        assert_eq!(byte(0, 6, 4), None);
        assert_eq!(byte(i8::MIN, i8::MAX, 4), None);
        assert_eq!(byte(0, 0, 22), None);
    }

    #[test]
    fn one_thread_loads_at_a_time() {
        let layers = ResidentLayers::none();
        let never = AtomicBool::new(false);
        let loading = layers.begin_loading(&never).unwrap();
        thread::scope(|scope| {
            let waiting = scope.spawn(|| layers.begin_loading(&never).is_some());
            assert!(layers.begin_loading(&AtomicBool::new(true)).is_none());
            assert!(!waiting.is_finished());
            drop(loading);
            assert!(waiting.join().unwrap());
        });
    }
}
