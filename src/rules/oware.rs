//! The oware family: sow round the board, capture twos and threes.
//!
//! These rules exist again in faster form: see [`super::moves`].

use super::board::{Board, PITS, ROW, row_seeds};
use super::ruleset::{Feeding, GrandSlam, Leftovers, OwareRules};
use super::step::{IllegalMove, Moves, Next, Step};

/// A sowing before the rules on grand slams and feeding are applied.
enum RawMove {
    /// The opponent has seeds left.
    Feeds { captured: u8, pits: [u8; PITS] },
    /// A grand slam.
    Slam { captured: u8 },
    /// A quiet move that leaves the opponent without seeds.
    Starves,
}

pub(super) fn moves(rules: OwareRules, board: &Board) -> Moves {
    let sown: [Option<RawMove>; ROW] = std::array::from_fn(|pit| sow(rules, board, pit));
    let feeder = sown
        .iter()
        .position(|sown| matches!(sown, Some(RawMove::Feeds { .. })))
        .map(|pit| pit as u8);
    let seeds = board.seeds() as i8;

    let pits = std::array::from_fn(|index| {
        let pit = index as u8;
        let ends = |captured, gain| {
            Ok(Step {
                pit,
                captured,
                gain,
                board: Board::EMPTY,
                next: Next::Over,
            })
        };
        match sown[index] {
            None => Err(IllegalMove::Empty { pit }),
            Some(RawMove::Feeds { captured, pits }) => Ok(Step {
                pit,
                captured,
                gain: captured as i8,
                board: Board::trusted(pits).turned(),
                next: Next::Opponent,
            }),
            Some(RawMove::Slam { captured }) => match (rules.grand_slam, feeder) {
                (GrandSlam::Forced, Some(other)) => Err(IllegalMove::GrandSlam { pit, other }),
                (GrandSlam::Forced, None) | (GrandSlam::TakesAll, _) => ends(captured, seeds),
                (GrandSlam::Illegal | GrandSlam::CapturesNothing, _) => {
                    Err(IllegalMove::GrandSlamBanned { pit })
                }
            },
            Some(RawMove::Starves) => match (rules.feeding, feeder) {
                (Feeding::Penalty, Some(_)) => ends(0, -seeds),
                (Feeding::Required, Some(other)) => Err(IllegalMove::Starves { pit, other }),
                (_, None) => Err(IllegalMove::CannotFeed { pit }),
            },
        }
    });

    let terminal_value = match rules.leftovers {
        Leftovers::Owner => row_seeds(&board.mover()) as i8 - row_seeds(&board.opponent()) as i8,
        Leftovers::Nobody => 0,
    };
    Moves::new(pits, terminal_value)
}

/// Sows a pit one seed at a time, past the pit itself; returns the pit of the last seed.
#[inline]
pub(crate) fn sow_seeds(pits: &mut [u8; PITS], pit: usize) -> usize {
    let mut hand = std::mem::take(&mut pits[pit]);
    let mut last = pit;
    while hand > 0 {
        last = (last + 1) % PITS;
        if last != pit {
            pits[last] += 1;
            hand -= 1;
        }
    }
    last
}

