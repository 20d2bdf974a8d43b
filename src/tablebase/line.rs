//! Best lines: what happens when both sides play their best.

use std::collections::HashSet;

use super::probe::Tablebase;
use crate::rules::{Board, Next, Step};
use crate::table::TableError;

/// Why a best line ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineEnd {
    /// The game is over.
    Over,
    /// The play has come back to an earlier board and would go on for ever.
    Loop,
    /// A layer that is not at hand.
    Missing,
    /// As many plies as were asked for.
    Length,
}

/// A line of best moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The moves, each on the board that the one before leads to.
    pub steps: Vec<Step>,
    /// Why it goes no further.
    pub end: LineEnd,
}

impl Tablebase {
    /// Follows the best moves from a board for at most `plies` plies.
    ///
    /// With distance tables a winning side gets nearer to its next capture with
    /// every move. Without them it takes, among equally good moves, the first
    /// that does not lead back to a board of this line.
    ///
    /// # Errors
    /// If a table is damaged.
    pub fn best_line(&self, board: &Board, plies: usize) -> Result<Line, TableError> {
        let mut steps = Vec::new();
        let mut now = *board;
        // Only quiet moves can lead back; who is to move alternates with them.
        let mut seen = HashSet::from([now]);
        let end = loop {
            if steps.len() == plies {
                break LineEnd::Length;
            }
            let moves = self.moves(&now)?;
            let Some(first) = moves.first() else {
                break LineEnd::Over;
            };
            let Some(best) = first
                .result
                .filter(|_| moves.iter().all(|m| m.result.is_some()))
            else {
                break LineEnd::Missing;
            };
            // Moves of equal value and distance are equally good.
            let equal = moves.iter().filter(|m| m.result == Some(best));
            let fresh = equal
                .map(|m| m.step)
                .find(|step| step.next == Next::Over || !seen.contains(&step.board));
            let looped = fresh.is_none();
            let step = fresh.unwrap_or(first.step);
            if !step.is_quiet(now.seeds()) {
                seen.clear();
            }
            now = step.board;
            seen.insert(now);
            steps.push(step);
            if looped {
                break LineEnd::Loop;
            }
            if step.next == Next::Over {
                break LineEnd::Over;
            }
        };
        Ok(Line { steps, end })
    }
}
