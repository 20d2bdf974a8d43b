//! The chart of `krou stats --plot`: values, results and distances by layer.

use std::ops::Range;

use krou::rules::Ruleset;
use krou::tablebase::Counts;

use super::{BLUE, CAPTION, GREY, ORANGE, Picture, Plot, Point, START, Style, VERMILION};

/// The statistics of a layer.
#[derive(Debug)]
pub struct LayerCounts {
    /// The layer.
    pub seeds: u8,
    /// How many boards have each value.
    pub counts: Counts,
    /// The longest distance in plies; `None` without a distance table.
    pub longest: Option<u8>,
}

const WIDTH: u32 = 800;
const HEAD: u32 = 40;
/// Heights of the three parts.
const VALUES: u32 = 380;
const RESULTS: u32 = 240;
const DISTANCES: u32 = 220;

/// Draws these layers; distances only if any are known.
pub fn draw(rules: Ruleset, layers: &[LayerCounts]) -> String {
    let has_distances = layers.iter().any(|layer| layer.longest.is_some());
    let distances = if has_distances { DISTANCES } else { 0 };
    let title = format!("{rules}: values of boards by number of seeds");
    let mut picture = Picture::new(WIDTH, HEAD + VALUES + RESULTS + distances, &title);
    draw_values(&mut picture, layers);
    draw_results(&mut picture, layers);
    if has_distances {
        draw_distances(&mut picture, layers);
    }
    picture.svg()
}

/// A plot between these heights with a column for each layer, and its caption.
fn plot<'p>(
    picture: &'p mut Picture,
    (from, height): (u32, u32),
    caption: &str,
    layers: &[LayerCounts],
    y: Range<f64>,
) -> Plot<'p> {
    let seeds = || layers.iter().map(|layer| f64::from(layer.seeds));
    let (first, last) = (
        seeds().fold(f64::MAX, f64::min),
        seeds().fold(0.0, f64::max),
    );
    let (left, right) = (72.0, f64::from(WIDTH) - 110.0);
    let (top, bottom) = (f64::from(from) + 28.0, f64::from(from + height) - 48.0);
    picture.text((left, top - 14.0), CAPTION, START, caption);
    Plot {
        picture,
        left,
        right,
        top,
        bottom,
        x: first - 0.5..last + 0.5,
        y,
    }
}

impl Plot<'_> {
    fn layer_axes(&mut self, y_name: &str, most_y: i32) {
        self.axes("seeds on the board", 25, y_name, most_y);
    }

    /// A bar of a layer between two heights.
    fn bar(&mut self, seeds: u8, (from, to): (f64, f64), width: f64, color: &str) {
        let middle = f64::from(seeds);
        let (left, right) = (middle - width / 2.0, middle + width / 2.0);
        self.rectangle((left, from), (right, to), color);
    }

    /// A colour and its label to the right of the plot; lines count from the top.
    fn legend(&mut self, line: u32, color: &str, label: &str) {
        let (x, y): Point = (self.right + 22.0, self.top + 16.0 + 26.0 * f64::from(line));
        let picture = &mut *self.picture;
        picture.rectangle((x - 6.0, y - 6.0), (x + 6.0, y + 6.0), color);
        picture.label((x, y), label);
    }
}

#[allow(clippy::cast_precision_loss)]
fn share(count: u64, of: u64) -> f64 {
    count as f64 / of as f64
}

