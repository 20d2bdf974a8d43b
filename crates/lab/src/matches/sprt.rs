//! The sequential probability ratio test: whether to accept that the first engine is
//! stronger by `elo1` rather than by `elo0`, with as few games as possible.
//!
//! It is the generalised test (GSPRT) on pairs of games that Fishtest uses, described by
//! Michel Van den Bergh ("A practical introduction to the GSPRT" and "Comments on
//! Normalized Elo", <https://www.cantate.be/Fishtest/>). The log-likelihood ratio
//! compares the two most likely distributions of the five results of a pair whose means are
//! the scores expected with `elo1` and with `elo0`. Elo differences are logistic.

use std::fmt;
use std::str::FromStr;

use super::elo::{Pairs, expected_score};

/// The hypotheses and the error probabilities of the test.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    pub elo0: f64,
    pub elo1: f64,
    /// The probability to accept `elo1` if `elo0` is true.
    pub alpha: f64,
    /// The probability to accept `elo0` if `elo1` is true.
    pub beta: f64,
}

/// What the test has found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// More games are needed.
    Open,
    /// The difference is rather `elo0`.
    Elo0,
    /// The difference is rather `elo1`.
    Elo1,
}

impl Default for Sprt {
    fn default() -> Sprt {
        Sprt {
            elo0: 0.0,
            elo1: 5.0,
            alpha: 0.05,
            beta: 0.05,
        }
    }
}

impl Sprt {
    /// The log-likelihood ratio after these pairs; 0 without any.
    pub fn ratio(&self, pairs: &Pairs) -> f64 {
        log_likelihood_ratio(
            &pairs.map(f64::from),
            expected_score(self.elo0),
            expected_score(self.elo1),
        )
    }

    /// The ratios at which the test ends: for `elo0` and for `elo1`.
    pub fn bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// What the test has found after these pairs.
    pub fn decision(&self, pairs: &Pairs) -> Decision {
        let (ratio, (lower, upper)) = (self.ratio(pairs), self.bounds());
        match ratio {
            _ if ratio >= upper => Decision::Elo1,
            _ if ratio <= lower => Decision::Elo0,
            _ => Decision::Open,
        }
    }
}

/// The generalised log-likelihood ratio of the mean `mean1` against `mean0`, where the
/// outcomes are equally spaced from 0 to 1.
fn log_likelihood_ratio(counts: &[f64], mean0: f64, mean1: f64) -> f64 {
    /// The count of an outcome that has not occurred, so that it stays possible.
    const LEAST: f64 = 1e-3;
    if counts.iter().all(|&count| count == 0.0) {
        return 0.0;
    }
    let counts: Vec<f64> = counts.iter().map(|count| count.max(LEAST)).collect();
    let sum: f64 = counts.iter().sum();
    let shares: Vec<f64> = counts.iter().map(|count| count / sum).collect();
    let [likely0, likely1] = [mean0, mean1].map(|mean| most_likely(&shares, mean));
    let terms = counts.iter().zip(likely0.iter().zip(&likely1));
    terms.map(|(count, (p0, p1))| count * (p1 / p0).ln()).sum()
}

