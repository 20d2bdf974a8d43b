//! The engines of analyses and reviews, which have one only while they run. They are kept for
//! the next search, which goes on from their transposition tables if it is of the same game.

use std::sync::{Mutex, PoisonError};

use krou::engine::{Engine, EngineOptions};
use krou::tablebase::Tablebase;

/// The engines of searches that give way to others, at most as many as may run: a search
/// goes on in an engine of its ruleset, which may have seen other games meanwhile.
#[derive(Default)]
pub struct Engines(Mutex<Vec<Engine>>);

impl Engines {
    /// An engine with these tables. It takes the place of one of another ruleset.
    pub fn take(&self, tables: &Tablebase) -> Engine {
        let rules = tables.rules();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let fitting = kept.iter().position(|engine| engine.rules() == rules);
        if let Some(place) = fitting {
            return kept.swap_remove(place);
        }
        drop(kept.pop());
        drop(kept);
        Engine::new(rules, Some(tables.clone()), EngineOptions::default())
    }

    /// Keeps an engine for the next search.
    pub fn keep(&self, engine: Engine) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push(engine);
    }
}
