//! Sowing row by row, for the oware family: what a move does to the mover's row, and
//! what the seeds that cross do to an opponent's row.
//!
//! What happens to the mover's row does not depend on the opponent's, and what happens to
//! the opponent's row depends on the mover's only through the seeds that cross and where
//! the last one falls. So each half is worked out once for many boards. The seeds are
//! sown one by one, as the rules say.
//!
//! Two results depend on the whole board: a grand slam, and a move that leaves the
//! opponent without seeds. These are left to the plain rules, and so is the store family.

use crate::rules::{PITS, ROW, Row, row_seeds};

/// The seeds of a sowing that cross to the opponent's row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Crossing {
    /// The seeds that each of the opponent's pits gets.
    added: Row,
    /// The opponent's pit that gets the last seed of the sowing, if one does.
    last: Option<u8>,
}

/// What a crossing does to an opponent's row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meeting {
    /// The opponent keeps seeds: the move is legal, and leads to this row.
    Feeds { captured: u8, row: Row },
    /// The opponent is left without seeds: the whole board decides what that means.
    Empties,
}

/// Sows a pit of the mover's row: the row that remains, and the seeds that cross; `None` if
/// the pit is empty.
pub(super) fn sow(row: &Row, pit: usize) -> Option<(Row, Crossing)> {
    let mut pits = [0; PITS];
    pits[..ROW].copy_from_slice(row);
    let mut hand = std::mem::take(&mut pits[pit]);
    if hand == 0 {
        return None;
    }
    let mut last = pit;
    while hand > 0 {
        last = (last + 1) % PITS;
        if last != pit {
            pits[last] += 1;
            hand -= 1;
        }
    }
    let crossing = Crossing {
        added: std::array::from_fn(|pit| pits[ROW + pit]),
        last: last.checked_sub(ROW).map(|pit| pit as u8),
    };
    Some((std::array::from_fn(|pit| pits[pit]), crossing))
}

impl Crossing {
    /// How many seeds cross.
    pub fn seeds(&self) -> u8 {
        row_seeds(&self.added)
    }

    /// Adds the seeds to an opponent's row and captures.
    pub fn meet(&self, row: &Row) -> Meeting {
        let mut row: Row = std::array::from_fn(|pit| row[pit] + self.added[pit]);
        let mut captured = 0;
        let mut next = self.last;
        while let Some(pit) = next
            && matches!(row[usize::from(pit)], 2 | 3)
        {
            captured += std::mem::take(&mut row[usize::from(pit)]);
            next = pit.checked_sub(1);
        }
        match row_seeds(&row) {
            0 => Meeting::Empties,
            _ => Meeting::Feeds { captured, row },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::{LayerIndex, row::rows};
    use crate::rules::{Board, Next, Ruleset};
    use crate::solve::certificate::tests::random_boards;

    /// Compares every move of a board with the plain rules.
    fn check(rules: Ruleset, board: &Board) {
        let seeds = board.seeds();
        let moves = rules.moves(board);
        for pit in 0..ROW {
            let plain = moves.by_pit()[pit];
            let Some((mover, crossing)) = sow(&board.mover(), pit) else {
                assert!(plain.is_err());
                continue;
            };
            assert_eq!(
                row_seeds(&mover) + crossing.seeds(),
                row_seeds(&board.mover())
            );
            if let Meeting::Feeds { captured, row } = crossing.meet(&board.opponent()) {
                let step = plain.unwrap();
                let there = Board::from_rows(row, mover).unwrap();
                let found = (step.board, step.captured, step.gain, step.next);
                let gain = captured.cast_signed();
                assert_eq!(
                    found,
                    (there, captured, gain, Next::Opponent),
                    "{rules} {board:?}"
                );
                assert_eq!(step.is_quiet(seeds), captured == 0);
            }
        }
    }

    #[test]
    fn both_rows_are_those_of_the_plain_rules() {
        for rules in Ruleset::all().filter(|rules| rules.oware().is_some()) {
            for seeds in 0..=5 {
                LayerIndex::new(rules, seeds)
                    .boards()
                    .for_each(|board| check(rules, &board));
            }
        }
        for seeds in [6, 7, 8] {
            for section in 0..=seeds {
                for opponent in rows(section) {
                    for mover in rows(seeds - section) {
                        let board = Board::from_rows(mover, opponent).unwrap();
                        check(Ruleset::AWARI, &board);
                        check(Ruleset::ABAPA, &board);
                    }
                }
            }
        }
    }

    #[test]
    fn rows_of_random_boards_too() {
        for (_, rules) in Ruleset::NAMED {
            if rules.oware().is_some() {
                for seeds in 9..=48 {
                    for board in random_boards(rules, seeds, 400) {
                        check(rules, &board);
                    }
                }
            }
        }
    }
}
