//! Values between bounds in words: what the mover takes, and how the game ends.

use krou::rules::{Bounds, Position, Ruleset};
use krou_answers::Verdict;

use crate::boards::signed;

/// What the mover of a board takes more than the opponent, such as `the mover takes 2 to 4
/// seeds more (+2 to +4)`. If all of it goes to one side, the sentence is about that side;
/// the numbers in parentheses are always the mover's.
pub fn taken(bounds: Bounds) -> String {
    let numbers = match bounds.exact() {
        Some(0) => return "even".to_owned(),
        Some(value) => signed(value),
        None => range(bounds),
    };
    let side = |side: &str, bounds: Bounds| {
        let amount = amount(bounds);
        format!("{side} {amount} more ({numbers})")
    };
    match Verdict::new(0, bounds) {
        Verdict::Loses | Verdict::DrawsOrLoses => side("the opponent takes", bounds.of_opponent()),
        Verdict::Wins | Verdict::WinsOrDraws | Verdict::Draws => side("the mover takes", bounds),
        Verdict::Open => format!(
            "the mover takes between {} less and {} more ({numbers})",
            -i16::from(bounds.lower),
            bounds.upper
        ),
    }
}

/// What decides between bounds that differ.
pub fn depends(rules: Ruleset) -> &'static str {
    if rules.counts_loops() {
        "depending on where a repetition is stopped"
    } else {
        "depending on what a repetition is worth"
    }
}

/// Bounds for the mover: `+2 to +4`.
pub fn range(bounds: Bounds) -> String {
    format!("{} to {}", signed(bounds.lower), signed(bounds.upper))
}

/// How the game ends with the stores of a position, such as `South wins by 2 to 4 seeds`; the
/// value of its board has these bounds.
pub fn ending(position: &Position, bounds: Bounds) -> String {
    let (mover, opponent) = (position.to_move, position.to_move.opponent());
    let [own, other] = [mover, opponent].map(|player| position.stores.of(player));
    let lead = own.cast_signed() - other.cast_signed();
    let leads = Bounds {
        lower: lead + bounds.lower,
        upper: lead + bounds.upper,
    };
    let wins = |leads| format!("wins by {}", amount(leads));
    match Verdict::new(lead, bounds) {
        Verdict::Draws => "a draw".to_owned(),
        Verdict::Wins => format!("{mover} {}", wins(leads)),
        Verdict::Loses => format!("{opponent} {}", wins(leads.of_opponent())),
        Verdict::WinsOrDraws => format!("{mover} {} or draws", wins(leads)),
        Verdict::DrawsOrLoses => format!("{opponent} {} or draws", wins(leads.of_opponent())),
        Verdict::Open => format!(
            "{mover} ends between {} behind and {} ahead",
            seeds(-leads.lower),
            leads.upper
        ),
    }
}

/// A number of seeds from 0 on between bounds: `3 seeds`, `2 to 4 seeds`, `up to 4 seeds`.
fn amount(bounds: Bounds) -> String {
    let most = seeds(bounds.upper);
    match (bounds.lower, bounds.exact()) {
        (_, Some(_)) => most,
        (0, None) => format!("up to {most}"),
        (least, None) => format!("{least} to {most}"),
    }
}

fn seeds(number: i8) -> String {
    if number == 1 {
        "1 seed".to_owned()
    } else {
        format!("{number} seeds")
    }
}

#[cfg(test)]
mod tests {
    use krou::rules::{Board, Player, Stores};

    use super::*;

    const fn between(lower: i8, upper: i8) -> Bounds {
        Bounds { lower, upper }
    }

    #[test]
    fn taken_seeds_are_told_for_the_side_that_takes_them() {
        for (bounds, text) in [
            (between(0, 0), "even"),
            (between(1, 1), "the mover takes 1 seed more (+1)"),
            (between(-4, -4), "the opponent takes 4 seeds more (-4)"),
            (
                between(2, 4),
                "the mover takes 2 to 4 seeds more (+2 to +4)",
            ),
            (
                between(-3, -1),
                "the opponent takes 1 to 3 seeds more (-3 to -1)",
            ),
            (between(0, 1), "the mover takes up to 1 seed more (0 to +1)"),
            (
                between(-2, 0),
                "the opponent takes up to 2 seeds more (-2 to 0)",
            ),
            (
                between(-2, 4),
                "the mover takes between 2 less and 4 more (-2 to +4)",
            ),
        ] {
            assert_eq!(taken(bounds), text);
        }
    }

    /// With South to move and with North to move, who has the stores and values of South.
    #[test]
    fn endings_are_told_for_the_player_who_is_ahead() {
        for (lead, bounds, text) in [
            (3, between(-3, -3), "a draw"),
            (3, between(-2, -2), "South wins by 1 seed"),
            (0, between(-3, -3), "North wins by 3 seeds"),
            (3, between(-1, 3), "South wins by 2 to 6 seeds"),
            (-8, between(-2, 7), "North wins by 1 to 10 seeds"),
            (2, between(-2, 4), "South wins by up to 6 seeds or draws"),
            (-1, between(0, 1), "North wins by up to 1 seed or draws"),
            (
                1,
                between(-2, 4),
                "South ends between 1 seed behind and 5 ahead",
            ),
            (
                0,
                between(-4, 2),
                "South ends between 4 seeds behind and 2 ahead",
            ),
        ] {
            let (own, other) = (12, (12_i8 - lead).cast_unsigned());
            let stores = |south, north| Stores { south, north };
            let south = Position::new(Board::EMPTY, stores(own, other), Player::South);
            assert_eq!(ending(&south, bounds), text);
            let north = Position::new(Board::EMPTY, stores(other, own), Player::North);
            let turned = text.replace("South", "*").replace("North", "South");
            assert_eq!(ending(&north, bounds), turned.replace('*', "North"));
        }
    }
}