/// Sows and captures; `None` if the pit is empty.
fn sow(rules: OwareRules, board: &Board, pit: usize) -> Option<RawMove> {
    let mut pits = board.pits();
    if pits[pit] == 0 {
        return None;
    }
    let mut last = sow_seeds(&mut pits, pit);

    let sown = pits;
    let mut captured = 0;
    while (ROW..PITS).contains(&last) && matches!(pits[last], 2 | 3) {
        captured += std::mem::take(&mut pits[last]);
        last -= 1;
    }
    let empties = pits[ROW..].iter().all(|&s| s == 0);
    Some(match (captured, empties) {
        (0, true) => RawMove::Starves,
        (_, false) => RawMove::Feeds { captured, pits },
        // The sown seeds stay, which feeds the opponent.
        (_, true) if rules.grand_slam == GrandSlam::CapturesNothing => RawMove::Feeds {
            captured: 0,
            pits: sown,
        },
        (_, true) => RawMove::Slam { captured },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Ruleset;

    fn board(text: &str) -> Board {
        text.parse().unwrap()
    }

    fn step(rules: Ruleset, text: &str, pit: u8) -> Step {
        rules.play(&board(text), pit).unwrap()
    }

    #[test]
    fn krou_skips_its_own_pit_on_every_lap() {
        // 24 seeds: two full laps of eleven, and two more.
        let s = step(Ruleset::AWARI, "0 0 24 0 0 0 / 9 0 0 0 0 0", 2);
        assert_eq!(s.board.turned().to_string(), "2 2 0 3 3 2 / 11 2 2 2 2 2");
        assert_eq!(s.captured, 0);
    }

    #[test]
    fn captures_run_backwards_and_stop_at_the_first_other_number() {
        let s = step(Ruleset::AWARI, "0 0 0 0 0 4 / 1 4 2 1 9 0", 5);
        assert_eq!(s.captured, 2 + 3);
        assert_eq!(s.board.turned().to_string(), "0 0 0 0 0 0 / 2 5 0 0 9 0");
        // Captures never continue into the mover's row.
        let s = step(Ruleset::AWARI, "0 0 0 0 2 1 / 1 4 0 0 0 0", 5);
        assert_eq!(s.captured, 2);
        // A last seed in the mover's row captures nothing.
        let s = step(Ruleset::AWARI, "1 2 0 0 0 0 / 1 0 0 0 0 0", 0);
        assert_eq!(s.captured, 0);
    }

    #[test]
    fn worked_examples_of_the_rules() {
        let s = step(Ruleset::AWARI, "0 0 0 0 0 1 / 2 0 0 0 0 1", 5);
        assert_eq!((s.captured, s.next), (3, Next::Opponent));
        let s = step(Ruleset::AWARI, "0 0 0 0 0 1 / 1 0 0 0 0 0", 5);
        assert_eq!((s.captured, s.gain, s.next), (2, 2, Next::Over));
    }

    /// Pit 5 is a grand slam; pit 0 feeds or not, as its seeds reach.
    #[test]
    fn grand_slams_by_ruleset() {
        let choice = "5 0 0 0 0 1 / 1 0 0 0 0 0";
        let forced = "1 0 0 0 0 1 / 1 0 0 0 0 0";
        let banned = "0 0 0 0 0 1 / 1 0 0 0 0 0";

        let reason = Ruleset::AWARI.play(&board(choice), 5).unwrap_err();
        assert_eq!(reason, IllegalMove::GrandSlam { pit: 5, other: 0 });
        // Pit 0 does not reach the opponent's row, but leaves its seed there.
        assert!(Ruleset::AWARI.play(&board(forced), 5).is_err());
        assert_eq!(step(Ruleset::AWARI, banned, 5).gain, 2);

        for rules in [Ruleset::ABAPA, Ruleset::AWALE_C] {
            let s = step(rules, choice, 5);
            assert_eq!((s.captured, s.gain, s.next), (0, 0, Next::Opponent));
            assert_eq!(s.board.turned().to_string(), "5 0 0 0 0 0 / 2 0 0 0 0 0");
        }
        let s = step(Ruleset::PRATT, choice, 5);
        assert_eq!((s.captured, s.gain, s.next), (2, 7, Next::Over));

        let moves = Ruleset::AWALE_INFO.moves(&board(banned));
        assert_eq!(
            moves.by_pit()[5],
            Err(IllegalMove::GrandSlamBanned { pit: 5 })
        );
        assert_eq!(moves.terminal_value(), Some(0));
    }

    #[test]
    fn feeding_by_ruleset() {
        let choice = "1 0 0 0 0 1 / 0 0 0 0 0 0";
        let reason = Ruleset::AWARI.play(&board(choice), 0).unwrap_err();
        assert_eq!(reason, IllegalMove::Starves { pit: 0, other: 5 });
        let s = step(Ruleset::PRATT, choice, 0);
        assert_eq!((s.captured, s.gain, s.next), (0, -2, Next::Over));

        let stuck = "1 2 0 0 0 0 / 0 0 0 0 0 0";
        for (rules, result) in [
            (Ruleset::AWARI, 3),
            (Ruleset::PRATT, 3),
            (Ruleset::AWALE_C, 0),
            (Ruleset::AWALE_INFO, 0),
        ] {
            let moves = rules.moves(&board(stuck));
            assert_eq!(moves.by_pit()[0], Err(IllegalMove::CannotFeed { pit: 0 }));
            assert_eq!(moves.terminal_value(), Some(result), "{rules}");
        }
        let blocked = "0 0 0 0 0 0 / 1 2 0 0 0 0";
        assert_eq!(
            Ruleset::AWARI.moves(&board(blocked)).terminal_value(),
            Some(-3)
        );
    }

    /// Every pit of the empty row gets two seeds.
    #[test]
    fn grand_slam_against_an_empty_row() {
        let text = "0 0 0 0 0 17 / 0 0 0 0 0 0";
        let s = step(Ruleset::AWARI, text, 5);
        assert_eq!((s.captured, s.gain, s.next), (12, 17, Next::Over));
        let other = "0 0 0 0 1 17 / 0 0 0 0 0 0";
        assert_eq!(step(Ruleset::AWARI, other, 5).gain, 18);
    }
}
