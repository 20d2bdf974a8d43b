//! Themes: what a puzzle is about. The first one whose definition holds is that of a puzzle.

use super::proof::{Goal, Proof};
use krou::rules::row_seeds;
use krou::rules::{Board, Next, Ruleset, Step};
use krou::tablebase::{ProbeError, Tablebase};

krou::words! {
    /// What a puzzle is about. `Theme::ALL` is the order in which pages list them.
    "theme": pub enum Theme {
        /// The solution wins by one seed, and no other move wins.
        WinByOne = "win-by-one",
        /// The solution draws, and every other move loses.
        HoldTheDraw = "hold-the-draw",
        /// Another move captures; the solution does not.
        RefuseACapture = "refuse-a-capture",
        /// The opponent's row is empty, so that the mover has to feed; or at most three plies
        /// end the game, because a player has no legal move while there are seeds left.
        FeedOrStarve = "feed-or-starve",
        /// The solution keeps the win or the draw for sure; another move keeps it only if a
        /// repetition is stopped where that suits the mover. Only rulesets with bounds have such
        /// puzzles.
        LoopTrap = "loop-trap",
        /// The solution is quiet, and after it the opponent would rather pass than move.
        Zugzwang = "zugzwang",
        /// The solution captures.
        Capture = "capture",
        /// No move captures.
        Quiet = "quiet",
    }
}

impl Theme {
    /// The theme of a board with this proof and line.
    pub(super) fn of(
        tables: &Tablebase,
        board: &Board,
        proof: &Proof,
        line: &[Step],
    ) -> Result<Theme, ProbeError> {
        let solution = proof.solution();
        let captures = |step: &Step| step.captured > 0;
        Ok(match (proof.goal, solution.value) {
            _ if proof.is_loop_trap => Theme::LoopTrap,
            (Goal::Result, 1) => Theme::WinByOne,
            (Goal::Result, 0) => Theme::HoldTheDraw,
            _ if feeds_or_starves(tables.rules(), board, line) => Theme::FeedOrStarve,
            _ if is_zugzwang(tables, board, &solution.step)? => Theme::Zugzwang,
            _ if captures(&solution.step) => Theme::Capture,
            _ if proof.moves.iter().any(|m| captures(&m.step)) => Theme::RefuseACapture,
            _ => Theme::Quiet,
        })
    }
}

fn feeds_or_starves(rules: Ruleset, board: &Board, line: &[Step]) -> bool {
    /// The longest line that ends the game at once.
    const SHORT: usize = 3;
    let starves = |last: &Step| {
        let end = &last.board;
        last.next != Next::Over && end.seeds() > 0 && rules.moves(end).terminal_value().is_some()
    };
    row_seeds(&board.opponent()) == 0 || line.len() <= SHORT && line.last().is_some_and(starves)
}

/// Whether the opponent loses seeds by having to move, wherever a repetition is stopped.
fn is_zugzwang(tables: &Tablebase, board: &Board, solution: &Step) -> Result<bool, ProbeError> {
    if !solution.is_quiet(board.seeds()) {
        return Ok(false);
    }
    let moves = tables.bounds(&solution.board)?;
    let passes = tables.bounds(&solution.board.turned())?.of_opponent();
    Ok(moves.upper < passes.lower)
}
