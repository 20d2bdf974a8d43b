//! The picture of the statistics: how values, results and distances change from
//! layer to layer.

use anyhow::Result;
use krou::rules::Ruleset;
use krou::tablebase::Counts;
use plotters::prelude::*;

use crate::svg::{
    Area, Axis, BLUE, CAPTION, Chart, GREY, INK, Meaning, ORANGE, SvgFile, TITLE, VERMILION,
    draw_axes, draw_meaning, swatch, text,
};

/// What is known of a layer.
pub struct Layer {
    pub seeds: u8,
    pub counts: Counts,
    /// Plies; `None` without a distance table.
    pub longest: Option<u8>,
}

const WIDTH: u32 = 800;
const HEAD: u32 = 40;
/// Heights of the three parts.
const VALUES: u32 = 380;
const RESULTS: u32 = 240;
const DISTANCES: u32 = 220;
/// What every part keeps free to the left and to the right, so that layers stand
/// under each other.
const LEFT: u32 = 64;
const RIGHT: u32 = 110;

/// Draws these layers; distances only where some are known.
pub fn draw(file: SvgFile, rules: Ruleset, layers: &[Layer]) -> Result<()> {
    let distances = match layers.iter().any(|layer| layer.longest.is_some()) {
        true => DISTANCES,
        false => 0,
    };
    let height = HEAD + VALUES + RESULTS + distances;
    file.draw((WIDTH, height), |area| {
        let title = format!("{rules}: what boards are worth, by their number of seeds");
        area.draw_text(&title, &text(TITLE, INK), (16, 12))?;
        let (_, parts) = area.split_vertically(HEAD);
        let (values, parts) = parts.split_vertically(VALUES);
        let (results, parts) = parts.split_vertically(RESULTS);
        draw_values(&values, layers)?;
        draw_results(&results, layers)?;
        if distances > 0 {
            draw_distances(&parts, layers)?;
        }
        Ok(())
    })
}

/// An empty chart with a column for each layer.
fn chart<'a>(
    area: &Area<'a>,
    layers: &[Layer],
    title: &str,
    y: Axis,
    unit: &str,
) -> Result<Chart<'a>> {
    let (first, last) = span(layers);
    let x = Axis::new(f64::from(first) - 0.5..f64::from(last) + 0.5, 25);
    let mut chart = ChartBuilder::on(area)
        .caption(title, text(CAPTION, INK))
        .margin_left(8)
        .margin_top(4)
        .x_label_area_size(44)
        .y_label_area_size(LEFT)
        .margin_right(RIGHT)
        .build_cartesian_2d(x, y)?;
    draw_axes(&mut chart, "seeds on the board", unit)?;
    Ok(chart)
}

/// The smallest and the largest layer.
fn span(layers: &[Layer]) -> (i32, i32) {
    let seeds = || layers.iter().map(|layer| i32::from(layer.seeds));
    (seeds().min().unwrap_or(0), seeds().max().unwrap_or(0))
}

/// The column of a layer between two heights.
fn bar(seeds: u8, from: f64, to: f64, width: f64, color: RGBColor) -> Rectangle<(f64, f64)> {
    let middle = f64::from(seeds);
    let corners = [(middle - width / 2.0, from), (middle + width / 2.0, to)];
    Rectangle::new(corners, color.filled())
}

#[allow(clippy::cast_precision_loss)]
fn share(count: u64, of: u64) -> f64 {
    count as f64 / of as f64
}

/// A cell for each layer and value, as dark as the value is common.
fn draw_values(area: &Area<'_>, layers: &[Layer]) -> Result<()> {
    let (_, most) = span(layers);
    let y = Axis::new(f64::from(-most) - 0.5..f64::from(most) + 0.5, 14);
    let title = "Share of a layer's boards that have each value";
    let mut chart = chart(area, layers, title, y, "value for the mover, seeds")?;
    for layer in layers {
        let boards: u64 = layer.counts.values().sum();
        let cells = layer.counts.iter().map(|(&value, &count)| {
            let middle = f64::from(value);
            let color = shade(share(count, boards));
            bar(layer.seeds, middle - 0.5, middle + 0.5, 1.0, color)
        });
        chart.draw_series(cells)?;
    }
    draw_scale(area)
}

/// The rarest share that has a colour of its own; what is rarer looks like it.
const RAREST: f64 = 1e-5;

/// From light for rare to dark for common, by the logarithm.
fn shade(share: f64) -> RGBColor {
    let rarity = share.max(RAREST).log10() / RAREST.log10();
    ViridisRGB.get_color(rarity)
}

/// What the shades mean, at the right of the values.
fn draw_scale(area: &Area<'_>) -> Result<()> {
    let shades = ["100 %", "10 %", "1 %", "0.1 %", "0.01 %", "≤ 0.001 %"];
    for (place, words) in (0_i32..).zip(shades) {
        let color = shade(10_f64.powi(-place));
        draw_beside(area, place, color, words)?;
    }
    Ok(())
}

/// A colour and what it means, at the right of a part; places count from the top.
fn draw_beside(area: &Area<'_>, place: i32, color: RGBColor, words: &str) -> Result<()> {
    const TOP: i32 = 44;
    const STEP: i32 = 26;
    let left = (WIDTH - RIGHT + 22).cast_signed();
    let meaning: Meaning<'_> = (&|area, place| swatch(area, place, color), words);
    draw_meaning(area, (left, TOP + place * STEP), &meaning)
}

/// Bands of won, even and lost boards.
fn draw_results(area: &Area<'_>, layers: &[Layer]) -> Result<()> {
    let title = "Won, even and lost boards";
    let mut chart = chart(area, layers, title, Axis::new(0.0..100.0, 6), "share, %")?;
    for layer in layers {
        let boards: u64 = layer.counts.values().sum();
        let percent = |wanted: fn(i8) -> bool| {
            let wanted = layer.counts.iter().filter(|(value, _)| wanted(**value));
            100.0 * share(wanted.map(|(_, count)| count).sum(), boards)
        };
        let (won, even) = (percent(|value| value > 0), percent(|value| value == 0));
        chart.draw_series([
            bar(layer.seeds, 0.0, won, 0.9, BLUE),
            bar(layer.seeds, won, won + even, 0.9, GREY),
            bar(layer.seeds, won + even, 100.0, 0.9, ORANGE),
        ])?;
    }
    draw_beside(area, 0, ORANGE, "lost")?;
    draw_beside(area, 1, GREY, "even")?;
    draw_beside(area, 2, BLUE, "won")
}

/// The longest way to a capture or an end.
fn draw_distances(area: &Area<'_>, layers: &[Layer]) -> Result<()> {
    let known = || {
        layers
            .iter()
            .filter_map(|layer| Some((f64::from(layer.seeds), f64::from(layer.longest?))))
    };
    let most = known().map(|(_, plies)| plies as i32).max().unwrap_or(0);
    let y = Axis::new(0.0..f64::from(most.max(1)) * 1.1, 6);
    let title = "Longest way to the next capture or the end";
    let mut chart = chart(area, layers, title, y, "plies")?;
    chart.draw_series(LineSeries::new(known(), VERMILION.stroke_width(2)))?;
    chart.draw_series(known().map(|point| Circle::new(point, 4, VERMILION.filled())))?;
    Ok(())
}
