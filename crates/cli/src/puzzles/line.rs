//! The line of a puzzle: the solution, then best play by both, the opponent's hardest defence
//! included.

use std::collections::HashSet;

use super::proof::ValuedMove;
use krou::rules::{Board, Next, Step};
use krou::table::TableError;
use krou::tablebase::{RankedMove, Tablebase};

/// The longest line, in plies.
const LONGEST: usize = 12;

/// The line from a board on. Each of its moves keeps the value wherever a repetition is
/// stopped. With distance tables the winner hurries and the loser delays.
///
/// It ends with the game, after the capture that leaves a board worth nothing to either
/// player, before a move back to an earlier board, or after twelve plies.
pub(super) fn line(
    tables: &Tablebase,
    board: &Board,
    solution: &ValuedMove,
) -> Result<Vec<Step>, TableError> {
    let mut steps = vec![solution.step];
    let mut last = solution.step;
    // Of the board after the last move, for the player to move there.
    let mut left = (solution.value - last.gain) * turn(&last);
    let mut seen = HashSet::from([*board, last.board]);
    while last.next != Next::Over && steps.len() < LONGEST {
        let has_captures = last.board.seeds() < board.seeds();
        if left == 0 && has_captures {
            break;
        }
        let moves = tables.moves(&last.board)?;
        let keeps = |m: &RankedMove| {
            m.result.is_some_and(|result| {
                let bounds = result.bounds;
                result.value == left && bounds.is_none_or(|bounds| bounds.exact().is_some())
            })
        };
        // Quiet moves alone can lead back, and with them the player to move alternates.
        let fresh = |m: &&RankedMove| m.step.next == Next::Over || !seen.contains(&m.step.board);
        let Some(next) = moves.iter().filter(|m| keeps(m)).find(fresh) else {
            break;
        };
        last = next.step;
        left = (left - last.gain) * turn(&last);
        seen.insert(last.board);
        steps.push(last);
    }
    Ok(steps)
}

/// The plies before the first seeds leave the board: all plies if none do.
pub(super) fn quiet_plies(board: &Board, line: &[Step]) -> usize {
    let is_quiet = |step: &&Step| step.board.seeds() == board.seeds();
    line.iter().take_while(is_quiet).count()
}

/// 1 if the same player moves after a step, else -1.
fn turn(step: &Step) -> i8 {
    if step.next == Next::Again { 1 } else { -1 }
}
