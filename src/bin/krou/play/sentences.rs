//! Sentences about a game: moves, hints, the end and the result.

use krou::engine::{Candidate, Ending, Game, Outcome, Player, Score, SearchReport, Stores, Turn};
use krou::rules::{Endless, Leftovers, Next, ROW, Ruleset, StoreGame};

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

/// Why the game is over.
pub fn ending(game: &Game, ending: Ending) -> String {
    let left = game.board().seeds();
    match ending {
        Ending::Majority(player) => {
            let (own, all) = (game.stores().of(player), game.total());
            format!("{player} has more than half of the seeds: {own} of {all}.")
        }
        Ending::NoLegalMove(player) if left == 0 => {
            format!("{player} has no legal move: the board is empty.")
        }
        Ending::NoLegalMove(player) => {
            format!("{player} has no legal move: {}.", leftovers(game))
        }
        Ending::GrandSlam(player) => format!(
            "{player} captured {}'s last seeds and takes the seeds left on the board.",
            player.opponent()
        ),
        Ending::Starved(player) => format!(
            "{player} left {other} without seeds although another move would not have: \
             {other} takes every seed on the board.",
            other = player.opponent()
        ),
        Ending::EmptyRow => format!("A row is empty: {}.", leftovers(game)),
        Ending::Repetition => format!(
            "The position occurred for the third time: {}.",
            endless(game.rules(), left)
        ),
        _ => "The game is over.".to_owned(),
    }
}

const OWN_ROW: &str = "each player takes the seeds in their own row";

fn leftovers(game: &Game) -> String {
    match game.rules() {
        Ruleset::Oware(rules) if rules.leftovers == Leftovers::Nobody => {
            for_neither(game.board().seeds())
        }
        Ruleset::Stores(StoreGame::Ifmg) => {
            "the owner of the empty row takes the seeds of the other row".to_owned()
        }
        _ => OWN_ROW.to_owned(),
    }
}

fn endless(rules: Ruleset, left: u8) -> String {
    let Ruleset::Oware(rules) = rules else {
        return for_neither(left);
    };
    match rules.endless {
        Endless::Even if left.is_multiple_of(2) => {
            format!("the {left} seeds left are shared evenly")
        }
        Endless::Even => {
            format!("the {left} seeds left are shared evenly, and the odd one counts for neither")
        }
        Endless::BySide => OWN_ROW.to_owned(),
        _ => for_neither(left),
    }
}

fn for_neither(left: u8) -> String {
    match left {
        1 => "the last seed counts for neither".to_owned(),
        _ => format!("the {left} seeds left count for neither"),
    }
}

/// The final score and the winner.
pub fn result(outcome: &Outcome) -> String {
    let Stores { south, north } = outcome.stores;
    match outcome.winner() {
        Some(winner) => {
            let (more, less) = (south.max(north), south.min(north));
            format!("{winner} wins {more} to {less}.")
        }
        None => format!("Drawn, {south} each."),
    }
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
pub fn values(game: &Game, candidates: &[Candidate]) -> String {
    let lines = candidates.iter().map(|candidate| {
        let pits = pits(game, &candidate.pv);
        let pit = pits.first().map_or("?", String::as_str);
        let line = pits.join(" ");
        format!("  {pit:>2}  {:<17}  {line}", value(candidate.score))
    });
    let title = format!(
        "Value of each move for {}, and the best line:",
        game.to_move()
    );
    let lines: Vec<String> = std::iter::once(title).chain(lines).collect();
    lines.join("\n")
}

fn value(score: Score) -> String {
    match score.is_exact() {
        true => format!("{score} (exact)"),
        false => format!("{score} (estimate)"),
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
