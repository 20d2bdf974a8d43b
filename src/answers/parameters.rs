//! What answers need of the parameters, with defaults and limits.

use std::str::FromStr;
use std::time::Duration;

use super::analysis::AnalysisSpec;
use super::error::AnswerError;
use super::game::GameSpec;
use super::limits;
use super::query::Query;
use super::reply::OpponentSpec;
use crate::engine::{Level, Limits, Style};
use crate::rules::{Board, Position, Ruleset};

/// What an answer needs of the parameters.
pub trait FromQuery: Sized {
    /// The names of its parameters.
    const NAMES: &'static [&'static str];

    /// Reads them.
    ///
    /// # Errors
    /// If one is missing, or its value is wrong.
    fn from_query(query: &Query) -> Result<Self, AnswerError>;
}

/// No parameters at all.
#[derive(Clone, Debug)]
pub struct NoParameters;

impl FromQuery for NoParameters {
    const NAMES: &'static [&'static str] = &[];

    fn from_query(_: &Query) -> Result<NoParameters, AnswerError> {
        Ok(NoParameters)
    }
}

/// A board.
#[derive(Clone, Debug)]
pub struct BoardParameters {
    /// The board.
    pub position: Position,
}

impl FromQuery for BoardParameters {
    const NAMES: &'static [&'static str] = &["board"];

    fn from_query(query: &Query) -> Result<BoardParameters, AnswerError> {
        let position = query.required("board")?.parse()?;
        Ok(BoardParameters { position })
    }
}

/// A board, and the length of its best line.
#[derive(Clone, Debug)]
pub struct LineParameters {
    /// The board.
    pub position: Position,
    /// The most plies of the line.
    pub plies: usize,
}

impl FromQuery for LineParameters {
    const NAMES: &'static [&'static str] = &["board", "plies"];

    fn from_query(query: &Query) -> Result<LineParameters, AnswerError> {
        const DEFAULT_PLIES: usize = 40;
        Ok(LineParameters {
            position: query.required("board")?.parse()?,
            plies: query.number("plies", 0..=limits::PLIES, DEFAULT_PLIES)?,
        })
    }
}

/// A game.
#[derive(Clone, Debug)]
pub struct GameParameters {
    start: Position,
    moves: String,
}

impl FromQuery for GameParameters {
    const NAMES: &'static [&'static str] = &["start", "moves"];

    fn from_query(query: &Query) -> Result<GameParameters, AnswerError> {
        let moves = query.optional("moves").unwrap_or("");
        if moves.chars().count() > limits::MOVES {
            return Err(AnswerError::Parameters(format!(
                "'moves' has too many letters: the limit is {}",
                limits::MOVES
            )));
        }
        let start = match query.optional("start") {
            Some(text) => text.parse()?,
            None => Position::from(Board::START),
        };
        Ok(GameParameters {
            start,
            moves: moves.to_owned(),
        })
    }
}

impl GameParameters {
    /// The game by these rules.
    pub fn game(self, rules: Ruleset) -> GameSpec {
        GameSpec {
            rules,
            start: self.start,
            moves: self.moves,
        }
    }
}

/// A game, and the opponent that makes the next move.
#[derive(Clone, Debug)]
pub struct ReplyParameters {
    /// The game.
    pub game: GameParameters,
    /// The opponent.
    pub opponent: OpponentSpec,
}

impl FromQuery for ReplyParameters {
    const NAMES: &'static [&'static str] = &["start", "moves", "opponent", "level", "seed"];

    fn from_query(query: &Query) -> Result<ReplyParameters, AnswerError> {
        let style = query.required("opponent")?;
        let style =
            Style::from_str(style).map_err(|why| AnswerError::Parameters(why.to_string()))?;
        if query.optional("level").is_some() && style != Style::Engine {
            return Err(AnswerError::Parameters(format!(
                "the opponent '{style}' has no levels: leave out 'level'"
            )));
        }
        let level = query.number("level", 1..=Level::MAX.get(), Level::DEFAULT.get())?;
        let opponent = OpponentSpec {
            style,
            level: Level::new(level).unwrap_or(Level::DEFAULT),
            seed: query.number("seed", 0..=u64::MAX, fastrand::u64(..))?,
        };
        let game = GameParameters::from_query(query)?;
        Ok(ReplyParameters { game, opponent })
    }
}

/// A game, and how to analyse its last position.
#[derive(Clone, Debug)]
pub struct AnalysisParameters {
    game: GameParameters,
    limits: Limits,
}

impl FromQuery for AnalysisParameters {
    const NAMES: &'static [&'static str] = &["start", "moves", "lines", "movetime", "depth"];

    fn from_query(query: &Query) -> Result<AnalysisParameters, AnswerError> {
        const DEFAULT_TIME: Duration = Duration::from_secs(3);
        let time = time(query, limits::ANALYSIS_TIME, DEFAULT_TIME)?;
        let depth = query.number("depth", 1..=limits::DEPTH, limits::DEPTH)?;
        let lines = query.number("lines", 1..=limits::LINES, 3)?;
        let limits = Limits::default().with_depth(depth).with_lines(lines);
        Ok(AnalysisParameters {
            limits: limits.with_time(time),
            game: GameParameters::from_query(query)?,
        })
    }
}

impl AnalysisParameters {
    /// The analysis by these rules.
    pub fn analysis(self, rules: Ruleset) -> AnalysisSpec {
        AnalysisSpec {
            game: self.game.game(rules),
            limits: self.limits,
        }
    }
}

/// A game, and how long to search for each of its positions.
#[derive(Clone, Debug)]
pub struct ReviewParameters {
    /// The game.
    pub game: GameParameters,
    /// The time for each position.
    pub time: Duration,
}

impl FromQuery for ReviewParameters {
    const NAMES: &'static [&'static str] = &["start", "moves", "movetime"];

    fn from_query(query: &Query) -> Result<ReviewParameters, AnswerError> {
        const DEFAULT_TIME: Duration = Duration::from_millis(100);
        Ok(ReviewParameters {
            time: time(query, limits::POSITION_TIME, DEFAULT_TIME)?,
            game: GameParameters::from_query(query)?,
        })
    }
}

/// The time of a search in milliseconds.
fn time(query: &Query, longest: Duration, default: Duration) -> Result<Duration, AnswerError> {
    let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let time = query.number("movetime", 1..=ms(longest), ms(default))?;
    Ok(Duration::from_millis(time))
}

/// The rules of a game that names none.
#[derive(Clone, Debug)]
pub struct ImportParameters {
    /// The ruleset.
    pub rules: Ruleset,
}

impl FromQuery for ImportParameters {
    const NAMES: &'static [&'static str] = &["rules"];

    fn from_query(query: &Query) -> Result<ImportParameters, AnswerError> {
        let rules = match query.optional("rules") {
            Some(name) => Ruleset::from_str(name)?,
            None => Ruleset::AWARI,
        };
        Ok(ImportParameters { rules })
    }
}
