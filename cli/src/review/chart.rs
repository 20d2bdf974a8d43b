//! The chart of a review: the expected final lead after each move.

use anyhow::Result;
use krou::engine::{Forecast, ReviewedMove};
use krou::rules::Ruleset;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::svg::{
    Area, Axis, BLUE, CAPTION, Chart, GREY, INK, ORANGE, SvgFile, TITLE, VERMILION, draw_axes,
    draw_legend_line, text,
};

const SIZE: (u32, u32) = (800, 420);
/// Height of title and legend.
const HEAD: u32 = 64;
/// Radius of a point.
const POINT: i32 = 4;

/// Draws a reviewed game of at least one move; `names` are the names of the moves.
pub fn draw(file: SvgFile, rules: Ruleset, moves: &[ReviewedMove], names: &[String]) -> Result<()> {
    file.draw(SIZE, |area| {
        let title = format!("{rules}: final lead with best play from each position");
        area.draw_text(&title, &text(TITLE, INK), (16, 12))?;
        draw_legend(area)?;
        let (_, area) = area.split_vertically(HEAD);
        draw_game(&area, &moments(moves, names))
    })
}

fn draw_legend(area: &Area<'_>) -> Result<()> {
    let place = (26, HEAD.cast_signed() - 12);
    draw_legend_line(
        area,
        place,
        &[
            (
                &|area, place| Ok(area.draw(&point(place, true, false))?),
                "exact",
            ),
            (
                &|area, place| Ok(area.draw(&point(place, false, false))?),
                "estimate",
            ),
            (
                &|area, place| Ok(area.draw(&point(place, true, true))?),
                "after a move that gave seeds away",
            ),
            (
                &|area, place| Ok(area.draw(&turn(place))?),
                "the winner changed",
            ),
        ],
    )
}

/// A filled circle for an exact value, a hollow one for an estimate.
fn point<C>(place: C, exact: bool, gave_away: bool) -> Circle<C, i32> {
    let color = if gave_away { VERMILION } else { INK };
    let style = match exact {
        true => color.filled(),
        false => color.stroke_width(1),
    };
    Circle::new(place, POINT, style)
}

/// The mark of a turning point.
fn turn<C>(place: C) -> Circle<C, i32> {
    Circle::new(place, 2 * POINT, VERMILION.stroke_width(2))
}

/// The expected result after a number of moves.
struct Moment<'n> {
    made: f64,
    lead: f64,
    exact: bool,
    gave_away: bool,
    /// The name of a move that changed the winner, and whether South's lead fell.
    turned: Option<(&'n str, bool)>,
}

impl Moment<'_> {
    fn place(&self) -> (f64, f64) {
        (self.made, self.lead)
    }
}

fn seeds(forecast: Forecast) -> f64 {
    f64::from(forecast.hundredths()) / 100.0
}

/// The start, and the position after each move.
fn moments<'n>(moves: &[ReviewedMove], names: &'n [String]) -> Vec<Moment<'n>> {
    let start = moves.first().map(|first| Moment {
        made: 0.0,
        lead: seeds(first.before),
        exact: first.before.is_exact(),
        gave_away: false,
        turned: None,
    });
    let after = (1_u32..).zip(moves.iter().zip(names));
    let after = after.map(|(made, (judged, name))| Moment {
        made: f64::from(made),
        lead: seeds(judged.after),
        exact: judged.after.is_exact(),
        gave_away: judged.given_away() > 0,
        turned: judged
            .is_turning_point()
            .then_some((name, judged.after.hundredths() < judged.before.hundredths())),
    });
    start.into_iter().chain(after).collect()
}

fn draw_game(area: &Area<'_>, moments: &[Moment<'_>]) -> Result<()> {
    let last = moments.last().map_or(0.0, |moment| moment.made) + 0.5;
    // The zero line is always visible, and there is room for labels.
    let leads = || moments.iter().map(|moment| moment.lead);
    let (low, high) = (leads().fold(-1.0, f64::min), leads().fold(1.0, f64::max));
    let room = 1.0 + (high - low) / 10.0;
    let (low, high) = (low - room, high + room);
    let mut chart = ChartBuilder::on(area)
        .margin(8)
        .margin_right(20)
        .x_label_area_size(44)
        .y_label_area_size(56)
        .build_cartesian_2d(Axis::new(0.0..last, 16), Axis::new(low..high, 10))?;
    let half =
        |lead, color: RGBColor| Rectangle::new([(0.0, 0.0), (last, lead)], color.mix(0.1).filled());
    chart.draw_series([half(high, BLUE), half(low, ORANGE)])?;
    draw_axes(&mut chart, "moves made", "South's final lead, seeds")?;
    let label = |text: &'static str, lead, vertical| {
        let corner = (last * 0.99, lead * 0.99);
        Text::new(text, corner, style(HPos::Right, vertical))
    };
    chart.draw_series([
        label("South wins", high, VPos::Top),
        label("North wins", low, VPos::Bottom),
    ])?;
    let even = [(0.0, 0.0), (last, 0.0)];
    chart.draw_series([PathElement::new(even, INK.stroke_width(1))])?;
    draw_moments(&mut chart, moments)
}

fn draw_moments(chart: &mut Chart<'_>, moments: &[Moment<'_>]) -> Result<()> {
    let places = moments.iter().map(Moment::place);
    chart.draw_series(LineSeries::new(places, GREY.stroke_width(2)))?;
    let points = moments.iter();
    chart.draw_series(points.map(|m| point(m.place(), m.exact, m.gave_away)))?;
    let turned = || moments.iter().filter(|moment| moment.turned.is_some());
    chart.draw_series(turned().map(|moment| turn(moment.place())))?;
    // Names that would overlap are left out.
    let room = moments.last().map_or(0.0, |moment| moment.made) / 18.0;
    let mut last = f64::NEG_INFINITY;
    chart.draw_series(moments.iter().filter_map(|moment| {
        let (name, fell) = moment.turned.filter(|_| moment.made - last >= room)?;
        last = moment.made;
        // On the side away from the line.
        let (below, vertical) = match fell {
            true => (12, VPos::Top),
            false => (-12, VPos::Bottom),
        };
        let name = Text::new(name.to_owned(), (0, below), style(HPos::Center, vertical));
        Some(EmptyElement::at(moment.place()) + name)
    }))?;
    Ok(())
}

fn style(horizontal: HPos, vertical: VPos) -> TextStyle<'static> {
    text(CAPTION, INK).pos(Pos::new(horizontal, vertical))
}
