//! What the tables say of the boards of a data set.

use anyhow::Result;
use krou::rules::{Board, ROW};
use krou::tablebase::Tablebase;

use super::sample::SampledBoard;

/// A board with what is known of it.
#[derive(Clone, Copy)]
pub struct BoardFacts {
    pub board: Board,
    pub value: i8,
    pub lower: Option<i8>,
    pub upper: Option<i8>,
    pub distance: Option<u8>,
    /// What each pit is worth to the mover, captures included; `None` where it may not be played.
    pub moves: [Option<i8>; ROW],
    pub is_from_game: bool,
}

/// The facts of some boards. All tables of their layer and of those below it are there.
pub fn facts_of(tables: &Tablebase, sampled: &[SampledBoard]) -> Result<Vec<BoardFacts>> {
    let boards: Vec<Board> = sampled.iter().map(|sampled| sampled.board).collect();
    let probed = tables.probe_all(&boards);
    let moves = tables.moves_many(&boards)?;
    let all = sampled.iter().zip(probed).zip(moves);
    all.map(|((sampled, probed), moves)| {
        let result = probed?;
        Ok(BoardFacts {
            board: sampled.board,
            value: result.value,
            lower: result.bounds.map(|bounds| bounds.lower),
            upper: result.bounds.map(|bounds| bounds.upper),
            distance: result.distance,
            moves,
            is_from_game: sampled.is_from_game,
        })
    })
    .collect()
}
