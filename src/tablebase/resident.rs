//! Layers in memory, each board with its exact entries: a probe is one load.
//!
//! A search that probes millions of boards a second cannot wait for tiles to be read and
//! decoded.

use std::fmt;
use std::sync::{Mutex, OnceLock};

#[cfg(feature = "engine")]
use crate::cpu::prefetch;
use crate::rules::{Bounds, MAX_SEEDS};

/// The layers in memory, by seeds. Each can be added once, while others probe.
#[derive(Debug)]
pub(super) struct ResidentLayers {
    pub layers: Vec<OnceLock<ResidentLayer>>,
    /// Held by whoever is loading layers.
    #[cfg_attr(not(feature = "solve"), allow(dead_code))]
    pub loading: Mutex<()>,
}

/// The entries of a layer in two's complement, by index. Only loaders make them.
#[cfg_attr(not(feature = "solve"), allow(dead_code))]
pub(super) enum ResidentLayer {
    /// One value for each board.
    Values(Vec<u8>),
    /// Both bounds of each board, which has this number of seeds, in one byte: see
    /// [`bounds_of_byte`].
    Pairs { bytes: Vec<u8>, seeds: u8 },
    /// The bounds of each board.
    Bounds(Vec<Bounds>),
}

impl ResidentLayers {
    pub fn none() -> ResidentLayers {
        ResidentLayers {
            layers: (0..=MAX_SEEDS).map(|_| OnceLock::new()).collect(),
            loading: Mutex::new(()),
        }
    }

    #[inline]
    pub fn get(&self, seeds: u8) -> Option<&ResidentLayer> {
        self.layers[usize::from(seeds)].get()
    }
}

impl ResidentLayer {
    /// The bounds of the board with this index, equal where boards have one value.
    ///
    /// # Panics
    /// If the layer has no such index.
    #[inline]
    pub fn bounds(&self, index: u64) -> Bounds {
        let index = index as usize;
        match self {
            ResidentLayer::Values(values) => Bounds::of_value(values[index] as i8),
            ResidentLayer::Pairs { bytes, seeds } => bounds_of_byte(bytes[index], *seeds),
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

/// a and b of each pair of bounds: see [`bounds_of_byte`].
static PAIRS: [[u8; 2]; 256] = {
    let mut pairs = [[0; 2]; 256];
    let (mut a, mut b) = (0, 0);
    let mut code = 0;
    while code < pairs.len() {
        pairs[code] = [a, b];
        if a == b {
            a = 0;
            b += 1;
        } else {
            a += 1;
        }
        code += 1;
    }
    pairs
};

/// The bounds that a byte stands for on a board with this number of seeds.
///
/// If all n seeds count for one player or the other, each bound is 2a − n, where the mover
/// gets a of them. The lower bound is 2a − n and the upper one 2b − n with 0 ≤ a ≤ b ≤ n:
/// (n + 1)(n + 2) / 2 pairs; b (b + 1) / 2 of them have a smaller b. With 21 seeds there are
/// 253.
#[inline]
pub(super) fn bounds_of_byte(byte: u8, seeds: u8) -> Bounds {
    let [lower, upper] = PAIRS[usize::from(byte)].map(|taken| (2 * taken) as i8 - seeds as i8);
    Bounds { lower, upper }
}
