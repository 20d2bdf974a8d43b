//! The figures: names, units and targets.
//!
//! The targets are for `awari` on two idle cores, with 20 to 24 seeds.

use std::time::Duration;

/// A figure to measure.
#[derive(Clone, Copy)]
pub struct Measure {
    pub name: &'static str,
    pub unit: &'static str,
    pub target: Option<Target>,
}

/// The target of a figure: what it must reach, and what it should reach.
#[derive(Clone, Copy)]
pub struct Target {
    pub floor: f64,
    pub aim: f64,
}

impl Measure {
    const fn new(name: &'static str, unit: &'static str, floor: f64, aim: f64) -> Measure {
        let target = Some(Target { floor, aim });
        Measure { name, unit, target }
    }

    /// The same figure without a target.
    pub const fn without_target(self) -> Measure {
        let target = None;
        Measure { target, ..self }
    }
}

const SPEED: &str = "M boards/s a core";

/// Boards of the layer divided by the time to solve their values on one thread.
pub const VALUES: Measure = Measure::new("solve values", SPEED, 15.0, 40.0);
/// The same time divided by the time on all threads.
pub const THREADS: Measure = Measure::new("threads against one", "times", 1.8, 1.95);
/// As `VALUES`, including the time for distances.
pub const DISTANCES: Measure = Measure::new("solve values and distances", SPEED, 6.0, 15.0);
/// Peak memory of the process up to the end of solving.
pub const PEAK: Measure = Measure::new("peak of memory", "MiB", 0.0, 0.0).without_target();
/// The same minus the lower layers, for each board of the layer.
pub const PEAK_A_BOARD: Measure =
    Measure::new("peak beyond lower layers", "bytes a board", 2.2, 1.3);
/// Boards divided by the time to pack, write and sync the table of values.
pub const PACK: Measure = Measure::new("pack and write", SPEED, 15.0, 50.0);
/// Size of the table of values.
pub const BITS_OF_LAYER: Measure =
    Measure::new("size of the layer", "bits a board", 0.0, 0.0).without_target();
/// Size of the tables of values, over all layers.
pub const BITS: Measure = Measure::new("size of all layers", "bits a board", 2.6, 1.6);
/// Time to probe a random board of the layer, whose unit must be decoded.
pub const RANDOM_PROBE: Measure = Measure::new("random probe", "µs", 20.0, 2.0);
/// The same with the library's cache, which other random boards have filled.
pub const CACHED_PROBE: Measure = Measure::new("cached random probe", "µs", 10.0, 3.0);
/// Time to probe the next board of a search.
pub const NEAR_PROBE: Measure = Measure::new("probe in a search", "µs", 1.0, 0.2);
/// The same if the layers that fit into 64 MiB are unpacked in memory.
pub const NEAR_PROBE_BESIDE_LAYERS: Measure =
    Measure::new("search, 64 MiB of layers", "µs", 0.5, 0.2);
/// Time to probe the next board of a search if all layers are unpacked in memory.
pub const RESIDENT_PROBE: Measure = Measure::new("probe in memory", "µs", 0.5, 0.2);

/// Millions of boards a second.
pub fn speed(boards: u64, time: Duration) -> f64 {
    ratio(boards, 1_000_000) / seconds(time)
}

/// Microseconds for each probe.
pub fn microseconds(time: Duration, probes: usize) -> f64 {
    seconds(time) * 1e6 / ratio(probes as u64, 1)
}

/// Seconds, always above 0.
pub fn seconds(time: Duration) -> f64 {
    time.max(Duration::from_nanos(1)).as_secs_f64()
}

/// The ratio of two numbers.
#[allow(clippy::cast_precision_loss)]
pub fn ratio(number: u64, by: u64) -> f64 {
    number as f64 / by.max(1) as f64
}
