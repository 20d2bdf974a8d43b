//! Games: all positions and the outcome of a game, and the move of an opponent.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use krou::engine::{
    Ending, Game, Level, Opponent, Outcome, PlayError, Player, Stores, Style, Turn,
};
use krou::rules::{Next, Position, Ruleset};
use krou::tablebase::Tablebase;
use serde::Serialize;

use super::errors::ApiError;
use super::queries::probe;
use crate::json::ResultFields;
use crate::play::sentences;

/// The start of a game, and its moves as letters.
#[derive(Debug)]
pub struct GameSpec {
    pub rules: Ruleset,
    pub start: Position,
    pub moves: String,
}

/// A game with all its positions.
#[derive(Debug, Serialize)]
pub struct GameAnswer {
    rules: String,
    /// In the notation of engines.
    start: String,
    moves: String,
    /// Seeds on the board and in the stores.
    total: u8,
    /// The start, and after each move.
    positions: Vec<PositionAnswer>,
    outcome: Option<OutcomeAnswer>,
}

#[derive(Debug, Serialize)]
struct PositionAnswer {
    position: String,
    /// South's pits, then North's, whoever is to move.
    board: [u8; 12],
    stores: StoresAnswer,
    to_move: &'static str,
    seeds: u8,
    /// For the player to move; null if not known, and once the game is over.
    #[serde(flatten)]
    result: ResultFields,
    /// South's final lead with best play, including the stores.
    net: Option<i8>,
    /// The move that led here.
    turn: Option<TurnAnswer>,
}

#[derive(Debug, Serialize)]
struct StoresAnswer {
    south: u8,
    north: u8,
}

#[derive(Debug, Serialize)]
struct TurnAnswer {
    letter: char,
    player: &'static str,
    pit: u8,
    captured: u8,
    taken: u8,
    given: u8,
    again: bool,
}

#[derive(Debug, Serialize)]
struct OutcomeAnswer {
    winner: Option<&'static str>,
    stores: StoresAnswer,
    unclaimed: u8,
    /// A sentence about why the game is over.
    reason: String,
    /// A sentence about who won.
    result: String,
}

fn name(player: Player) -> &'static str {
    match player {
        Player::South => "south",
        Player::North => "north",
    }
}

impl From<Stores> for StoresAnswer {
    fn from(Stores { south, north }: Stores) -> StoresAnswer {
        StoresAnswer { south, north }
    }
}

impl From<&Turn> for TurnAnswer {
    fn from(turn: &Turn) -> TurnAnswer {
        TurnAnswer {
            letter: turn.letter(),
            player: name(turn.player),
            pit: turn.step.pit,
            captured: turn.step.captured,
            taken: turn.taken,
            given: turn.given,
            again: turn.step.next == Next::Again,
        }
    }
}

impl OutcomeAnswer {
    fn new(game: &Game, outcome: &Outcome) -> OutcomeAnswer {
        OutcomeAnswer {
            winner: outcome.winner().map(name),
            stores: outcome.stores.into(),
            unclaimed: outcome.unclaimed,
            reason: sentences::ending(game, outcome.ending),
            result: sentences::result(outcome),
        }
    }
}

/// South's seeds minus North's.
fn lead(stores: Stores) -> i8 {
    stores.south.cast_signed() - stores.north.cast_signed()
}

impl PositionAnswer {
    /// The current position of a game.
    fn new(
        game: &Game,
        turn: Option<&Turn>,
        tables: &Tablebase,
    ) -> Result<PositionAnswer, ApiError> {
        let position = game.position();
        let outcome = game.outcome();
        // A majority ends the game early, but the position still has a value.
        let settled = outcome.filter(|outcome| !matches!(outcome.ending, Ending::Majority(_)));
        let result = match settled {
            Some(_) => None,
            None => probe(tables, &position)?.ok(),
        };
        let net = match (settled, result, game.to_move()) {
            (Some(outcome), ..) => Some(lead(outcome.stores)),
            (None, Some(result), Player::South) => Some(lead(game.stores()) + result.value),
            (None, Some(result), Player::North) => Some(lead(game.stores()) - result.value),
            (None, None, _) => None,
        };
        Ok(PositionAnswer {
            position: position.to_string(),
            board: game.board_from_south().pits(),
            stores: game.stores().into(),
            to_move: name(game.to_move()),
            seeds: position.board.seeds(),
            result: result.filter(|_| outcome.is_none()).into(),
            net,
            turn: turn.map(TurnAnswer::from),
        })
    }
}

