//! The moves of every mover's row of a layer; in the store family those that may be quiet.
//!
//! A move is the line that the remaining row is as the next opponent's row, and the
//! crossing. There are no more than some sixty crossings, so what each does to a line is
//! worked out once for all mover's rows (`lines`).

use rayon::prelude::*;

use super::sowing::{Crossing, sow, sow_inside};
use crate::index::row;
use crate::rules::{ROW, Row, Ruleset, StoreGame, row_seeds};

/// One move of a mover's row.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowMove {
    /// The line of the next board: the rank of the remaining row, in the oware family among
    /// open rows.
    pub line: u32,
    /// Seeds in it: the section of the next board.
    pub section: u8,
    /// The number of the crossing.
    crossing: u8,
}

/// Bytes of the moves of a row.
pub(super) const ROW_BYTES: u64 = size_of::<[RowMove; ROW]>() as u64;

/// The crossing of an empty pit.
const EMPTY: RowMove = RowMove {
    line: 0,
    section: 0,
    crossing: u8::MAX,
};

impl RowMove {
    /// The place of the crossing among [`RowTable::crossings`].
    pub fn crossing(&self) -> usize {
        self.crossing.into()
    }
}

/// The moves of all rows with up to a number of seeds.
#[derive(Debug)]
pub(super) struct RowTable {
    /// By seeds, then by rank: a place for each pit, those of empty pits last.
    rows: Vec<Vec<[RowMove; ROW]>>,
    crossings: Vec<Crossing>,
}

impl RowTable {
    /// The moves of the rows with up to `seeds` seeds.
    pub fn new(rules: Ruleset, seeds: u8) -> RowTable {
        match rules {
            Ruleset::Oware(_) => RowTable::of_oware(seeds),
            Ruleset::Stores(game) => RowTable::of_stores(game, seeds),
        }
    }

    fn of_oware(seeds: u8) -> RowTable {
        let mut table = RowTable {
            rows: Vec::new(),
            crossings: Vec::new(),
        };
        // By pit, then by the seeds in it.
        let numbers: [Vec<u8>; ROW] = std::array::from_fn(|pit| {
            let number = |here| table.number(pit, here);
            (0..=seeds).map(number).collect()
        });
        table.rows = rows_up_to(seeds, |row| moves_of(row, &numbers));
        table
    }

    fn of_stores(game: StoreGame, seeds: u8) -> RowTable {
        let opposite = (0..ROW as u8).map(Some).chain([None]);
        let crossings: Vec<_> = opposite
            .map(|opposite| Crossing::Stay { opposite })
            .collect();
        RowTable {
            rows: rows_up_to(seeds, |row| quiet_moves_of(game, row, &crossings)),
            crossings,
        }
    }

    /// The number of the crossing that a pit with `here` seeds makes.
    fn number(&mut self, pit: usize, here: u8) -> u8 {
        let mut row = Row::default();
        row[pit] = here;
        let Some((_, crossing)) = sow(&row, pit) else {
            return EMPTY.crossing;
        };
        let known = self.crossings.iter().position(|other| *other == crossing);
        let number = known.unwrap_or_else(|| {
            self.crossings.push(crossing);
            self.crossings.len() - 1
        });
        number as u8
    }

    /// All crossings.
    pub fn crossings(&self) -> &[Crossing] {
        &self.crossings
    }

    /// The moves of a mover's row, in the order of pits.
    #[inline]
    pub fn moves(&self, seeds: u8, rank: usize) -> &[RowMove] {
        let moves = &self.rows[usize::from(seeds)][rank];
        let count = moves.iter().take_while(|m| m.crossing != EMPTY.crossing);
        &moves[..count.count()]
    }
}

/// The moves of all rows with up to `seeds` seeds.
fn rows_up_to(
    seeds: u8,
    moves: impl Fn(&Row) -> [RowMove; ROW] + Sync,
) -> Vec<Vec<[RowMove; ROW]>> {
    let of_rows = |seeds| {
        let rows: Vec<Row> = row::rows(seeds).collect();
        rows.par_iter().map(&moves).collect()
    };
    (0..=seeds).map(of_rows).collect()
}

fn moves_of(row: &Row, numbers: &[Vec<u8>; ROW]) -> [RowMove; ROW] {
    let mut moves = [EMPTY; ROW];
    let sown = (0..ROW).filter_map(|pit| sow(row, pit).map(|(rest, _)| (pit, rest)));
    for (place, (pit, rest)) in moves.iter_mut().zip(sown) {
        *place = RowMove {
            // The pit that was sown is empty.
            line: row::open_rank(&rest),
            section: row_seeds(&rest),
            crossing: numbers[pit][usize::from(row[pit])],
        };
    }
    moves
}

fn quiet_moves_of(game: StoreGame, row: &Row, crossings: &[Crossing]) -> [RowMove; ROW] {
    let mut moves = [EMPTY; ROW];
    let sown = (0..ROW).filter_map(|pit| sow_inside(game, row, pit));
    for (place, (rest, crossing)) in moves.iter_mut().zip(sown) {
        let number = crossings.iter().position(|other| *other == crossing);
        *place = RowMove {
            line: row::rank(&rest),
            section: row_seeds(&rest),
            crossing: number.expect("all crossings are listed") as u8,
        };
    }
    moves
}
