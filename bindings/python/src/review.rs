//! Reviews of games: what each move gave away.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;

use krou::engine::{
    EngineOptions, Forecast, GivenAway as LibrarySum, Limits, Player, Record,
    ReviewedMove as LibraryMove, Reviewer, SavedGame,
};
use krou::table::TableError;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::errors::{GameError, table_error};
use crate::game::Game;
use crate::moves::python_bool;
use crate::ruleset::{RulesArg, Ruleset};
use crate::tablebase::Tablebase;
use crate::{arguments, engine, interrupt};

/// A move with what it gave away. All numbers are in seeds.
#[pyclass(frozen, eq, get_all, module = "krou")]
#[derive(Clone, PartialEq, Debug)]
pub struct ReviewedMove {
    /// The number of the move in the notation of games.
    number: usize,
    /// Who played it: ``"south"`` or ``"north"``.
    player: &'static str,
    /// The letter of the pit.
    letter: char,
    /// The pit, 0 to 5.
    pit: u8,
    /// Seeds that the player took.
    taken: u8,
    /// The position before the move, in the notation of engines.
    position: String,
    /// The score of the best move, for the player who moved.
    best: f64,
    /// The score of the played move.
    played: f64,
    /// What the move gave away; never negative.
    given_away: f64,
    /// Whether both scores are exact.
    exact: bool,
    /// The best moves of both sides from before the move on, as letters.
    line: String,
    /// South's final lead under best play from before the move on.
    lead_before: f64,
    /// South's final lead under best play from after the move on.
    lead_after: f64,
    /// Who wins from before the move on: ``"south"``, ``"north"`` or ``"draw"``; ``None``
    /// if that is not exact.
    winner_before: Option<&'static str>,
    /// Who wins from after the move on.
    winner_after: Option<&'static str>,
    /// Whether the move changes the winner.
    turning_point: bool,
    /// The depth of the search in plies; 0 if the tables alone knew.
    depth: u8,
}

impl ReviewedMove {
    fn new(number: usize, before: &krou::engine::Game, reviewed: &LibraryMove) -> ReviewedMove {
        ReviewedMove {
            number,
            player: reviewed.turn.player.word(),
            letter: reviewed.turn.letter(),
            pit: reviewed.turn.step.pit,
            taken: reviewed.turn.taken,
            position: before.position().to_string(),
            best: reviewed.best.seeds(),
            played: reviewed.played.seeds(),
            given_away: seeds(reviewed.given_away().into()),
            exact: reviewed.is_exact(),
            line: reviewed.pv.clone(),
            lead_before: seeds(reviewed.before.hundredths().into()),
            lead_after: seeds(reviewed.after.hundredths().into()),
            winner_before: winner(reviewed.before),
            winner_after: winner(reviewed.after),
            turning_point: reviewed.is_turning_point(),
            depth: reviewed.depth,
        }
    }
}

/// Who wins, or `draw`; `None` for estimates.
fn winner(forecast: Forecast) -> Option<&'static str> {
    let winner = || forecast.winner().map_or("draw", Player::word);
    forecast.is_exact().then(winner)
}

fn seeds(hundredths: i32) -> f64 {
    f64::from(hundredths) / 100.0
}

#[pymethods]
impl ReviewedMove {
    fn __repr__(&self) -> String {
        format!(
            "ReviewedMove(number={}, letter='{}', given_away={}, exact={})",
            self.number,
            self.letter,
            self.given_away,
            python_bool(self.exact)
        )
    }
}

/// What a player gave away in a whole game, in seeds.
#[pyclass(frozen, eq, get_all, module = "krou")]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GivenAway {
    /// The sum over moves with exact scores.
    exact: f64,
    /// The sum over all other moves.
    estimated: f64,
    /// Number of moves.
    moves: usize,
}

impl From<LibrarySum> for GivenAway {
    fn from(sum: LibrarySum) -> GivenAway {
        GivenAway {
            exact: seeds(sum.exact),
            estimated: seeds(sum.estimated),
            moves: sum.moves,
        }
    }
}

#[pymethods]
impl GivenAway {
    fn __repr__(&self) -> String {
        format!(
            "GivenAway(exact={}, estimated={}, moves={})",
            self.exact, self.estimated, self.moves
        )
    }
}

/// The review of a game.
#[pyclass(frozen, eq, get_all, module = "krou")]
#[derive(Clone, PartialEq, Debug)]
pub struct Review {
    /// The ruleset.
    rules: Ruleset,
    /// The moves.
    moves: Vec<ReviewedMove>,
    /// What South gave away.
    south: GivenAway,
    /// What North gave away.
    north: GivenAway,
}

