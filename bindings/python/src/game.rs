//! The class `Game`: a game with all its moves.

use std::sync::{Mutex, MutexGuard, PoisonError};

use krou::engine::Record;
use krou::ogn::SavedGame;
use krou::rules::Position;
use krou_answers::{MovesAnswer, OutcomeAnswer, TurnAnswer};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::arguments;
use crate::board::{Board, PositionArg, board_error};
use crate::errors::{GameError, IllegalMove};
use crate::moves::pit_of;
use crate::results::{class, make, make_all};
use crate::ruleset::{RulesArg, Ruleset};

/// A game with all its moves: board, stores, the player to move and the boards that may
/// repeat.
///
/// It begins with four seeds in every pit, or with ``position``: a board, South being to
/// move, or a position in the notation of engines. The ``repetitions``-th occurrence of a
/// board with the same player to move ends it.
///
/// >>> import krou
/// >>> game = krou.Game("abapa")
/// >>> turn = game.play(2)
/// >>> turn.player, turn.letter, turn.taken
/// ('south', 'C', 0)
/// >>> game.play("f").board.notation
/// '5 5 1 6 5 5 / 5 4 4 4 4 0'
/// >>> game.letters, game.to_move, game.outcome is None
/// ('Cf', 'south', True)
#[pyclass(frozen, module = "krou")]
#[derive(Debug)]
pub struct Game(Mutex<Record>);

impl Game {
    pub fn of_record(record: Record) -> Game {
        Game(Mutex::new(record))
    }

    /// The game with its moves. The lock is held for moments only, without running any
    /// Python code.
    pub fn record(&self) -> MutexGuard<'_, Record> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A game that begins with a position.
pub fn game_at(rules: krou::Ruleset, position: &Position) -> PyResult<krou::engine::Game> {
    krou::engine::Game::from_position(rules, *position).map_err(board_error)
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(
        signature = (rules = None, position = None, *, repetitions = None),
        text_signature = "(rules='awari', position=None, *, repetitions=3)"
    )]
    fn new(
        rules: Option<RulesArg>,
        position: Option<PositionArg>,
        repetitions: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Game> {
        let rules = RulesArg::or_default(rules);
        let repetitions = match repetitions {
            None => 3,
            Some(times) => arguments::whole("the number of repetitions", times, 2..=255)?,
        };
        let game = match position {
            None => krou::engine::Game::new(rules),
            Some(position) => game_at(rules, &position.0)?,
        };
        let game = game.with_repetitions(repetitions as u8);
        Ok(Game::of_record(Record::new(game)))
    }

    /// Reads a game from text: OGN, or moves such as ``"CfFa"``. ``rules`` applies if the
    /// text does not name a ruleset.
    ///
    /// >>> import krou
    /// >>> krou.Game.from_ogn("1. C f 2. F").letters
    /// 'CfF'
    #[staticmethod]
    #[pyo3(signature = (text, rules = None), text_signature = "(text, rules='awari')")]
    fn from_ogn(text: &str, rules: Option<RulesArg>) -> PyResult<Game> {
        let saved = SavedGame::parse(text, RulesArg::or_default(rules));
        saved
            .map(|saved| Game::of_record(saved.into_record()))
            .map_err(|error| GameError::new_err(error.to_string()))
    }

    /// The game as OGN, with these tags, such as ``{"South": "Ama"}``.
    #[pyo3(signature = (tags = None))]
    fn to_ogn(&self, tags: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
        let mut saved = SavedGame::new(self.record().clone());
        for (name, value) in tags.iter().flat_map(|tags| tags.iter()) {
            let (name, value): (String, String) = (name.extract()?, value.extract()?);
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let is_part = ["Variant", "FEN"].contains(&name.as_str());
            if name.is_empty() || !name.chars().all(is_word) || is_part {
                return Err(GameError::new_err(format!(
                    "'{name}' cannot be the name of a tag: use ASCII letters, digits and \
                     underscores, and neither Variant nor FEN"
                )));
            }
            saved.set_tag(&name, &value);
        }
        Ok(saved.to_string())
    }

    /// Plays a move: a pit of the player to move, 0 to 5, or its letter. An illegal move
    /// raises ``IllegalMove``, a ``ValueError``, and changes nothing.
    #[pyo3(name = "play", signature = (r#move))]
    fn play<'py>(
        &self,
        py: Python<'py>,
        r#move: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let to_move = self.record().game().to_move();
        let pit = pit_of(to_move, r#move)?;
        let played = self.record().play(pit);
        let turn = played.map_err(|error| IllegalMove::new_err(error.to_string()))?;
        make(py, "turn", &TurnAnswer::from(&turn))
    }

    /// Takes back the last move and returns it; ``None`` at the start.
    fn take_back<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let turn = self.record().take_back();
        turn.map(|turn| make(py, "turn", &TurnAnswer::from(&turn)))
            .transpose()
    }

