//! A room: two players, who play one game after another, and what each of them may do.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use krou::engine::{Game, PlayError};
use krou::rules::{Player, Position, Ruleset, row_seeds};
use krou_answers::limits;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::room_clock::{ClockAnswer, Pace, RoomClock};

/// Time without a move or another action until a room goes.
const LIFE: Duration = Duration::from_secs(7 * 24 * 3600);
/// The same while its second player has not come.
const LIFE_ALONE: Duration = Duration::from_secs(24 * 3600);

/// What a player has a seat by: 128 bits, which the player's program draws.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RoomToken(u128);

impl TryFrom<String> for RoomToken {
    type Error = &'static str;

    fn try_from(text: String) -> Result<RoomToken, &'static str> {
        let is_token = text.len() == 32 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
        let token = u128::from_str_radix(&text, 16).ok().filter(|_| is_token);
        token
            .map(RoomToken)
            .ok_or("a token has 32 hexadecimal digits, drawn at random")
    }
}

impl From<RoomToken> for String {
    fn from(RoomToken(token): RoomToken) -> String {
        format!("{token:032x}")
    }
}

/// One of the players of a room, on whichever side: the one who made it, or the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    First,
    Second,
}

/// What one player proposes and the other may accept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Proposal {
    /// The last move of who asks, and those after it, are taken back.
    Takeback,
    /// The game, which goes in circles, ends: each player takes the seeds of their own row.
    Agree,
    /// Another game, with sides changed.
    Rematch,
}

/// A proposal that waits for its answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Offer {
    proposal: Proposal,
    /// Who proposes.
    seat: Seat,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EndedBy {
    Rules,
    Resigned,
    Time,
    Agreed,
}

/// The end of a game.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct EndAnswer {
    by: EndedBy,
    winner: Option<String>,
}

impl EndAnswer {
    fn new(by: EndedBy, winner: Option<Player>) -> EndAnswer {
        let winner = winner.map(|winner| winner.as_str().to_owned());
        EndAnswer { by, winner }
    }
}

/// What a player does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Takes the second seat if it is free, and tells one's seat.
    Join,
    Play,
    Resign,
    /// As the proposals of these names.
    Takeback,
    Agree,
    Rematch,
    Accept,
    /// Declines a proposal, or withdraws one.
    Decline,
    /// Ends the game if the time of a player is over.
    Claim,
}

/// Why an action is refused. `Display` is the message for the client.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RoomError {
    #[error("there is no such room: it may have been left for too long")]
    NoRoom,
    #[error("this token has no seat in the room: only its two players may act")]
    NoSeat,
    #[error("{0}")]
    Illegal(String),
    #[error("the game is over")]
    Over,
    #[error("{0}")]
    Unfitting(&'static str),
}

/// A room with the game that is played in it.
#[derive(Serialize, Deserialize)]
pub struct Room {
    rules: Ruleset,
    repetitions: u8,
    /// Where each of its games starts, in the notation of engines.
    start: String,
    clock: Option<RoomClock>,
    first: RoomToken,
    second: Option<RoomToken>,
    is_first_south: bool,
    /// Which game of the room this is, from 1.
    number: u32,
    began: SystemTime,
    moves: String,
    offer: Option<Offer>,
    end: Option<EndAnswer>,
    /// The last time that a player acted.
    changed: SystemTime,
}

/// A room as everybody sees it.
#[derive(Serialize, JsonSchema)]
pub struct RoomAnswer {
    rules: String,
    repetitions: u8,
    /// Where each of its games starts, in the notation of engines.
    start: String,
    /// Which game of the room this is, from 1.
    number: u32,
    /// When it began, in milliseconds of Unix time: at its making or at the rematch.
    began: u64,
    /// The side of the player who made the room.
    first: &'static str,
    /// Whether the second player has come.
    complete: bool,
    /// As letters.
    moves: String,
    to_move: &'static str,
    clock: Option<ClockAnswer>,
    offer: Option<Offer>,
    ended: Option<EndAnswer>,
}

