//! Analyses: what the engine thinks of a position, told while it searches.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use krou::engine::{Engine, EngineOptions, Game, GameResult, Limits, Player, Record};
use krou::tablebase::Tablebase;
use serde::Serialize;

use super::access_log;
use super::errors::ApiError;
use super::game::GameSpec;
use super::search_lines::{BestLines, Line, search_lines};

/// A game, and how to analyse its last position.
#[derive(Clone, Debug)]
pub struct AnalysisSpec {
    pub game: GameSpec,
    pub lines: usize,
    pub limits: Limits,
}

/// What is known after a completed depth.
#[derive(Clone, Debug, Serialize)]
pub struct AnalysisInfo {
    depth: u8,
    selective_depth: u8,
    nodes: u64,
    time_ms: u64,
    /// Best first.
    lines: Vec<LineInfo>,
}

#[derive(Clone, Debug, Serialize)]
struct LineInfo {
    letters: String,
    /// Seeds from here on, for the player to move.
    score: f64,
    /// South's final lead in seeds, including the stores.
    net: f64,
    exact: bool,
    result: Option<&'static str>,
}

impl AnalysisInfo {
    fn new(game: &Game, found: BestLines) -> AnalysisInfo {
        let line = |line: &Line| LineInfo::new(game, line);
        AnalysisInfo {
            depth: found.depth,
            selective_depth: found.selective_depth,
            nodes: found.nodes,
            time_ms: u64::try_from(found.time.as_millis()).unwrap_or(u64::MAX),
            lines: found.lines.iter().map(line).collect(),
        }
    }
}

impl LineInfo {
    fn new(game: &Game, line: &Line) -> LineInfo {
        let score = line.score.hundredths();
        let lead = 100 * i16::from(game.lead(Player::South));
        let net = match game.to_move() {
            Player::South => lead + score,
            Player::North => lead - score,
        };
        LineInfo {
            letters: letters(game, &line.pits),
            score: seeds(score),
            net: seeds(net),
            exact: line.score.is_exact(),
            result: line.result.map(word),
        }
    }
}

/// Hundredths of a seed as seeds.
pub fn seeds(hundredths: i16) -> f64 {
    f64::from(hundredths) / 100.0
}

fn word(result: GameResult) -> &'static str {
    match result {
        GameResult::Win => "win",
        GameResult::Draw => "draw",
        GameResult::Loss => "loss",
    }
}

/// Pits as letters, up to the end of the game.
fn letters(game: &Game, pits: &[u8]) -> String {
    let mut record = Record::new(game.clone());
    for &pit in pits {
        if record.play(pit).is_err() {
            break;
        }
    }
    record.letters()
}

impl AnalysisSpec {
    /// The position to analyse.
    ///
    /// # Errors
    /// If a move cannot be played, or the game is over.
    pub fn position(&self) -> Result<Game, ApiError> {
        let record = self.game.record()?;
        let game = record.game();
        match game.outcome() {
            None => Ok(game.clone()),
            Some(_) => Err(ApiError::Over),
        }
    }

    /// Searches from a position until a limit is reached or `stop` is set. Calls `on_info`
    /// after each depth; returns the last of these infos.
    pub fn run(
        &self,
        game: &Game,
        tables: Arc<Tablebase>,
        stop: &AtomicBool,
        mut on_info: impl FnMut(&AnalysisInfo),
    ) -> Option<AnalysisInfo> {
        let options = EngineOptions::default();
        let mut engine = Engine::new(game.rules(), Some(tables), options);
        let mut last = None;
        let mut on_depth = |found| {
            let info = AnalysisInfo::new(game, found);
            on_info(&info);
            last = Some(info);
        };
        let (count, limits) = (self.lines, &self.limits);
        search_lines(&mut engine, game, count, limits, stop, &mut on_depth);
        access_log::table_errors(engine.table_errors());
        last
    }
}
