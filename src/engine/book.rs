//! Opening books: positions with a score for each of their moves.
//!
//! A book is a text file, so that people can read and correct it:
//!
//! ```text
//! krou book 1
//! rules abapa
//! nodes 200000
//! 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S B-36 F-41 C-58 A-77 E-80 D-95
//! ```
//!
//! - `nodes`: the nodes of each search that the scores come from.
//! - Each further line is a position in the notation of engines, turned so that South is
//!   to move, and all its legal moves, best first. A score is what the rest of the game is
//!   worth to the mover, in hundredths of a seed. If the position after a move is in the
//!   book too, the score is that of its best move; otherwise it comes from a search.
//!
//! A file may come from anywhere: each move is checked by the rules, so that no book makes
//! an engine play an illegal move. `krou-lab book` builds and extends books.

use std::collections::HashMap;
use std::str::FromStr;
use std::sync::LazyLock;

use thiserror::Error;

use super::game::Game;
use crate::rules::{MAX_SEEDS, Player, Position, Ruleset};

/// The first line of a book.
const TITLE: &str = "krou book 1";

/// An opening book of one ruleset.
///
/// ```
/// use krou::internal::engine::Book;
/// use krou::engine::Game;
/// use krou::rules::Ruleset;
///
/// let text = "krou book 1\nrules abapa\nnodes 1000\n\
///     4-4-4-4-4-4-4-4-4-4-4-4-0-0-S B12 F9 C-3 A-10 E-20 D-31\n";
/// let book: Book = text.parse()?;
/// let moves = book.moves(&Game::new(Ruleset::ABAPA)).expect("the start is in the book");
/// assert_eq!((moves[0].pit, moves[0].score), (1, 12));
/// # Ok::<(), krou::internal::engine::ReadBookError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Book {
    rules: Ruleset,
    nodes: u64,
    positions: HashMap<Position, Vec<BookMove>>,
}

/// A move of a book.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct BookMove {
    /// The pit of the mover, 0 to 5.
    pub pit: u8,
    /// What the rest of the game is worth to the mover, in hundredths of a seed.
    pub score: i16,
}

impl Book {
    /// The book that comes with the library, for `abapa` and `awari`.
    pub fn embedded(rules: Ruleset) -> Option<&'static Book> {
        /// Books that are read when they are first asked for.
        static BOOKS: LazyLock<[Option<Book>; 2]> = LazyLock::new(|| {
            [
                include_str!("../../data/abapa.book"),
                include_str!("../../data/awari.book"),
            ]
            .map(|text| text.parse().ok())
        });
        let mut books = BOOKS.iter().flatten();
        books.find(|book| book.rules == rules)
    }

    /// The ruleset.
    pub fn rules(&self) -> Ruleset {
        self.rules
    }

    /// Nodes of each search that the scores come from.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// All positions with their moves, in no particular order. South is to move.
    pub fn positions(&self) -> impl Iterator<Item = (&Position, &[BookMove])> {
        let positions = self.positions.iter();
        positions.map(|(position, moves)| (position, moves.as_slice()))
    }

    /// The moves of a game's current position, best first; `None` if the book does not have
    /// it. A position that has occurred before in the game is not looked up, since the book
    /// knows nothing of the game's history.
    ///
    /// # Panics
    /// If the game is of another ruleset.
    pub fn moves(&self, game: &Game) -> Option<&[BookMove]> {
        assert_eq!(game.rules(), self.rules);
        if game.times_seen(game.to_move(), &game.board()) > 1 {
            return None;
        }
        let moves = self.positions.get(&game.position().with_south_to_move())?;
        Some(moves)
    }

    /// The best moves of both players from a game's current position on, as far as the book
    /// goes: pits of whoever moves.
    ///
    /// # Panics
    /// As [`Book::moves`].
    pub fn best_line(&self, game: &Game) -> Vec<u8> {
        let mut game = game.clone();
        let mut line = Vec::new();
        while game.outcome().is_none()
            && let Some([best, ..]) = self.moves(&game)
            && game.play(best.pit).is_ok()
        {
            line.push(best.pit);
        }
        line
    }

    fn read_position(&mut self, line: &str) -> Result<(), String> {
        let (position, moves) = line.split_once(' ').unwrap_or((line, ""));
        let position: Position = position.parse().map_err(text)?;
        if position.to_move == Player::North {
            return Err("South must be to move".to_owned());
        }
        let moves: Vec<BookMove> = moves.split(' ').map(read_move).collect::<Result<_, _>>()?;
        let mut pits: Vec<u8> = moves.iter().map(|found| found.pit).collect();
        pits.sort_unstable();
        let legal = self.rules.moves(&position.board);
        if !legal.legal().map(|step| step.pit).eq(pits) {
            return Err("the moves are not all legal moves, each once".to_owned());
        }
        match self.positions.insert(position, moves) {
            None => Ok(()),
            Some(_) => Err("the position is there twice".to_owned()),
        }
    }
}

/// Why a text is not a book.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {cause}")]
pub struct ReadBookError {
    /// Counted from 1.
    line: usize,
    cause: String,
}

impl FromStr for Book {
    type Err = ReadBookError;

    fn from_str(text: &str) -> Result<Book, ReadBookError> {
        let failed = |line| move |cause| ReadBookError { line, cause };
        let mut lines = text.lines();
        if lines.next() != Some(TITLE) {
            return Err(failed(1)(format!("a book begins with '{TITLE}'")));
        }
        let mut book = Book {
            rules: field(lines.next(), "rules").map_err(failed(2))?,
            nodes: field(lines.next(), "nodes").map_err(failed(3))?,
            positions: HashMap::new(),
        };
        for (number, line) in (4..).zip(lines) {
            book.read_position(line).map_err(failed(number))?;
        }
        Ok(book)
    }
}

/// The value of a line `name value`.
fn field<T: FromStr<Err: ToString>>(line: Option<&str>, name: &str) -> Result<T, String> {
    let value = line.and_then(|text| text.strip_prefix(name)?.strip_prefix(' '));
    let value = value.ok_or_else(|| format!("expected '{name}' and a value"))?;
    value.parse().map_err(text)
}

#[allow(clippy::needless_pass_by_value)] // for `map_err`
fn text(error: impl ToString) -> String {
    error.to_string()
}

/// A move such as `B-36`.
fn read_move(text: &str) -> Result<BookMove, String> {
    /// The largest score: all seeds.
    const MOST: i16 = MAX_SEEDS as i16 * 100;
    let read = || {
        let letter = text.chars().next()?;
        let (player, pit) = Player::from_letter(letter)?;
        let score: i16 = text[letter.len_utf8()..].parse().ok()?;
        let is_possible = player == Player::South && (-MOST..=MOST).contains(&score);
        is_possible.then_some(BookMove { pit, score })
    };
    read().ok_or_else(|| {
        let shown: String = text.chars().take(20).collect();
        format!("'{shown}' is not a letter from A to F and a score, such as B-36")
    })
}
