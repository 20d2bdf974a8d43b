//! Analyses: the engine's view of a position, sent while it searches.

use std::time::Duration;

use serde::Serialize;

use crate::error::AnswerError;
use crate::game::GameParameters;
use crate::limits;
use crate::query::{FromQuery, Query};
use krou::engine::SlicedSearch;
use krou::engine::{Game, GameResult, Limits, SearchLine, SearchReport};
use krou::rules::{Player, Ruleset};

/// A game, and how to analyse its last position.
#[derive(Clone, Debug)]
pub struct AnalysisParameters {
    game: GameParameters,
    limits: Limits,
}

impl FromQuery for AnalysisParameters {
    const NAMES: &'static [&'static str] = &[
        "start",
        "moves",
        "repetitions",
        "lines",
        "movetime",
        "depth",
    ];

    fn from_query(query: &Query) -> Result<AnalysisParameters, AnswerError> {
        const DEFAULT_TIME: Duration = Duration::from_secs(3);
        const DEFAULT_LINES: usize = 3;
        let time = query.milliseconds("movetime", limits::ANALYSIS_TIME, DEFAULT_TIME)?;
        let depth = query.number("depth", 1..=limits::DEPTH, limits::DEPTH)?;
        let lines = query.number("lines", 1..=limits::LINES, DEFAULT_LINES)?;
        Ok(AnalysisParameters {
            game: GameParameters::from_query(query)?,
            limits: Limits::default()
                .with_depth(depth)
                .with_lines(lines)
                .with_time(time),
        })
    }
}

/// What is known after a completed depth.
#[derive(Clone, Debug, Serialize)]
pub struct AnalysisInfo {
    depth: u8,
    selective_depth: u8,
    nodes: u64,
    table_hits: u64,
    /// In thousandths.
    hash_full: u16,
    time_ms: u64,
    /// `lower` if the score is a bound from the next depth, which is not complete.
    bound: Option<&'static str>,
    /// Other pits that are as good, if the tables alone know.
    ties: Vec<u8>,
    /// Best first.
    lines: Vec<LineInfo>,
}

/// A line with its score for the player to move, in seeds from here on.
#[derive(Clone, Debug, Serialize)]
struct LineInfo {
    pit: u8,
    letters: String,
    /// The pits of whoever moves.
    pv: Vec<u8>,
    score: f64,
    /// South's final lead in seeds, including the stores.
    net: f64,
    exact: bool,
    /// What is proven about the score.
    lower: i8,
    upper: i8,
    result: Option<&'static str>,
    depth: u8,
}

impl AnalysisInfo {
    /// The report of a search of this game.
    pub fn new(game: &Game, report: &SearchReport) -> AnalysisInfo {
        AnalysisInfo {
            depth: report.depth,
            selective_depth: report.selective_depth,
            nodes: report.nodes,
            table_hits: report.table_hits,
            hash_full: report.hash_full,
            time_ms: u64::try_from(report.time.as_millis()).unwrap_or(u64::MAX),
            bound: report.is_lower_bound.then_some("lower"),
            ties: report.ties.clone(),
            lines: report
                .lines()
                .iter()
                .map(|line| LineInfo::new(game, line))
                .collect(),
        }
    }
}

impl LineInfo {
    fn new(game: &Game, line: &SearchLine) -> LineInfo {
        let score = line.score;
        let lead = 100 * i16::from(game.lead(Player::South));
        let net = match game.to_move() {
            Player::South => lead + score.hundredths(),
            Player::North => lead - score.hundredths(),
        };
        LineInfo {
            pit: line.pv[0],
            letters: game.letters(&line.pv),
            pv: line.pv.clone(),
            score: score.seeds(),
            net: f64::from(net) / 100.0,
            exact: score.is_exact(),
            lower: line.proven.lower,
            upper: line.proven.upper,
            result: line.result.map(GameResult::as_str),
            depth: line.depth,
        }
    }
}

impl AnalysisParameters {
    /// The search by these rules, ready to begin: [`AnalysisInfo::new`] tells its reports.
    ///
    /// # Errors
    /// If a move cannot be played, or the game cannot go on.
    pub fn search(&self, rules: Ruleset) -> Result<SlicedSearch, AnswerError> {
        let game = self.game.record(rules)?.game().clone();
        SlicedSearch::new(game, self.limits).ok_or(AnswerError::Over)
    }
}
