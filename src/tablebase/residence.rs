//! Loading layers into memory, where probes find them without reading tables.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{MutexGuard, OnceLock, TryLockError};
use std::thread;
use std::time::Duration;

use super::resident::{ResidentLayer, ResidentLayers};
use super::result::ProbeError;
use super::tables::Tablebase;
use crate::rules::{Bounds, Leftovers, MAX_SEEDS, Ruleset};

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
    /// with [leftovers that count for nobody](crate::rules::Leftovers::Nobody). With the
    /// feature `solve`, whole tables are decoded by all threads of the rayon pool, some tens of
    /// millions of boards a second, which takes another byte a board meanwhile, or three where
    /// there are bounds, whatever the limit for whole layers. Without it, the calling
    /// thread probes each board. Other threads may probe meanwhile; each layer answers
    /// as soon as it is complete. If another thread is loading layers already, the function
    /// waits for it and loads what is still missing.
    ///
    /// `on_boards` is told now and then how many more boards have been read: if no layer is in
    /// memory yet, in total those of all layers [within](Tablebase::layers_within) the limit.
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    ///
    /// use krou::{Ruleset, Tablebase};
    ///
    /// let tables = Tablebase::embedded(Ruleset::AWARI);
    /// let never = AtomicBool::new(false);
    /// assert_eq!(tables.make_resident(1 << 20, &never, &|_| ())?, 10);
    /// assert!(tables.is_resident(9));
    /// # Ok::<(), krou::tablebase::ProbeError>(())
    /// ```
    ///
    /// # Errors
    /// If a table is damaged. The layers below it are in memory.
    pub fn make_resident(
        &self,
        bytes: u64,
        stop: &AtomicBool,
        on_boards: &(dyn Fn(u64) + Sync),
    ) -> Result<u8, ProbeError> {
        let layers = self.layers_within(bytes);
        let resident_layers = || (0..layers).take_while(|&seeds| self.is_resident(seeds));
        let Some(_loading) = self.resident.begin_loading(stop) else {
            return Ok(resident_layers().count() as u8);
        };
        if resident_layers().count() < usize::from(layers) {
            #[cfg(feature = "solve")]
            self.load_resident(layers, stop, on_boards)?;
            #[cfg(not(feature = "solve"))]
            self.probe_resident(layers, stop, on_boards)?;
        }
        Ok(resident_layers().count() as u8)
    }

    /// Loads this number of layers by probing all their boards, until `stop` is set.
    #[cfg(any(test, not(feature = "solve")))]
    fn probe_resident(
        &self,
        layers: u8,
        stop: &AtomicBool,
        on_boards: &(dyn Fn(u64) + Sync),
    ) -> Result<(), ProbeError> {
        /// Boards probed at a time.
        const BATCH: usize = 1 << 12;
        for seeds in 0..layers {
            if self.is_resident(seeds) {
                continue;
            }
            let index = self.index(seeds);
            let mut all = Vec::with_capacity(index.len() as usize);
            let mut boards = index.boards();
            while all.len() < all.capacity().min(index.len() as usize) {
                if stop.load(Ordering::Relaxed) {
                    return Ok(());
                }
                let before = all.len();
                for board in boards.by_ref().take(BATCH) {
                    all.push(self.bounds(&board)?);
                }
                on_boards((all.len() - before) as u64);
            }
            let layer = ResidentLayer::new(self.rules(), seeds, &all);
            self.resident.add(seeds, layer);
        }
        Ok(())
    }

    /// The number of layers, from 0 seeds on, that have tables on this machine and fit into
    /// `bytes` together: as many as [`Tablebase::make_resident`] loads.
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

impl ResidentLayers {
    /// Bytes of all layers.
    fn bytes(&self) -> u64 {
        let layers = self.layers.iter().filter_map(OnceLock::get);
        layers.map(ResidentLayer::bytes).sum()
    }

    /// Adds a layer, unless it is there.
    pub fn add(&self, seeds: u8, layer: ResidentLayer) {
        let _ = self.layers[usize::from(seeds)].set(layer);
    }

    /// Waits until nobody else is loading layers; `None` if `stop` is set before.
    fn begin_loading(&self, stop: &AtomicBool) -> Option<MutexGuard<'_, ()>> {
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
    /// The layer whose boards have these bounds.
    #[cfg(any(test, not(feature = "solve")))]
    fn new(rules: Ruleset, seeds: u8, bounds: &[Bounds]) -> ResidentLayer {
        let lower = |bounds: &Bounds| bounds.lower.to_le_bytes()[0];
        if !rules.has_bounds() {
            return ResidentLayer::Values(bounds.iter().map(lower).collect());
        }
        let bytes: Option<Vec<u8>> = match fit_into_byte(rules, seeds) {
            true => bounds.iter().map(|&pair| to_byte(pair, seeds)).collect(),
            false => None,
        };
        match bytes {
            Some(bytes) => ResidentLayer::Pairs { bytes, seeds },
            None => ResidentLayer::Bounds(bounds.to_vec()),
        }
    }

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
pub(super) fn fit_into_byte(rules: Ruleset, seeds: u8) -> bool {
    let all_seeds_count = match rules {
        Ruleset::Oware(rules) => rules.leftovers == Leftovers::Owner,
        Ruleset::Stores(_) => true,
    };
    all_seeds_count && seeds <= MAX_SEEDS_IN_BYTE
}

/// The byte of the bounds of a board with this number of seeds; `None` if no board with so
/// many seeds has them, or there are too many seeds for a byte.
pub(super) fn to_byte(bounds: Bounds, seeds: u8) -> Option<u8> {
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

    /// With and without the feature `solve`.
    #[test]
    fn layers_that_are_probed_equal_those_that_are_decoded() {
        for rules in [Ruleset::AWARI, Ruleset::ABAPA] {
            let [probed, decoded] = [(); 2].map(|()| Tablebase::embedded(rules));
            let never = AtomicBool::new(false);
            probed.probe_resident(10, &never, &|_| ()).unwrap();
            decoded.make_resident(u64::MAX, &never, &|_| ()).unwrap();
            assert_eq!(probed.resident_bytes(), decoded.resident_bytes());
            for seeds in 0..10 {
                let [probed, decoded] =
                    [&probed, &decoded].map(|tables| tables.resident.get(seeds).unwrap());
                let mut boards = 0..probed.bytes();
                assert!(boards.all(|index| probed.bounds(index) == decoded.bounds(index)));
            }
        }
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
