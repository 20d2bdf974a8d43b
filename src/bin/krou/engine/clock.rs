//! Time management: the time for a move from the clocks.

use std::time::Duration;

/// Time that is never spent, because the move also takes time to arrive.
const RESERVE: Duration = Duration::from_millis(50);

/// Number of moves that share the time if `movestogo` is not given. Well-played games
/// last longer, but are decided by then.
const MOVES: u32 = 30;

/// The time for one move.
///
/// It is an equal share of the time left for `moves_to_go` moves and most of the
/// increment, so that the clock never runs out.
pub fn time_for_move(left: Duration, increment: Duration, moves_to_go: Option<u32>) -> Duration {
    let spendable = left.saturating_sub(RESERVE);
    let moves = moves_to_go.map_or(MOVES, |moves| moves.clamp(1, MOVES));
    let share = spendable / moves + increment * 3 / 4;
    share.min(spendable)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(left: u64, increment: u64, moves_to_go: Option<u32>) -> u64 {
        let millis = Duration::from_millis;
        let time = time_for_move(millis(left), millis(increment), moves_to_go);
        u64::try_from(time.as_millis()).unwrap()
    }

    #[test]
    fn a_move_gets_a_share_of_the_time_and_most_of_the_increment() {
        assert_eq!(time(60_050, 0, None), 2000);
        assert_eq!(time(60_050, 1000, None), 2750);
        assert_eq!(time(60_050, 0, Some(10)), 6000);
        assert_eq!(time(60_050, 0, Some(1)), 60_000);
        // More moves to go than a game has do not change the time.
        assert_eq!(time(60_050, 0, Some(1000)), time(60_050, 0, None));
        assert_eq!(time(60_050, 0, Some(0)), 60_000);
    }

    #[test]
    fn the_reserve_is_never_spent() {
        for left in [0, 1, 49, 50, 51, 100, 1000, 1_000_000] {
            for increment in [0, 10, 1000, 1_000_000] {
                for moves in [None, Some(1), Some(2), Some(u32::MAX)] {
                    let most = u64::saturating_sub(left, 50);
                    assert!(time(left, increment, moves) <= most, "{left} {increment}");
                }
            }
        }
    }

    #[test]
    fn a_whole_game_uses_its_clock_without_exceeding_it() {
        for (start, increment, least) in [(60_000_u64, 0, 50_000), (10_000, 100, 14_000)] {
            let (mut left, mut spent) = (start, 0);
            for _ in 0..100 {
                let time = time(left, increment, None);
                assert!(time < left);
                left = left - time + increment;
                spent += time;
            }
            assert!(spent >= least, "{spent} of {start}");
        }
    }
}
