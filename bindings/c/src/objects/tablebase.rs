//! Open tables: probing many boards, and which layers there are.

use std::ffi::c_int;

use krou::rules::PITS;
use krou::{Board, Tablebase};

use crate::border::codes::{Failure, KROU_OK};
use crate::border::pointers::Places;
use crate::types::krou_result;

/// The tables of a ruleset: see krou_open. Threads may share it.
#[derive(Debug)]
pub struct krou_tablebase(Tablebase);

/// A share of the tables that it probes: see krou_prober_open.
#[derive(Debug)]
pub struct krou_prober(pub Tablebase);

impl krou_tablebase {
    /// A handle of these tables.
    pub fn new(tables: Tablebase) -> krou_tablebase {
        krou_tablebase(tables)
    }

    /// The tables.
    pub fn tables(&self) -> &Tablebase {
        &self.0
    }

    /// The tables, for a handle that may live longer than this one.
    pub fn share(&self) -> Tablebase {
        self.0.clone()
    }

    /// The layers with a value table, bit n for n seeds.
    pub fn layers(&self) -> u64 {
        self.0.layers().bits()
    }

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

    /// Probes the values of many boards. Each gets a value and a code.
    ///
    /// # Errors
    /// As [`krou_tablebase::probe_many`].
    pub fn probe_values(
        &self,
        boards: &[Board],
        mut out: Places<i8>,
        codes: Option<Places<c_int>>,
    ) -> Result<(), Failure> {
        let mut values = vec![0; boards.len()];
        let failed = self.0.probe_values(boards, &mut values);
        let mut failed: Vec<(usize, Failure)> = failed
            .into_iter()
            .map(|(number, error)| (number, Failure::from(error)))
            .collect();
        out.write(values);
        if let Some(mut codes) = codes {
            let mut all = vec![KROU_OK; boards.len()];
            for (number, failure) in &failed {
                all[*number] = failure.code;
            }
            codes.write(all);
        }
        if failed.is_empty() {
            return Ok(());
        }
        let (number, first) = failed.swap_remove(0);
        Err(first.of_board(number))
    }
}
