//! Layers in memory, each board with its exact entries: a probe is one load.
//!
//! A search that probes millions of boards a second cannot wait for units to be read and
//! decoded.

use std::fmt;
use std::sync::OnceLock;

use crate::rules::{Bounds, MAX_SEEDS};

/// The layers in memory, by seeds. Each can be added once, while others probe.
#[derive(Debug)]
pub(super) struct ResidentLayers(Vec<OnceLock<ResidentLayer>>);

/// The entries of a layer in two's complement, by index. Only loaders make them.
#[cfg_attr(not(feature = "solve"), allow(dead_code))]
pub(super) enum ResidentLayer {
    /// One value for each board.
    Values(Vec<u8>),
    /// Lower and upper bound beside each other.
    Bounds(Vec<[u8; 2]>),
}

impl ResidentLayers {
    pub fn none() -> ResidentLayers {
        ResidentLayers((0..=MAX_SEEDS).map(|_| OnceLock::new()).collect())
    }

    pub fn get(&self, seeds: u8) -> Option<&ResidentLayer> {
        self.0[usize::from(seeds)].get()
    }

    /// Adds a layer, unless another thread has added it.
    #[cfg(feature = "solve")]
    pub fn add(&self, seeds: u8, layer: ResidentLayer) {
        let _ = self.0[usize::from(seeds)].set(layer);
    }
}

impl ResidentLayer {
    /// The bounds of the board with this index, equal where boards have one value.
    ///
    /// # Panics
    /// If the layer has no such index.
    pub fn bounds(&self, index: u64) -> Bounds {
        let index = index as usize;
        match self {
            ResidentLayer::Values(values) => Bounds::of_value(values[index].cast_signed()),
            ResidentLayer::Bounds(bounds) => {
                let [lower, upper] = bounds[index].map(u8::cast_signed);
                Bounds { lower, upper }
            }
        }
    }
}

impl fmt::Debug for ResidentLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ResidentLayer::Values(values) => write!(f, "{} values", values.len()),
            ResidentLayer::Bounds(bounds) => write!(f, "{} bounds", bounds.len()),
        }
    }
}
