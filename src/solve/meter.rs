//! How far work on several layers has come, for progress bars.

use std::sync::atomic::{AtomicU64, Ordering};

/// The position of work on the layers from 0 seeds on, in steps such as visited boards.
/// The steps of a layer may be an estimate: the position never leaves the layer that is
/// worked on, and never goes back.
///
/// ```
/// use krou::solve::Meter;
///
/// let meter = Meter::new([10, 100]);
/// meter.enter(1);
/// meter.advance(40);
/// meter.advance(70); // more than the estimate
/// assert_eq!((meter.position(), meter.total()), (110, 110));
/// ```
#[derive(Debug)]
pub struct Meter {
    /// The position at the end of each layer, by seeds.
    ends: Vec<u64>,
    position: AtomicU64,
    /// The position at the end of the current layer.
    end: AtomicU64,
}

impl Meter {
    /// For layers with these numbers of steps, from 0 seeds on.
    pub fn new(steps: impl IntoIterator<Item = u64>) -> Meter {
        let mut total = 0;
        let ends = steps.into_iter().map(|steps| {
            total += steps;
            total
        });
        let ends: Vec<u64> = ends.collect();
        Meter {
            position: AtomicU64::new(0),
            end: AtomicU64::new(ends.first().copied().unwrap_or(0)),
            ends,
        }
    }

    /// The steps of all layers.
    pub fn total(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// The steps done.
    pub fn position(&self) -> u64 {
        self.position.load(Ordering::Relaxed)
    }

    /// The work on a layer begins or goes on; those below it are done. A layer that the
    /// meter does not have counts as the end of all.
    pub fn enter(&self, seeds: u8) {
        let end_of = |layer: usize| self.ends.get(layer).copied().unwrap_or(self.total());
        let before = usize::from(seeds).checked_sub(1).map_or(0, end_of);
        self.position.fetch_max(before, Ordering::Relaxed);
        self.end.store(end_of(seeds.into()), Ordering::Relaxed);
    }

    /// More steps of the current layer are done.
    pub fn advance(&self, steps: u64) {
        let end = self.end.load(Ordering::Relaxed);
        let further = |position: u64| (position < end).then(|| end.min(position + steps));
        // `Err` says that the layer has taken more steps than expected.
        let _ = self
            .position
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, further);
    }

    /// Everything is done.
    pub fn finish(&self) {
        self.position.store(self.total(), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_position_stays_in_the_layer_and_never_goes_back() {
        let meter = Meter::new([1, 10, 100]);
        assert_eq!((meter.position(), meter.total()), (0, 111));
        meter.advance(5);
        assert_eq!(meter.position(), 1);
        meter.enter(2);
        assert_eq!(meter.position(), 11);
        meter.advance(99);
        assert_eq!(meter.position(), 110);
        // Tables of lower layers are looked at again.
        meter.enter(1);
        meter.advance(1);
        assert_eq!(meter.position(), 110);
        meter.enter(9);
        assert_eq!(meter.position(), 111);
        meter.finish();
        assert_eq!(meter.position(), 111);
    }

    #[test]
    fn a_meter_without_layers_is_done() {
        let meter = Meter::new([]);
        meter.enter(3);
        meter.advance(7);
        assert_eq!((meter.position(), meter.total()), (0, 0));
    }
}
