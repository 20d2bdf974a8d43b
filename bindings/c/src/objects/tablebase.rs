//! Open tables: probing many boards, and which layers there are.

use std::ffi::c_int;

use krou::rules::PITS;
use krou::{Board, Tablebase};

use crate::border::codes::{Failure, KROU_OK};
use crate::border::pointers::Places;
use crate::types::krou_result;

/// The tables of a ruleset: see krou_open. Threads may share it.
#[derive(Debug)]
pub struct krou_tablebase(pub Tablebase);

impl krou_tablebase {
    /// Probes many boards. Each gets a result and a code.
    ///
    /// # Errors
    /// That of the first board that has one, after all others have been answered.
    pub fn probe_many(
        &self,
        boards: &[[u8; PITS]],
        mut out: Places<krou_result>,
        codes: Option<Places<c_int>>,
    ) -> Result<(), Failure> {
        let boards: Vec<_> = boards.iter().map(|&pits| Board::new(pits)).collect();
        let valid: Vec<Board> = boards.iter().filter_map(|board| board.ok()).collect();
        let mut probed = self.0.probe_all(&valid).into_iter();
        let answers: Vec<Result<krou_result, Failure>> = boards
            .into_iter()
            .map(|board| {
                board?;
                let result = probed.next().expect("each valid board has a result");
                Ok(result?.into())
            })
            .collect();
        let result = |answer: &Result<krou_result, _>| answer.as_ref().copied().unwrap_or_default();
        out.write(answers.iter().map(result));
        if let Some(mut codes) = codes {
            let code = |answer: &Result<_, Failure>| match answer {
                Ok(_) => KROU_OK,
                Err(failure) => failure.code,
            };
            codes.write(answers.iter().map(code));
        }
        let mut failures = answers.into_iter().enumerate();
        let first = failures.find_map(|(index, answer)| Some(answer.err()?.of_board(index)));
        first.map_or(Ok(()), Err)
    }
}