impl Room {
    /// A room for this game, which has no moves yet, and for others that start as it does. Its
    /// maker plays this side first.
    pub fn new(game: &Game, first: RoomToken, side: Player, pace: Option<Pace>) -> Room {
        Room {
            rules: game.rules(),
            repetitions: game.repetitions(),
            start: game.position().to_string(),
            clock: pace.map(RoomClock::new),
            first,
            second: None,
            is_first_south: side == Player::South,
            number: 1,
            began: SystemTime::now(),
            moves: String::new(),
            offer: None,
            end: None,
            changed: SystemTime::now(),
        }
    }

    pub fn is_complete(&self) -> bool {
        self.second.is_some()
    }

    /// The time since a player acted.
    pub fn age(&self) -> Duration {
        self.changed.elapsed().unwrap_or_default()
    }

    /// Whether it has been left for too long.
    pub fn is_old(&self) -> bool {
        let life = if self.is_complete() { LIFE } else { LIFE_ALONE };
        self.age() > life
    }

    /// The game after its moves. Only they are kept: a game takes much more memory.
    ///
    /// # Errors
    /// If its start is none or a move cannot be played, which a damaged file may have.
    pub fn game(&self) -> Result<Game, RoomError> {
        let start: Result<Position, _> = self.start.parse();
        let game = start.map(|start| Game::from_position(self.rules, start));
        let Ok(Ok(game)) = game else {
            return Err(RoomError::Unfitting("the start is no position"));
        };
        let mut game = game.with_repetitions(self.repetitions);
        for letter in self.moves.chars() {
            play(&mut game, letter)?;
        }
        Ok(game)
    }

    /// What everybody sees of it.
    pub fn answer(&self) -> Result<RoomAnswer, RoomError> {
        let to_move = self.game()?.to_move();
        let clock = self.clock.as_ref();
        Ok(RoomAnswer {
            rules: self.rules.to_string(),
            repetitions: self.repetitions,
            start: self.start.clone(),
            number: self.number,
            began: milliseconds(self.began),
            first: self.side(Seat::First).as_str(),
            complete: self.is_complete(),
            moves: self.moves.clone(),
            to_move: to_move.as_str(),
            clock: clock.map(|clock| clock.answer(to_move, self.runs())),
            offer: self.offer,
            ended: self.end.clone(),
        })
    }

    /// The seat of a token; nobody else's. The first one that joins gets the second seat.
    pub fn seat(&mut self, token: RoomToken, action: Action) -> Option<Seat> {
        if action == Action::Join && token != self.first && self.second.is_none() {
            self.second = Some(token);
            self.changed = SystemTime::now();
        }
        match token {
            _ if token == self.first => Some(Seat::First),
            _ if Some(token) == self.second => Some(Seat::Second),
            _ => None,
        }
    }

    /// Does an action of a player. A move names its `letter`, and the number of moves before
    /// it, so that none is played twice.
    ///
    /// # Errors
    /// If it may not be done now. Only the end of a player's time may have changed the room.
    pub fn act(
        &mut self,
        seat: Seat,
        action: Action,
        played: (usize, char),
    ) -> Result<(), RoomError> {
        let game = self.game()?;
        self.end_in_time(&game);
        match action {
            Action::Join => return Ok(()),
            Action::Claim if self.end.is_some() => {}
            Action::Claim => return Err(RoomError::Unfitting("no player's time is over")),
            Action::Play => self.play(game, seat, played)?,
            Action::Resign => {
                self.in_progress()?;
                self.finish(
                    game.to_move(),
                    EndedBy::Resigned,
                    Some(self.side(seat).opponent()),
                );
            }
            Action::Takeback => self.propose(&game, seat, Proposal::Takeback)?,
            Action::Agree => self.propose(&game, seat, Proposal::Agree)?,
            Action::Rematch => self.propose(&game, seat, Proposal::Rematch)?,
            Action::Accept => match self.offer {
                Some(offer) if offer.seat != seat => self.accept(&game, offer),
                _ => return Err(RoomError::Unfitting("there is nothing to accept")),
            },
            Action::Decline => self.offer = None,
        }
        self.changed = SystemTime::now();
        Ok(())
    }