/// Draws a cell for each layer and value; darker means more common.
fn draw_values(picture: &mut Picture, layers: &[LayerCounts]) {
    let most = layers.iter().map(|layer| f64::from(layer.seeds));
    let most = most.fold(0.0, f64::max) + 0.5;
    let caption = "Share of a layer's boards that have each value";
    let mut plot = plot(picture, (HEAD, VALUES), caption, layers, -most..most);
    plot.layer_axes("value for the mover, seeds", 14);
    for layer in layers {
        let boards: u64 = layer.counts.values().sum();
        for (&value, &count) in &layer.counts {
            let middle = f64::from(value);
            let color = shade(share(count, boards));
            plot.bar(layer.seeds, (middle - 0.5, middle + 0.5), 1.0, &color);
        }
    }
    let shades = ["100 %", "10 %", "1 %", "0.1 %", "0.01 %", "≤ 0.001 %"];
    for (place, label) in (0_u8..).zip(shades) {
        let color = shade(10_f64.powi(-i32::from(place)));
        plot.legend(place.into(), &color, label);
    }
}

/// A colour from dark (all boards) to light (one of 100,000 boards or fewer), on a logarithmic
/// scale: the colour map Viridis.
fn shade(share: f64) -> String {
    const RAREST: f64 = 1e-5;
    const VIRIDIS: [[u8; 3]; 9] = [
        [0x44, 0x01, 0x54],
        [0x47, 0x2d, 0x7b],
        [0x3b, 0x52, 0x8b],
        [0x2c, 0x72, 0x8e],
        [0x21, 0x91, 0x8c],
        [0x28, 0xae, 0x80],
        [0x5e, 0xc9, 0x62],
        [0xad, 0xdc, 0x30],
        [0xfd, 0xe7, 0x25],
    ];
    let rarity = share.clamp(RAREST, 1.0).log10() / RAREST.log10() * 8.0;
    // From 0 to 8.
    #[allow(clippy::cast_sign_loss)]
    let below = (rarity as u8).min(7);
    let part = rarity - f64::from(below);
    let [red, green, blue] = std::array::from_fn(|channel| {
        let [from, to] = [below, below + 1].map(|n| f64::from(VIRIDIS[usize::from(n)][channel]));
        // Between two bytes.
        #[allow(clippy::cast_sign_loss)]
        let mixed = (from + part * (to - from)).round() as u8;
        mixed
    });
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Draws the shares of won, even and lost boards.
fn draw_results(picture: &mut Picture, layers: &[LayerCounts]) {
    let place = (HEAD + VALUES, RESULTS);
    let caption = "Won, even and lost boards";
    let mut plot = plot(picture, place, caption, layers, 0.0..100.0);
    plot.layer_axes("share, %", 6);
    for layer in layers {
        let boards: u64 = layer.counts.values().sum();
        let percent = |wanted: fn(i8) -> bool| {
            let wanted = layer.counts.iter().filter(|(value, _)| wanted(**value));
            100.0 * share(wanted.map(|(_, count)| count).sum(), boards)
        };
        let (won, even) = (percent(|value| value > 0), percent(|value| value == 0));
        for (from, to, color) in [
            (0.0, won, BLUE),
            (won, won + even, GREY),
            (won + even, 100.0, ORANGE),
        ] {
            plot.bar(layer.seeds, (from, to), 0.9, color);
        }
    }
    for (line, color, label) in [(0, ORANGE, "lost"), (1, GREY, "even"), (2, BLUE, "won")] {
        plot.legend(line, color, label);
    }
}

/// Draws the longest distance of each layer.
fn draw_distances(picture: &mut Picture, layers: &[LayerCounts]) {
    let known = layers
        .iter()
        .filter_map(|layer| Some((f64::from(layer.seeds), f64::from(layer.longest?))));
    let known: Vec<Point> = known.collect();
    let most = known.iter().map(|(_, plies)| *plies).fold(1.0, f64::max);
    let place = (HEAD + VALUES + RESULTS, DISTANCES);
    let caption = "Longest distance to the next capture or the end";
    let mut plot = plot(picture, place, caption, layers, 0.0..1.1 * most);
    plot.layer_axes("plies", 6);
    plot.line(known.iter().copied(), VERMILION, 2);
    for point in known {
        let place = plot.place(point);
        plot.picture.circle(place, 4.0, Style::Filled(VERMILION));
    }
}