/// The most likely distribution with this mean, if outcomes had these shares.
///
/// Its probabilities are `share / (1 + x (outcome − mean))`, where `x` makes their mean
/// right: the root of a function that falls between its two poles.
fn most_likely(shares: &[f64], mean: f64) -> Vec<f64> {
    let last = f64::from(shares.len() as u32 - 1);
    let offsets: Vec<f64> = (0..shares.len())
        .map(|outcome| f64::from(outcome as u32) / last - mean)
        .collect();
    let excess = |x: f64| -> f64 {
        let terms = shares.iter().zip(&offsets);
        terms
            .map(|(share, offset)| share * offset / (1.0 + x * offset))
            .sum()
    };
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if excess(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = f64::midpoint(low, high);
    let likely = shares.iter().zip(&offsets);
    likely
        .map(|(share, offset)| share / (1.0 + x * offset))
        .collect()
}

impl FromStr for Sprt {
    type Err = String;

    /// Words such as `elo0=0 elo1=5`, with commas or spaces between them; those that are
    /// missing keep their defaults.
    fn from_str(text: &str) -> Result<Sprt, String> {
        let mut sprt = Sprt::default();
        for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
            let Some((name, value)) = word.split_once('=') else {
                return Err(format!("'{word}' is not of the form elo1=5"));
            };
            let number = value.parse().ok().filter(|number: &f64| number.is_finite());
            let number = number.ok_or_else(|| format!("{name} must be a number, not '{value}'"))?;
            match name {
                "elo0" => sprt.elo0 = number,
                "elo1" => sprt.elo1 = number,
                "alpha" => sprt.alpha = number,
                "beta" => sprt.beta = number,
                _ => return Err(format!("'{name}' is none of elo0, elo1, alpha and beta")),
            }
        }
        if sprt.elo0 >= sprt.elo1 || sprt.elo0.abs().max(sprt.elo1.abs()) > 1000.0 {
            return Err("elo0 must be less than elo1, both from -1000 to 1000".to_owned());
        }
        let is_error = |p: f64| p > 0.0 && p < 0.5;
        if !is_error(sprt.alpha) || !is_error(sprt.beta) {
            return Err("alpha and beta must be between 0 and 0.5".to_owned());
        }
        Ok(sprt)
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt {
            elo0,
            elo1,
            alpha,
            beta,
        } = self;
        write!(f, "elo0={elo0} elo1={elo1} alpha={alpha} beta={beta}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sprt(text: &str) -> Sprt {
        text.parse().unwrap()
    }

    fn assert_close(found: f64, expected: f64, tolerance: f64) {
        assert!(
            (found - expected).abs() <= tolerance,
            "{found}, not {expected}"
        );
    }

    /// Tests of chess engines with three outcomes, whose ratios other programs print as
    /// -1.57 and -2.59.
    #[test]
    fn ratios_are_those_of_other_programs() {
        for (lost, drawn, won, elo0, elo1, expected) in [
            (21_184.0, 40_708.0, 21_404.0, 0.5, 2.5, -1.57),
            (57_030.0, 106_593.0, 57_433.0, 0.0, 2.0, -2.59),
        ] {
            let [mean0, mean1] = [elo0, elo1].map(expected_score);
            let ratio = log_likelihood_ratio(&[lost, drawn, won], mean0, mean1);
            assert_close(ratio, expected, 0.01 * f64::abs(expected));
        }
    }

    /// With many pairs the ratio is close to its normal approximation, N (s1 − s0)
    /// (2 s − s0 − s1) / (2 variance).
    #[test]
    fn ratios_are_close_to_the_normal_approximation() {
        let pairs = [390, 1690, 3600, 1750, 420];
        let count = f64::from(pairs.iter().sum::<u32>());
        let mean = (0.25 * 1690.0 + 0.5 * 3600.0 + 0.75 * 1750.0 + 420.0) / count;
        let squares = (1690.0 / 16.0 + 3600.0 / 4.0 + 1750.0 * 9.0 / 16.0 + 420.0) / count;
        let variance = squares - mean * mean;
        let test = sprt("elo0=0 elo1=5");
        let (s0, s1) = (expected_score(0.0), expected_score(5.0));
        let expected = count * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        assert_close(test.ratio(&pairs), expected, 0.02);
    }

    #[test]
    fn the_most_likely_distribution_has_its_mean() {
        for shares in [[0.2, 0.2, 0.2, 0.2, 0.2], [0.001, 0.001, 0.5, 0.4, 0.098]] {
            for mean in [0.3, 0.5, 0.62] {
                let likely = most_likely(&shares, mean);
                let outcomes = (0..5).map(|outcome| f64::from(outcome) / 4.0);
                let found: f64 = likely.iter().zip(outcomes).map(|(p, a)| p * a).sum();
                assert_close(found, mean, 1e-9);
                assert_close(likely.iter().sum(), 1.0, 1e-9);
            }
        }
    }

    #[test]
    fn decisions_follow_from_the_bounds() {
        let test = Sprt::default();
        let (lower, upper) = test.bounds();
        assert_close(upper, 2.944, 0.001);
        assert_close(lower, -2.944, 0.001);
        assert_eq!(test.decision(&[0; 5]), Decision::Open);
        assert_eq!(test.decision(&[10, 20, 40, 20, 10]), Decision::Open);
        assert_eq!(test.decision(&[100, 400, 1000, 600, 200]), Decision::Elo1);
        assert_eq!(test.decision(&[200, 600, 1000, 400, 100]), Decision::Elo0);
        // Few pairs decide nothing, whatever their results.
        assert_eq!(test.decision(&[0, 0, 0, 0, 3]), Decision::Open);
        // The other engine's results give the opposite ratio of the opposite test.
        let opposite = sprt("elo0=-5 elo1=0");
        let pairs = [3, 10, 20, 15, 9];
        let turned = [9, 15, 20, 10, 3];
        assert_close(opposite.ratio(&turned), -test.ratio(&pairs), 1e-6);
    }

    #[test]
    fn parameters_are_named() {
        let test = sprt("elo0=-3 elo1=2,alpha=0.1");
        assert_eq!(
            (test.elo0, test.elo1, test.alpha, test.beta),
            (-3.0, 2.0, 0.1, 0.05)
        );
        assert_eq!(test.to_string().parse(), Ok(test));
        assert_eq!(sprt(""), Sprt::default());
        for (text, part) in [
            ("elo1", "not of the form"),
            ("elo1=x", "must be a number"),
            ("elo1=NaN", "must be a number"),
            ("elo=3", "none of elo0"),
            ("elo0=5 elo1=5", "elo0 must be less"),
            ("alpha=0", "between 0 and 0.5"),
            ("beta=0.5", "between 0 and 0.5"),
        ] {
            let error = text.parse::<Sprt>().unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