    fn side(&self, seat: Seat) -> Player {
        match (seat == Seat::First) == self.is_first_south {
            true => Player::South,
            false => Player::North,
        }
    }

    /// # Errors
    /// If the game has ended, or cannot begin yet.
    fn in_progress(&self) -> Result<(), RoomError> {
        match &self.end {
            Some(_) => Err(RoomError::Over),
            None if !self.is_complete() => {
                Err(RoomError::Unfitting("the second player has not come yet"))
            }
            None => Ok(()),
        }
    }

    /// Whether the clock of the player to move runs.
    fn runs(&self) -> bool {
        self.end.is_none() && !self.moves.is_empty()
    }

    /// Ends the game if the time of the player to move is over.
    fn end_in_time(&mut self, game: &Game) {
        let player = game.to_move();
        let clock = self.clock.as_ref().filter(|_| self.runs());
        if clock.is_some_and(|clock| clock.left(player) == 0) {
            self.finish(player, EndedBy::Time, Some(player.opponent()));
        }
    }

    /// The time of the player to move counts up to now.
    fn stop_clock(&mut self, player: Player) {
        let runs = self.runs();
        match &mut self.clock {
            Some(clock) if runs => clock.stop(player),
            Some(clock) => clock.start(),
            None => {}
        }
    }

    /// The game ends while this player is to move.
    fn finish(&mut self, to_move: Player, by: EndedBy, winner: Option<Player>) {
        self.stop_clock(to_move);
        self.offer = None;
        self.end = Some(EndAnswer::new(by, winner));
    }

    fn play(
        &mut self,
        mut game: Game,
        seat: Seat,
        (ply, letter): (usize, char),
    ) -> Result<(), RoomError> {
        self.in_progress()?;
        let player = game.to_move();
        if player != self.side(seat) {
            return Err(RoomError::Illegal(
                "it is the other player's turn".to_owned(),
            ));
        }
        if ply != self.moves.len() {
            let moves = self.moves.len();
            return Err(RoomError::Illegal(format!(
                "the game has {moves} moves by now"
            )));
        }
        if ply >= limits::MOVES {
            return Err(RoomError::Unfitting(
                "the game has too many moves: agree on its end",
            ));
        }
        play(&mut game, letter)?;
        self.stop_clock(player);
        if let Some(clock) = &mut self.clock {
            clock.add(player);
        }
        self.moves.push(letter);
        self.offer = None;
        if let Some(outcome) = game.outcome() {
            self.finish(game.to_move(), EndedBy::Rules, outcome.winner());
        }
        Ok(())
    }

    /// Proposes something, or accepts it if the other player has proposed the same.
    fn propose(&mut self, game: &Game, seat: Seat, proposal: Proposal) -> Result<(), RoomError> {
        match proposal {
            Proposal::Rematch if self.end.is_none() => {
                return Err(RoomError::Unfitting("the game is not over"));
            }
            Proposal::Rematch => {}
            Proposal::Takeback => {
                self.in_progress()?;
                self.last_move(seat)
                    .ok_or(RoomError::Unfitting("there is no move to take back"))?;
            }
            Proposal::Agree => {
                self.in_progress()?;
                if game.times_seen(game.to_move(), &game.board()) < 2 {
                    return Err(RoomError::Unfitting("the game does not go in circles"));
                }
            }
        }
        match self.offer {
            Some(offer) if offer.proposal == proposal && offer.seat != seat => {
                self.accept(game, offer);
            }
            _ => self.offer = Some(Offer { proposal, seat }),
        }
        Ok(())
    }

