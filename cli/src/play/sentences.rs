//! Sentences about a game in progress: moves, scores and hints.

use krou::engine::{Game, Player, Score, SearchLine, SearchReport, Stores, Turn};
use krou::rules::{Next, ROW};

/// A move.
pub fn turn(turn: &Turn) -> String {
    let pit = turn.player.first_pit() + turn.step.pit;
    let captures = match turn.step.captured {
        0 => String::new(),
        captured => format!(" and captures {captured}"),
    };
    let again = match turn.step.next {
        Next::Again => " and moves again",
        Next::Opponent | Next::Over => "",
    };
    format!("{} plays {pit}{captures}{again}.", turn.player)
}

/// The score of both players.
pub fn score(stores: Stores) -> String {
    format!("South {}, North {}", stores.south, stores.north)
}

/// The best move, its value and the principal variation.
pub fn hint(game: &Game, report: &SearchReport) -> String {
    let pits = pits(game, &report.pv);
    let pit = pits.first().map_or("?", String::as_str);
    let line = pits.join(" ");
    format!(
        "Hint: {pit}, value {}. Best line: {line}.",
        value(report.score)
    )
}

/// The value of each move, one line each.
pub fn values(game: &Game, lines: &[SearchLine]) -> String {
    let lines = lines.iter().map(|found| {
        let pits = pits(game, &found.pv);
        let pit = pits.first().map_or("?", String::as_str);
        let line = pits.join(" ");
        format!("  {pit:>2}  {:<17}  {line}", value(found.score))
    });
    let title = format!(
        "Value of each move for {}, and the best line:",
        game.to_move()
    );
    let lines: Vec<String> = std::iter::once(title).chain(lines).collect();
    lines.join("\n")
}

fn value(score: Score) -> String {
    if score.is_exact() {
        format!("{score} (exact)")
    } else {
        format!("{score} (estimate)")
    }
}

/// A line as pit numbers of the drawing, up to the end of the game.
fn pits(game: &Game, line: &[u8]) -> Vec<String> {
    let mut game = game.clone();
    let numbers = line.iter().map_while(|&pit| {
        let turn = game.play(pit).ok()?;
        Some((turn.player.first_pit() + pit).to_string())
    });
    numbers.collect()
}

/// The list of commands.
pub fn help(player: Player) -> String {
    let first = player.first_pit();
    let range = format!("{first}-{}", first + ROW as u8 - 1);
    let lines = [
        (range.as_str(), "plays that pit"),
        ("h", "hint: the best move, its value and the best line"),
        (
            "v",
            "values of all moves: seeds you will still capture minus those of\n          your opponent",
        ),
        ("u", "takes back your last move"),
        (
            "s FILE",
            "saves the game; s! FILE overwrites an existing file",
        ),
        ("l FILE", "loads a game"),
        ("?", "this list"),
        ("q", "quits"),
    ];
    let lines = lines.map(|(what, does)| format!("  {what:<7} {does}"));
    lines.join("\n")
}
