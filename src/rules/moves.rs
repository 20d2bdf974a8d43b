//! The moves of a board: the definition of correct.
//!
//! [`Ruleset::moves`] gives for each of the mover's pits either the [`Step`] that
//! playing it makes or the [`IllegalMove`] that says why it may not be played.
//!
//! # Where the rules exist again
//!
//! Code that must be fast does not call this module. A rule that changes here must
//! change there too:
//!
//! - `solve`: the compiled moves, in which sowing, captures and stores are column
//!   maps. Tests compare them with this module's moves, board by board and layer by
//!   layer.
//! - `engine`: the evaluation of a board counts the seeds that a move could capture.
//! - `table`: the hints of the codecs `packed` and `small` predict captures. They only
//!   help to compress and are fixed by the file format (`docs/format.md`): they must
//!   *not* change.

use super::board::{Board, ROW};
use super::ruleset::Ruleset;
use super::step::{IllegalMove, Moves, Step};
use super::{oware, stores};

impl Ruleset {
    /// Every move of the player to move.
    ///
    /// ```
    /// use krou::rules::{Board, Ruleset};
    ///
    /// let board: Board = "0 0 0 0 0 1 / 2 0 0 0 0 1".parse()?;
    /// let moves = Ruleset::AWARI.moves(&board);
    /// let step = moves.legal().next().unwrap();
    /// assert_eq!((step.pit, step.captured), (5, 3));
    /// assert_eq!(step.board.to_string(), "0 0 0 0 0 1 / 0 0 0 0 0 0");
    /// # Ok::<(), krou::rules::ParseBoardError>(())
    /// ```
    pub fn moves(self, board: &Board) -> Moves {
        match self {
            Ruleset::Oware(rules) => oware::moves(rules, board),
            Ruleset::Stores(game) => stores::moves(game, board),
        }
    }

    /// Plays one pit.
    ///
    /// # Errors
    /// If it may not be played, why.
    pub fn play(self, board: &Board, pit: u8) -> Result<Step, IllegalMove> {
        if usize::from(pit) >= ROW {
            return Err(IllegalMove::NotYours { pit });
        }
        self.moves(board).by_pit()[usize::from(pit)]
    }
}
