//! What is said of a game in progress and at its end, a sentence each.

use krou::engine::{Candidate, Ending, Game, Outcome, Player, Score, SearchReport, Stores, Turn};
use krou::rules::{Endless, Leftovers, Next, ROW, Ruleset, StoreGame};

/// A move that was made.
pub fn turn(turn: &Turn) -> String {
    let pit = turn.player.first_pit() + turn.step.pit;
    let captures = match turn.step.captured {
        0 => String::new(),
        captured => format!(" and captures {captured}"),
    };
    let again = match turn.step.next {
        Next::Again => ", which ends in the own store",
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
            "{player} captured {}'s last seeds and takes what is left on the board.",
            player.opponent()
        ),
        Ending::Starved(player) => format!(
            "{player} left {other} without seeds though another move would not have: \
             {other} takes every seed on the board.",
            other = player.opponent()
        ),
        Ending::EmptyRow => format!("A row is empty: {}.", leftovers(game)),
        Ending::Repetition => format!(
            "The same board came up for the third time: {}.",
            endless(game.rules(), left)
        ),
        _ => "The game is over.".to_owned(),
    }
}

const OWN_ROW: &str = "each player takes the seeds in his own row";

fn leftovers(game: &Game) -> String {
    match game.rules() {
        Ruleset::Oware(rules) if rules.leftovers == Leftovers::Nobody => {
            for_neither(game.board().seeds())
        }
        Ruleset::Stores(StoreGame::Ifmg) => "its owner takes the seeds of the other row".to_owned(),
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

/// What both have.
pub fn score(stores: Stores) -> String {
    format!("South {}, North {}", stores.south, stores.north)
}

/// A move that is a good one, and why.
pub fn hint(game: &Game, report: &SearchReport) -> String {
    let pits = pits(game, &report.pv);
    let pit = pits.first().map_or("?", String::as_str);
    let line = pits.join(" ");
    format!(
        "Hint: {pit}, worth {}. Best line: {line}.",
        worth(report.score)
    )
}

/// What each move is worth, a line each.
pub fn worths(game: &Game, candidates: &[Candidate]) -> String {
    let lines = candidates.iter().map(|candidate| {
        let pits = pits(game, &candidate.pv);
        let pit = pits.first().map_or("?", String::as_str);
        let line = pits.join(" ");
        format!("  {pit:>2}  {:<17}  {line}", worth(candidate.score))
    });
    let title = format!(
        "ProbeResult of each move to {}, and the best line:",
        game.to_move()
    );
    let lines: Vec<String> = std::iter::once(title).chain(lines).collect();
    lines.join("\n")
}

fn worth(score: Score) -> String {
    match score.is_exact() {
        true => format!("{score} (exact)"),
        false => format!("{score} (estimate)"),
    }
}

/// A line in the numbers on the board, as far as the game goes.
fn pits(game: &Game, line: &[u8]) -> Vec<String> {
    let mut game = game.clone();
    let numbers = line.iter().map_while(|&pit| {
        let turn = game.play(pit).ok()?;
        Some((turn.player.first_pit() + pit).to_string())
    });
    numbers.collect()
}

/// What can be typed.
pub fn help(player: Player) -> String {
    let first = player.first_pit();
    let range = format!("{first}-{}", first + ROW as u8 - 1);
    let lines = [
        (range.as_str(), "plays that pit"),
        (
            "h",
            "hint: a good move, what it is worth, and the best line",
        ),
        (
            "v",
            "what each move is worth: the seeds you still take less his",
        ),
        ("u", "takes your last move back"),
        (
            "s FILE",
            "saves the game; s! FILE writes over a file that is there",
        ),
        ("l FILE", "loads a game"),
        ("?", "this list"),
        ("q", "quits"),
    ];
    let lines = lines.map(|(what, does)| format!("  {what:<7} {does}"));
    lines.join("\n")
}
