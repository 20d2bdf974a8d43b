//! Analyses: the engine's view of a position, sent while it searches.

use serde::Serialize;

use crate::error::AnswerError;
use crate::game::{GameParameters, MOVES, REPETITIONS, START};
use crate::limits;
use crate::parameter::Parameter;
use crate::query::{FromQuery, Query};
use krou::engine::SlicedSearch;
use krou::engine::{Game, GameResult, Limits, SearchLine, SearchReport};
use krou::rules::{Player, Ruleset};

const LINES: Parameter = Parameter::number(
    "lines",
    "Number of lines.",
    1..=limits::LINES as u64,
    Some(3),
);
const MOVETIME: Parameter = Parameter::number(
    "movetime",
    "Milliseconds of search.",
    1..=limits::ANALYSIS_TIME.as_millis() as u64,
    Some(3000),
);
const DEPTH: Parameter = Parameter::number(
    "depth",
    "Depth of the search in plies.",
    1..=limits::DEPTH as u64,
    Some(limits::DEPTH as u64),
);

/// A game, and how to analyse its last position.
#[derive(Clone, Debug)]
pub struct AnalysisParameters {
    game: GameParameters,
    limits: Limits,
}

impl FromQuery for AnalysisParameters {
    const PARAMETERS: &'static [Parameter] = &[START, MOVES, REPETITIONS, LINES, MOVETIME, DEPTH];

    fn from_query(query: &Query) -> Result<AnalysisParameters, AnswerError> {
        let time = query.milliseconds(&MOVETIME)?;
        let depth = query.number(&DEPTH)?;
        let lines = query.number(&LINES)?;
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnalysisInfo {
    depth: u8,
    selective_depth: u8,
    nodes: u64,
    table_hits: u64,
    /// How full the engine's memory is, in thousandths.
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct LineInfo {
    pit: u8,
    /// The best moves of both sides.
    letters: String,
    /// The same as pits of whoever moves.
    pv: Vec<u8>,
    /// Seeds from here on, for the player to move.
    score: f64,
    /// South's final lead in seeds, including the stores.
    net: f64,
    /// Whether the score is proven.
    exact: bool,
    /// What is proven about the score.
    lower: i8,
    upper: i8,
    /// The result of the game, if it is proven.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["win", "draw", "loss", null])))]
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
