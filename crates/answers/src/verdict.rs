//! What bounds decide about the end of a game.

use krou::rules::Bounds;

/// What is certain about the end of a game for one of the players, stores included. Without
/// them (a lead of 0) it is about who takes more of the seeds on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    Wins,
    WinsOrDraws,
    Draws,
    DrawsOrLoses,
    Loses,
    /// Either player may win: a repetition decides.
    Open,
}

impl Verdict {
    /// The verdict for a player who leads by `lead` seeds and whose value on the board has
    /// these bounds.
    pub fn new(lead: i8, bounds: Bounds) -> Verdict {
        let [lower, upper] = [bounds.lower, bounds.upper].map(i16::from);
        match (i16::from(lead) + lower, i16::from(lead) + upper) {
            (1.., _) => Verdict::Wins,
            (_, ..=-1) => Verdict::Loses,
            (0, 0) => Verdict::Draws,
            (0, _) => Verdict::WinsOrDraws,
            (_, 0) => Verdict::DrawsOrLoses,
            _ => Verdict::Open,
        }
    }

    /// The same for the other player.
    #[must_use]
    pub fn of_opponent(self) -> Verdict {
        match self {
            Verdict::Wins => Verdict::Loses,
            Verdict::WinsOrDraws => Verdict::DrawsOrLoses,
            Verdict::DrawsOrLoses => Verdict::WinsOrDraws,
            Verdict::Loses => Verdict::Wins,
            Verdict::Draws | Verdict::Open => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the player may still reach, from the definition: the signs of all leads between
    /// the bounds.
    fn signs(verdict: Verdict) -> &'static [i8] {
        match verdict {
            Verdict::Wins => &[1],
            Verdict::WinsOrDraws => &[0, 1],
            Verdict::Draws => &[0],
            Verdict::DrawsOrLoses => &[-1, 0],
            Verdict::Loses => &[-1],
            Verdict::Open => &[-1, 0, 1],
        }
    }

    #[test]
    fn a_verdict_has_the_results_between_the_bounds_from_both_sides() {
        for lead in -3..=3 {
            for lower in -6..=6 {
                for upper in lower..=6 {
                    let bounds = Bounds { lower, upper };
                    let leads = lead + lower..=lead + upper;
                    let mut expected: Vec<i8> = leads.map(i8::signum).collect();
                    expected.dedup();
                    let verdict = Verdict::new(lead, bounds);
                    assert_eq!(signs(verdict), expected, "{lead}, {bounds}");
                    let opponent = Verdict::new(-lead, bounds.of_opponent());
                    assert_eq!(opponent, verdict.of_opponent(), "{lead}, {bounds}");
                }
            }
        }
    }

    #[test]
    fn extreme_leads_and_bounds_do_not_overflow() {
        let bounds = Bounds {
            lower: i8::MAX,
            upper: i8::MAX,
        };
        assert_eq!(Verdict::new(i8::MAX, bounds), Verdict::Wins);
        assert_eq!(Verdict::new(i8::MIN, bounds.of_opponent()), Verdict::Loses);
    }
}