    fn accept(&mut self, game: &Game, offer: Offer) {
        self.offer = None;
        match offer.proposal {
            Proposal::Takeback => {
                self.stop_clock(game.to_move());
                self.moves.truncate(self.last_move(offer.seat).unwrap_or(0));
            }
            Proposal::Agree => self.finish(game.to_move(), EndedBy::Agreed, leader_by_rows(game)),
            Proposal::Rematch => {
                self.is_first_south = !self.is_first_south;
                self.number = self.number.saturating_add(1);
                self.began = SystemTime::now();
                self.moves.clear();
                self.clock = self.clock.as_ref().map(RoomClock::again);
                self.end = None;
            }
        }
    }

    /// The number of moves before the last one of a player.
    fn last_move(&self, seat: Seat) -> Option<usize> {
        let side = self.side(seat);
        let is_own = |letter| Player::from_letter(letter).is_some_and(|(player, _)| player == side);
        self.moves.rfind(is_own)
    }
}

/// Plays a move of the player to move.
fn play(game: &mut Game, letter: char) -> Result<(), RoomError> {
    let player = game.to_move();
    let pit = match Player::from_letter(letter) {
        Some((of, pit)) if of == player => pit,
        _ => {
            let [first, last] = [0, 5].map(|pit| player.letter(pit));
            return Err(RoomError::Illegal(format!(
                "the pits are {first} to {last}"
            )));
        }
    };
    if game.outcome().is_some() {
        return Err(RoomError::Over);
    }
    let played = game.play(pit).map_err(|why| match why {
        PlayError::Illegal(why) => RoomError::Illegal(why.named(|pit| player.letter(pit))),
        _ => RoomError::Over,
    });
    played.map(|_| ())
}

/// A time in milliseconds of Unix time.
fn milliseconds(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Who has more if each player takes the seeds of their own row.
fn leader_by_rows(game: &Game) -> Option<Player> {
    let (player, board) = (game.to_move(), game.board());
    let rows = [board.mover(), board.opponent()].map(|row| i16::from(row_seeds(&row)));
    let lead = i16::from(game.lead(player)) + rows[0] - rows[1];
    match lead {
        1.. => Some(player),
        0 => None,
        _ => Some(player.opponent()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKENS: [RoomToken; 2] = [RoomToken(1), RoomToken(2)];

    fn room(pace: Option<Pace>) -> Room {
        let mut room = Room::new(&Game::new(Ruleset::AWARI), TOKENS[0], Player::South, pace);
        assert_eq!(room.seat(TOKENS[1], Action::Join), Some(Seat::Second));
        room
    }

    #[test]
    fn rooms_that_are_left_go() {
        let day = Duration::from_secs(24 * 3600);
        let mut left = Room::new(&Game::new(Ruleset::AWARI), TOKENS[0], Player::South, None);
        left.changed -= 2 * day;
        assert!(left.is_old());
        let mut both = room(None);
        both.changed -= 2 * day;
        assert!(!both.is_old());
        both.changed -= 6 * day;
        assert!(both.is_old());
    }

    #[test]
    fn time_runs_from_the_second_move_on() {
        let pace = serde_json::from_str("{\"minutes\": 1, \"seconds\": 5}").unwrap();
        let mut room = room(Some(pace));
        let pass = |room: &mut Room, seconds| {
            room.clock.as_mut().unwrap().since -= Duration::from_secs(seconds);
        };
        pass(&mut room, 90);
        room.act(Seat::First, Action::Play, (0, 'C')).unwrap();
        pass(&mut room, 50);
        room.act(Seat::Second, Action::Play, (1, 'f')).unwrap();
        let clock = room.answer().unwrap().clock.unwrap();
        assert!(clock.running);
        assert!((14_000..=15_000).contains(&clock.north_left));
        assert!((64_000..=65_000).contains(&clock.south_left));
        let early = room.act(Seat::Second, Action::Claim, (0, ' '));
        assert!(early.is_err());
        pass(&mut room, 65);
        // A move comes too late although nobody has claimed the time.
        let late = room.act(Seat::First, Action::Play, (2, 'A'));
        assert_eq!(late, Err(RoomError::Over));
        let ended = room.answer().unwrap().ended.unwrap();
        assert_eq!(
            (ended.by, ended.winner.as_deref()),
            (EndedBy::Time, Some("north"))
        );
    }
}
