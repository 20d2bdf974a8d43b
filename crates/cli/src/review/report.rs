//! A review as text, at most 80 columns wide.

use krou::engine::{Ending, Forecast, PlayerReview, ReviewedMove, result_sentence};
use krou::rules::{Board, Player, Position};

use super::Reviewed;
use crate::messages::one_line;

/// The mark of an estimate.
const ESTIMATE: &str = "~";

/// Head, moves and summary.
pub fn text(reviewed: &Reviewed) -> String {
    let mut text = head(reviewed);
    text += &row(["move", "lead", "gave", "turn", "better"]);
    for judged in &reviewed.review.moves {
        let taken = match judged.turn.taken {
            0 => String::new(),
            taken => format!("+{taken}"),
        };
        let better = match judged.given_away() {
            0 => "",
            _ => &judged.pv,
        };
        text += &row([
            &format!("{}{taken}", judged.name),
            &lead(judged.after),
            &gave(judged),
            &marks(judged),
            better,
        ]);
    }
    text + "\n" + &summary(reviewed)
}

fn row([name, lead, gave, turn, better]: [&str; 5]) -> String {
    let line = format!("{name:<10} {lead:>8} {gave:>7}  {turn:<22} {better}");
    format!("{}\n", line.trim_end())
}

/// The ruleset, the players, and how far the tables reach.
fn head(reviewed: &Reviewed) -> String {
    let record = reviewed.game.record();
    let player = |player: Player| {
        let name = reviewed.game.tag(match player {
            Player::South => "South",
            Player::North => "North",
        });
        let name = name.filter(|name| !["", "?"].contains(name));
        name.map_or_else(
            || player.to_string(),
            |name| {
                let short: String = one_line(name).chars().take(20).collect();
                format!("{short} ({player})")
            },
        )
    };
    let rules = record.game().rules();
    let (south, north) = (player(Player::South), player(Player::North));
    let mut text = format!("{rules}: {south} against {north}\n");
    if record.start().position() != Position::from(Board::START) {
        text += &format!("from {}\n", record.start().position());
    }
    text += "lead: South's final seeds minus North's with best play from there\n";
    if reviewed.review.estimated_moves > 0 {
        let tables = match reviewed.layers.last() {
            Some(seeds) => format!("the tables reach up to {seeds} seeds"),
            None => "there are no tables".to_owned(),
        };
        text += &format!("{tables}; {ESTIMATE} marks estimates\n");
    }
    text + "\n"
}

/// `+3`, or `~+2.85` for an estimate.
fn lead(forecast: Forecast) -> String {
    let hundredths = forecast.hundredths();
    match (forecast.is_exact(), hundredths) {
        (true, 0) => "0".to_owned(),
        (true, _) => format!("{:+}", hundredths / 100),
        (false, _) => format!("{ESTIMATE}{:+.2}", f64::from(hundredths) / 100.0),
    }
}

/// `2`, or `~1.25` for an estimate; empty if nothing was given away.
fn gave(judged: &ReviewedMove) -> String {
    match (judged.is_exact(), judged.given_away()) {
        (_, 0) => String::new(),
        (true, hundredths) => (hundredths / 100).to_string(),
        (false, hundredths) => format!("{ESTIMATE}{:.2}", f64::from(hundredths) / 100.0),
    }
}

/// What the move changed: the winner, and that the game is decided.
fn marks(judged: &ReviewedMove) -> String {
    let decided = match judged.ending {
        Some(Ending::Majority(winner)) => Some(format!("{winner} has won")),
        _ => None,
    };
    let turned = judged.is_turning_point().then(|| turned(judged));
    let marks: Vec<String> = turned.into_iter().chain(decided).collect();
    marks.join(", ")
}

/// The change of winner, from the mover's view.
fn turned(judged: &ReviewedMove) -> String {
    let player = judged.turn.player;
    let word = |forecast: Forecast| match forecast.winner() {
        None => "drawn",
        Some(winner) if winner == player => "won",
        Some(_) => "lost",
    };
    format!("{player}: {} > {}", word(judged.before), word(judged.after))
}

fn summary(reviewed: &Reviewed) -> String {
    let review = &reviewed.review;
    let mut text = lesson(Player::South, &review.players.south);
    text += &lesson(Player::North, &review.players.north);
    if !review.key_moments.is_empty() {
        text += "Key moments:\n";
    }
    for &place in &review.key_moments {
        let judged = &review.moves[place];
        let seeds = gave(judged);
        let unit = if seeds == "1" { "seed" } else { "seeds" };
        let better = judged.pv.chars().next().unwrap_or_default();
        let name = &judged.name;
        text += &format!("  {name:<8} gave away {seeds} {unit}; {better} is better\n");
    }
    let (exact, all) = (review.exact_moves, review.moves.len());
    text += &match review.estimated_moves {
        0 => format!("All {all} moves are exact.\n"),
        estimates => format!("{exact} of {all} moves are exact, {estimates} estimates.\n"),
    };
    if let Some(outcome) = reviewed.game.record().game().outcome() {
        text += &format!("{}\n", result_sentence(&outcome));
    }
    text
}

/// How well a player played.
fn lesson(player: Player, review: &PlayerReview) -> String {
    let (Some(accuracy), Some(loss)) = (review.accuracy, review.average_loss) else {
        return format!("{player} had no choice in any move.\n");
    };
    let found = match review.only_moves {
        0 => String::new(),
        all => format!(", {} of {all} only moves found", review.only_moves_found),
    };
    format!("{player}: accuracy {accuracy:.1} %, {loss:.2} seeds lost a move{found}.\n")
}
