//! The charts of the program, as the text of SVG files: shapes and text, plots with two
//! numeric axes, and what is drawn with them.

pub mod review;
pub mod stats;

use std::fmt::Write as _;
use std::ops::Range;

/// Font sizes of titles, of captions and names of axes, and of numbers and legends.
const TITLE: u32 = 17;
const CAPTION: u32 = 13;
const LABEL: u32 = 11;

/// Text and axes.
const INK: &str = "#333333";
/// Grid lines.
const GRID: &str = "#dddddd";
// From the palette of Okabe and Ito, which is safe for colour-blind readers.
/// South, or wins.
const BLUE: &str = "#0072b2";
/// North, or losses.
const ORANGE: &str = "#e69f00";
/// Highlights.
const VERMILION: &str = "#d55e00";
/// Neutral.
const GREY: &str = "#bbbbbb";
/// Where the reader prefers dark pictures, light and dark change places, and hues stay.
const DARK: &str =
    "@media (prefers-color-scheme: dark) { svg { filter: invert(0.9) hue-rotate(180deg) } }";

/// A place in a picture or in a plot: to the right, and down or up.
type Point = (f64, f64);

// Which end of a text is at its place.
const START: &str = "start";
const MIDDLE: &str = "middle";
const END: &str = "end";

/// The fill or the outline of a circle.
#[derive(Clone, Copy)]
enum Style {
    Filled(&'static str),
    Outline(&'static str, u32),
}

/// Shapes on a white background.
struct Picture {
    title: String,
    width: u32,
    height: u32,
    shapes: String,
}

impl Picture {
    /// A picture with a title.
    fn new(width: u32, height: u32, title: &str) -> Picture {
        let mut picture = Picture {
            title: escaped(title),
            width,
            height,
            shapes: String::new(),
        };
        picture.rectangle((0.0, 0.0), (width.into(), height.into()), "#ffffff");
        picture.text((16.0, 28.0), TITLE, START, title);
        picture
    }

    fn svg(&self) -> String {
        let Picture {
            title,
            width,
            height,
            shapes,
        } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" role=\"img\">\n\
             <title>{title}</title>\n<style>{DARK}</style>\n{shapes}</svg>\n"
        )
    }

    /// Adds an element. Writing to a string cannot fail.
    fn add(&mut self, element: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.shapes, "{element}");
    }

    /// A filled rectangle between two opposite corners.
    fn rectangle(&mut self, (x1, y1): Point, (x2, y2): Point, fill: &str) {
        let (x, y) = (x1.min(x2), y1.min(y2));
        let (width, height) = ((x2 - x1).abs(), (y2 - y1).abs());
        self.add(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
             fill=\"{fill}\"/>"
        ));
    }

    fn line(&mut self, places: impl IntoIterator<Item = Point>, color: &str, width: u32) {
        let mut points = String::new();
        for (x, y) in places {
            let _ = write!(points, "{x:.1},{y:.1} ");
        }
        self.add(format_args!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\"/>",
            points.trim_end()
        ));
    }

    fn circle(&mut self, (x, y): Point, radius: f64, style: Style) {
        let style = match style {
            Style::Filled(color) => format!("fill=\"{color}\""),
            Style::Outline(color, width) => {
                format!("fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\"")
            }
        };
        self.add(format_args!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" {style}/>"
        ));
    }

    /// Text whose vertical middle is at this place.
    fn text(&mut self, (x, y): Point, size: u32, anchor: &str, text: &str) {
        let text = escaped(text);
        self.add(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" text-anchor=\"{anchor}\" \
             dominant-baseline=\"central\" fill=\"{INK}\">{text}</text>"
        ));
    }

    /// A label to the right of a symbol at this place.
    fn label(&mut self, (x, y): Point, label: &str) {
        self.text((x + 14.0, y), LABEL, START, label);
    }
}

/// Text as XML has it.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// A part of a picture with two numeric axes.
struct Plot<'p> {
    picture: &'p mut Picture,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    x: Range<f64>,
    y: Range<f64>,
}

impl Plot<'_> {
    /// The place of a point of the plot in the picture.
    fn place(&self, (x, y): Point) -> Point {
        let across = (x - self.x.start) / (self.x.end - self.x.start);
        let up = (y - self.y.start) / (self.y.end - self.y.start);
        (
            self.left + across * (self.right - self.left),
            self.bottom - up * (self.bottom - self.top),
        )
    }

    /// Draws the axes with their names, each with about as many numbers, and a grid.
    fn axes(&mut self, x_name: &str, most_x: i32, y_name: &str, most_y: i32) {
        let (left, right, top, bottom) = (self.left, self.right, self.top, self.bottom);
        for tick in ticks(&self.y, most_y) {
            let (_, y) = self.place((self.x.start, tick));
            self.picture.line([(left, y), (right, y)], GRID, 1);
            let number = format!("{tick:.0}");
            self.picture.text((left - 8.0, y), LABEL, END, &number);
        }
        for tick in ticks(&self.x, most_x) {
            let (x, _) = self.place((tick, self.y.start));
            self.picture.line([(x, bottom), (x, bottom + 4.0)], INK, 1);
            let number = format!("{tick:.0}");
            self.picture
                .text((x, bottom + 13.0), LABEL, MIDDLE, &number);
        }
        self.picture
            .line([(left, top), (left, bottom), (right, bottom)], INK, 1);
        let middle = f64::midpoint(left, right);
        self.picture
            .text((middle, bottom + 32.0), CAPTION, MIDDLE, x_name);
        let (x, y) = (left - 42.0, f64::midpoint(top, bottom));
        self.picture
            .add(format_args!("<g transform=\"rotate(-90 {x:.1} {y:.1})\">"));
        self.picture.text((x, y), CAPTION, MIDDLE, y_name);
        self.picture.add(format_args!("</g>"));
    }

    /// A filled rectangle between two points of the plot.
    fn rectangle(&mut self, from: Point, to: Point, fill: &str) {
        let (from, to) = (self.place(from), self.place(to));
        self.picture.rectangle(from, to, fill);
    }

    fn line(&mut self, points: impl IntoIterator<Item = Point>, color: &str, width: u32) {
        let places: Vec<Point> = points.into_iter().map(|point| self.place(point)).collect();
        self.picture.line(places, color, width);
    }
}

/// At most about `most` round numbers in a range, for an axis.
fn ticks(range: &Range<f64>, most: i32) -> Vec<f64> {
    let (from, to) = (range.start.ceil() as i32, range.end.floor() as i32);
    let steps = (0..9).flat_map(|zeros| [1, 2, 5].map(|step| step * 10_i32.pow(zeros)));
    let mut steps = steps.filter(|step| (to - from) / step < most);
    let step = steps.next().unwrap_or(i32::MAX);
    let first = from.div_euclid(step) + i32::from(from.rem_euclid(step) > 0);
    let ticks = first..=to.div_euclid(step);
    ticks.map(|i| f64::from(i * step)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(ticks(&(0.0..4.0), 5), [0.0, 1.0, 2.0, 3.0, 4.0]);
        assert_eq!(ticks(&(-7.5..9.9), 6), [-5.0, 0.0, 5.0]);
        assert_eq!(
            ticks(&(0.0..48.0), 12),
            [0.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 35.0, 40.0, 45.0]
        );
        assert_eq!(ticks(&(2.5..3.5), 5), [3.0]);
        for to in 0..3000 {
            let to = f64::from(to);
            let ticks = ticks(&(-to..to), 12);
            assert!(ticks.len() <= 13 && ticks.contains(&0.0), "{to}: {ticks:?}");
        }
    }
}
