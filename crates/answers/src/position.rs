//! One position of a game with all that is known about it: what a board shows after a move.

use serde::Serialize;

use crate::board::{BoardAnswer, LineFields, SowingsAnswer};
use crate::error::AnswerError;
use crate::game::{GameParameters, MOVES, OutcomeAnswer, PositionAnswer, REPETITIONS, START};
use crate::parameter::Parameter;
use crate::probe::{plies, probe};
use crate::query::{FromQuery, Query};
use krou::tablebase::Tablebase;

const PLIES: Parameter = plies(12);

/// A game, whose last position is asked for, and the length of its best line.
#[derive(Clone, Debug)]
pub struct LastParameters {
    game: GameParameters,
    plies: usize,
}

impl FromQuery for LastParameters {
    const PARAMETERS: &'static [Parameter] = &[START, MOVES, REPETITIONS, PLIES];

    fn from_query(query: &Query) -> Result<LastParameters, AnswerError> {
        Ok(LastParameters {
            game: GameParameters::from_query(query)?,
            plies: query.number(&PLIES)?,
        })
    }
}

/// The last position of a game.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LastAnswer {
    /// The game up to here.
    moves: String,
    position: PositionAnswer,
    outcome: Option<OutcomeAnswer>,
    /// The board and its moves with their values, best first, and the best line; null where the
    /// value is not known and where the game is over.
    probe: Option<BoardAnswer>,
    line: Option<LineFields>,
    /// How the seeds of each move that may be played travel.
    sowings: SowingsAnswer,
}

impl LastParameters {
    /// Plays the game by the rules of the tables, and probes its last position.
    ///
    /// # Errors
    /// If a move cannot be played, or a table cannot be read.
    pub fn answer(&self, tables: &Tablebase) -> Result<LastAnswer, AnswerError> {
        let record = self.game.record(tables.rules())?;
        let (game, at) = (record.game(), record.game().position());
        let position = PositionAnswer::last(&record, tables)?;
        let (mut known, mut line) = (None, None);
        if position.has_value() {
            known = Some(probe(tables, &at)?);
            let best = tables.best_line(&at.board, self.plies)?;
            line = Some(LineFields::new(&at, &best));
            // The player thinks now.
            tables.fetch_ahead(&at.board, self.plies);
        }
        let outcome = game.outcome();
        Ok(LastAnswer {
            moves: record.letters(),
            position,
            sowings: match game.can_go_on() {
                true => SowingsAnswer::new(tables.rules(), &at),
                false => SowingsAnswer::default(),
            },
            outcome: outcome.map(|outcome| OutcomeAnswer::new(game, &outcome)),
            probe: known,
            line,
        })
    }
}
