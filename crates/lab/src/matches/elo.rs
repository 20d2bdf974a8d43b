//! Elo differences from the results of pairs of games.
//!
//! Both games of a pair begin with the same opening, so their results are not independent;
//! pairs are. A pair has one of five results (the *pentanomial* model), and the interval
//! follows from how much they vary.

/// How many pairs had each result for the first engine: 0, ½, 1, 1½ and 2 points.
pub type Pairs = [u32; 5];

/// The bounds of a normal distribution between which it is with a probability of 95 %, in
/// standard deviations.
const NORMAL_95: f64 = 1.959_963_985;

/// Pairs that say enough about how much they vary.
const FEWEST_PAIRS: u32 = 10;

/// The difference in strength of two engines.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Strength {
    /// The Elo difference from all games.
    pub elo: f64,
    /// Its 95 % interval; `None` with fewer than ten pairs, or if all are equal.
    pub interval: Option<(f64, f64)>,
    /// The likelihood of superiority: the probability that the first engine is the stronger
    /// one; `None` where there is no interval.
    pub superiority: Option<f64>,
}

impl Strength {
    /// The strength of an engine with these points, from 0 to 1 for each game, and the
    /// results of the complete pairs.
    pub fn new(score: f64, pairs: &Pairs) -> Strength {
        let mean = MeanScore::of(pairs);
        Strength {
            elo: elo(score),
            interval: mean.map(
                |MeanScore {
                     mean,
                     deviation,
                     freedom,
                 }| {
                    let reach = student_95(freedom) * deviation;
                    (elo(mean - reach), elo(mean + reach))
                },
            ),
            superiority: mean.map(
                |MeanScore {
                     mean,
                     deviation,
                     freedom,
                 }| { student_below((mean - 0.5) / deviation, freedom) },
            ),
        }
    }

    /// The strength of the other engine.
    pub fn turned(self) -> Strength {
        Strength {
            elo: -self.elo,
            interval: self.interval.map(|(low, high)| (-high, -low)),
            superiority: self.superiority.map(|superiority| 1.0 - superiority),
        }
    }
}

/// The mean score of pairs, from 0 to 1.
#[derive(Clone, Copy)]
struct MeanScore {
    mean: f64,
    /// The standard deviation of the mean, as the pairs let one estimate it.
    deviation: f64,
    /// Degrees of freedom of the estimate: pairs but one.
    freedom: f64,
}

impl MeanScore {
    fn of(pairs: &Pairs) -> Option<MeanScore> {
        let count: u32 = pairs.iter().sum();
        if count < FEWEST_PAIRS {
            return None;
        }
        let (count, freedom) = (f64::from(count), f64::from(count - 1));
        let weighted = |value: &dyn Fn(f64) -> f64| -> f64 {
            let scores = (0..5).zip(pairs);
            let terms = scores
                .map(|(quarters, &count)| value(f64::from(quarters) / 4.0) * f64::from(count));
            terms.sum()
        };
        let mean = weighted(&|score| score) / count;
        let variance = weighted(&|score| (score - mean).powi(2)) / freedom;
        let deviation = (variance / count).sqrt();
        (deviation > 0.0).then_some(MeanScore {
            mean,
            deviation,
            freedom,
        })
    }
}

/// The Elo difference with this expected score, which is kept off 0 and 1.
pub fn elo(score: f64) -> f64 {
    let score = score.clamp(1e-3, 1.0 - 1e-3);
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The expected score with this Elo difference.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}

