//! Time management: the time for a move from the clocks.

use std::time::Duration;

/// Number of moves that share the time if `movestogo` is not given. Well-played games
/// last longer, but are decided by then.
const MOVES: u32 = 30;

/// The time for one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveTime {
    /// The time that the move should take; `None` if it may take all of `limit`.
    pub target: Option<Duration>,
    /// The time that it must not exceed.
    pub limit: Duration,
}

impl MoveTime {
    /// The time for one move of a clock.
    ///
    /// The target is an equal share of the time left for `moves_to_go` moves and most of
    /// the increment. A difficult move may take three times as much, but no more than a
    /// quarter of the time left unless the target is more, so that the clock never runs
    /// out. `overhead` is never spent, because the move also takes time to arrive.
    pub fn of_clock(
        left: Duration,
        increment: Duration,
        moves_to_go: Option<u32>,
        overhead: Duration,
    ) -> MoveTime {
        let spendable = left.saturating_sub(overhead);
        let moves = moves_to_go.map_or(MOVES, |moves| moves.clamp(1, MOVES));
        let target = (spendable / moves + increment * 3 / 4).min(spendable);
        MoveTime {
            target: Some(target),
            limit: (target * 3).min(target.max(spendable / 4)),
        }
    }

    /// A fixed time for a move, less the overhead, but at least a millisecond of it.
    pub fn fixed(time: Duration, overhead: Duration) -> MoveTime {
        let least = time.min(Duration::from_millis(1));
        MoveTime {
            target: None,
            limit: time.saturating_sub(overhead).max(least),
        }
    }

    /// The shorter of both times.
    pub fn min(self, other: MoveTime) -> MoveTime {
        MoveTime {
            target: self.target.into_iter().chain(other.target).min(),
            limit: self.limit.min(other.limit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn millis(time: Duration) -> u64 {
        u64::try_from(time.as_millis()).unwrap()
    }

    /// Target and limit in milliseconds, with an overhead of 50.
    fn time(left: u64, increment: u64, moves_to_go: Option<u32>) -> (u64, u64) {
        let [left, increment, overhead] = [left, increment, 50].map(Duration::from_millis);
        let time = MoveTime::of_clock(left, increment, moves_to_go, overhead);
        (millis(time.target.unwrap()), millis(time.limit))
    }

    #[test]
    fn the_overhead_is_never_spent() {
        for left in [0, 1, 49, 50, 51, 100, 1000, 1_000_000] {
            for increment in [0, 10, 1000, 1_000_000] {
                for moves in [None, Some(1), Some(2), Some(u32::MAX)] {
                    let most = u64::saturating_sub(left, 50);
                    let (target, limit) = time(left, increment, moves);
                    assert!(target <= limit && limit <= most, "{left} {increment}");
                }
            }
        }
    }

    #[test]
    fn a_whole_game_uses_its_clock_without_exceeding_it() {
        for (start, increment, least) in [(60_000_u64, 0, 50_000), (10_000, 100, 14_000)] {
            // Whether each move takes its target or its limit.
            for takes_limit in [false, true] {
                let (mut left, mut spent) = (start, 0);
                for _ in 0..100 {
                    let (target, limit) = time(left, increment, None);
                    let time = if takes_limit { limit } else { target };
                    assert!(time < left);
                    left = left - time + increment;
                    spent += time;
                }
                assert!(spent >= least, "{spent} of {start}");
            }
        }
    }

    #[test]
    fn fixed_times_lose_the_overhead_but_never_all() {
        let fixed = |time, overhead| {
            let time =
                MoveTime::fixed(Duration::from_millis(time), Duration::from_millis(overhead));
            assert_eq!(time.target, None);
            millis(time.limit)
        };
        assert_eq!(fixed(100, 10), 90);
        assert_eq!(fixed(10, 10), 1);
        assert_eq!(fixed(5, 5000), 1);
        assert_eq!(fixed(0, 10), 0);
    }
}
