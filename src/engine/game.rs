//! A game from its first move to its end.
//!
//! The rules speak of one board and of net seeds. Two people who play want
//! more: who has how many seeds, to the last one, and when the game is over.
//!
//! **Exact stores from net seeds.** Let `left` be the seeds that a step takes
//! off the board and `gain` its net seeds for the mover. Every seed that
//! leaves the board by a step goes to one of the two players, so
//!
//! ```text
//! taken + given = left     taken = (left + gain) / 2
//! taken − given = gain     given = (left − gain) / 2
//! ```
//!
//! Rule by rule: a capture or a seed in the own store has `gain = left`, all
//! to the mover. A grand slam that ends the game has `gain = left` too, and
//! the penalty for starving `gain = −left`. An empty row in the store family
//! adds what is left in the other row, whole, to one side. Only where nobody
//! can move or a game goes round may seeds count for neither; no step does
//! that, so [`Game::outcome`] settles those.

use std::collections::HashMap;

use thiserror::Error;

use super::player::{Player, Stores};
use crate::rules::{
    Board, Endless, IllegalMove, Leftovers, MAX_SEEDS, Moves, Next, Position, Ruleset, Step,
    TooManySeeds, row_seeds,
};

/// How often the same board, with the same player to move, must come up
/// before the game counts as endless.
pub(super) const REPETITIONS: u8 = 3;

/// A game in progress, or over.
///
/// ```
/// use krou::engine::{Ending, Game, Player, Stores};
/// use krou::rules::Ruleset;
///
/// let board = "0 0 0 0 0 1 / 2 0 0 0 0 1".parse()?;
/// let mut game = Game::from_position(Ruleset::AWARI, board, Stores::default(), Player::South)?;
/// game.play(5)?;
/// let outcome = game.outcome().unwrap();
/// assert_eq!(outcome.ending, Ending::Majority(Player::South));
/// assert_eq!(outcome.stores, Stores { south: 3, north: 0 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    rules: Ruleset,
    board: Board,
    to_move: Player,
    stores: Stores,
    /// Seeds the game began with, on the board and in the stores.
    total: u8,
    /// How often each board came up since seeds last left the board: none
    /// from before can come back.
    seen: HashMap<(Player, Board), u8>,
    outcome: Option<Outcome>,
}

/// A move that was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    /// Who made it.
    pub player: Player,
    /// What it did.
    pub step: Step,
    /// Seeds the player took by it, the end of the game included.
    pub taken: u8,
    /// Seeds that it gave to his opponent: only the end of a game does.
    pub given: u8,
}

impl Turn {
    /// The letter of the pit that was played: see [`Player::letter`].
    pub fn letter(&self) -> char {
        self.player.letter(self.step.pit)
    }
}

/// Why a game is over. Where several reasons hold, a move that ends the game
/// comes first, then a majority, then the lack of a legal move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Ending {
    /// This player has more than half of the seeds of the game. Those on the
    /// board are not shared out any more.
    Majority(Player),
    /// This player is to move and has no legal move.
    NoLegalMove(Player),
    /// This player captured the opponent's last seeds and takes the rest.
    GrandSlam(Player),
    /// This player left the opponent without seeds though he could have fed
    /// him, and the opponent takes the rest.
    Starved(Player),
    /// A row of the store family is empty.
    EmptyRow,
    /// The same board came up for the third time.
    Repetition,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// Why it is over.
    pub ending: Ending,
    /// What each player has in the end.
    pub stores: Stores,
    /// Seeds that neither player has in the end.
    pub unclaimed: u8,
}

impl Outcome {
    /// Who has more seeds; `None` if the game is drawn.
    pub fn winner(&self) -> Option<Player> {
        match self.stores.south.cmp(&self.stores.north) {
            std::cmp::Ordering::Greater => Some(Player::South),
            std::cmp::Ordering::Less => Some(Player::North),
            std::cmp::Ordering::Equal => None,
        }
    }
}

/// Why a move was not made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
#[non_exhaustive]
pub enum PlayError {
    /// There is nothing to play any more.
    #[error("the game is over")]
    Over,
    /// The rules do not allow it.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
}

impl Game {
    /// A new game: four seeds in every pit, South to move.
    pub fn new(rules: Ruleset) -> Game {
        Game::begin(rules, Board::START, Stores::default(), Player::South)
    }

    /// A game that goes on from a position; `board` is seen by `to_move`.
    ///
    /// # Errors
    /// If board and stores hold more seeds together than a game has.
    pub fn from_position(
        rules: Ruleset,
        board: Board,
        stores: Stores,
        to_move: Player,
    ) -> Result<Game, TooManySeeds> {
        let seeds = [board.seeds(), stores.south, stores.north];
        let seeds = seeds.map(u32::from).iter().sum();
        if seeds > u32::from(MAX_SEEDS) {
            return Err(TooManySeeds { seeds });
        }
        Ok(Game::begin(rules, board, stores, to_move))
    }

    /// A game that goes on from a position as engines write it.
    ///
    /// # Errors
    /// As [`Game::from_position`].
    pub fn at(rules: Ruleset, position: &Position) -> Result<Game, TooManySeeds> {
        let stores = Stores {
            south: position.south,
            north: position.north,
        };
        let to_move = match position.north_to_move {
            false => Player::South,
            true => Player::North,
        };
        Game::from_position(rules, position.board, stores, to_move)
    }

    /// Where the game stands.
    pub fn position(&self) -> Position {
        Position {
            board: self.board,
            south: self.stores.south,
            north: self.stores.north,
            north_to_move: self.to_move == Player::North,
        }
    }

