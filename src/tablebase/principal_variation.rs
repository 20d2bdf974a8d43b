//! Principal variations: sequences of best moves for both sides.

use std::collections::HashSet;

use super::tables::Tablebase;
use crate::rules::{Board, Next, Step};
use crate::table::TableError;

/// Why a principal variation ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum VariationEnd {
    /// The game is over.
    Over,
    /// The last move leads back to an earlier board: endless play.
    Loop,
    /// A layer is missing.
    Missing,
    /// It has as many plies as were asked for.
    Length,
}

impl VariationEnd {
    /// The reason as a word for programs.
    pub fn as_str(self) -> &'static str {
        match self {
            VariationEnd::Over => "over",
            VariationEnd::Loop => "loop",
            VariationEnd::Missing => "missing",
            VariationEnd::Length => "length",
        }
    }
}

/// A sequence of best moves.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PrincipalVariation {
    /// The moves, each on the board that the one before it leads to.
    pub steps: Vec<Step>,
    /// Why it ends there.
    pub end: VariationEnd,
}

impl Tablebase {
    /// Follows the best moves from a board for at most `plies` plies.
    ///
    /// With distance tables the winning side gets nearer to its next conversion with
    /// every move. Without them the first of the equally good moves is taken that
    /// does not lead back to an earlier board.
    ///
    /// # Errors
    /// If a table is damaged.
    pub fn best_line(&self, board: &Board, plies: usize) -> Result<PrincipalVariation, TableError> {
        let mut steps = Vec::new();
        let mut current = *board;
        // Only quiet moves can lead back, and with them the player to move alternates.
        let mut seen = HashSet::from([current]);
        let end = loop {
            if steps.len() == plies {
                break VariationEnd::Length;
            }
            let moves = self.moves(&current)?;
            let Some(first) = moves.first() else {
                break VariationEnd::Over;
            };
            let Some(best) = first
                .result
                .filter(|_| moves.iter().all(|m| m.result.is_some()))
            else {
                break VariationEnd::Missing;
            };
            // Moves with the same result are equally good.
            let equal = moves.iter().filter(|m| m.result == Some(best));
            let fresh = equal
                .map(|m| m.step)
                .find(|step| step.next == Next::Over || !seen.contains(&step.board));
            let is_loop = fresh.is_none();
            let step = fresh.unwrap_or(first.step);
            if !step.is_quiet(current.seeds()) {
                seen.clear();
            }
            current = step.board;
            seen.insert(current);
            steps.push(step);
            if is_loop {
                break VariationEnd::Loop;
            }
            if step.next == Next::Over {
                break VariationEnd::Over;
            }
        };
        Ok(PrincipalVariation { steps, end })
    }
}
