//! The chart of `krou review --plot`: the expected final lead after each move.

use krou::engine::{Ending, ReviewedMove};
use krou::rules::Ruleset;

use super::{CAPTION, END, GREY, INK, MIDDLE, Picture, Plot, Point, Style, VERMILION};

const WIDTH: u32 = 800;
const HEIGHT: u32 = 420;
/// Height of title and legend.
const HEAD: f64 = 64.0;
/// Where South wins.
const LIGHT_BLUE: &str = "#e5f1f7";
/// Where North wins.
const LIGHT_ORANGE: &str = "#fdf5e5";
/// Radius of a point.
const POINT: f64 = 4.0;

/// The expected result after a number of moves.
struct Moment<'n> {
    made: f64,
    lead: f64,
    exact: bool,
    gave_away: bool,
    /// Whether the move won a majority.
    decides: bool,
    /// The name of a move that changed the winner, and whether South's lead fell.
    turned: Option<(&'n str, bool)>,
}

/// Draws a reviewed game of at least one move.
pub fn draw(rules: Ruleset, moves: &[ReviewedMove]) -> String {
    let title = format!("{rules}: final lead with best play from each position");
    let mut picture = Picture::new(WIDTH, HEIGHT, &title);
    draw_legend(&mut picture);
    draw_game(&mut picture, &moments(moves));
    picture.svg()
}

fn draw_legend(picture: &mut Picture) {
    let y = HEAD - 12.0;
    for (x, style, radius, label) in [
        (26.0, point_style(true, false), POINT, "exact"),
        (102.0, point_style(false, false), POINT, "estimate"),
        (
            196.0,
            point_style(true, true),
            POINT,
            "after a move that gave seeds away",
        ),
        (430.0, TURN, 2.0 * POINT, "the winner changed"),
    ] {
        picture.circle((x, y), radius, style);
        picture.label((x, y), label);
    }
}

/// The mark of a turning point.
const TURN: Style = Style::Outline(VERMILION, 2);

/// Points are filled for exact values and hollow for estimates.
fn point_style(exact: bool, gave_away: bool) -> Style {
    let color = if gave_away { VERMILION } else { INK };
    if exact {
        Style::Filled(color)
    } else {
        Style::Outline(color, 1)
    }
}

/// The start, and the position after each move.
fn moments(moves: &[ReviewedMove]) -> Vec<Moment<'_>> {
    let start = moves.first().map(|first| Moment {
        made: 0.0,
        lead: first.before.seeds(),
        exact: first.before.is_exact(),
        gave_away: false,
        decides: false,
        turned: None,
    });
    let after = (1_u32..).zip(moves);
    let after = after.map(|(made, judged)| Moment {
        made: f64::from(made),
        lead: judged.after.seeds(),
        exact: judged.after.is_exact(),
        gave_away: judged.given_away() > 0,
        decides: matches!(judged.ending, Some(Ending::Majority(_))),
        turned: judged.is_turning_point().then_some((
            &judged.name,
            judged.after.hundredths() < judged.before.hundredths(),
        )),
    });
    start.into_iter().chain(after).collect()
}

fn draw_game(picture: &mut Picture, moments: &[Moment<'_>]) {
    let made = moments.last().map_or(0.0, |moment| moment.made);
    let last = made + 0.5;
    // The zero line is always visible, and there is room for labels.
    let leads = || moments.iter().map(|moment| moment.lead);
    let (low, high) = (leads().fold(-1.0, f64::min), leads().fold(1.0, f64::max));
    let room = 1.0 + (high - low) / 10.0;
    let (low, high) = (low - room, high + room);
    let mut plot = Plot {
        picture,
        left: 64.0,
        right: f64::from(WIDTH) - 20.0,
        top: HEAD + 8.0,
        bottom: f64::from(HEIGHT) - 52.0,
        x: 0.0..last,
        y: low..high,
    };
    plot.rectangle((0.0, 0.0), (last, high), LIGHT_BLUE);
    plot.rectangle((0.0, 0.0), (last, low), LIGHT_ORANGE);
    plot.axes("moves made", 16, "South's final lead, seeds", 10);
    plot.line([(0.0, 0.0), (last, 0.0)], INK, 1);
    let right = plot.right - 8.0;
    for (y, text) in [
        (plot.top + 12.0, "South wins"),
        (plot.bottom - 12.0, "North wins"),
    ] {
        plot.picture.text((right, y), CAPTION, END, text);
    }
    if let Some(moment) = moments.iter().find(|moment| moment.decides) {
        plot.line([(moment.made, low), (moment.made, high)], GREY, 1);
        let (x, y) = plot.place((moment.made, low));
        plot.picture
            .text((x - 6.0, y - 12.0), CAPTION, END, "decided");
    }
    let points = moments.iter().map(|moment| (moment.made, moment.lead));
    plot.line(points, GREY, 2);
    let mut named = f64::NEG_INFINITY;
    for moment in moments {
        let (x, y): Point = plot.place((moment.made, moment.lead));
        let style = point_style(moment.exact, moment.gave_away);
        plot.picture.circle((x, y), POINT, style);
        let Some((name, fell)) = moment.turned else {
            continue;
        };
        plot.picture.circle((x, y), 2.0 * POINT, TURN);
        // Names that would overlap are left out.
        if moment.made - named >= made / 18.0 {
            named = moment.made;
            // On the side away from the line.
            let y = if fell { y + 18.0 } else { y - 18.0 };
            plot.picture.text((x, y), CAPTION, MIDDLE, name);
        }
    }
}
