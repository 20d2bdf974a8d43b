//! Layers in memory, each board with its exact entries: a probe is one load.
//!
//! A search that probes millions of boards a second cannot wait for units to be read and
//! decoded.

use std::fmt;
use std::sync::OnceLock;
#[cfg(feature = "solve")]
use std::{
    sync::atomic::{AtomicBool, Ordering},
    sync::{Mutex, MutexGuard, TryLockError},
    thread,
    time::Duration,
};

use super::bound_pairs;
#[cfg(feature = "engine")]
use crate::cpu::prefetch;
use crate::rules::{Bounds, MAX_SEEDS};

/// The layers in memory, by seeds. Each can be added once, while others probe.
#[derive(Debug)]
pub(super) struct ResidentLayers {
    layers: Vec<OnceLock<ResidentLayer>>,
    /// Held by whoever is loading layers.
    #[cfg(feature = "solve")]
    loading: Mutex<()>,
}

/// The entries of a layer in two's complement, by index. Only loaders make them.
#[cfg_attr(not(feature = "solve"), allow(dead_code))]
pub(super) enum ResidentLayer {
    /// One value for each board.
    Values(Vec<u8>),
    /// Both bounds of each board in one byte, as [`bound_pairs`] encodes them for boards with
    /// this number of seeds.
    Pairs { bytes: Vec<u8>, seeds: u8 },
    /// The bounds of each board.
    Bounds(Vec<Bounds>),
}

impl ResidentLayers {
    pub fn none() -> ResidentLayers {
        ResidentLayers {
            layers: (0..=MAX_SEEDS).map(|_| OnceLock::new()).collect(),
            #[cfg(feature = "solve")]
            loading: Mutex::new(()),
        }
    }

    #[inline]
    pub fn get(&self, seeds: u8) -> Option<&ResidentLayer> {
        self.layers[usize::from(seeds)].get()
    }

    /// Bytes of all layers.
    #[cfg(feature = "solve")]
    pub fn bytes(&self) -> u64 {
        let layers = self.layers.iter().filter_map(OnceLock::get);
        layers.map(ResidentLayer::bytes).sum()
    }

    /// Adds a layer, unless it is there.
    #[cfg(feature = "solve")]
    pub fn add(&self, seeds: u8, layer: ResidentLayer) {
        let _ = self.layers[usize::from(seeds)].set(layer);
    }

    /// Waits until nobody else is loading layers; `None` if `stop` is set before.
    #[cfg(feature = "solve")]
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
    #[cfg(feature = "solve")]
    fn bytes(&self) -> u64 {
        let bytes = match self {
            ResidentLayer::Values(bytes) | ResidentLayer::Pairs { bytes, .. } => bytes.len(),
            ResidentLayer::Bounds(bounds) => size_of_val(bounds.as_slice()),
        };
        bytes as u64
    }

    /// The bounds of the board with this index, equal where boards have one value.
    ///
    /// # Panics
    /// If the layer has no such index.
    #[inline]
    pub fn bounds(&self, index: u64) -> Bounds {
        let index = index as usize;
        match self {
            ResidentLayer::Values(values) => Bounds::of_value(values[index].cast_signed()),
            ResidentLayer::Pairs { bytes, seeds } => bound_pairs::from_byte(bytes[index], *seeds),
            ResidentLayer::Bounds(bounds) => bounds[index],
        }
    }

    /// Starts to fetch the entry of the board with this index.
    #[cfg(feature = "engine")]
    #[inline]
    pub fn prefetch(&self, index: u64) {
        let index = index as usize;
        match self {
            ResidentLayer::Values(bytes) | ResidentLayer::Pairs { bytes, .. } => {
                bytes.get(index).map(prefetch)
            }
            ResidentLayer::Bounds(bounds) => bounds.get(index).map(prefetch),
        };
    }
}

impl fmt::Debug for ResidentLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ResidentLayer::Values(values) => write!(f, "{} values", values.len()),
            ResidentLayer::Pairs { bytes, .. } => write!(f, "{} pairs of bounds", bytes.len()),
            ResidentLayer::Bounds(bounds) => write!(f, "{} bounds", bounds.len()),
        }
    }
}

#[cfg(all(test, feature = "solve"))]
mod tests {
    use super::*;

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
