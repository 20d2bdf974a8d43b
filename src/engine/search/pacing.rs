//! Pacing: whether to begin another iteration, from the history of those before.
//!
//! - A forced move needs no thought: a few plies give it a score and an expected reply.
//! - With a target time, a search whose best move has not changed for several iterations
//!   ends earlier. One whose best move has just changed, or whose score has fallen, goes on
//!   for longer.
//! - An iteration is begun only if at least half of it fits into that time, and all of it
//!   into the hard limit: most of an iteration's work is lost if it does not finish.
//!
//! The decision depends on the history alone, not on a clock of its own.

use std::time::Duration;

use super::limits::Limits;

/// A completed iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Iteration {
    /// Time from the start of the search to the end of the iteration.
    pub end: Duration,
    /// The best move.
    pub pit: u8,
    /// Its score, on the scale of the search.
    pub score: i16,
}

/// Decides when to begin no further iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pacing {
    /// Whether there is only one move, and nodes or time are limited.
    pub is_forced: bool,
    /// The time that the search should take.
    pub target: Option<Duration>,
    /// The time that it must not exceed.
    pub limit: Option<Duration>,
}

/// Iterations for a forced move.
const FORCED_ITERATIONS: usize = 4;

impl Pacing {
    pub fn new(limits: &Limits, choices: usize) -> Pacing {
        Pacing {
            is_forced: choices == 1 && limits.has_budget(),
            target: limits.target_time,
            limit: limits.time,
        }
    }

    /// Whether these iterations, from the first one on, are enough.
    pub fn is_enough(&self, history: &[Iteration]) -> bool {
        if self.is_forced {
            return history.len() >= FORCED_ITERATIONS;
        }
        let (Some(target), Some(last)) = (self.target, history.last()) else {
            return false;
        };
        let percent = stability_percent(history) * fall_percent(history) / 100;
        let budget = (target.saturating_mul(percent) / 100)
            .min(self.limit.unwrap_or(target.saturating_mul(4)));
        let next = next_duration(history);
        let fits = |time: Duration| self.limit.is_none_or(|limit| last.end + time <= limit);
        last.end + next / 2 > budget || !fits(next)
    }
}

/// The share of the target time for a best move that has been the same for some
/// iterations.
fn stability_percent(history: &[Iteration]) -> u32 {
    let best = history.last().map(|last| last.pit);
    let same = history.iter().rev();
    match same.take_while(|before| Some(before.pit) == best).count() {
        ..=1 => 140,
        2 => 120,
        3 => 105,
        4 | 5 => 95,
        6 | 7 => 85,
        _ => 70,
    }
}

/// The share of the target time for a score that has fallen. Scores of even and odd
/// depths differ, so it is compared with the lower one of the two before.
fn fall_percent(history: &[Iteration]) -> u32 {
    let [.., a, b, last] = history else {
        return 100;
    };
    match i32::from(a.score.min(b.score)) - i32::from(last.score) {
        ..30 => 100,
        30..80 => 130,
        80.. => 170,
    }
}

/// The time that the next iteration will probably take: it grows as it did before.
fn next_duration(history: &[Iteration]) -> Duration {
    let end = |back: usize| match history.len().checked_sub(back) {
        None | Some(0) => Duration::ZERO,
        Some(count) => history[count - 1].end,
    };
    let last = end(0).saturating_sub(end(1));
    let before = end(1).saturating_sub(end(2)).max(Duration::from_nanos(1));
    let growth = 100 * last.as_nanos() / before.as_nanos();
    // Less than 300, so it fits.
    last * growth.clamp(130, 300) as u32 / 100
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Iterations that each take half as long again as the one before, with these best
    /// moves and scores; the first one ends after 16 ms.
    fn history(played: &[(u8, i16)]) -> Vec<Iteration> {
        let mut duration = Duration::from_millis(16);
        let mut end = Duration::ZERO;
        let iterations = played.iter().map(|&(pit, score)| {
            end += duration;
            duration = duration * 3 / 2;
            Iteration { end, pit, score }
        });
        iterations.collect()
    }

    fn pacing(target: u64, limit: u64) -> Pacing {
        Pacing {
            is_forced: false,
            target: Some(Duration::from_millis(target)),
            limit: Some(Duration::from_millis(limit)),
        }
    }

    /// The number of iterations of a search that would have this history.
    fn iterations(pacing: &Pacing, history: &[Iteration]) -> usize {
        let counts = 1..=history.len();
        let mut enough = counts.filter(|&count| pacing.is_enough(&history[..count]));
        enough.next().expect("the history is long enough")
    }

    #[test]
    fn forced_moves_take_a_few_iterations() {
        let limits = Limits::default().with_nodes(1_000_000);
        let history = history(&[(3, 0); 10]);
        assert_eq!(iterations(&Pacing::new(&limits, 1), &history), 4);
        // Without a limit, or with a choice, the search goes on.
        for (limits, choices) in [(Limits::default(), 1), (limits, 2)] {
            assert!(!Pacing::new(&limits, choices).is_enough(&history));
        }
    }

    #[test]
    fn stable_best_moves_save_time_and_changing_ones_take_more() {
        let pacing = pacing(2000, 100_000);
        let stable = history(&[(3, 10); 20]);
        let mut changed = stable.clone();
        for (number, iteration) in changed.iter_mut().enumerate() {
            iteration.pit = (number % 2) as u8;
        }
        let [stable, changed] = [stable, changed].map(|h| {
            let count = iterations(&pacing, &h);
            h[count - 1].end
        });
        assert!(stable < changed, "{stable:?} {changed:?}");
        assert!(stable <= Duration::from_millis(1400), "{stable:?}");
        assert!(changed >= Duration::from_millis(1400), "{changed:?}");
    }

    #[test]
    fn fallen_scores_take_more_time() {
        let pacing = pacing(1000, 100_000);
        let ends = |score: i16| {
            let mut history = history(&[(3, 100); 20]);
            let stable = iterations(&pacing, &history);
            for iteration in &mut history[stable - 1..] {
                iteration.score = score;
            }
            iterations(&pacing, &history)
        };
        let stable = ends(100);
        assert_eq!(ends(300), stable);
        assert_eq!(ends(90), stable);
        assert!(ends(-300) > stable);
        // The swing between even and odd depths is no fall.
        let swings: Vec<(u8, i16)> = (0..20).map(|n| (3, 100 * (n % 2))).collect();
        assert_eq!(iterations(&pacing, &history(&swings)), stable);
    }

    #[test]
    fn iterations_that_cannot_finish_are_not_begun() {
        // After five iterations 211 ms are over, and the next one takes 122 ms.
        let history = history(&[(3, 0); 5]);
        assert!(!pacing(10_000, 350).is_enough(&history));
        assert!(pacing(10_000, 330).is_enough(&history));
        // Half of it has to fit into the target.
        assert!(!pacing(290, 10_000).is_enough(&history));
        assert!(pacing(270, 10_000).is_enough(&history));
    }

    #[test]
    fn without_a_target_time_only_limits_end_a_search() {
        let limits = Limits::default().with_time(Duration::from_millis(1));
        assert!(!Pacing::new(&limits, 2).is_enough(&history(&[(3, 0); 9])));
        assert!(!pacing(0, 0).is_enough(&[]));
    }
}
