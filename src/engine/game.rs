//! A game from its first move to its end.
//!
//! The rules only know a board and net seeds. A game between two players also needs
//! the exact number of seeds in each store, and an end.
//!
//! **Stores from net seeds.** Let `left` be the seeds that a step takes off the board
//! and `gain` its net seeds for the mover. Every seed that leaves the board by a step
//! goes to one of the two players, so
//!
//! ```text
//! taken + given = left     taken = (left + gain) / 2
//! taken − given = gain     given = (left − gain) / 2
//! ```
//!
//! A capture, or a seed in the mover's store, has `gain = left`: all of it goes to the
//! mover. So has a grand slam that ends the game, and the penalty for starving the
//! opponent has `gain = −left`. An empty row in the store family gives the seeds of the
//! other row to one player. Seeds may count for neither player only if the mover has no
//! legal move or the game ends by repetition. Neither is part of a step, so
//! [`Game::outcome`] accounts for them.

use std::collections::HashMap;

use thiserror::Error;

use crate::rules::{
    Board, Endless, IllegalMove, Leftovers, MAX_SEEDS, Moves, Next, Player, Position, Ruleset,
    Step, Stores, TooManySeeds, row_seeds,
};

/// A game, in progress or over: ruleset, board, stores and the boards that may repeat.
///
/// ```
/// use krou::engine::{Ending, Game};
/// use krou::rules::{Player, Position, Ruleset, Stores};
///
/// let start: Position = "0 0 0 0 0 1 / 2 0 0 0 0 1".parse()?;
/// let mut game = Game::from_position(Ruleset::AWARI, start)?;
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
    /// Seeds at the start of the game, on the board and in the stores.
    total: u8,
    /// How often each board has occurred since seeds last left the board. Earlier boards
    /// cannot repeat.
    seen: HashMap<(Player, Board), u8>,
    /// The occurrence of a board that ends the game.
    repetitions: u8,
    outcome: Option<Outcome>,
}

/// A move that was played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Turn {
    /// The player who made it.
    pub player: Player,
    /// The step it made.
    pub step: Step,
    /// Seeds that the player took, including those at the end of the game.
    pub taken: u8,
    /// Seeds that the opponent took, which only the end of a game gives.
    pub given: u8,
}

impl Turn {
    /// The letter of the pit: see [`Player::letter`].
    pub fn letter(&self) -> char {
        self.player.letter(self.step.pit)
    }
}

/// Why a game is over. If several reasons hold, a move that ends the game comes first,
/// then the lack of a legal move, then a repetition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Ending {
    /// This player has more than half of all seeds, which decides the game. The seeds on
    /// the board are not shared out, but the players may play on for them.
    Majority(Player),
    /// This player is to move and has no legal move.
    NoLegalMove(Player),
    /// This player captured the opponent's last seeds and takes the rest.
    GrandSlam(Player),
    /// This player could have fed the opponent but did not. The opponent takes the rest.
    Starved(Player),
    /// A row is empty, under a ruleset of the store family.
    EmptyRow,
    /// The same board occurred for the third time, or as often as
    /// [`Game::with_repetitions`] says.
    Repetition,
}

impl Ending {
    /// The word for it in the output of programs.
    pub fn as_str(self) -> &'static str {
        match self {
            Ending::Majority(_) => "majority",
            Ending::NoLegalMove(_) => "no-move",
            Ending::GrandSlam(_) => "grand-slam",
            Ending::Starved(_) => "starved",
            Ending::EmptyRow => "empty-row",
            Ending::Repetition => "repetition",
        }
    }
}

/// The result of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// Why the game is over.
    pub ending: Ending,
    /// The final stores.
    pub stores: Stores,
    /// Seeds that count for neither player.
    pub unclaimed: u8,
}

impl Outcome {
    /// The player with more seeds; `None` if the game is drawn.
    pub fn winner(&self) -> Option<Player> {
        match self.stores.south.cmp(&self.stores.north) {
            std::cmp::Ordering::Greater => Some(Player::South),
            std::cmp::Ordering::Less => Some(Player::North),
            std::cmp::Ordering::Equal => None,
        }
    }
}

/// Why a move was not played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
#[non_exhaustive]
pub enum PlayError {
    /// The game is over, and not by a majority.
    #[error("the game is over")]
    Over,
    /// The move is illegal.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
}

impl Game {
    /// The occurrence of the same board, with the same player to move, that ends the game
    /// unless set otherwise.
    pub const REPETITIONS: u8 = 3;

    /// A new game: four seeds in every pit, South to move.
    pub fn new(rules: Ruleset) -> Game {
        Game::begin(rules, Board::START.into())
    }

