//! The one question a game has for a table: what is this board worth?
//!
//! Games and tables are kept apart by this trait, so that playing needs no
//! table and tests can answer with a solver of a few lines.

use crate::rules::{Board, MAX_SEEDS, Next, Step};
use crate::tablebase::{ProbeResult, Prober, Tablebase};

/// Somebody who knows what boards are worth under one ruleset.
pub trait Oracle {
    /// Value of the board for its mover in net seeds, `None` if not known.
    ///
    /// It is never beyond the number of seeds on the board, either way.
    fn value(&mut self, board: &Board) -> Option<i8>;

    /// The least and the most that the board is worth, however endless play is settled.
    /// Where the ruleset gives a board one value they are that value; whoever answers
    /// for rulesets that settle it by side must say so.
    fn bounds(&mut self, board: &Board) -> Option<(i8, i8)> {
        self.value(board).map(|value| (value, value))
    }

    /// What a whole move is worth to the player who makes it, `None` if not
    /// known. A move that ends the game needs no table.
    fn worth(&mut self, step: &Step) -> Option<i8> {
        match step.next {
            Next::Over => Some(step.gain),
            Next::Opponent | Next::Again => self.value(&step.board).map(|value| step.value(value)),
        }
    }
}

/// The oracle without tables: it knows no board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoTables;

impl Oracle for NoTables {
    fn value(&mut self, _: &Board) -> Option<i8> {
        None
    }
}

/// A board whose layer is missing, or lies in a damaged table, is not known.
impl Oracle for &Tablebase {
    fn value(&mut self, board: &Board) -> Option<i8> {
        self.probe(board).ok().map(|worth| worth.value)
    }

    fn bounds(&mut self, board: &Board) -> Option<(i8, i8)> {
        bounds_of(self, self.probe(board).ok()?)
    }
}

/// Bounds as the tables tell them: a value alone is none where a board has two.
fn bounds_of(tables: &Tablebase, worth: ProbeResult) -> Option<(i8, i8)> {
    match tables.rules().has_bounds() {
        true => worth.bounds.map(|bounds| (bounds.lower, bounds.upper)),
        false => Some((worth.value, worth.value)),
    }
}

/// Tables as one thread asks them again and again.
pub(super) struct TableOracle<'t> {
    tables: &'t Tablebase,
    prober: Prober<'t>,
    /// Which layers are at hand: the others need not be asked for.
    layers: [bool; MAX_SEEDS as usize + 1],
}

impl<'t> TableOracle<'t> {
    pub fn new(tables: &'t Tablebase) -> TableOracle<'t> {
        let mut layers = [false; MAX_SEEDS as usize + 1];
        for seeds in tables.layers() {
            layers[usize::from(seeds)] = true;
        }
        TableOracle {
            tables,
            prober: tables.prober(),
            layers,
        }
    }

    fn has(&self, board: &Board) -> bool {
        self.layers[usize::from(board.seeds())]
    }
}

/// As the tables themselves answer.
impl Oracle for TableOracle<'_> {
    fn value(&mut self, board: &Board) -> Option<i8> {
        match self.has(board) {
            true => self.prober.value(board).ok(),
            false => None,
        }
    }

    fn bounds(&mut self, board: &Board) -> Option<(i8, i8)> {
        match self.tables.rules().has_bounds() {
            false => self.value(board).map(|value| (value, value)),
            true if self.has(board) => bounds_of(self.tables, self.prober.probe(board).ok()?),
            true => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Ruleset;

    struct Always(i8);

    impl Oracle for Always {
        fn value(&mut self, _: &Board) -> Option<i8> {
            Some(self.0)
        }
    }

    #[test]
    fn worth_turns_the_value_only_when_the_opponent_moves() {
        let worth = |rules: Ruleset, text: &str, pit, oracle: &mut dyn Oracle| {
            oracle.worth(&rules.play(&text.parse().unwrap(), pit).unwrap())
        };
        let captures = "0 0 0 0 0 1 / 2 0 0 0 0 1";
        assert_eq!(worth(Ruleset::AWARI, captures, 5, &mut Always(1)), Some(2));
        assert_eq!(worth(Ruleset::AWARI, captures, 5, &mut NoTables), None);
        let again = "1 0 0 0 0 1 / 1 0 0 0 0 0";
        assert_eq!(worth(Ruleset::KALAH, again, 5, &mut Always(1)), Some(2));
        let ends = "0 0 0 0 0 1 / 1 0 0 0 0 0";
        assert_eq!(worth(Ruleset::AWARI, ends, 5, &mut NoTables), Some(2));
    }
}
