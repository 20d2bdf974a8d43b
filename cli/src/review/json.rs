//! A review as JSON; `docs/review.md` describes the fields.

use anyhow::Result;
use krou::engine::{Forecast, GivenAway, Player, Stores};
use serde::Serialize;

use super::Reviewed;

#[derive(Serialize)]
struct Review {
    rules: String,
    start: String,
    south: Option<String>,
    north: Option<String>,
    moves: Vec<Move>,
    given_away: Both<Sum>,
    exact_moves: usize,
    estimated_moves: usize,
    worst: Option<usize>,
    result: Option<Both<u8>>,
}

#[derive(Serialize)]
struct Move {
    number: usize,
    player: &'static str,
    #[serde(rename = "move")]
    letter: char,
    pit: u8,
    taken: u8,
    position: String,
    best: f64,
    played: f64,
    given_away: f64,
    exact: bool,
    line: String,
    lead_before: f64,
    lead_after: f64,
    winner_before: Option<&'static str>,
    winner_after: Option<&'static str>,
    turned: bool,
}

#[derive(Serialize)]
struct Both<T> {
    south: T,
    north: T,
}

#[derive(Serialize)]
struct Sum {
    exact: f64,
    estimated: f64,
}

/// One object on one line.
pub fn answer(reviewed: &Reviewed) -> Result<String> {
    let record = reviewed.game.record();
    let plies = record.plies().zip(record.numbers()).zip(&reviewed.moves);
    let moves = plies.map(|(((before, turn), number), judged)| Move {
        number,
        player: turn.player.word(),
        letter: turn.letter(),
        pit: turn.step.pit,
        taken: turn.taken,
        position: before.position().to_string(),
        best: judged.best.seeds(),
        played: judged.played.seeds(),
        given_away: seeds(judged.given_away().into()),
        exact: judged.is_exact(),
        line: judged.pv.clone(),
        lead_before: seeds(judged.before.hundredths().into()),
        lead_after: seeds(judged.after.hundredths().into()),
        winner_before: winner(judged.before),
        winner_after: winner(judged.after),
        turned: judged.is_turning_point(),
    });
    let tag = |name| reviewed.game.tag(name).map(str::to_owned);
    let exact_moves = reviewed.exact_moves();
    let review = Review {
        rules: record.game().rules().to_string(),
        start: record.start().position().to_string(),
        south: tag("South"),
        north: tag("North"),
        moves: moves.collect(),
        given_away: both(|player| {
            let sum = GivenAway::by(player, &reviewed.moves);
            Sum {
                exact: seeds(sum.exact),
                estimated: seeds(sum.estimated),
            }
        }),
        exact_moves,
        estimated_moves: reviewed.moves.len() - exact_moves,
        worst: reviewed.worst(),
        result: record.game().outcome().map(|outcome| {
            let Stores { south, north } = outcome.stores;
            Both { south, north }
        }),
    };
    Ok(serde_json::to_string(&review)?)
}

fn both<T>(of: impl Fn(Player) -> T) -> Both<T> {
    Both {
        south: of(Player::South),
        north: of(Player::North),
    }
}

fn seeds(hundredths: i32) -> f64 {
    f64::from(hundredths) / 100.0
}

/// Who wins, or `draw`; `None` for estimates.
fn winner(forecast: Forecast) -> Option<&'static str> {
    let known = forecast.is_exact();
    known.then(|| forecast.winner().map_or("draw", Player::word))
}
