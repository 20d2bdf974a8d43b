//! The one question a game has for a table: what is this board worth?
//!
//! Games and tables are kept apart by this trait, so that playing needs no
//! table and tests can answer with a solver of a few lines.

use crate::rules::{Board, Next, Step};
use crate::tablebase::Tablebase;

/// Somebody who knows what boards are worth under one ruleset.
pub trait Oracle {
    /// Value of the board for its mover in net seeds, `None` if not known.
    ///
    /// It is never beyond the number of seeds on the board, either way.
    fn value(&self, board: &Board) -> Option<i8>;

    /// What a whole move is worth to the player who makes it, `None` if not
    /// known. A move that ends the game needs no table.
    fn worth(&self, step: &Step) -> Option<i8> {
        match step.next {
            Next::Over => Some(step.gain),
            Next::Opponent | Next::Again => self.value(&step.board).map(|value| step.worth(value)),
        }
    }
}

/// The oracle without tables: it knows no board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoTables;

impl Oracle for NoTables {
    fn value(&self, _: &Board) -> Option<i8> {
        None
    }
}

/// A board whose layer is missing, or lies in a damaged table, is not known.
impl Oracle for Tablebase {
    fn value(&self, board: &Board) -> Option<i8> {
        self.probe(board).ok().map(|worth| worth.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Ruleset;

    struct Always(i8);

    impl Oracle for Always {
        fn value(&self, _: &Board) -> Option<i8> {
            Some(self.0)
        }
    }

    #[test]
    fn worth_turns_the_value_only_when_the_opponent_moves() {
        let worth = |rules: Ruleset, text: &str, pit, oracle: &dyn Oracle| {
            oracle.worth(&rules.play(&text.parse().unwrap(), pit).unwrap())
        };
        let captures = "0 0 0 0 0 1 / 2 0 0 0 0 1";
        assert_eq!(worth(Ruleset::AWARI, captures, 5, &Always(1)), Some(2));
        assert_eq!(worth(Ruleset::AWARI, captures, 5, &NoTables), None);
        let again = "1 0 0 0 0 1 / 1 0 0 0 0 0";
        assert_eq!(worth(Ruleset::KALAH, again, 5, &Always(1)), Some(2));
        let ends = "0 0 0 0 0 1 / 1 0 0 0 0 0";
        assert_eq!(worth(Ruleset::AWARI, ends, 5, &NoTables), Some(2));
    }
}
