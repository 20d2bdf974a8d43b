//! Results of many boards in one call.

use std::collections::BTreeSet;

use krou::Board;
use krou::tablebase::ProbeError;
use krou_answers::{AnswerError, BoardParameters, Code, ErrorAnswer, ResultFields, known};
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::endpoints::Answers;
use crate::json::{Text, error, to_text};
use crate::remote::Wanted;

#[wasm_bindgen]
impl Answers {
    /// What each board of a list of texts is worth: a list of objects with the fields of an
    /// answer of `value`, all null where the layer is missing. What all boards lack of a host's
    /// tables is one error, so that it is fetched together. Errors name a board by its number; `first` is
    /// that of the first one.
    pub fn probe_many(&self, rules: &str, first: usize, boards: &str) -> Text {
        let tables = self.tables(rules).map_err(error)?;
        let texts: Vec<String> = serde_json::from_str(boards).map_err(|_| {
            let why = "the boards must be a list of texts".to_owned();
            error(AnswerError::Parameters(why))
        })?;
        let board = |(number, text): (usize, &String)| {
            let position = BoardParameters::parse(text)
                .and_then(|board| board.position(tables.rules()))
                .map_err(|why| of_board(number, &why))?;
            Ok(position.board)
        };
        let boards: Result<Vec<Board>, String> = (first..).zip(&texts).map(board).collect();
        let mut results = Vec::with_capacity(texts.len());
        let mut lacking = BTreeSet::new();
        for (number, probed) in (first..).zip(tables.probe_all(&boards?)) {
            if let Err(ProbeError::Table(why)) = &probed
                && let Some(ranges) = why.lacking_ranges()
            {
                lacking.extend(ranges);
                continue;
            }
            let found = known(probed).map_err(|why| of_board(number, &why.into()))?;
            results.push(ResultFields::from(found.ok()));
        }
        if lacking.is_empty() {
            return Ok(to_text(&results));
        }
        Err(to_text(&ManyLacking {
            error: ErrorAnswer::new("bytes of a host's tables are lacking", Code::Table),
            lacking: lacking.into_iter().map(Wanted::from).collect(),
        }))
    }
}

/// The error of one of the boards as text.
fn of_board(number: usize, why: &AnswerError) -> String {
    let message = format!("board {number}: {why}");
    to_text(&ErrorAnswer::new(message, why.code()))
}

/// What all boards lack.
#[derive(Serialize)]
struct ManyLacking {
    #[serde(flatten)]
    error: ErrorAnswer,
    lacking: Vec<Wanted>,
}
