//! Reading books. A file may come from anywhere: each move is checked by the rules, so
//! that no book makes an engine play an illegal move.

use std::str::FromStr;

use thiserror::Error;

use super::{Book, BookMove};
use crate::engine::player::Player;
use crate::rules::{MAX_SEEDS, ParseBoardError, Position, UnknownRuleset};

/// The first line of a book.
pub(super) const TITLE: &str = "krou book 1";

/// Why a text is not a book.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {cause}")]
pub struct ReadBookError {
    /// Counted from 1.
    line: usize,
    #[source]
    cause: Cause,
}

#[derive(Clone, PartialEq, Eq, Debug, Error)]
enum Cause {
    #[error("a book begins with '{TITLE}'")]
    Title,
    #[error("expected '{0}' and a value")]
    Field(&'static str),
    #[error(transparent)]
    Rules(#[from] UnknownRuleset),
    #[error(transparent)]
    Position(#[from] ParseBoardError),
    #[error("South must be to move")]
    North,
    #[error("the position is there twice")]
    Twice,
    #[error("'{0}' is not a letter from A to F and a score, such as B-36")]
    Move(String),
    #[error("the moves are not all legal moves, each once")]
    Moves,
}

impl FromStr for Book {
    type Err = ReadBookError;

    fn from_str(text: &str) -> Result<Book, ReadBookError> {
        let mut lines = text.lines();
        let mut line = 0;
        let mut next = || {
            line += 1;
            lines.next().map(|text| (line, text))
        };
        let failed = |line| move |cause| ReadBookError { line, cause };
        let (title, rules, nodes) = (next(), next(), next());
        if title.is_none_or(|(_, text)| text != TITLE) {
            return Err(failed(1)(Cause::Title));
        }
        let rules = field(rules, "rules").and_then(|name| Ok(name.parse()?));
        let nodes =
            field(nodes, "nodes").and_then(|n| n.parse().map_err(|_| Cause::Field("nodes")));
        let mut book = Book::new(rules.map_err(failed(2))?, nodes.map_err(failed(3))?);
        while let Some((line, text)) = next() {
            book.read_position(text).map_err(failed(line))?;
        }
        Ok(book)
    }
}

/// The value of a line `name value`.
fn field<'t>(line: Option<(usize, &'t str)>, name: &'static str) -> Result<&'t str, Cause> {
    let value = line.and_then(|(_, text)| text.strip_prefix(name)?.strip_prefix(' '));
    value.ok_or(Cause::Field(name))
}

impl Book {
    fn read_position(&mut self, line: &str) -> Result<(), Cause> {
        let (position, moves) = line.split_once(' ').unwrap_or((line, ""));
        let position: Position = position.parse()?;
        if position.north_to_move {
            return Err(Cause::North);
        }
        let moves: Vec<BookMove> = moves.split(' ').map(read_move).collect::<Result<_, _>>()?;
        let mut pits: Vec<u8> = moves.iter().map(|found| found.pit).collect();
        pits.sort_unstable();
        let legal = self.rules.moves(&position.board);
        if !legal.legal().map(|step| step.pit).eq(pits) {
            return Err(Cause::Moves);
        }
        match self.positions.insert(position, moves) {
            None => Ok(()),
            Some(_) => Err(Cause::Twice),
        }
    }
}

/// A move such as `B-36`.
fn read_move(text: &str) -> Result<BookMove, Cause> {
    /// The largest score: all seeds.
    const MOST: i16 = MAX_SEEDS as i16 * 100;
    let read = || {
        let letter = text.chars().next()?;
        let (player, pit) = Player::from_letter(letter)?;
        let score: i16 = text[letter.len_utf8()..].parse().ok()?;
        let is_possible = player == Player::South && (-MOST..=MOST).contains(&score);
        is_possible.then_some(BookMove { pit, score })
    };
    read().ok_or_else(|| Cause::Move(text.chars().take(20).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";

    #[test]
    fn errors_name_the_line_and_the_cause() {
        for (text, error) in [
            ("", "line 1: a book begins with 'krou book 1'"),
            ("krou book 2\n", "line 1: a book begins with 'krou book 1'"),
            ("krou book 1", "line 2: expected 'rules' and a value"),
            (
                "krou book 1\nrules abapa\nnodes x",
                "line 3: expected 'nodes' and a value",
            ),
            (
                "krou book 1\nrules abapa",
                "line 3: expected 'nodes' and a value",
            ),
        ] {
            let found = text.parse::<Book>().unwrap_err().to_string();
            assert_eq!(found, error);
        }
        let all = "A1 B1 C1 D1 E1 F1";
        for (line, error) in [
            (
                format!("{START} {all} A1"),
                "the moves are not all legal moves, each once",
            ),
            (
                format!("{START} A1 B1 C1 D1 E1"),
                "the moves are not all legal moves, each once",
            ),
            (
                START.to_owned(),
                "'' is not a letter from A to F and a score, such as B-36",
            ),
            (
                format!("{START} A1 b2"),
                "'b2' is not a letter from A to F and a score, such as B-36",
            ),
            (
                format!("{START} A4801"),
                "'A4801' is not a letter from A to F and a score, such as B-36",
            ),
            (
                format!("{START} \u{1f330}1"),
                "'\u{1f330}1' is not a letter from A to F and a score, such as B-36",
            ),
            (
                format!("{} {all}", START.replace('S', "N")),
                "South must be to move",
            ),
            (
                format!("{START} {all}\n{START} {all}"),
                "the position is there twice",
            ),
        ] {
            let text = format!("krou book 1\nrules abapa\nnodes 5\n{line}");
            let found = text.parse::<Book>().unwrap_err().to_string();
            assert!(found.starts_with("line "), "{found}");
            assert!(found.ends_with(error), "{found}");
        }
        let unknown = "krou book 1\nrules chess\nnodes 5"
            .parse::<Book>()
            .unwrap_err();
        assert!(unknown.to_string().starts_with("line 2: "));
    }
}