impl GameSpec {
    fn start_game(&self) -> Result<Game, ApiError> {
        Ok(Game::at(self.rules, &self.start)?)
    }

    /// Plays the moves, and calls `after` after each.
    fn play(
        &self,
        game: &mut Game,
        mut after: impl FnMut(&Game, &Turn) -> Result<(), ApiError>,
    ) -> Result<(), ApiError> {
        for (number, letter) in (1..).zip(self.moves.chars()) {
            let turn = play(game, letter).map_err(|why| ApiError::Move {
                number,
                letter,
                why,
            })?;
            after(game, &turn)?;
        }
        Ok(())
    }

    /// Plays the game.
    ///
    /// # Errors
    /// If a move cannot be played, `stop` is set, or a table cannot be read.
    pub fn answer(&self, tables: &Tablebase, stop: &AtomicBool) -> Result<GameAnswer, ApiError> {
        let mut game = self.start_game()?;
        let mut positions = vec![PositionAnswer::new(&game, None, tables)?];
        self.play(&mut game, |game, turn| {
            if stop.load(Ordering::Relaxed) {
                return Err(ApiError::OutOfTime);
            }
            positions.push(PositionAnswer::new(game, Some(turn), tables)?);
            Ok(())
        })?;
        let outcome = game.outcome();
        Ok(GameAnswer {
            rules: self.rules.to_string(),
            start: self.start.to_string(),
            moves: self.moves.clone(),
            total: game.total(),
            positions,
            outcome: outcome.map(|outcome| OutcomeAnswer::new(&game, &outcome)),
        })
    }
}

/// Plays a move, or returns a sentence about why it is not possible.
fn play(game: &mut Game, letter: char) -> Result<Turn, String> {
    let player = game.to_move();
    let Some((owner, pit)) = Player::from_letter(letter) else {
        return Err("pits are A to F for South and a to f for North".to_owned());
    };
    if game.outcome().is_none() && owner != player {
        return Err(format!(
            "it is {player}'s turn, whose pits are {} to {}",
            player.letter(0),
            player.letter(5)
        ));
    }
    game.play(pit).map_err(|why| match why {
        PlayError::Illegal(why) => why.named(|pit| player.letter(pit)),
        other => other.to_string(),
    })
}

/// An opponent to play against.
#[derive(Clone, Copy, Debug)]
pub struct OpponentSpec {
    pub style: Style,
    pub level: Level,
    pub seed: u64,
}

/// The move of an opponent.
#[derive(Debug, Serialize)]
pub struct ReplyAnswer {
    letter: char,
    pit: u8,
    player: &'static str,
}

impl OpponentSpec {
    /// The opponent's move at the end of a game; it decides at once when `stop` is set.
    ///
    /// # Errors
    /// If a move cannot be played, or the game is over.
    pub fn reply(
        self,
        spec: &GameSpec,
        tables: Arc<Tablebase>,
        stop: &AtomicBool,
    ) -> Result<ReplyAnswer, ApiError> {
        let mut game = spec.start_game()?;
        spec.play(&mut game, |_, _| Ok(()))?;
        let OpponentSpec { style, level, seed } = self;
        let mut opponent = Opponent::new(style, level, spec.rules, Some(tables), seed);
        let pit = opponent.choose(&game, stop).ok_or(ApiError::Over)?;
        let player = game.to_move();
        Ok(ReplyAnswer {
            letter: player.letter(pit),
            pit,
            player: name(player),
        })
    }
}