    /// A game from a position.
    ///
    /// # Errors
    /// If board and stores together hold more than 48 seeds.
    pub fn from_position(
        rules: Ruleset,
        position: impl Into<Position>,
    ) -> Result<Game, TooManySeeds> {
        let position = position.into();
        let Position { board, stores, .. } = position;
        let seeds = [board.seeds(), stores.south, stores.north];
        let seeds = seeds.map(u32::from).iter().sum();
        if seeds > u32::from(MAX_SEEDS) {
            return Err(TooManySeeds { seeds });
        }
        Ok(Game::begin(rules, position))
    }

    /// This game, to be ended by the `repetitions`-th occurrence of a board with the same
    /// player to move: 3, unless set, or 2, as some programs have it. At least 2. A game
    /// that is over stays over.
    #[must_use]
    pub fn with_repetitions(mut self, repetitions: u8) -> Game {
        self.repetitions = repetitions.max(2);
        self
    }

    /// The occurrence of a board that ends the game.
    pub fn repetitions(&self) -> u8 {
        self.repetitions
    }

    /// The current position.
    pub fn position(&self) -> Position {
        Position {
            board: self.board,
            stores: self.stores,
            to_move: self.to_move,
        }
    }

    fn begin(rules: Ruleset, position: Position) -> Game {
        let Position {
            board,
            stores,
            to_move,
        } = position;
        let mut game = Game {
            rules,
            board,
            to_move,
            stores,
            total: board.seeds() + stores.south + stores.north,
            seen: HashMap::new(),
            repetitions: Game::REPETITIONS,
            outcome: None,
        };
        game.outcome = game.arrive();
        game
    }

    /// The ruleset.
    pub fn rules(&self) -> Ruleset {
        self.rules
    }

    /// The current board, seen by the player to move.
    pub fn board(&self) -> Board {
        self.board
    }

    /// The player to move.
    pub fn to_move(&self) -> Player {
        self.to_move
    }

    /// The seeds that each player has taken by moves. Those that the end of the game
    /// gives them without a move are only in [`Outcome::stores`].
    pub fn stores(&self) -> Stores {
        self.stores
    }

    /// The seeds in a player's store minus those in the opponent's.
    pub fn lead(&self, player: Player) -> i8 {
        self.stores.of(player).cast_signed() - self.stores.of(player.opponent()).cast_signed()
    }

    /// Seeds at the start of the game, on the board and in the stores.
    pub fn total(&self) -> u8 {
        self.total
    }

    /// How often a board has occurred with this player to move, since seeds last left
    /// the board. It is 0 for all boards of the store family, where none repeats.
    pub fn times_seen(&self, to_move: Player, board: &Board) -> u8 {
        self.seen.get(&(to_move, *board)).copied().unwrap_or(0)
    }