#[pymethods]
impl Review {
    fn __len__(&self) -> usize {
        self.moves.len()
    }

    fn __repr__(&self) -> String {
        format!("<krou.Review of {} moves>", self.moves.len())
    }
}

/// The game of an argument: a `Game`, or its text.
fn record_of(game: &Bound<'_, PyAny>, rules: krou::Ruleset) -> PyResult<Record> {
    if let Ok(game) = game.cast::<Game>() {
        return Ok(game.get().record().clone());
    }
    let Ok(text) = game.cast::<PyString>() else {
        return Err(PyTypeError::new_err(format!(
            "a game is a krou.Game or text, not {}",
            game.get_type().name()?
        )));
    };
    SavedGame::parse(&text.to_cow()?, rules)
        .map(SavedGame::into_record)
        .map_err(|error| GameError::new_err(error.to_string()))
}

/// Reviews the moves of a game: a ``Game``, or its text as ``Game.from_ogn`` reads it.
///
/// Inside the tables scores are exact; the tables are those inside krou unless a
/// ``Tablebase`` is given. Beyond them each position is searched to ``depth`` plies, or
/// for ``time`` seconds if that is shorter. ``progress`` is called with the number of
/// moves done and that of all moves. Ctrl-C stops the review.
///
/// >>> import krou
/// >>> text = '[FEN "1-0-0-0-0-1-2-0-0-0-0-1-20-20-S"] A'
/// >>> review = krou.review(text)
/// >>> review.moves[0].given_away, review.moves[0].line[0], review.moves[0].exact
/// (6.0, 'F', True)
#[pyfunction]
#[pyo3(
    signature = (
        game, tablebase = None, rules = None, *, depth = None, time = None, hash_mib = None,
        threads = None, progress = None
    ),
    text_signature = "(game, tablebase=None, rules='awari', *, depth=10, time=None, \
                      hash_mib=64, threads=1, progress=None)"
)]
pub fn review(
    py: Python<'_>,
    game: &Bound<'_, PyAny>,
    tablebase: Option<&Bound<'_, Tablebase>>,
    rules: Option<RulesArg>,
    depth: Option<&Bound<'_, PyAny>>,
    time: Option<&Bound<'_, PyAny>>,
    hash_mib: Option<&Bound<'_, PyAny>>,
    threads: Option<&Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Review> {
    let record = record_of(game, RulesArg::or_default(rules))?;
    let rules = record.game().rules();
    let tables = match tablebase {
        Some(tablebase) => Arc::clone(tablebase.get().tables()),
        None => Arc::new(krou::Tablebase::embedded(rules)),
    };
    if tables.rules() != rules {
        return Err(PyValueError::new_err(format!(
            "the game is of {rules}, but the tablebase is of {}",
            tables.rules()
        )));
    }
    let depth = match depth {
        None => 10,
        Some(depth) => arguments::whole("the depth", depth, 2..=60)?,
    };
    let mut limits = Limits::default().with_depth(depth as u8);
    limits.time = time.map(arguments::seconds).transpose()?.flatten();
    let options: EngineOptions = engine::options(hash_mib, threads)?;

    let stop = Arc::new(AtomicBool::new(false));
    let work = |events: Sender<usize>| {
        let mut reviewer = Reviewer::new(tables, options, limits);
        reviewer.set_stop(Arc::clone(&stop));
        let mut moves = Vec::new();
        for (before, turn) in record.plies() {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            moves.push(reviewer.review(before, turn)?);
            // Nobody listens any more if the review is being stopped.
            let _ = events.send(moves.len());
        }
        Ok(moves)
    };
    let all = record.turns().len();
    let report = |py: Python<'_>, done: usize| match &progress {
        Some(progress) => progress.call1(py, (done, all)).map(|_| ()),
        None => Ok(()),
    };
    let reviewed: Result<Vec<LibraryMove>, TableError> = interrupt::run(py, &stop, work, report)?;
    let reviewed = reviewed.map_err(|error| table_error(py, &error))?;
    let plies = record.plies().zip(record.numbers()).zip(&reviewed);
    Ok(Review {
        rules: Ruleset(rules),
        moves: plies
            .map(|(((before, _), number), m)| ReviewedMove::new(number, before, m))
            .collect(),
        south: LibrarySum::by(Player::South, &reviewed).into(),
        north: LibrarySum::by(Player::North, &reviewed).into(),
    })
}
