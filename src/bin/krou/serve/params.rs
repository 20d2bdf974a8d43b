//! Parameters of requests: the ruleset in the path, and what the query string asks for.

use std::str::FromStr;
use std::time::Duration;

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use krou::engine::{Level, Limits, Style};
use krou::rules::{Board, Position, Ruleset};

use super::analysis::AnalysisSpec;
use super::errors::ApiError;
use super::game::{GameSpec, OpponentSpec};
use super::limits;
use super::query_string::QueryString;

/// The ruleset in the path.
pub struct Rules(pub Ruleset);

impl<S: Send + Sync> FromRequestParts<S> for Rules {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Rules, ApiError> {
        let Path(name) = Path::<String>::from_request_parts(parts, state)
            .await
            .map_err(|_| ApiError::NoAddress)?;
        Ok(Rules(Ruleset::from_str(&name)?))
    }
}

/// What an endpoint reads from the query string.
pub trait FromQuery: Sized {
    /// The names of its parameters.
    const NAMES: &'static [&'static str];

    fn from_query(query: &QueryString) -> Result<Self, ApiError>;
}

/// The parameters of the query string.
pub struct Parameters<T>(pub T);

impl<T: FromQuery, S: Send + Sync> FromRequestParts<S> for Parameters<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Parameters<T>, ApiError> {
        let query = QueryString::read(&parts.uri, T::NAMES)?;
        T::from_query(&query).map(Parameters)
    }
}

/// No parameters at all.
pub struct NoParameters;

impl FromQuery for NoParameters {
    const NAMES: &'static [&'static str] = &[];

    fn from_query(_: &QueryString) -> Result<NoParameters, ApiError> {
        Ok(NoParameters)
    }
}

/// A board.
pub struct BoardParameters {
    pub position: Position,
}

impl FromQuery for BoardParameters {
    const NAMES: &'static [&'static str] = &["board"];

    fn from_query(query: &QueryString) -> Result<BoardParameters, ApiError> {
        let position = query.required("board")?.parse()?;
        Ok(BoardParameters { position })
    }
}

/// A board, and the length of its best line.
pub struct LineParameters {
    pub position: Position,
    pub plies: usize,
}

impl FromQuery for LineParameters {
    const NAMES: &'static [&'static str] = &["board", "plies"];

    fn from_query(query: &QueryString) -> Result<LineParameters, ApiError> {
        const DEFAULT_PLIES: usize = 40;
        Ok(LineParameters {
            position: query.required("board")?.parse()?,
            plies: query.number("plies", 0..=limits::PLIES, DEFAULT_PLIES)?,
        })
    }
}

/// A game.
pub struct GameParameters {
    start: Position,
    moves: String,
}

impl FromQuery for GameParameters {
    const NAMES: &'static [&'static str] = &["start", "moves"];

    fn from_query(query: &QueryString) -> Result<GameParameters, ApiError> {
        let moves = query.optional("moves").unwrap_or("");
        if moves.chars().count() > limits::MOVES {
            return Err(ApiError::Parameters(format!(
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
    pub fn game(self, rules: Ruleset) -> GameSpec {
        GameSpec {
            rules,
            start: self.start,
            moves: self.moves,
        }
    }
}

/// A game, and the opponent that makes the next move.
pub struct ReplyParameters {
    pub game: GameParameters,
    pub opponent: OpponentSpec,
}

impl FromQuery for ReplyParameters {
    const NAMES: &'static [&'static str] = &["start", "moves", "opponent", "level", "seed"];

    fn from_query(query: &QueryString) -> Result<ReplyParameters, ApiError> {
        let style = query.required("opponent")?;
        let style = Style::from_str(style).map_err(|why| ApiError::Parameters(why.to_string()))?;
        if query.optional("level").is_some() && style != Style::Engine {
            return Err(ApiError::Parameters(format!(
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
pub struct AnalysisParameters {
    game: GameParameters,
    limits: Limits,
}

impl FromQuery for AnalysisParameters {
    const NAMES: &'static [&'static str] = &["start", "moves", "lines", "movetime", "depth"];

    fn from_query(query: &QueryString) -> Result<AnalysisParameters, ApiError> {
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
    pub fn analysis(self, rules: Ruleset) -> AnalysisSpec {
        AnalysisSpec {
            game: self.game.game(rules),
            limits: self.limits,
        }
    }
}

/// A game, and how long to search for each of its positions.
pub struct ReviewParameters {
    pub game: GameParameters,
    pub time: Duration,
}

impl FromQuery for ReviewParameters {
    const NAMES: &'static [&'static str] = &["start", "moves", "movetime"];

    fn from_query(query: &QueryString) -> Result<ReviewParameters, ApiError> {
        const DEFAULT_TIME: Duration = Duration::from_millis(100);
        Ok(ReviewParameters {
            time: time(query, limits::POSITION_TIME, DEFAULT_TIME)?,
            game: GameParameters::from_query(query)?,
        })
    }
}

/// The time of a search in milliseconds.
fn time(query: &QueryString, longest: Duration, default: Duration) -> Result<Duration, ApiError> {
    let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let time = query.number("movetime", 1..=ms(longest), ms(default))?;
    Ok(Duration::from_millis(time))
}

/// The rules of a game that names none.
pub struct ImportParameters {
    pub rules: Ruleset,
}

impl FromQuery for ImportParameters {
    const NAMES: &'static [&'static str] = &["rules"];

    fn from_query(query: &QueryString) -> Result<ImportParameters, ApiError> {
        let rules = match query.optional("rules") {
            Some(name) => Ruleset::from_str(name)?,
            None => Ruleset::AWARI,
        };
        Ok(ImportParameters { rules })
    }
}