    fn begin(rules: Ruleset, board: Board, stores: Stores, to_move: Player) -> Game {
        let mut game = Game {
            rules,
            board,
            to_move,
            stores,
            total: board.seeds() + stores.south + stores.north,
            seen: HashMap::new(),
            outcome: None,
        };
        game.outcome = game.arrive();
        game
    }

    /// The rules it is played by.
    pub fn rules(&self) -> Ruleset {
        self.rules
    }

    /// The board as the player to move sees it.
    pub fn board(&self) -> Board {
        self.board
    }

    /// The board as South sees it, whoever is to move.
    pub fn board_from_south(&self) -> Board {
        match self.to_move {
            Player::South => self.board,
            Player::North => self.board.turned(),
        }
    }

    /// Whose turn it is.
    pub fn to_move(&self) -> Player {
        self.to_move
    }

    /// What each player has taken by moves. What the end of the game gives
    /// them without a move is only in [`Outcome::stores`].
    pub fn stores(&self) -> Stores {
        self.stores
    }

    /// Seeds the game began with, on the board and in the stores.
    pub fn total(&self) -> u8 {
        self.total
    }

    /// How often a board, as this player faces it, has come up since seeds last
    /// left the board; 0 for all boards of the store family, where none comes back.
    pub fn times_seen(&self, to_move: Player, board: &Board) -> u8 {
        self.seen.get(&(to_move, *board)).copied().unwrap_or(0)
    }

    /// The boards that came up so often that once more ends the game, each with the
    /// player who faces it.
    pub(super) fn nearly_endless(&self) -> impl Iterator<Item = (Player, Board)> + '_ {
        let often = self
            .seen
            .iter()
            .filter(|(_, times)| **times + 1 >= REPETITIONS);
        often.map(|(&seen, _)| seen)
    }

    /// What the rules allow on this board, seen by the player to move. They
    /// do not know that a majority or a repetition has ended the game.
    pub fn moves(&self) -> Moves {
        self.rules.moves(&self.board)
    }

    /// How the game ended; `None` while it goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Plays one of the mover's pits, 0 to 5.
    ///
    /// # Errors
    /// If the game is over or the move is illegal; the game is as before.
    pub fn play(&mut self, pit: u8) -> Result<Turn, PlayError> {
        if self.outcome.is_some() {
            return Err(PlayError::Over);
        }
        let step = self.rules.play(&self.board, pit)?;
        let player = self.to_move;
        let left = self.board.seeds() - step.board.seeds();
        let (taken, given) = shares(left, step.gain);

        self.stores = self.stores.with(player, taken, given);
        self.board = step.board;
        if left > 0 {
            self.seen.clear();
        }
        if step.next == Next::Opponent {
            self.to_move = player.opponent();
        }
        self.outcome = if step.next == Next::Over {
            Some(self.ended(self.ending_of(player, &step), self.stores))
        } else {
            self.arrive()
        };
        Ok(Turn {
            player,
            step,
            taken,
            given,
        })
    }

    /// Why a step that ended the game did.
    fn ending_of(&self, player: Player, step: &Step) -> Ending {
        match (self.rules, step.captured) {
            (Ruleset::Stores(_), _) => Ending::EmptyRow,
            (Ruleset::Oware(_), 0) => Ending::Starved(player),
            (Ruleset::Oware(_), _) => Ending::GrandSlam(player),
        }
    }

    /// Notes the position and says whether the game ends with it.
    fn arrive(&mut self) -> Option<Outcome> {
        let majority = [Player::South, Player::North]
            .into_iter()
            .find(|&player| 2 * self.stores.of(player) > self.total);
        if let Some(player) = majority {
            return Some(self.ended(Ending::Majority(player), self.stores));
        }
        if let Some(net) = self.moves().over() {
            return Some(self.ended(Ending::NoLegalMove(self.to_move), self.stuck(net)));
        }
        // In the store family seeds only ever go forward: nothing repeats.
        let Ruleset::Oware(rules) = self.rules else {
            return None;
        };
        let times = self.seen.entry((self.to_move, self.board)).or_default();
        *times += 1;
        if *times < REPETITIONS {
            return None;
        }
        let (mover, opponent) = endless_shares(rules.endless, &self.board);
        let stores = self.stores.with(self.to_move, mover, opponent);
        Some(self.ended(Ending::Repetition, stores))
    }

    /// The final stores when the mover has no legal move, worth `net` to him.
    fn stuck(&self, net: i8) -> Stores {
        let nobody = matches!(self.rules, Ruleset::Oware(r) if r.leftovers == Leftovers::Nobody);
        let seeds = if nobody { 0 } else { self.board.seeds() };
        let (taken, given) = shares(seeds, net);
        self.stores.with(self.to_move, taken, given)
    }

    fn ended(&self, ending: Ending, stores: Stores) -> Outcome {
        Outcome {
            ending,
            stores,
            unclaimed: self.total - stores.south - stores.north,
        }
    }
}

/// The seeds that mover and opponent get when the game goes round.
pub(super) fn endless_shares(endless: Endless, board: &Board) -> (u8, u8) {
    match endless {
        // An odd seed cannot be shared.
        Endless::Even => (board.seeds() / 2, board.seeds() / 2),
        Endless::Nobody => (0, 0),
        Endless::BySide => (row_seeds(&board.mover()), row_seeds(&board.opponent())),
    }
}

/// Splits `seeds` between mover and opponent so that the mover gets `net`
/// more; the head of this file says why that is always possible.
fn shares(seeds: u8, net: i8) -> (u8, u8) {
    let opponent = (seeds.cast_signed() - net) / 2;
    debug_assert!((0..=seeds.cast_signed()).contains(&opponent));
    debug_assert_eq!(seeds.cast_signed() - 2 * opponent, net);
    (seeds - opponent.cast_unsigned(), opponent.cast_unsigned())
}
