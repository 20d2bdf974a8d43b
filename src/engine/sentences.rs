//! The end of a game and its result in words.

use super::{Ending, Game, Outcome};
use crate::rules::{Endless, Leftovers, Ruleset, StoreGame, Stores};

/// Why the game is over.
pub fn ending_sentence(game: &Game, ending: Ending) -> String {
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
            let why = game.moves().by_pit().iter().find_map(|step| match step {
                Err(why) if why.as_str() != "empty" => {
                    Some(format!(" ({})", why.named(|pit| player.letter(pit))))
                }
                _ => None,
            });
            let why = why.unwrap_or_default();
            format!("{player} has no legal move{why}: {}.", leftovers(game))
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
        Ending::Repetition => {
            let times = if game.repetitions() == 2 {
                "second"
            } else {
                "third"
            };
            let left = endless(game.rules(), left);
            format!("The position occurred for the {times} time: {left}.")
        }
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
        Endless::BySide | Endless::Open => OWN_ROW.to_owned(),
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
pub fn result_sentence(outcome: &Outcome) -> String {
    let Stores { south, north } = outcome.stores;
    match outcome.winner() {
        Some(winner) => {
            let (more, less) = (south.max(north), south.min(north));
            format!("{winner} wins {more} to {less}.")
        }
        None => format!("Drawn, {south} each."),
    }
}
