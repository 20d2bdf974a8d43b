//! The output of a match: a line for each game, and tables of results.

use std::io::{self, Write};

use anyhow::Result;

use super::contender::Contender;
use super::game::Played;
use super::sprt::{Decision, Sprt};
use super::tally::Tally;
use krou::rules::Player;

/// Prints the progress of a match, and its result.
pub struct Report<'m> {
    contenders: &'m [Contender; 2],
    sprt: Option<Sprt>,
    pub tally: Tally,
}

impl<'m> Report<'m> {
    pub fn new(contenders: &'m [Contender; 2], sprt: Option<Sprt>) -> Report<'m> {
        Report {
            contenders,
            sprt,
            tally: Tally::default(),
        }
    }

    /// The names of South and North.
    pub fn names(&self, played: &Played) -> [&'m str; 2] {
        let [a, b] = self.contenders;
        match played.first {
            Player::South => [&a.name, &b.name],
            Player::North => [&b.name, &a.name],
        }
    }

    /// Adds a game and prints it, and the results so far after every second one.
    pub fn add(&mut self, played: &Played) -> Result<()> {
        self.tally.add(played);
        let names = self.names(played);
        let (south, north) = played.seeds();
        let result = match played.winner {
            Some(player) => format!("{} wins", names[player as usize]),
            None => "drawn".to_owned(),
        };
        let by = match played.fault() {
            Some((number, _)) => {
                format!("{} by {}", played.end.text(), self.contenders[number].name)
            }
            None => played.end.text(),
        };
        let mut text = format!(
            "game {}, opening {}: {} - {} {south}-{north}, {result} ({by}, {} moves)\n",
            self.tally.games(),
            played.opening + 1,
            names[0],
            names[1],
            played.record.turns().len()
        );
        if self.tally.games().is_multiple_of(2) {
            text += &self.summary();
        }
        print(&text)
    }

    /// Prints the final table.
    pub fn finish(&self, is_complete: bool) -> Result<()> {
        let note = if is_complete {
            ""
        } else {
            "\nThe match was interrupted.\n"
        };
        print(&format!("\n{}{note}", self.table()))
    }

    /// Whether the test has accepted a hypothesis, and which.
    pub fn decision(&self) -> Option<Decision> {
        Some(self.sprt?.decision(self.tally.pairs()))
    }

    /// Whether the test has accepted one.
    pub fn is_decided(&self) -> bool {
        !matches!(self.decision(), None | Some(Decision::Open))
    }

    /// The results so far in a line.
    fn summary(&self) -> String {
        let tally = &self.tally;
        let [won, drawn, lost] = tally.results_of(0);
        let strength = tally.strength(0);
        let superiority = strength.superiority.map_or(String::new(), |superiority| {
            format!(", superiority {:.1} %", 100.0 * superiority)
        });
        let test = self.sprt.map_or(String::new(), |sprt| {
            let (lower, upper) = sprt.bounds();
            let ratio = sprt.ratio(tally.pairs());
            format!(", LLR {ratio:.2} ({lower:.2} to {upper:.2})")
        });
        format!(
            "  {}: won {won}, drawn {drawn}, lost {lost}, Elo {}{superiority}{test}\n",
            self.contenders[0].name,
            elo_text(strength.elo, strength.interval)
        )
    }

    /// The results of both contenders, and of the test.
    fn table(&self) -> String {
        let width = self.contenders.iter().map(|c| c.name.chars().count());
        let width = width.max().unwrap_or(0).max(6);
        let mut text = format!(
            "{:<width$}  {:>5} {:>5} {:>5} {:>5} {:>7}  {:<22} {:>11} {:>6} {:>9}\n",
            "engine",
            "games",
            "won",
            "drawn",
            "lost",
            "points",
            "Elo (95 %)",
            "superiority",
            "faults",
            "ms a move"
        );
        for (number, contender) in self.contenders.iter().enumerate() {
            let [won, drawn, lost] = self.tally.results_of(number);
            let strength = self.tally.strength(number);
            let number_or_dash = |value: Option<f64>, unit: &str| match value {
                Some(value) => format!("{value:.1}{unit}"),
                None => "-".to_owned(),
            };
            text += &format!(
                "{:<width$}  {:>5} {won:>5} {drawn:>5} {lost:>5} {:>7.1}  {:<22} {:>11} {:>6} {:>9}\n",
                contender.name,
                self.tally.games(),
                self.tally.points(number),
                elo_text(strength.elo, strength.interval),
                number_or_dash(strength.superiority.map(|s| 100.0 * s), " %"),
                self.tally.faults(number),
                number_or_dash(self.tally.mean_millis(number), ""),
            );
        }
        let [ll, ld, dd, wd, ww] = self.tally.pairs();
        text += &format!(
            "\npairs of games by points of {}: 0: {ll}, ½: {ld}, 1: {dd}, 1½: {wd}, 2: {ww}\n",
            self.contenders[0].name
        );
        if let Some(sprt) = self.sprt {
            let (lower, upper) = sprt.bounds();
            let accepted = match sprt.decision(self.tally.pairs()) {
                Decision::Open => "undecided".to_owned(),
                Decision::Elo0 => format!("elo0 = {} is accepted", sprt.elo0),
                Decision::Elo1 => format!("elo1 = {} is accepted", sprt.elo1),
            };
            text += &format!(
                "SPRT {sprt}: LLR {:.2} ({lower:.2} to {upper:.2}), {accepted}\n",
                sprt.ratio(self.tally.pairs())
            );
        }
        text
    }
}

/// An Elo difference with its interval: `+12 (-30 to +55)`.
fn elo_text(elo: f64, interval: Option<(f64, f64)>) -> String {
    let whole = |elo: f64| format!("{:+.0}", elo.round() + 0.0);
    match interval {
        Some((low, high)) => format!("{} ({} to {})", whole(elo), whole(low), whole(high)),
        None => whole(elo),
    }
}

fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_differences_have_a_sign_and_an_interval() {
        assert_eq!(elo_text(12.4, Some((-30.2, 55.0))), "+12 (-30 to +55)");
        assert_eq!(elo_text(-0.2, None), "+0");
    }
}
