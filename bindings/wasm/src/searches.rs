//! Analyses and reviews, told while they go on.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use js_sys::Function;
use krou::answers::{AnalysisInfo, AnalysisParameters, Review, ReviewParameters};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::endpoints::Answers;
use crate::json::{Text, error, parameters, text, to_text};

#[wasm_bindgen]
impl Answers {
    /// What the engine thinks of a position. Calls `on_info` with the text of each info;
    /// returns the last one.
    pub fn analyse(&self, rules: &str, given: &str, on_info: &Function) -> Text {
        let tables = self.tables(rules).map_err(error)?;
        let query: AnalysisParameters = parameters(given).map_err(error)?;
        let tell = |info: &AnalysisInfo| {
            // What the callback throws concerns the page alone.
            let _ = on_info.call1(&JsValue::NULL, &to_text(info).into());
        };
        let game = query.position(tables.rules()).map_err(error)?;
        let never = AtomicBool::new(false);
        text(query.run(&game, tables, &never, tell, |_| ()))
    }

    /// The review of a game, ready to begin.
    pub fn review(&self, rules: &str, given: &str) -> Result<GameReview, String> {
        let tables = self.tables(rules).map_err(error)?;
        let query: ReviewParameters = parameters(given).map_err(error)?;
        let review = query.review(tables).map_err(error)?;
        Ok(GameReview { review })
    }
}

/// A review in progress.
#[wasm_bindgen]
#[derive(Debug)]
pub struct GameReview {
    review: Review,
}

#[wasm_bindgen]
impl GameReview {
    /// Reviews the next position. Returns a list of pairs: the name of an event and its
    /// data; an empty list after the last one.
    pub fn step(&mut self) -> Text {
        let events = self.review.step(&Arc::new(AtomicBool::new(false)));
        let pairs = events.iter().map(|event| (event.name(), event));
        Ok(to_text(&pairs.collect::<Vec<_>>()))
    }
}