/// The bound that a variable of Student's t distribution is beyond, in either direction, with a
/// probability of 5 %: the first terms of its expansion around the normal distribution (Abramowitz
/// and Stegun, 26.7.5).
fn student_95(freedom: f64) -> f64 {
    let z = NORMAL_95;
    let terms = [
        z,
        (z.powi(3) + z) / 4.0,
        (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0,
        (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0,
    ];
    let powers = (0..).map(|power| freedom.powi(power));
    terms
        .iter()
        .zip(powers)
        .map(|(term, power)| term / power)
        .sum()
}

/// The probability that a variable of Student's t distribution is below `t`, by the normal
/// variable that is as unlikely (Wallace 1959): right to 0.001 from nine degrees on.
fn student_below(t: f64, freedom: f64) -> f64 {
    let size = (freedom * (t * t / freedom).ln_1p()).sqrt();
    let factor = (8.0 * freedom + 1.0) / (8.0 * freedom + 3.0);
    normal_below((size * factor).copysign(t))
}

/// The probability that a standard normal variable is below `x`: the integral of its
/// density by its continued series (Marsaglia, Evaluating the Normal Distribution, 2004).
fn normal_below(x: f64) -> f64 {
    if x.abs() > 8.0 {
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    let (mut sum, mut term) = (x, x);
    for n in (3..400).step_by(2) {
        term *= x * x / f64::from(n);
        sum += term;
        if term.abs() < 1e-17 {
            break;
        }
    }
    let density = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    (0.5 + sum * density).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(found: f64, expected: f64, tolerance: f64) {
        assert!(
            (found - expected).abs() <= tolerance,
            "{found}, not {expected}"
        );
    }

    #[test]
    fn elo_and_expected_score_are_inverse() {
        assert_close(elo(0.5), 0.0, 1e-9);
        // 200 points are a score of 76 %.
        assert_close(expected_score(200.0), 0.759_747, 1e-6);
        for difference in [-700.0, -35.0, 0.0, 5.0, 400.0] {
            assert_close(elo(expected_score(difference)), difference, 1e-6);
        }
        assert!(elo(1.0).is_finite() && elo(0.0).is_finite());
    }

    #[test]
    fn the_normal_distribution_has_its_known_values() {
        for (x, expected) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746),
            (-1.0, 0.158_655_254),
            (1.959_963_985, 0.975),
            (3.0, 0.998_650_102),
            (-6.0, 9.865_876e-10),
            (40.0, 1.0),
        ] {
            assert_close(normal_below(x), expected, 1e-9);
        }
    }

    #[test]
    fn equal_results_have_a_symmetric_interval() {
        let strength = Strength::new(0.5, &[10, 20, 40, 20, 10]);
        assert_close(strength.elo, 0.0, 1e-9);
        let (low, high) = strength.interval.unwrap();
        assert_close(low, -high, 1e-9);
        // The squared deviations of 100 pairs add up to 7.5.
        assert_close(
            high,
            elo(0.5 + 1.984_217 * (7.5_f64 / 99.0 / 100.0).sqrt()),
            0.01,
        );
        assert_close(strength.superiority.unwrap(), 0.5, 1e-9);
    }

    #[test]
    fn the_other_engine_has_the_opposite_strength() {
        let strength = Strength::new(0.55, &[5, 10, 20, 10, 15]);
        let turned = strength.turned();
        assert_close(turned.elo, -strength.elo, 1e-9);
        assert!(turned.interval.unwrap().0 < turned.interval.unwrap().1);
        let sum = strength.superiority.unwrap() + turned.superiority.unwrap();
        assert_close(sum, 1.0, 1e-9);
    }

    #[test]
    fn few_or_equal_pairs_have_no_misleading_numbers() {
        for pairs in [
            [0, 0, 0, 0, 0],
            [0, 0, 0, 0, 9],
            [3, 0, 3, 0, 3],
            [0, 0, 50, 0, 0],
        ] {
            let strength = Strength::new(0.5, &pairs);
            assert_eq!((strength.interval, strength.superiority), (None, None));
        }
        assert!(Strength::new(0.5, &[3, 0, 4, 0, 3]).interval.is_some());
    }

    #[test]
    fn the_distribution_of_student_has_its_known_values() {
        for (freedom, bound) in [(9.0, 2.262_157), (19.0, 2.093_024), (99.0, 1.984_217)] {
            assert_close(student_95(freedom), bound, 1e-3);
            assert_close(student_below(bound, freedom), 0.975, 1e-3);
            assert_close(student_below(-bound, freedom), 0.025, 1e-3);
        }
        assert_close(student_below(0.0, 9.0), 0.5, 1e-9);
        assert_close(student_below(1.383, 9.0), 0.9, 1e-3);
    }

    /// Between equal programs the interval misses 0 as often as it says.
    #[test]
    fn intervals_of_equal_programs_are_right() {
        const MATCHES: u32 = 200;
        let mut random = fastrand::Rng::with_seed(1);
        for count in [10, 20, 100] {
            let mut missed = 0;
            for _ in 0..MATCHES {
                let mut pairs = [0; 5];
                for _ in 0..count {
                    // What the opening is worth to South.
                    let opening = random.f64() * 0.6 + 0.2;
                    let mut game = |south: f64| {
                        if random.f64() < 0.1 {
                            return 1;
                        }
                        2 * usize::from(random.f64() < south)
                    };
                    pairs[game(opening) + game(1.0 - opening)] += 1;
                }
                let interval = Strength::new(0.5, &pairs).interval;
                missed += u32::from(interval.is_some_and(|(low, high)| low > 0.0 || high < 0.0));
            }
            // 5 % of 200, give or take two and a half standard deviations of 3.1.
            assert!(
                (3..=17).contains(&missed),
                "{count} pairs: {missed} of {MATCHES}"
            );
        }
    }
}
