//! Games: all positions of a game, and its outcome.

use std::collections::BTreeMap;
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use crate::board::{ResultFields, StepAnswer, known};
use crate::error::AnswerError;
use crate::limits;
use crate::parameter::Parameter;
use crate::query::{FromQuery, Query};
use krou::engine::{Ending, Game, Outcome, Turn};
use krou::engine::{Record, ending_sentence, result_sentence};
use krou::ogn::Setup;
use krou::rules::{Board, Player, Position, Ruleset, Stores};
use krou::tablebase::Tablebase;

pub(crate) const START: Parameter = Parameter::text_or(
    "start",
    "Start position; by default four seeds in every pit.",
    "startpos",
)
.with_example("0-2-0-1-0-1-2-1-0-0-1-1-20-19-S");
pub(crate) const MOVES: Parameter =
    Parameter::letters("moves", "Moves as letters without spaces.", limits::MOVES)
        .with_example("B");
/// The server has an option for its default.
pub const REPETITIONS: Parameter = Parameter::number(
    "repetitions",
    "The occurrence of a board that ends the game.",
    2..=3,
    Some(Game::REPETITIONS as u64),
);

/// A game: the position in which it starts, its moves, and the occurrence of a board that ends
/// it.
#[derive(Clone, Debug)]
pub struct GameParameters {
    setup: Setup,
    repetitions: u8,
}

impl FromQuery for GameParameters {
    const PARAMETERS: &'static [Parameter] = &[START, MOVES, REPETITIONS];

    fn from_query(query: &Query) -> Result<GameParameters, AnswerError> {
        let start: Setup = query.text(&START)?.parse()?;
        let setup = start.with_moves(query.text(&MOVES)?);
        if setup.moves().chars().count() > limits::MOVES {
            return Err(AnswerError::Parameters(format!(
                "'moves' has too many letters: the limit is {}",
                limits::MOVES
            )));
        }
        let repetitions = query.number(&REPETITIONS)?;
        Ok(GameParameters { setup, repetitions })
    }
}

/// A game with all its positions.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameAnswer {
    rules: String,
    /// In the notation of engines.
    start: String,
    moves: String,
    /// Seeds on the board and in the stores.
    total: u8,
    /// The occurrence of a board that ends the game.
    repetitions: u8,
    /// The start, and after each move.
    positions: Vec<PositionAnswer>,
    outcome: Option<OutcomeAnswer>,
}

/// A position of a game with its value and its moves.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct PositionAnswer {
    /// In the notation of engines.
    position: String,
    /// South's pits, then North's, whoever is to move.
    board: [u8; 12],
    #[cfg_attr(feature = "schema", schemars(with = "crate::shapes::Stores"))]
    stores: Stores,
    to_move: &'static str,
    seeds: u8,
    /// How often the board has been there with this player to move since a capture; 0 where
    /// none can come back.
    seen: u8,
    /// For the player to move; null if not known, and where the game is over.
    #[serde(flatten)]
    result: ResultFields,
    /// South's final lead with best play, including the stores.
    net: Option<i8>,
    /// The letters of the moves that may be played, also after a majority; none once the game
    /// cannot go on.
    legal: String,
    /// Why each of the other pits may not be played: in a sentence, and as a word.
    illegal: BTreeMap<char, String>,
    illegal_codes: BTreeMap<char, &'static str>,
    /// The move that led here.
    turn: Option<TurnAnswer>,
    /// Why this move ended or decided the game, as a word.
    ending: Option<&'static str>,
}

/// A move that was played.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TurnAnswer {
    player: &'static str,
    /// Seeds that the player took.
    taken: u8,
    /// Seeds that the opponent got.
    given: u8,
    #[serde(flatten)]
    step: StepAnswer,
}

/// The end of a game.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OutcomeAnswer {
    winner: Option<&'static str>,
    #[cfg_attr(feature = "schema", schemars(with = "crate::shapes::Stores"))]
    stores: Stores,
    /// Seeds that count for neither player.
    unclaimed: u8,
    /// Why the game is over: in a sentence, and as a word.
    reason: String,
    reason_code: &'static str,
    /// A sentence about who won.
    result: String,
}

impl From<&Turn> for TurnAnswer {
    fn from(turn: &Turn) -> TurnAnswer {
        TurnAnswer {
            player: turn.player.as_str(),
            taken: turn.taken,
            given: turn.given,
            step: StepAnswer::new(&turn.step, turn.player),
        }
    }
}

impl OutcomeAnswer {
    /// The outcome of this game.
    pub fn new(game: &Game, outcome: &Outcome) -> OutcomeAnswer {
        OutcomeAnswer {
            winner: outcome.winner().map(Player::as_str),
            stores: outcome.stores,
            unclaimed: outcome.unclaimed,
            reason: ending_sentence(game, outcome.ending),
            reason_code: outcome.ending.as_str(),
            result: result_sentence(outcome),
        }
    }
}

