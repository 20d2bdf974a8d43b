//! The boards of a step of a walk, to be scanned chunk by chunk, and the numbers that they are
//! compared with.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, OnceLock};

use super::pass::{Crossed, LineRange, Meetings, Pass};
use super::sowing::LineMove;
use crate::index::row;
use crate::rules::Board;
use crate::solve::array::LayerArray;
use crate::solve::entry::Value;
use crate::solve::sections::Sections;

/// The boards of a step, and what they are compared with, in memory.
pub(super) struct Here<'h> {
    pub pass: &'h Pass<'h>,
    pub chunks: &'h [LineRange],
    /// The first chunk of the step.
    pub first: usize,
    pub rows: Range<usize>,
    pub arrays: Vec<Sections<'h, AtomicU8>>,
    pub lower: Vec<Sections<'h, Value>>,
    pub lower_arrays: &'h [&'h LayerArray<Value>],
    pub meetings: Option<&'h Vec<OnceLock<Arc<Meetings>>>>,
    /// By chunk of the step.
    pub has_changed: Vec<AtomicBool>,
}

impl Here<'_> {
    /// The mover's rows of the step that a chunk has.
    pub fn rows(&self, number: usize) -> Range<usize> {
        rows_in(&self.rows, self.pass, self.chunks[number])
    }

    /// A chunk of the step, ready to be scanned.
    pub fn scan(&self, chunk: usize) -> Scan<'_> {
        let new = || Arc::new(Meetings::new(self.pass, self.chunks[chunk]));
        let meetings = match self.meetings {
            Some(kept) => kept[chunk].get_or_init(new).clone(),
            None => new(),
        };
        self.scan_with(chunk, meetings)
    }

    /// A scan of single boards, which works out what their moves do one by one.
    pub fn scan_boards(&self, chunk: usize) -> Scan<'_> {
        let kept = self.meetings.and_then(|kept| kept[chunk].get());
        let meetings = kept.cloned().unwrap_or_else(|| {
            let lines = Meetings::of_boards(self.pass, self.chunks[chunk]);
            Arc::new(lines)
        });
        self.scan_with(chunk, meetings)
    }

    fn scan_with(&self, number: usize, meetings: Arc<Meetings>) -> Scan<'_> {
        let chunk = self.chunks[number];
        let index = self.pass.index;
        Scan {
            here: self,
            pass: self.pass,
            chunk,
            of_mover: index.seeds() - chunk.section,
            width: index.section_width(chunk.section),
            rows: self.rows(number),
            meetings,
        }
    }

    /// The entries of a chunk's boards in an array, line by line.
    pub fn own(&self, array: usize, chunk: LineRange) -> &[AtomicU8] {
        let LineRange {
            section,
            first,
            lines,
        } = chunk;
        self.arrays[array].section(section).lines(first, lines)
    }

    /// Notes that some entry of a chunk has changed.
    pub fn changes(&self, chunk: usize) {
        self.has_changed[chunk - self.first].store(true, Ordering::Relaxed);
    }

    /// The entries in an array of boards that a move leads to.
    #[inline(always)]
    pub fn line(&self, array: usize, section: u8, line: u32) -> &[AtomicU8] {
        self.arrays[array].line(section, line)
    }

    /// The entry in an array of a board that a quiet move leads to.
    pub fn of_board(&self, array: usize, board: &Board) -> &AtomicU8 {
        let at = self.pass.index.locate(board);
        let at = at.expect("moves lead to indexed boards");
        &self.line(array, at.section, at.line)[at.rank as usize]
    }

    /// The values in a lower layer of boards that a conversion leads to.
    #[inline(always)]
    pub fn lower_line(&self, seeds: u8, section: u8, line: u32) -> &[Value] {
        self.lower[usize::from(seeds)].line(section, line)
    }

    /// The value of a board that a conversion leads to.
    pub fn of_lower_board(&self, board: &Board) -> i8 {
        let index = self.lower_arrays[usize::from(board.seeds())].index();
        let at = index.locate(board).expect("moves lead to indexed boards");
        self.lower_line(board.seeds(), at.section, at.line)[at.rank as usize].get()
    }
}

/// A chunk, ready to be scanned mover's row by mover's row.
pub(super) struct Scan<'a> {
    pub here: &'a Here<'a>,
    pub pass: &'a Pass<'a>,
    pub chunk: LineRange,
    /// Seeds in the mover's row.
    pub of_mover: u8,
    /// Entries of a line.
    pub width: usize,
    /// The mover's rows that are scanned.
    pub rows: Range<usize>,
    pub meetings: Arc<Meetings>,
}

impl<'a> Scan<'a> {
    /// The entries of the boards of the chunk in an array, line by line.
    pub fn own(&self, array: usize) -> &'a [AtomicU8] {
        self.here.own(array, self.chunk)
    }

    /// The moves of a mover's row, in the order of pits.
    #[inline]
    pub fn moves(&self, rank: usize) -> &'a [LineMove] {
        self.pass.rows.moves(self.of_mover, rank)
    }

    /// The effect of the crossing of a move on the lines.
    #[inline]
    pub fn crossed(&self, m: &LineMove) -> &Crossed {
        &self.meetings.crossed[m.crossing()]
    }

    /// For the boards of a mover's row, whether the whole board decides.
    pub fn find_whole(&self, rank: usize, is_whole: &mut [bool]) {
        // An empty row has no move.
        is_whole.fill(self.of_mover == 0);
        for m in self.moves(rank) {
            for &line in &self.crossed(m).whole {
                is_whole[line as usize] = true;
            }
        }
    }

    /// The board that a quiet move leads to, given the rank of the row after it.
    pub fn child(&self, m: &LineMove, rank: u32) -> Board {
        let index = self.pass.index;
        let mover = row::unrank(index.seeds() - m.section, rank);
        Board::trusted_rows(mover, index.lines().row(m.section, m.line))
    }

    /// A board of the chunk.
    pub fn board(&self, line: usize, rank: usize) -> Board {
        self.meetings.board(self.of_mover, rank, line)
    }
}

/// The mover's rows of a step that a chunk has.
pub(super) fn rows_in(rows: &Range<usize>, pass: &Pass<'_>, chunk: LineRange) -> Range<usize> {
    rows.start..rows.end.min(pass.index.section_width(chunk.section))
}
