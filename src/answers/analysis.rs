//! Analyses: what the engine thinks of a position, told while it searches.

use std::iter;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::Serialize;

use super::error::AnswerError;
use super::game::GameSpec;
use crate::engine::{
    Engine, EngineOptions, Game, GameResult, Limits, Player, Record, Score, SearchReport,
    TableErrors,
};
use crate::tablebase::Tablebase;

/// A game, and how to analyse its last position.
#[derive(Clone, Debug)]
pub struct AnalysisSpec {
    /// The game.
    pub game: GameSpec,
    /// When the search ends.
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
    fn new(game: &Game, report: &SearchReport) -> AnalysisInfo {
        let first = LineInfo::new(game, report.score, report.result, &report.pv);
        let others = report.others.iter();
        let others = others.map(|line| LineInfo::new(game, line.score, line.result, &line.pv));
        AnalysisInfo {
            depth: report.depth,
            selective_depth: report.selective_depth,
            nodes: report.nodes,
            time_ms: u64::try_from(report.time.as_millis()).unwrap_or(u64::MAX),
            lines: iter::once(first).chain(others).collect(),
        }
    }
}

impl LineInfo {
    fn new(game: &Game, score: Score, result: Option<GameResult>, pv: &[u8]) -> LineInfo {
        let lead = 100 * i16::from(game.lead(Player::South));
        let net = match game.to_move() {
            Player::South => lead + score.hundredths(),
            Player::North => lead - score.hundredths(),
        };
        LineInfo {
            letters: letters(game, pv),
            score: seeds(score.hundredths()),
            net: seeds(net),
            exact: score.is_exact(),
            result: result.map(word),
        }
    }
}

/// Hundredths of a seed as seeds.
pub(super) fn seeds(hundredths: i16) -> f64 {
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
    pub fn position(&self) -> Result<Game, AnswerError> {
        let record = self.game.record()?;
        let game = record.game();
        match game.outcome() {
            None => Ok(game.clone()),
            Some(_) => Err(AnswerError::Over),
        }
    }

    /// Searches from a position until a limit is reached or `stop` is set. Calls `on_info`
    /// after each completed depth, at least once; returns the last of these infos.
    /// `on_table_errors` learns of the tables that could not be read.
    ///
    /// # Errors
    /// If the game is over.
    pub fn run(
        &self,
        game: &Game,
        tables: Arc<Tablebase>,
        stop: &AtomicBool,
        mut on_info: impl FnMut(&AnalysisInfo),
        on_table_errors: impl FnOnce(&TableErrors),
    ) -> Result<AnalysisInfo, AnswerError> {
        let options = EngineOptions::default();
        let mut engine = Engine::new(game.rules(), Some(tables), options);
        let mut last = None;
        let mut on_report = |report: &SearchReport| {
            let info = AnalysisInfo::new(game, report);
            on_info(&info);
            last = Some(info);
        };
        let report = engine.search(game, &self.limits, stop, &mut on_report);
        on_table_errors(engine.table_errors());
        let report = report.ok_or(AnswerError::Over)?;
        Ok(last.unwrap_or_else(|| {
            // There was no time for a single depth.
            let info = AnalysisInfo::new(game, &report);
            on_info(&info);
            info
        }))
    }
}
