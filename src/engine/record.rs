//! A game with all its moves, which can be taken back, saved and reviewed.

use std::fmt;

use super::game::{Game, PlayError, Turn};
use crate::rules::Player;

/// A game with all its moves. A [`Game`] only knows its current position.
///
/// ```
/// use krou::engine::Game;
/// use krou::engine::Record;
/// use krou::rules::Ruleset;
///
/// let mut record = Record::new(Game::new(Ruleset::AWARI));
/// record.play(2)?;
/// record.play(5)?;
/// assert_eq!(record.letters(), "Cf");
/// record.take_back();
/// assert_eq!(record.turns().len(), 1);
/// # Ok::<(), krou::engine::PlayError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Record {
    /// The game before each turn.
    before: Vec<Game>,
    turns: Vec<Turn>,
    now: Game,
    /// The number of the first move in game notation, and whose moves get a new one.
    number: usize,
    first: Player,
}

impl Record {
    /// A record that starts from the current position of a game.
    pub fn new(game: Game) -> Record {
        Record {
            before: Vec::new(),
            turns: Vec::new(),
            number: 1,
            first: game.to_move(),
            now: game,
        }
    }

    /// A record that starts before the move that leads to this ply, with the number of that
    /// move. A variation of it starts there.
    pub(crate) fn branch(&self, ply: usize) -> Record {
        let before = ply.saturating_sub(1);
        Record {
            number: self.numbers().nth(before).unwrap_or(self.number),
            first: self.first,
            ..Record::new(self.before.get(before).unwrap_or(&self.now).clone())
        }
    }

    /// The game before the first move.
    pub fn start(&self) -> &Game {
        self.before.first().unwrap_or(&self.now)
    }

    /// The game after the last move.
    pub fn game(&self) -> &Game {
        &self.now
    }

    /// Plays one of the mover's pits, 0 to 5.
    ///
    /// # Errors
    /// As [`Game::play`]. The record does not change then.
    pub fn play(&mut self, pit: u8) -> Result<Turn, PlayError> {
        let before = self.now.clone();
        let turn = self.now.play(pit)?;
        self.before.push(before);
        self.turns.push(turn);
        Ok(turn)
    }

    /// Plays a pit of this player, whose turn it must be.
    ///
    /// # Errors
    /// As [`Game::play`], in a sentence that names pits by their letters.
    pub(crate) fn play_for(&mut self, player: Player, pit: u8) -> Result<Turn, String> {
        let to_move = self.now.to_move();
        if player != to_move && self.now.can_go_on() {
            let [first, last] = [0, 5].map(|pit| to_move.letter(pit));
            return Err(format!(
                "it is {to_move}'s turn, whose pits are {first} to {last}"
            ));
        }
        self.play(pit).map_err(|why| match why {
            PlayError::Illegal(why) => why.named(|pit| player.letter(pit)),
            PlayError::Over => why.to_string(),
        })
    }

    /// Goes on if a repetition has ended the game: it counts occurrences anew.
    pub(crate) fn ignore_repetition(&mut self) {
        self.now.ignore_repetition();
    }

    /// Takes back the last move and returns it; `None` at the start.
    pub fn take_back(&mut self) -> Option<Turn> {
        self.now = self.before.pop()?;
        self.turns.pop()
    }

    /// The moves played.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// Each move with the game before it.
    pub fn plies(&self) -> impl ExactSizeIterator<Item = (&Game, &Turn)> {
        self.before.iter().zip(&self.turns)
    }

    /// The number of each move in game notation, followed by that of the next move. A new
    /// number begins whenever the player who moved first is to move after the other one.
    pub fn numbers(&self) -> impl Iterator<Item = usize> {
        let first = self.first;
        let movers = self.turns.iter().map(|turn| turn.player);
        let mut before = self.start().to_move();
        let mut number = self.number;
        movers.chain([self.now.to_move()]).map(move |player| {
            number += usize::from(player == first && before != first);
            before = player;
            number
        })
    }

    /// The number of each move with its letter, such as `2. C`, or `2... c` for a player who
    /// did not begin.
    pub fn names(&self) -> impl Iterator<Item = String> {
        let named = self.numbers().zip(&self.turns);
        named.map(|(number, turn)| self.name(number, turn.player, &turn.letter()))
    }

    /// A move of this number and player, by the words for it.
    fn name(&self, number: usize, player: Player, written: &dyn fmt::Display) -> String {
        format!("{number}{} {written}", self.dots(player))
    }

    /// What stands between the number and a move of this player.
    pub(crate) fn dots(&self, player: Player) -> &'static str {
        if player == self.first { "." } else { "..." }
    }

    /// The next move by the words for it.
    pub(crate) fn next_name(&self, written: &str) -> String {
        let number = self.numbers().last().unwrap_or(1);
        self.name(number, self.now.to_move(), &written)
    }

    /// The moves as letters of oware programs, without spaces: `Cf`.
    pub fn letters(&self) -> String {
        self.turns.iter().map(Turn::letter).collect()
    }
}

impl Game {
    /// A line from the current position on as letters, up to the end of the game.
    pub fn letters(&self, line: &[u8]) -> String {
        let mut game = self.clone();
        let turns = line.iter().map_while(|&pit| game.play(pit).ok());
        turns.map(|turn| turn.letter()).collect()
    }
}
