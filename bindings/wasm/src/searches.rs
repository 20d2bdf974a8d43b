//! Analyses and reviews, told while they go on.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use js_sys::Function;
use krou::engine::{Engine, EngineOptions, Game, SearchReport};
use krou::tablebase::Tablebase;
use krou_answers::{AnalysisInfo, AnalysisParameters, ReviewInProgress, ReviewParameters};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::endpoints::Answers;
use crate::json::{Text, error, parameters, to_text};

thread_local! {
    /// The tables and the engine of the last analysis: a longer analysis of the same game goes
    /// on from its results.
    static KEPT: RefCell<Option<(Tablebase, Engine)>> = const { RefCell::new(None) };
}

#[wasm_bindgen]
impl Answers {
    /// What the engine thinks of a position. Calls `on_info` with the text of each info;
    /// returns the last one. The search ends early if `on_info` throws.
    pub fn analyse(&self, rules: &str, given: &str, on_info: &Function) -> Text {
        let tables = self.tables(rules).map_err(error)?;
        let query: AnalysisParameters = parameters(given).map_err(error)?;
        let mut search = query.search(tables.rules()).map_err(error)?;
        let mut last = String::new();
        let stop = AtomicBool::new(false);
        let mut on_report = |game: &Game, report: &SearchReport| {
            last = to_text(&AnalysisInfo::new(game, report));
            if on_info
                .call1(&JsValue::NULL, &last.as_str().into())
                .is_err()
            {
                stop.store(true, Ordering::Relaxed);
            }
        };
        let kept = KEPT.take().filter(|(of, _)| of.is_clone_of(&tables));
        let (_, mut engine) = kept.unwrap_or_else(|| (tables.clone(), engine(&tables)));
        search.run(&mut engine, &stop, &mut on_report);
        KEPT.set(Some((tables, engine)));
        Ok(last)
    }

    /// The review of a game, ready to begin.
    pub fn review(&self, rules: &str, given: &str) -> Result<GameReview, String> {
        let tables = self.tables(rules).map_err(error)?;
        let query: ReviewParameters = parameters(given).map_err(error)?;
        let engine = Some(engine(&tables));
        let review = query.review(tables).map_err(error)?;
        Ok(GameReview { review, engine })
    }
}

/// A review in progress.
#[wasm_bindgen]
#[derive(Debug)]
pub struct GameReview {
    review: ReviewInProgress,
    /// None after an error.
    engine: Option<Engine>,
}

/// A new engine with these tables.
fn engine(tables: &Tablebase) -> Engine {
    let options = EngineOptions::default();
    Engine::new(tables.rules(), Some(tables.clone()), options)
}

#[wasm_bindgen]
impl GameReview {
    /// Reviews the next position. Returns a list of pairs: the name of an event and its
    /// data; an empty list after the last one.
    pub fn step(&mut self) -> String {
        let Some(engine) = self.engine.take() else {
            return to_text(&[(); 0]);
        };
        let never = Arc::new(AtomicBool::new(false));
        let (engine, events) = self.review.step(engine, &never);
        self.engine = Some(engine);
        let pairs = events.iter().map(|event| (event.name(), event));
        to_text(&pairs.collect::<Vec<_>>())
    }
}
