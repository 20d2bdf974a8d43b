//! Sowing row by row: the mover's row and the opponent's row, each by itself.
//!
//! The effect of a move on the mover's row does not depend on the opponent's. Its effect on
//! the opponent's row depends on the mover's only through the seeds that cross and where
//! the last one falls: the *crossing*. There are no more than some sixty crossings. So each
//! half is worked out once for many boards: the moves of every mover's row in a
//! [`RowTable`], the effect of a crossing on an opponent's row by [`Crossing::meet`]. The
//! loop that sows the seeds one by one is that of the plain rules.
//!
//! In the oware family two results depend on the whole board: a grand slam, and a move that
//! leaves the opponent without seeds. These are left to the plain rules. In the store family
//! only the moves that may be quiet are sown here: those that stay in the mover's row.

use rayon::prelude::*;

use crate::index::{OpponentRows, row};
use crate::rules::{PITS, ROW, Row, Ruleset, StoreGame, row_seeds, sow_seeds};

/// How a sowing meets the opponent's row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Crossing {
    /// Seeds cross, in the oware family.
    Seeds {
        /// The seeds that each of the opponent's pits gets.
        added: Row,
        /// The opponent's pit that gets the last seed of the sowing, if one does.
        last: Option<u8>,
    },
    /// No seed crosses, in the store family.
    Stay {
        /// The opponent's pit whose seeds the last seed captures, if there is one.
        opposite: Option<u8>,
    },
}

/// The effect of a crossing on an opponent's row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meeting {
    /// The opponent keeps seeds: the move is legal, and leads to this row.
    Feeds { captured: u8, row: Row },
    /// The opponent is left without seeds: the whole board decides what that means.
    Empties,
    /// The move is no quiet one of the store family.
    Converts,
}

/// Sows a pit of the mover's row: the row that remains, and how the seeds meet the
/// opponent's row. `None` if the pit is empty or, in the store family, the move is never
/// quiet.
pub(super) fn sow(rules: Ruleset, row: &Row, pit: usize) -> Option<(Row, Crossing)> {
    if row[pit] == 0 {
        return None;
    }
    match rules {
        Ruleset::Oware(_) => Some(sow_across(row, pit)),
        Ruleset::Stores(game) => sow_inside(game, row, pit),
    }
}

fn sow_across(row: &Row, pit: usize) -> (Row, Crossing) {
    let mut pits = [0; PITS];
    pits[..ROW].copy_from_slice(row);
    let last = sow_seeds(&mut pits, pit);
    let crossing = Crossing::Seeds {
        added: std::array::from_fn(|pit| pits[ROW + pit]),
        last: last.checked_sub(ROW).map(|pit| pit as u8),
    };
    (std::array::from_fn(|pit| pits[pit]), crossing)
}

fn sow_inside(game: StoreGame, row: &Row, pit: usize) -> Option<(Row, Crossing)> {
    let mut after = *row;
    let mut hand = std::mem::take(&mut after[pit]);
    if game == StoreGame::Ifmg && hand > 1 {
        after[pit] += 1;
        hand -= 1;
    }
    let mut last = pit;
    while hand > 0 {
        last += 1;
        *after.get_mut(last)? += 1;
        hand -= 1;
    }
    let opposite = match (after[last], game) {
        (1, StoreGame::KalahEmpty) => return None,
        (1, StoreGame::Kalah | StoreGame::Ifmg) => Some((ROW - 1 - last) as u8),
        _ => None,
    };
    Some((after, Crossing::Stay { opposite }))
}

impl Crossing {
    /// Every crossing of a pit with up to `seeds` seeds.
    pub fn all(rules: Ruleset, seeds: u8) -> Vec<Crossing> {
        let Ruleset::Oware(_) = rules else {
            let opposite = (0..ROW as u8).map(Some).chain([None]);
            return opposite
                .map(|opposite| Crossing::Stay { opposite })
                .collect();
        };
        let mut all = Vec::new();
        for pit in 0..ROW {
            for here in 1..=seeds {
                let mut row = Row::default();
                row[pit] = here;
                let (_, crossing) = sow_across(&row, pit);
                if !all.contains(&crossing) {
                    all.push(crossing);
                }
            }
        }
        all
    }

    /// How many seeds cross.
    pub fn seeds(&self) -> u8 {
        match self {
            Crossing::Seeds { added, .. } => row_seeds(added),
            Crossing::Stay { .. } => 0,
        }
    }

