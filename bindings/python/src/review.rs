//! Reviews of games: what each move gave away.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Sender;

use krou::engine::{EngineOptions, Limits, Review, Reviewer};
use krou::ogn::SavedGame;
use krou_answers::ReviewAnswer;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::errors::GameError;
use crate::game::Game;
use crate::results::make;
use crate::ruleset::RulesArg;
use crate::tablebase::Tablebase;
use crate::{arguments, engine, interrupt};

/// The game of an argument: a `Game`, or its text.
fn saved_game(game: &Bound<'_, PyAny>, rules: krou::Ruleset) -> PyResult<SavedGame> {
    if let Ok(game) = game.cast::<Game>() {
        return Ok(SavedGame::new(game.get().record().clone()));
    }
    let Ok(text) = game.cast::<PyString>() else {
        return Err(PyTypeError::new_err(format!(
            "a game is a krou.Game or text, not {}",
            game.get_type().name()?
        )));
    };
    SavedGame::parse(&text.to_cow()?, rules).map_err(|error| GameError::new_err(error.to_string()))
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
pub fn review<'py>(
    py: Python<'py>,
    game: &Bound<'py, PyAny>,
    tablebase: Option<&Bound<'_, Tablebase>>,
    rules: Option<RulesArg>,
    depth: Option<&Bound<'_, PyAny>>,
    time: Option<&Bound<'_, PyAny>>,
    hash_mib: Option<&Bound<'_, PyAny>>,
    threads: Option<&Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let game = saved_game(game, RulesArg::or_default(rules))?;
    let record = game.record();
    let rules = record.game().rules();
    let tables = match tablebase {
        Some(tablebase) => (*tablebase.get().tables()?).clone(),
        None => krou::Tablebase::embedded(rules),
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
        reviewer.review(record, |done| {
            // Nobody listens any more if the review is being stopped.
            let _ = events.send(done);
        })
    };
    let all = record.turns().len();
    let report = |py: Python<'_>, done: usize| match &progress {
        Some(progress) => progress.call1(py, (done, all)).map(|_| ()),
        None => Ok(()),
    };
    let reviewed: Review = interrupt::run(py, &stop, work, report)?;
    make(py, "review", &ReviewAnswer::new(&game, reviewed))
}
