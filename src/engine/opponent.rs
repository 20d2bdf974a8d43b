//! Somebody to play against: from one who plays anything to one who plays perfectly.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::game::Game;
use super::search::{Engine, EngineOptions, Limits};
use crate::rules::Ruleset;
use crate::tablebase::Tablebase;

/// How an opponent finds his moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Style {
    /// By searching, as well as his level allows.
    Engine,
    /// By tables, and by searching as well as he can where they do not reach.
    Perfect,
    /// By chance.
    Random,
}

/// How strong an opponent is, 1 to 10.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

impl Level {
    /// The strongest.
    pub const MAX: Level = Level(10);

    /// A level; `None` unless it is 1 to 10.
    pub fn new(level: u8) -> Option<Level> {
        (1..=10).contains(&level).then_some(Level(level))
    }

    /// 1 to 10.
    pub fn get(self) -> u8 {
        self.0
    }
}

/// Somebody to play against.
pub struct Opponent {
    engine: Engine,
    level: Level,
}

impl Opponent {
    /// An opponent; whatever he does by chance depends on `seed` alone. Only the style
    /// [`Style::Engine`] has levels.
    pub fn new(
        style: Style,
        level: Level,
        rules: Ruleset,
        tables: Option<Arc<Tablebase>>,
        seed: u64,
    ) -> Opponent {
        let _ = (style, seed);
        Opponent {
            engine: Engine::new(rules, tables, EngineOptions::default()),
            level,
        }
    }

    /// The pit he plays, 0 to 5; `None` if the game is over. `stop` makes him decide at
    /// once.
    pub fn choose(&mut self, game: &Game, stop: &AtomicBool) -> Option<usize> {
        let limits = Limits {
            depth: Some(self.level.get()),
            ..Limits::default()
        };
        let report = self.engine.search(game, &limits, stop, &mut |_| ())?;
        Some(usize::from(report.line[0]))
    }
}