    /// The boards whose next occurrence ends the game, each with the player to
    /// move.
    pub(super) fn boards_near_repetition(&self) -> impl Iterator<Item = (Player, Board)> + '_ {
        let often = self
            .seen
            .iter()
            .filter(|(_, times)| **times + 1 >= self.repetitions);
        often.map(|(&seen, _)| seen)
    }

    /// Whether what tables say of the current board holds in this game.
    ///
    /// The bounds of a board are those of play that begins there: if it is stopped, then on a
    /// board that recurs in it. This holds in a game as long as no board visited before may stop
    /// it the first time that play from here on comes there. It is not so once another board of
    /// the layer has occurred twice; with [`Game::with_repetitions`] of 2, once any has occurred.
    /// A move that takes seeds off the board clears this history.
    ///
    /// Under rulesets without bounds a board has one value, which counts with any history.
    #[doc(hidden)]
    pub fn bounds_hold(&self) -> bool {
        self.bounds_hold_on(self.to_move, &self.board)
    }

    /// Whether what tables say of the board that a legal step leads to holds after it.
    pub(super) fn bounds_hold_after(&self, step: &Step) -> bool {
        !step.is_quiet(self.board.seeds())
            || self.bounds_hold_on(self.to_move.opponent(), &step.board)
    }

    fn bounds_hold_on(&self, to_move: Player, board: &Board) -> bool {
        let mut stopping = self.boards_near_repetition();
        !self.rules.has_bounds() || stopping.all(|seen| seen == (to_move, *board))
    }

    /// What the end of the game is worth to the player who makes this step, if it ends the game
    /// by repetition.
    pub(super) fn net_of_repetition(&self, step: &Step) -> Option<i8> {
        let rules = self.rules.oware().filter(|_| step.next == Next::Opponent)?;
        if self.times_seen(self.to_move.opponent(), &step.board) + 1 < self.repetitions {
            return None;
        }
        Some(-net_of_endless(rules.endless, &step.board))
    }

    /// The moves on the current board. They do not take into account that a majority or
    /// a repetition has ended the game.
    pub fn moves(&self) -> Moves {
        self.rules.moves(&self.board)
    }

    /// The result; `None` if the game is not over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Whether moves may be played. After a majority the game is over, but it may be played
    /// on.
    pub fn can_go_on(&self) -> bool {
        let ending = self.outcome.map(|outcome| outcome.ending);
        matches!(ending, None | Some(Ending::Majority(_)))
    }

    /// Counts occurrences anew from the current board, if a repetition has ended the game and
    /// the players play on all the same.
    pub(super) fn ignore_repetition(&mut self) {
        if matches!(self.outcome, Some(outcome) if outcome.ending == Ending::Repetition) {
            self.seen.clear();
            self.outcome = self.arrive();
        }
    }

    /// Plays one of the mover's pits, 0 to 5.
    ///
    /// # Errors
    /// If the game cannot go on or the move is illegal. The game does not change then.
    pub fn play(&mut self, pit: u8) -> Result<Turn, PlayError> {
        if !self.can_go_on() {
            return Err(PlayError::Over);
        }
        let step = self.rules.play(&self.board, pit)?;
        let player = self.to_move;
        let left = self.board.seeds() - step.board.seeds();
        let (taken, given) = shares(left, step.gain);

        self.stores = after(self.stores, player, taken, given);
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

    /// Why a step ended the game.
    fn ending_of(&self, player: Player, step: &Step) -> Ending {
        match (self.rules, step.captured) {
            (Ruleset::Stores(_), _) => Ending::EmptyRow,
            (Ruleset::Oware(_), 0) => Ending::Starved(player),
            (Ruleset::Oware(_), _) => Ending::GrandSlam(player),
        }
    }

    /// Counts the current board and returns the result if the game ends here.
    fn arrive(&mut self) -> Option<Outcome> {
        if let Some(net) = self.moves().terminal_value() {
            return Some(self.ended(
                Ending::NoLegalMove(self.to_move),
                self.stores_without_move(net),
            ));
        }
        if let Some(stores) = self.stores_after_repetition() {
            return Some(self.ended(Ending::Repetition, stores));
        }
        let mut players = [Player::South, Player::North].into_iter();
        let winner = players.find(|&player| 2 * self.stores.of(player) > self.total)?;
        Some(self.ended(Ending::Majority(winner), self.stores))
    }

    /// Counts the current board; the final stores if it has occurred often enough.
    fn stores_after_repetition(&mut self) -> Option<Stores> {
        // In the store family seeds only move forward: no board repeats.
        let rules = self.rules.oware()?;
        let times = self.seen.entry((self.to_move, self.board)).or_default();
        *times = times.saturating_add(1);
        if *times < self.repetitions {
            return None;
        }
        let (mover, opponent) = endless_shares(rules.endless, &self.board);
        Some(after(self.stores, self.to_move, mover, opponent))
    }

    /// The final stores when the mover has no legal move, which is worth `net` to them.
    fn stores_without_move(&self, net: i8) -> Stores {
        let nobody = matches!(self.rules, Ruleset::Oware(r) if r.leftovers == Leftovers::Nobody);
        let seeds = if nobody { 0 } else { self.board.seeds() };
        let (taken, given) = shares(seeds, net);
        after(self.stores, self.to_move, taken, given)
    }

    fn ended(&self, ending: Ending, stores: Stores) -> Outcome {
        Outcome {
            ending,
            stores,
            unclaimed: self.total - stores.south - stores.north,
        }
    }
}

/// The seeds that mover and opponent get from endless play.
fn endless_shares(endless: Endless, board: &Board) -> (u8, u8) {
    match endless {
        // An odd seed cannot be shared.
        Endless::Even => (board.seeds() / 2, board.seeds() / 2),
        Endless::Nobody => (0, 0),
        Endless::BySide | Endless::Open => {
            (row_seeds(&board.mover()), row_seeds(&board.opponent()))
        }
    }
}

/// What endless play is worth to the mover.
pub(super) fn net_of_endless(endless: Endless, board: &Board) -> i8 {
    let (mover, opponent) = endless_shares(endless, board);
    mover.cast_signed() - opponent.cast_signed()
}

/// Splits `seeds` between mover and opponent so that the mover gets `net` more. The
/// comment at the top of this file shows why that is always possible.
fn shares(seeds: u8, net: i8) -> (u8, u8) {
    let opponent = (seeds.cast_signed() - net) / 2;
    debug_assert!((0..=seeds.cast_signed()).contains(&opponent));
    debug_assert_eq!(seeds.cast_signed() - 2 * opponent, net);
    (seeds - opponent.cast_unsigned(), opponent.cast_unsigned())
}

/// The stores after `mover` took `taken` seeds and the opponent `given`.
fn after(stores: Stores, mover: Player, taken: u8, given: u8) -> Stores {
    let (south, north) = match mover {
        Player::South => (taken, given),
        Player::North => (given, taken),
    };
    Stores {
        south: stores.south + south,
        north: stores.north + north,
    }
}
