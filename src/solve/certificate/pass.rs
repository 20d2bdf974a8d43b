//! A pass over the boards of a layer, chunk by chunk, and what the plain rules say of a
//! board that the rows cannot decide.

use rayon::prelude::*;

use super::entries::{Entries, MarkedEntry, NONE};
use super::lines::{Chunk, Lines};
use super::rows::RowTable;
use crate::index::{LayerIndex, row};
use crate::rules::{Board, Moves, Next, Ruleset, Step};
use crate::solve::observer::Observer;

/// The layer being checked.
#[derive(Clone, Copy)]
pub(super) struct Pass<'a> {
    pub rules: Ruleset,
    pub index: &'a LayerIndex,
    pub rows: &'a RowTable,
    pub observer: &'a dyn Observer,
}

impl Pass<'_> {
    /// Whether `check` passes every chunk of some sections.
    ///
    /// # Errors
    /// Those of `check`.
    pub fn all<Error: Send>(
        &self,
        sections: impl Iterator<Item = u8>,
        check: impl Fn(&Scan<'_>) -> Result<bool, Error> + Sync,
    ) -> Result<bool, Error> {
        let chunks = Chunk::all(self.index, sections);
        let checked = chunks.into_par_iter().map(|chunk| {
            let scan = Scan::new(*self, chunk);
            let is_right = check(&scan)?;
            self.observer.advance((chunk.lines * scan.width) as u64);
            Ok(is_right)
        });
        checked.try_reduce(|| true, |one, other| Ok(one && other))
    }

    /// The best quiet move of a board by the plain rules; [`NONE`] if there is none.
    pub fn plain_quiet(&self, board: &Board, children: &Entries) -> i8 {
        let moves = self.rules.moves(board);
        let values = self.quiet_steps(&moves);
        let values = values.map(|step| step.value(children.of_board(&step.board).get()));
        values.max().unwrap_or(NONE)
    }

    /// The quiet ones of some moves.
    pub fn quiet_steps(&self, moves: &Moves) -> impl Iterator<Item = Step> {
        let seeds = self.index.seeds();
        moves.legal().filter(move |step| step.is_quiet(seeds))
    }

    /// The best conversion of a board by the plain rules, or what a terminal position is
    /// worth; [`NONE`] if all legal moves are quiet. `child` gives the quantity of boards
    /// of lower layers.
    ///
    /// # Errors
    /// Those of `child`.
    pub fn plain_conversion<Error>(
        &self,
        board: &Board,
        child: impl Fn(&Board) -> Result<i8, Error>,
    ) -> Result<i8, Error> {
        let moves = self.rules.moves(board);
        if let Some(result) = moves.over() {
            return Ok(result);
        }
        let mut best = NONE;
        let seeds = self.index.seeds();
        for step in moves.legal().filter(|step| !step.is_quiet(seeds)) {
            let value = match step.next {
                Next::Over => step.gain,
                _ => step.value(child(&step.board)?),
            };
            best = best.max(value);
        }
        Ok(best)
    }
}

/// A chunk of lines, ready to be scanned mover's row by mover's row.
pub(super) struct Scan<'a> {
    pub pass: Pass<'a>,
    pub chunk: Chunk,
    pub lines: Lines<'a>,
    /// Seeds in the mover's row.
    pub of_mover: u8,
    /// Entries of a line.
    pub width: usize,
}

impl<'a> Scan<'a> {
    pub fn new(pass: Pass<'a>, chunk: Chunk) -> Scan<'a> {
        let mut scan = Scan::of_boards(pass, chunk);
        scan.lines.cross(scan.of_mover);
        scan
    }

    /// A scan of single boards, which works out what their moves do one by one.
    pub fn of_boards(pass: Pass<'a>, chunk: Chunk) -> Scan<'a> {
        Scan {
            pass,
            chunk,
            lines: Lines::new(pass.index, chunk, pass.rows.crossings()),
            of_mover: pass.index.seeds() - chunk.section,
            width: pass.index.section_width(chunk.section),
        }
    }

    /// The chunk's part of what there is for each board of its section, line by line.
    pub fn own<'e, T>(&self, section: &'e [T]) -> &'e [T] {
        self.chunk.own(self.pass.index, section)
    }

    /// For the boards of a mover's row, whether the whole board decides.
    pub fn find_whole(&self, rank: usize, is_whole: &mut [bool]) {
        let moves = self.pass.rows.moves(self.of_mover, rank);
        // An empty row has no move.
        is_whole.fill(self.of_mover == 0);
        for m in moves {
            for &line in &self.lines.crossed(m.crossing()).whole {
                is_whole[line as usize] = true;
            }
        }
    }

    /// The line that a quiet move leads to.
    pub fn child_line<'e>(
        &self,
        children: &'e Entries,
        section: u8,
        line: u32,
    ) -> &'e [MarkedEntry] {
        let width = self.pass.index.section_width(section);
        &children.section(section)[line as usize * width..][..width]
    }

    /// A board of the chunk.
    pub fn board(&self, line: usize, rank: usize) -> Board {
        let mover = row::unrank(self.of_mover, rank as u32);
        Board::trusted_rows(mover, self.lines.rows[line])
    }
}