    /// Adds the seeds to an opponent's row and captures.
    pub fn meet(&self, row: &Row) -> Meeting {
        let (added, mut next) = match *self {
            Crossing::Seeds { added, last } => (added, last),
            Crossing::Stay { opposite } => {
                let captures = opposite.is_some_and(|pit| row[usize::from(pit)] > 0);
                // Against an empty row every move ends the game.
                if captures || row_seeds(row) == 0 {
                    return Meeting::Converts;
                }
                return Meeting::Feeds {
                    captured: 0,
                    row: *row,
                };
            }
        };
        let mut row: Row = std::array::from_fn(|pit| row[pit] + added[pit]);
        let mut captured = 0;
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

/// One move of a mover's row.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineMove {
    /// The line of the next board: the rank of the remaining row, in the oware family among
    /// open rows.
    pub line: u32,
    /// Seeds in it: the section of the next board.
    pub section: u8,
    /// The number of the crossing in [`RowTable::crossings`]; [`NO_MOVE`] behind the last move.
    crossing: u8,
}

const NO_MOVE: u8 = u8::MAX;

impl LineMove {
    /// The number of the crossing in [`RowTable::crossings`].
    pub fn crossing(&self) -> usize {
        self.crossing.into()
    }
}

/// The moves of all rows with up to a number of seeds; in the store family those that may be
/// quiet.
#[derive(Debug)]
pub(super) struct RowTable {
    /// By seeds, then by rank.
    rows: Vec<Vec<[LineMove; ROW]>>,
    crossings: Vec<Crossing>,
}

impl RowTable {
    /// Bytes of the moves of a row.
    pub const ROW_BYTES: u64 = size_of::<[LineMove; ROW]>() as u64;

    /// The moves of the rows with up to `seeds` seeds.
    pub fn new(rules: Ruleset, seeds: u8) -> RowTable {
        let crossings = Crossing::all(rules, seeds);
        let moves_of_rows = |seeds| {
            let rows: Vec<Row> = row::rows(seeds).collect();
            let moves = rows.par_iter().map(|row| moves_of(rules, row, &crossings));
            moves.collect()
        };
        let rows = (0..=seeds).map(moves_of_rows).collect();
        RowTable { rows, crossings }
    }

    /// All crossings.
    pub fn crossings(&self) -> &[Crossing] {
        &self.crossings
    }

    /// The moves of a mover's row, in the order of pits.
    #[inline]
    pub fn moves(&self, seeds: u8, rank: usize) -> &[LineMove] {
        let moves = &self.rows[usize::from(seeds)][rank];
        let count = moves.iter().take_while(|m| m.crossing != NO_MOVE);
        &moves[..count.count()]
    }
}

fn moves_of(rules: Ruleset, row: &Row, crossings: &[Crossing]) -> [LineMove; ROW] {
    let empty = LineMove {
        line: 0,
        section: 0,
        crossing: NO_MOVE,
    };
    let mut moves = [empty; ROW];
    let sown = (0..ROW).filter_map(|pit| sow(rules, row, pit));
    for (place, (rest, crossing)) in moves.iter_mut().zip(sown) {
        let line = OpponentRows::of(rules).line(&rest);
        let number = crossings.iter().position(|other| *other == crossing);
        *place = LineMove {
            line: line.expect("in the oware family the pit that was sown is empty"),
            section: row_seeds(&rest),
            crossing: number.expect("all crossings are listed") as u8,
        };
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::{LayerIndex, row::rows};
    use crate::rules::{Board, Next};
    use crate::solve::certificate::tests::random_boards;

    /// Compares every move of a board with the plain rules.
    fn check(rules: Ruleset, board: &Board) {
        match rules {
            Ruleset::Oware(_) => check_oware(rules, board),
            Ruleset::Stores(game) => check_stores(game, board),
        }
    }

    fn check_stores(game: StoreGame, board: &Board) {
        let moves = Ruleset::Stores(game).moves(board);
        for pit in 0..ROW {
            let plain = moves.by_pit()[pit].ok();
            let quiet = plain.filter(|step| step.is_quiet(board.seeds()));
            let met = sow(Ruleset::Stores(game), &board.mover(), pit)
                .map(|(row, crossing)| (row, crossing.meet(&board.opponent())));
            let found = met.and_then(|(mover, meeting)| match meeting {
                Meeting::Feeds { captured: 0, row } => Some(Board::from_rows(row, mover).unwrap()),
                Meeting::Converts => None,
                other => panic!("{other:?}"),
            });
            assert_eq!(found, quiet.map(|step| step.board), "{game:?} {board:?}");
        }
    }

    fn check_oware(rules: Ruleset, board: &Board) {
        let seeds = board.seeds();
        let moves = rules.moves(board);
        for pit in 0..ROW {
            let plain = moves.by_pit()[pit];
            let Some((mover, crossing)) = sow(rules, &board.mover(), pit) else {
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
        for rules in Ruleset::all() {
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
                        check(Ruleset::IFMG, &board);
                        check(Ruleset::KALAH, &board);
                        check(Ruleset::KALAH_EMPTY, &board);
                    }
                }
            }
        }
    }

    #[test]
    fn rows_of_random_boards_too() {
        for &(_, rules) in Ruleset::NAMED {
            for seeds in 9..=48 {
                for board in random_boards(rules, seeds, 400) {
                    check(rules, &board);
                }
            }
        }
    }
}