    /// The legal moves; none if the game is over.
    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let game = self.record().game().clone();
        if game.outcome().is_some() {
            return Ok(Vec::new());
        }
        let answer = MovesAnswer::new(&game.position(), &game.moves());
        make_all(py, "move", answer.moves)
    }

    /// The ruleset.
    #[getter]
    fn rules(&self) -> Ruleset {
        Ruleset(self.record().game().rules())
    }

    /// The board, seen by the player to move.
    #[getter]
    fn board(&self) -> Board {
        Board(self.record().game().board())
    }

    /// The player to move: ``"south"`` or ``"north"``.
    #[getter]
    fn to_move(&self) -> &'static str {
        self.record().game().to_move().as_str()
    }

    /// The seeds that each player has taken by moves.
    #[getter]
    fn stores<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let stores = self.record().game().stores();
        class(py, "Stores")?.call1((stores.south, stores.north))
    }

    /// The position in the notation of engines.
    #[getter]
    fn position(&self) -> String {
        self.record().game().position().to_string()
    }

    /// The result; ``None`` if the game is not over.
    #[getter]
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let game = self.record().game().clone();
        let outcome = game.outcome();
        outcome
            .map(|outcome| make(py, "outcome", &OutcomeAnswer::new(&game, &outcome)))
            .transpose()
    }

    /// The moves played.
    #[getter]
    fn turns<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let turns: Vec<TurnAnswer> = self.record().turns().iter().map(TurnAnswer::from).collect();
        make_all(py, "turn", turns)
    }

    /// The letters of the moves played, South's being capitals.
    #[getter]
    fn letters(&self) -> String {
        self.record().letters()
    }

    /// How often the board has occurred with this player to move, since seeds last left
    /// the board; always 0 in the store family, where no board repeats.
    #[getter]
    fn times_seen(&self) -> u8 {
        let record = self.record();
        let game = record.game();
        game.times_seen(game.to_move(), &game.board())
    }

    /// The occurrence of a board that ends the game.
    #[getter]
    fn repetitions(&self) -> u8 {
        self.record().game().repetitions()
    }

    /// The same game, to be continued on its own.
    fn copy(&self) -> Game {
        Game::of_record(self.record().clone())
    }

    fn __copy__(&self) -> Game {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Game {
        self.copy()
    }

    fn __repr__(&self) -> String {
        let record = self.record();
        format!(
            "<krou.Game of {}: {} after {} moves>",
            record.game().rules(),
            record.game().position(),
            record.turns().len()
        )
    }

    fn __reduce__<'py>(slf: &Bound<'py, Game>) -> PyResult<Bound<'py, PyTuple>> {
        let record = slf.get().record().clone();
        let start = record.start();
        let pits: Vec<u32> = (record.turns().iter())
            .map(|turn| turn.step.pit.into())
            .collect();
        let arguments = (
            start.rules().to_string(),
            start.position().to_string(),
            start.repetitions(),
            pits,
        );
        let open = slf.py().import("krou._open")?.getattr("replay_game")?;
        (open, arguments).into_pyobject(slf.py())
    }
}
