//! The output of a match: a line for each game, tables of results, and JSON.

use std::io::{self, Write};

use anyhow::Result;
use krou::engine::Player;
use serde::Serialize;

use super::contender::Contender;
use super::elo::Pairs;
use super::game::Played;
use super::sprt::{Decision, Sprt};
use super::tally::Tally;

/// Prints the progress of a match, and its result.
pub struct Report<'m> {
    contenders: &'m [Contender; 2],
    rules: String,
    sprt: Option<Sprt>,
    json: bool,
    pub tally: Tally,
    /// Only for JSON.
    games: Vec<GameFields>,
}

#[derive(Serialize)]
struct MatchFields<'m> {
    rules: &'m str,
    games: u32,
    /// Whether all games were played, or the test was decided.
    complete: bool,
    engines: [EngineFields<'m>; 2],
    pairs: Pairs,
    sprt: Option<SprtFields>,
    played: &'m [GameFields],
}

#[derive(Serialize)]
struct EngineFields<'m> {
    name: &'m str,
    command: String,
    won: u32,
    drawn: u32,
    lost: u32,
    points: f64,
    elo: f64,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    superiority: Option<f64>,
    faults: u32,
    mean_ms: Option<f64>,
}

#[derive(Serialize)]
struct SprtFields {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    ratio: f64,
    lower: f64,
    upper: f64,
    /// The hypothesis that was accepted.
    accepted: Option<&'static str>,
}

#[derive(Serialize)]
struct GameFields {
    opening: usize,
    south: String,
    north: String,
    start: String,
    moves: String,
    seeds: [u8; 2],
    winner: Option<String>,
    end: String,
    /// The name of the engine that failed.
    fault: Option<String>,
}

impl<'m> Report<'m> {
    pub fn new(
        contenders: &'m [Contender; 2],
        rules: String,
        sprt: Option<Sprt>,
        json: bool,
    ) -> Report<'m> {
        Report {
            contenders,
            rules,
            sprt,
            json,
            tally: Tally::default(),
            games: Vec::new(),
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

    /// Adds a game, and prints it unless the output is JSON.
    pub fn add(&mut self, played: &Played) -> Result<()> {
        self.tally.add(played);
        let names = self.names(played);
        let (south, north) = played.seeds();
        let fault = played.fault();
        let fault = fault.map(|(contender, _)| self.contenders[contender].name.clone());
        if self.json {
            self.games.push(GameFields {
                opening: played.opening + 1,
                south: names[0].to_owned(),
                north: names[1].to_owned(),
                start: played.record.start().position().to_string(),
                moves: played.record.letters(),
                seeds: [south, north],
                winner: played
                    .winner
                    .map(|player| names[player as usize].to_owned()),
                end: played.end.text(),
                fault,
            });
            return Ok(());
        }
        let result = match played.winner {
            Some(player) => format!("{} wins", names[player as usize]),
            None => "drawn".to_owned(),
        };
        let by = match fault {
            Some(name) => format!("{} by {name}", played.end.text()),
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

    /// Prints the final table, or everything as JSON.
    pub fn finish(&self, complete: bool) -> Result<()> {
        if self.json {
            return print(&(serde_json::to_string(&self.fields(complete))? + "\n"));
        }
        let note = if complete {
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

    fn fields(&self, complete: bool) -> MatchFields<'_> {
        let tally = &self.tally;
        let engine = |number: usize| {
            let contender = &self.contenders[number];
            let [won, drawn, lost] = tally.results_of(number);
            let strength = tally.strength(number);
            EngineFields {
                name: &contender.name,
                command: contender.words.join(" "),
                won,
                drawn,
                lost,
                points: tally.points(number),
                elo: rounded(strength.elo),
                elo_low: strength.interval.map(|(low, _)| rounded(low)),
                elo_high: strength.interval.map(|(_, high)| rounded(high)),
                superiority: strength.superiority,
                faults: tally.faults(number),
                mean_ms: tally.mean_millis(number).map(rounded),
            }
        };
        MatchFields {
            rules: &self.rules,
            games: tally.games(),
            complete,
            engines: [engine(0), engine(1)],
            pairs: *tally.pairs(),
            sprt: self.sprt.map(|sprt| {
                let (lower, upper) = sprt.bounds();
                SprtFields {
                    elo0: sprt.elo0,
                    elo1: sprt.elo1,
                    alpha: sprt.alpha,
                    beta: sprt.beta,
                    ratio: sprt.ratio(tally.pairs()),
                    lower,
                    upper,
                    accepted: match sprt.decision(tally.pairs()) {
                        Decision::Open => None,
                        Decision::Elo0 => Some("elo0"),
                        Decision::Elo1 => Some("elo1"),
                    },
                }
            }),
            played: &self.games,
        }
    }
}

/// To two decimals, and without a negative zero.
fn rounded(number: f64) -> f64 {
    (100.0 * number).round() / 100.0 + 0.0
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
        assert_eq!(rounded(-0.001).to_string(), "0");
    }
}