/// South's seeds minus North's.
fn lead(stores: Stores) -> i8 {
    stores.south.cast_signed() - stores.north.cast_signed()
}

impl PositionAnswer {
    /// The current position of a game, which may go on from here although it is over.
    fn new(game: &Game, goes_on: bool, tables: &Tablebase) -> Result<PositionAnswer, AnswerError> {
        let outcome = game.outcome().filter(|_| !goes_on);
        // A majority ends the game early, but the position still has a value.
        let settled = outcome.filter(|outcome| !matches!(outcome.ending, Ending::Majority(_)));
        let result = match settled {
            Some(_) => None,
            None => known(tables.probe(&game.board()))?.ok(),
        };
        let net = match (settled, result, game.to_move()) {
            (Some(outcome), ..) => Some(lead(outcome.stores)),
            (None, Some(result), Player::South) => Some(lead(game.stores()) + result.value),
            (None, Some(result), Player::North) => Some(lead(game.stores()) - result.value),
            (None, None, _) => None,
        };
        let position = shown_position(game, outcome);
        let mut answer = PositionAnswer {
            position: position.to_string(),
            board: position.board_from_south().pits(),
            stores: position.stores,
            to_move: game.to_move().as_str(),
            seeds: position.board.seeds(),
            seen: game.times_seen(game.to_move(), &game.board()),
            result: result.filter(|_| outcome.is_none()).into(),
            net,
            legal: String::new(),
            illegal: BTreeMap::new(),
            illegal_codes: BTreeMap::new(),
            turn: None,
            ending: None,
        };
        if outcome.is_none() || game.can_go_on() {
            answer.add_moves(game);
        }
        Ok(answer)
    }

    /// The last position of a game, with the move that led there.
    pub fn last(record: &Record, tables: &Tablebase) -> Result<PositionAnswer, AnswerError> {
        let game = record.game();
        let mut answer = PositionAnswer::new(game, false, tables)?;
        let last = record.plies().last();
        let before = last.and_then(|(before, _)| Some(before.outcome()?.ending));
        let ending = game.outcome().map(|end| end.ending);
        answer.ending = ending.filter(|_| ending != before).map(Ending::as_str);
        answer.turn = last.map(|(_, turn)| TurnAnswer::from(turn));
        Ok(answer)
    }

    /// Whether the tables know the position, and the game is not over.
    pub fn has_value(&self) -> bool {
        self.result.value.is_some()
    }

    fn add_moves(&mut self, game: &Game) {
        let player = game.to_move();
        for (pit, step) in (0..).zip(game.moves().by_pit()) {
            let letter = player.letter(pit);
            match step {
                Ok(_) => self.legal.push(letter),
                Err(why) => {
                    let sentence = why.named(|pit| player.letter(pit));
                    self.illegal.insert(letter, sentence);
                    self.illegal_codes.insert(letter, why.as_str());
                }
            }
        }
    }
}

/// The position of a game. Once the end has handed out the seeds on the board, they are in
/// the stores and no longer on the board.
fn shown_position(game: &Game, outcome: Option<Outcome>) -> Position {
    let position = game.position();
    match outcome.filter(|outcome| outcome.stores != game.stores()) {
        None => position,
        Some(outcome) => Position {
            board: Board::EMPTY,
            stores: outcome.stores,
            ..position
        },
    }
}

impl GameParameters {
    /// The game by these rules with all its moves.
    ///
    /// # Errors
    /// If a move cannot be played.
    pub fn record(&self, rules: Ruleset) -> Result<Record, AnswerError> {
        Ok(self.setup.record(rules, self.repetitions)?)
    }

    /// Plays the game by the rules of the tables, and probes each of its positions.
    ///
    /// # Errors
    /// If a move cannot be played, `stop` is set, or a table cannot be read.
    pub fn answer(&self, tables: &Tablebase, stop: &AtomicBool) -> Result<GameAnswer, AnswerError> {
        let record = self.record(tables.rules())?;
        let last = record.game();
        let mut positions = Vec::new();
        let mut ending = None;
        for ply in 0..=record.turns().len() {
            if stop.load(Ordering::Relaxed) {
                return Err(AnswerError::Stopped);
            }
            let next = record.plies().nth(ply);
            let game = next.map_or(last, |(game, _)| game);
            let mut position = PositionAnswer::new(game, next.is_some(), tables)?;
            let before = mem::replace(&mut ending, game.outcome().map(|end| end.ending));
            position.ending = ending.filter(|_| ending != before).map(Ending::as_str);
            let turn = ply.checked_sub(1).map(|ply| &record.turns()[ply]);
            position.turn = turn.map(TurnAnswer::from);
            positions.push(position);
        }
        let outcome = last.outcome();
        Ok(GameAnswer {
            rules: tables.rules().to_string(),
            start: self.setup.start().to_string(),
            moves: record.letters(),
            total: last.total(),
            repetitions: self.repetitions,
            positions,
            outcome: outcome.map(|outcome| OutcomeAnswer::new(last, &outcome)),
        })
    }
}
