//! Charts as SVG files: fonts, colours, axes and legends.

use std::fs;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use plotters::coord::Shift;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::files::{folder_of, temporary};

/// The drawing area of a chart or a part of it.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// A chart with two numeric axes.
pub type Chart<'a> = ChartContext<'a, SVGBackend<'a>, Cartesian2d<Axis, Axis>>;

/// The viewer's default font.
pub const FONT: &str = "sans-serif";
/// Font size of titles, in the units of plotters.
pub const TITLE: u32 = 22;
/// Font size of captions and axis titles.
pub const CAPTION: u32 = 16;
/// Font size of numbers and legends.
pub const LABEL: u32 = 14;

/// Text and axes.
pub const INK: RGBColor = RGBColor(0x33, 0x33, 0x33);
/// Grid lines.
pub const GRID: RGBColor = RGBColor(0xdd, 0xdd, 0xdd);
// From the palette of Okabe and Ito, which is safe for colour-blind readers.
/// South, or wins.
pub const BLUE: RGBColor = RGBColor(0x00, 0x72, 0xb2);
/// North, or losses.
pub const ORANGE: RGBColor = RGBColor(0xe6, 0x9f, 0x00);
/// Highlights.
pub const VERMILION: RGBColor = RGBColor(0xd5, 0x5e, 0x00);
/// Neutral.
pub const GREY: RGBColor = RGBColor(0xbb, 0xbb, 0xbb);

/// An SVG file to write. It appears when it is complete.
pub struct SvgFile {
    path: PathBuf,
}

impl SvgFile {
    /// Checks that the file can be written, before the work begins.
    pub fn create(path: &Path) -> Result<SvgFile> {
        if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            bail!("cannot write {}: it is not a file", path.display());
        }
        // A file without a name: nothing is left if the program is interrupted.
        let written = tempfile::tempfile_in(folder_of(path));
        written.with_context(|| format!("cannot write {}", path.display()))?;
        Ok(SvgFile {
            path: path.to_owned(),
        })
    }

    /// Draws the chart and overwrites the file.
    pub fn draw(self, size: (u32, u32), draw: impl FnOnce(&Area<'_>) -> Result<()>) -> Result<()> {
        let mut svg = String::new();
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        area.fill(&WHITE)?;
        draw(&area)?;
        area.present()?;
        drop(area);
        let write = || -> io::Result<()> {
            let mut file = temporary(folder_of(&self.path))?;
            file.write_all(svg.as_bytes())?;
            file.persist(&self.path).map_err(|error| error.error)?;
            Ok(())
        };
        write().with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// The style of text of this size.
pub fn text(size: u32, color: RGBColor) -> TextStyle<'static> {
    (FONT, size).into_font().color(&color)
}

/// Text that is centred vertically and aligned horizontally as given.
pub fn anchored(size: u32, color: RGBColor, horizontal: HPos) -> TextStyle<'static> {
    text(size, color).pos(Pos::new(horizontal, VPos::Center))
}

/// An axis with ticks at round numbers.
pub struct Axis {
    line: RangedCoordf64,
    ticks: Vec<f64>,
}

impl Axis {
    /// An axis over this range with about `most` ticks at most.
    pub fn new(range: Range<f64>, most: i32) -> Axis {
        let ticks = ticks(range.start.ceil() as i32, range.end.floor() as i32, most);
        Axis {
            line: range.into(),
            ticks,
        }
    }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        self.line.map(value, limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.clone()
    }

    fn range(&self) -> Range<f64> {
        self.line.range()
    }
}

impl ValueFormatter<f64> for Axis {
    fn format(value: &f64) -> String {
        format!("{value:.0}")
    }
}

/// Draws the axes of a chart with their titles.
pub fn draw_axes(chart: &mut Chart<'_>, x: &str, y: &str) -> Result<()> {
    chart
        .configure_mesh()
        .disable_x_mesh()
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .axis_style(INK)
        .label_style(text(LABEL, INK))
        .axis_desc_style(text(CAPTION, INK))
        .x_desc(x)
        .y_desc(y)
        .draw()?;
    Ok(())
}

/// An entry of a legend: draws a symbol around a point, and its label.
pub type LegendEntry<'m> = (&'m dyn Fn(&Area<'_>, (i32, i32)) -> Result<()>, &'m str);

/// Distance from the centre of a symbol to its label.
const GAP: i32 = 14;

/// Draws a legend entry at this point.
pub fn draw_legend_entry(
    area: &Area<'_>,
    (x, y): (i32, i32),
    entry: &LegendEntry<'_>,
) -> Result<()> {
    let (symbol, label) = entry;
    symbol(area, (x, y))?;
    area.draw_text(label, &anchored(LABEL, INK, HPos::Left), (x + GAP, y))?;
    Ok(())
}

/// Draws legend entries in one line that begins at this point.
pub fn draw_legend_line(
    area: &Area<'_>,
    (x, y): (i32, i32),
    entries: &[LegendEntry<'_>],
) -> Result<()> {
    /// Average width of a letter.
    const LETTER: i32 = 6;
    let mut x = x;
    for entry in entries {
        draw_legend_entry(area, (x, y), entry)?;
        let letters = i32::try_from(entry.1.chars().count())?;
        x += GAP + letters * LETTER + 2 * GAP;
    }
    Ok(())
}

/// A filled square of a colour.
pub fn swatch(area: &Area<'_>, (x, y): (i32, i32), color: RGBColor) -> Result<()> {
    area.draw(&Rectangle::new(
        [(x - 6, y - 6), (x + 6, y + 6)],
        color.filled(),
    ))?;
    Ok(())
}

/// At most `most` round numbers from `from` to `to`, for the ticks of an axis.
fn ticks(from: i32, to: i32, most: i32) -> Vec<f64> {
    let steps = (0..).flat_map(|zeros| [1, 2, 5].map(|step| step * 10_i32.pow(zeros)));
    let step = steps
        .take(27)
        .find(|step| (to - from) / step < most)
        .unwrap_or(i32::MAX);
    let first = from.div_euclid(step) + i32::from(from.rem_euclid(step) > 0);
    (first..=to.div_euclid(step))
        .map(|i| f64::from(i * step))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(ticks(0, 4, 5), [0.0, 1.0, 2.0, 3.0, 4.0]);
        assert_eq!(ticks(-7, 9, 6), [-5.0, 0.0, 5.0]);
        assert_eq!(
            ticks(0, 48, 12),
            [0.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 35.0, 40.0, 45.0]
        );
        assert_eq!(ticks(3, 3, 5), [3.0]);
        for to in 0..3000 {
            let ticks = ticks(-to, to, 12);
            assert!(ticks.len() <= 13 && ticks.contains(&0.0), "{to}: {ticks:?}");
        }
    }
}
