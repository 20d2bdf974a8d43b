//! The chart of `krou stats --plot`: values, results and distances by layer.

use anyhow::Result;
use krou::rules::Ruleset;
use krou::tablebase::Counts;
use plotters::prelude::*;

use crate::svg::{
    Area, Axis, BLUE, CAPTION, Chart, GREY, INK, LegendEntry, ORANGE, SvgFile, TITLE, VERMILION,
    draw_axes, draw_legend_entry, swatch, text,
};

/// The statistics of a layer.
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
/// Margins of every part, equal so that the layers line up.
const LEFT: u32 = 64;
const RIGHT: u32 = 110;

/// Draws these layers; distances only if any are known.
pub fn draw(file: SvgFile, rules: Ruleset, layers: &[Layer]) -> Result<()> {
    let distances = match layers.iter().any(|layer| layer.longest.is_some()) {
        true => DISTANCES,
        false => 0,
    };
    let height = HEAD + VALUES + RESULTS + distances;
    file.draw((WIDTH, height), |area| {
        let title = format!("{rules}: values of boards by number of seeds");
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

/// A bar of a layer between two heights.
fn bar(seeds: u8, from: f64, to: f64, width: f64, color: RGBColor) -> Rectangle<(f64, f64)> {
    let middle = f64::from(seeds);
    let corners = [(middle - width / 2.0, from), (middle + width / 2.0, to)];
    Rectangle::new(corners, color.filled())
}

#[allow(clippy::cast_precision_loss)]
fn share(count: u64, of: u64) -> f64 {
    count as f64 / of as f64
}

/// Draws a cell for each layer and value; darker means more common.
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

/// The smallest share with a colour of its own.
const RAREST: f64 = 1e-5;

/// A colour from light (rare) to dark (common), on a logarithmic scale.
fn shade(share: f64) -> RGBColor {
    let rarity = share.max(RAREST).log10() / RAREST.log10();
    ViridisRGB.get_color(rarity)
}

/// Draws the colour scale to the right of the values.
fn draw_scale(area: &Area<'_>) -> Result<()> {
    let shades = ["100 %", "10 %", "1 %", "0.1 %", "0.01 %", "≤ 0.001 %"];
    for (place, label) in (0_i32..).zip(shades) {
        let color = shade(10_f64.powi(-place));
        draw_label(area, place, color, label)?;
    }
    Ok(())
}

/// Draws a colour and its label to the right of a part; places count from the top.
fn draw_label(area: &Area<'_>, place: i32, color: RGBColor, label: &str) -> Result<()> {
    const TOP: i32 = 44;
    const STEP: i32 = 26;
    let left = (WIDTH - RIGHT + 22).cast_signed();
    let entry: LegendEntry<'_> = (&|area, place| swatch(area, place, color), label);
    draw_legend_entry(area, (left, TOP + place * STEP), &entry)
}

/// Draws the shares of won, even and lost boards.
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
    draw_label(area, 0, ORANGE, "lost")?;
    draw_label(area, 1, GREY, "even")?;
    draw_label(area, 2, BLUE, "won")
}

/// Draws the longest distance of each layer.
fn draw_distances(area: &Area<'_>, layers: &[Layer]) -> Result<()> {
    let known = || {
        layers
            .iter()
            .filter_map(|layer| Some((f64::from(layer.seeds), f64::from(layer.longest?))))
    };
    let most = known().map(|(_, plies)| plies as i32).max().unwrap_or(0);
    let y = Axis::new(0.0..f64::from(most.max(1)) * 1.1, 6);
    let title = "Longest distance to the next capture or the end";
    let mut chart = chart(area, layers, title, y, "plies")?;
    chart.draw_series(LineSeries::new(known(), VERMILION.stroke_width(2)))?;
    chart.draw_series(known().map(|point| Circle::new(point, 4, VERMILION.filled())))?;
    Ok(())
}
