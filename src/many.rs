//! The moves of many boards at once, for programs that play millions of games.

use crate::rules::{Board, IllegalMove, Next, PackedBoard, ROW, Ruleset, packed};

impl Ruleset {
    /// Writes which of the mover's pits may be played on each board.
    ///
    /// ```
    /// use krou::{Board, Ruleset};
    ///
    /// let boards = [Board::START, "0 0 0 0 0 1 / 2 0 0 0 0 1".parse()?];
    /// let mut legal = [[false; 6]; 2];
    /// Ruleset::AWARI.legal_mask(&boards, &mut legal);
    /// assert_eq!(legal, [[true; 6], [false, false, false, false, false, true]]);
    /// # Ok::<(), krou::rules::ParseBoardError>(())
    /// ```
    ///
    /// # Panics
    /// If the slices are not equally long.
    pub fn legal_mask(self, boards: &[Board], legal: &mut [[bool; ROW]]) {
        assert_eq!(boards.len(), legal.len(), "a mask for each board");
        for (board, legal) in boards.iter().zip(legal) {
            let bits = packed::moves(self, PackedBoard::of(board), board.seeds()).legal();
            *legal = std::array::from_fn(|pit| bits >> pit & 1 == 1);
        }
    }

    /// Plays a pit on each board, which becomes the board after the move; its
    /// [gain](crate::rules::Step::gain), and who is [next](crate::rules::Step::next), are written beside it.
    ///
    /// ```
    /// use krou::rules::Next;
    /// use krou::{Board, Ruleset};
    ///
    /// let mut boards: [Board; 1] = ["0 0 0 0 0 1 / 2 0 0 0 0 1".parse()?];
    /// let (mut gains, mut next) = ([0; 1], [Next::Opponent; 1]);
    /// Ruleset::AWARI.play_many(&mut boards, &[5], &mut gains, &mut next).unwrap();
    /// assert_eq!((boards[0].to_string().as_str(), gains[0]), ("0 0 0 0 0 1 / 0 0 0 0 0 0", 3));
    /// # Ok::<(), krou::rules::ParseBoardError>(())
    /// ```
    ///
    /// # Errors
    /// If a pit may not be played: the number of the first such board, and why. The boards
    /// before it have been played.
    ///
    /// # Panics
    /// If the slices are not equally long.
    pub fn play_many(
        self,
        boards: &mut [Board],
        pits: &[u8],
        gains: &mut [i8],
        next: &mut [Next],
    ) -> Result<(), (usize, IllegalMove)> {
        let lengths = [pits.len(), gains.len(), next.len()];
        assert!(lengths.iter().all(|&length| length == boards.len()));
        let played = gains.iter_mut().zip(next);
        for (number, ((board, &pit), (gain, next))) in
            boards.iter_mut().zip(pits).zip(played).enumerate()
        {
            let moves = packed::moves(self, PackedBoard::of(board), board.seeds());
            if pit >= ROW as u8 || moves.legal() >> pit & 1 == 0 {
                // The plain rules say why.
                return match self.play(board, pit) {
                    Err(why) => Err((number, why)),
                    Ok(_) => unreachable!("both sets of rules agree"),
                };
            }
            let played = &moves.by_pit()[usize::from(pit)];
            (*board, *gain, *next) = (played.board.to_board(), played.gain, played.next);
        }
        Ok(())
    }
}
