//! The score of a match: points, pairs of games, faults and times.

use super::elo::{Pairs, Strength};
use super::game::{Played, Spent};

/// The games of a match so far.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Games that the first contender lost, drew and won.
    results: [u32; 3],
    pairs: Pairs,
    /// By opening number, the half points of the game of a pair that is not complete.
    open: Vec<(usize, usize)>,
    /// Games that each contender lost by a fault.
    faults: [u32; 2],
    spent: [Spent; 2],
}

impl Tally {
    /// Adds a game.
    pub fn add(&mut self, played: &Played) {
        let half_points = played.half_points();
        self.results[half_points] += 1;
        let partner = self
            .open
            .iter()
            .position(|(number, _)| *number == played.opening);
        match partner {
            Some(place) => {
                let (_, before) = self.open.swap_remove(place);
                self.pairs[before + half_points] += 1;
            }
            None => self.open.push((played.opening, half_points)),
        }
        if let Some((contender, _)) = played.fault() {
            self.faults[contender] += 1;
        }
        for (sum, spent) in self.spent.iter_mut().zip(played.spent) {
            sum.moves += spent.moves;
            sum.time += spent.time;
        }
    }

    pub fn games(&self) -> u32 {
        self.results.iter().sum()
    }

    /// The results of the complete pairs.
    pub fn pairs(&self) -> &Pairs {
        &self.pairs
    }

    /// Games that a contender, 0 or 1, won, drew and lost.
    pub fn results_of(&self, contender: usize) -> [u32; 3] {
        let [lost, drawn, won] = self.results;
        match contender {
            0 => [won, drawn, lost],
            _ => [lost, drawn, won],
        }
    }

    /// The points of a contender.
    pub fn points(&self, contender: usize) -> f64 {
        let [won, drawn, _] = self.results_of(contender);
        f64::from(won) + 0.5 * f64::from(drawn)
    }

    /// The strength of a contender against the other one.
    pub fn strength(&self, contender: usize) -> Strength {
        let games = f64::from(self.games().max(1));
        let score = if self.games() == 0 {
            0.5
        } else {
            self.points(0) / games
        };
        let strength = Strength::new(score, &self.pairs);
        match contender {
            0 => strength,
            _ => strength.turned(),
        }
    }

    /// Games that a contender lost by a crash, a timeout or an illegal move.
    pub fn faults(&self, contender: usize) -> u32 {
        self.faults[contender]
    }

    /// The mean time of a contender's moves in milliseconds; `None` without a move.
    pub fn mean_millis(&self, contender: usize) -> Option<f64> {
        let Spent { moves, time } = self.spent[contender];
        (moves > 0).then(|| 1000.0 * time.as_secs_f64() / f64::from(moves))
    }
}

#[cfg(test)]
mod tests {
    use krou::engine::Game;
    use krou::engine::Record;
    use krou::rules::{Player, Ruleset};

    use super::super::game::{End, Fault};
    use super::*;

    fn played(opening: usize, first: Player, winner: Option<Player>) -> Played {
        Played {
            opening,
            first,
            record: Record::new(Game::new(Ruleset::AWARI)),
            winner,
            end: End::Length,
            spent: [Spent::default(); 2],
        }
    }

    #[test]
    fn games_of_an_opening_make_a_pair() {
        let (south, north) = (Player::South, Player::North);
        let mut tally = Tally::default();
        for (opening, first, winner) in [
            (0, south, Some(south)),
            (1, south, None),
            (0, north, Some(north)),
            (1, north, Some(south)),
            (2, south, Some(north)),
        ] {
            tally.add(&played(opening, first, winner));
        }
        assert_eq!(tally.games(), 5);
        assert_eq!(tally.results_of(0), [2, 1, 2]);
        assert_eq!(tally.results_of(1), [2, 1, 2]);
        // A whole pair won, and half a point of another one.
        assert_eq!(tally.pairs(), &[0, 1, 0, 0, 1]);
        assert!((tally.points(0) + tally.points(1) - 5.0).abs() < 1e-9);
    }

    #[test]
    fn faults_belong_to_the_contender_that_failed() {
        let mut tally = Tally::default();
        for first in [Player::South, Player::North] {
            let end = End::Fault(Player::South, Fault::Crash);
            let game = played(0, first, Some(Player::North));
            tally.add(&Played { end, ..game });
        }
        assert_eq!([tally.faults(0), tally.faults(1)], [1, 1]);
        assert_eq!(tally.pairs(), &[0, 0, 1, 0, 0]);
        assert_eq!(tally.mean_millis(0), None);
    }
}
