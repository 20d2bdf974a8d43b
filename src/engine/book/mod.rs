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
//! [`BookBuilder`] extends a book.

mod builder;
mod read;

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use super::game::Game;
use super::player::Player;
use crate::rules::{Position, Ruleset};

pub use builder::{BookBuilder, NewPosition};
pub use read::ReadBookError;

/// An opening book of one ruleset.
///
/// ```
/// use krou::engine::{Book, Game};
/// use krou::rules::Ruleset;
///
/// let text = "krou book 1\nrules abapa\nnodes 1000\n\
///     4-4-4-4-4-4-4-4-4-4-4-4-0-0-S B12 F9 C-3 A-10 E-20 D-31\n";
/// let book: Book = text.parse()?;
/// let moves = book.moves(&Game::new(Ruleset::ABAPA)).expect("the start is in the book");
/// assert_eq!((moves[0].pit, moves[0].score), (1, 12));
/// assert_eq!(book.to_string(), text);
/// # Ok::<(), krou::engine::ReadBookError>(())
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
    /// An empty book of a ruleset, with scores from searches of so many nodes.
    pub fn new(rules: Ruleset, nodes: u64) -> Book {
        Book {
            rules,
            nodes,
            positions: HashMap::new(),
        }
    }

    /// The book that comes with the library, for `abapa` and `awari`.
    pub fn embedded(rules: Ruleset) -> Option<&'static Book> {
        /// Books that are read when they are first asked for.
        static BOOKS: LazyLock<[Option<Book>; 2]> = LazyLock::new(|| {
            [
                include_str!("../../../data/abapa.book"),
                include_str!("../../../data/awari.book"),
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

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
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
        self.at(&from_south(&game.position()))
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

    fn at(&self, position: &Position) -> Option<&[BookMove]> {
        self.positions.get(position).map(Vec::as_slice)
    }
}

/// A position turned so that South is to move.
fn from_south(position: &Position) -> Position {
    let (south, north) = match position.north_to_move {
        false => (position.south, position.north),
        true => (position.north, position.south),
    };
    Position {
        board: position.board,
        south,
        north,
        north_to_move: false,
    }
}

impl fmt::Display for Book {
    /// Writes the file, with positions in alphabetical order.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", read::TITLE)?;
        writeln!(f, "rules {}", self.rules)?;
        writeln!(f, "nodes {}", self.nodes)?;
        let positions = self.positions.iter();
        let mut lines: Vec<_> = positions.map(|(p, moves)| (p.to_string(), moves)).collect();
        lines.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        for (position, moves) in lines {
            write!(f, "{position}")?;
            for found in moves {
                write!(f, " {}{}", Player::South.letter(found.pit), found.score)?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_books_have_the_start_of_their_rulesets() {
        for rules in [Ruleset::ABAPA, Ruleset::AWARI] {
            let book = Book::embedded(rules).expect("the book is valid");
            assert_eq!(book.rules(), rules);
            let moves = book.moves(&Game::new(rules)).expect("the start");
            assert_eq!(moves.len(), 6);
            assert!(book.len() >= 100);
        }
        assert!(Book::embedded(Ruleset::KALAH).is_none());
    }

    #[test]
    fn positions_are_found_for_both_players_and_only_the_first_time() {
        let text = "krou book 1\nrules abapa\nnodes 1\n\
            1-0-0-0-0-0-0-0-0-0-0-1-20-26-S A5\n";
        let book: Book = text.parse().unwrap();
        for position in [
            "1-0-0-0-0-0-0-0-0-0-0-1-20-26-S",
            "0-0-0-0-0-1-1-0-0-0-0-0-26-20-N",
        ] {
            let game = Game::at(Ruleset::ABAPA, &position.parse().unwrap()).unwrap();
            assert_eq!(book.moves(&game).map(<[_]>::len), Some(1), "{position}");
        }
        let other = "1-0-0-0-0-0-0-0-0-0-0-1-21-25-S".parse().unwrap();
        let game = Game::at(Ruleset::ABAPA, &other).unwrap();
        assert_eq!(book.moves(&game), None);
    }
}
