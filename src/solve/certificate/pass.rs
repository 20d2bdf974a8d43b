//! A pass over the boards of a layer: chunk by chunk, and in a chunk mover's row by mover's
//! row. The effect of a crossing on the lines of a chunk is computed once for all mover's rows.

use rayon::prelude::*;

use super::given::Given;
use super::sowing::{Crossing, LineMove, Meeting, RowTable};
use crate::index::{LayerIndex, rank_of_row, row};
use crate::rules::{Board, Moves, Row, Ruleset, Step};
use crate::solve::observer::{Observer, Stopped};
use crate::solve::spill::Plain;

/// The most lines of a chunk: few enough for their data to stay in the cache of a processor,
/// many enough for the moves of a mover's row to be worth looking up.
pub(super) const MAX_LINES: usize = 512;

/// How many lines a chunk has in files, of a section with so many: all threads share them, and
/// what is computed for each must not take much memory.
pub(super) fn lines_in_files(all: usize) -> usize {
    all.div_ceil(rayon::current_num_threads()).min(1 << 13)
}

/// Instead of the rank of a row: the move captures or, in the store family, is not quiet.
pub(super) const CAPTURES: u32 = u32::MAX;
/// Instead of the rank of a row: the whole board decides.
pub(super) const WHOLE: u32 = u32::MAX - 1;

/// The layer being checked, and what passes over it need.
pub(super) struct Pass<'a> {
    pub rules: Ruleset,
    pub index: &'a LayerIndex,
    pub rows: RowTable,
    pub observer: &'a dyn Observer,
    /// Whether some of the numbers at work are in files.
    pub in_files: bool,
}

impl Pass<'_> {
    /// Whether `check` passes every chunk of some sections.
    pub fn all(
        &self,
        sections: impl Iterator<Item = u8>,
        check: impl Fn(&Scan<'_>) -> bool + Sync,
    ) -> Result<bool, Stopped> {
        let check = |&chunk: &LineRange| {
            let scan = Scan::new(self, chunk);
            let is_right = check(&scan);
            self.observer.advance((chunk.lines * scan.width) as u64)?;
            Ok(is_right)
        };
        let mut is_right = true;
        for chunks in self.chunks(sections) {
            let checked = chunks.par_iter().map(check);
            is_right &= checked.try_reduce(|| true, |one, other| Ok(one && other))?;
        }
        Ok(is_right)
    }

    /// The chunks of some sections. All of a group can be visited at once, group by group: in
    /// files a group is a section, so that all threads read the same lines at the same time and
    /// each line is read once for a section.
    pub fn chunks(&self, sections: impl Iterator<Item = u8>) -> Vec<Vec<LineRange>> {
        if self.in_files {
            let chunks = |section| {
                let lines = lines_in_files(self.index.section_lines(section));
                LineRange::of_section(self.index, section, lines)
            };
            return sections.map(chunks).collect();
        }
        let chunks = |section| {
            // Enough for several threads, unless the section is small.
            let lines = (self.index.section_lines(section) / 16).clamp(16, MAX_LINES);
            LineRange::of_section(self.index, section, lines)
        };
        vec![sections.flat_map(chunks).collect()]
    }

    /// The division by row of the boards of a section: the mover's seeds minus the opponent's.
    pub fn division(&self, section: u8) -> i8 {
        (self.index.seeds() - section).cast_signed() - section.cast_signed()
    }

    /// The quiet moves among these.
    pub fn quiet_steps(&self, moves: &Moves) -> impl Iterator<Item = Step> {
        let seeds = self.index.seeds();
        moves.legal().filter(move |step| step.is_quiet(seeds))
    }
}

/// Neighbouring lines of a section.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineRange {
    pub section: u8,
    pub first: usize,
    pub lines: usize,
}

impl LineRange {
    /// The chunks of a section, of so many lines each.
    fn of_section(index: &LayerIndex, section: u8, lines: usize) -> Vec<LineRange> {
        let all = index.section_lines(section);
        let chunk = |first| LineRange {
            section,
            first,
            lines: lines.min(all - first),
        };
        (0..all).step_by(lines.max(1)).map(chunk).collect()
    }

    /// The entries of the chunk's boards, line by line.
    pub fn entries<'g, E: Plain>(&self, given: &'g Given<E>) -> &'g [E] {
        given.lines(self.section, self.first, self.lines)
    }
}

/// A chunk, ready to be scanned mover's row by mover's row.
pub(super) struct Scan<'a> {
    pub pass: &'a Pass<'a>,
    pub chunk: LineRange,
    /// Seeds in the mover's row.
    pub of_mover: u8,
    /// Entries of a line.
    pub width: usize,
    /// The opponent's row of each line.
    opponents: Vec<Row>,
    /// By the number of the crossing; without lines for crossings of more seeds than the mover
    /// has, and empty if single boards are looked at.
    crossed: Vec<Crossed>,
}

/// The effect of a crossing on the lines of a chunk.
#[derive(Default, Debug)]
pub(super) struct Crossed {
    /// For each line the rank of the row after a quiet move, or [`CAPTURES`], or
    /// [`WHOLE`].
    pub quiet: Vec<u32>,
    /// The captures; none in the store family.
    pub captures: Vec<Capture>,
    /// The lines in which the whole board decides.
    pub whole: Vec<u32>,
}

/// A capture from the row of a line.
#[derive(Debug)]
pub(super) struct Capture {
    /// Seeds captured.
    pub seeds: u8,
    pub line: u32,
    /// The rank of the row after the capture.
    pub rank: u32,
}

impl<'a> Scan<'a> {
    pub fn new(pass: &'a Pass<'a>, chunk: LineRange) -> Scan<'a> {
        let mut scan = Scan::of_boards(pass, chunk);
        let crossed = pass.rows.crossings().iter().map(|crossing| {
            if crossing.seeds() > scan.of_mover {
                return Crossed::default();
            }
            Crossed::new(crossing, &scan.opponents)
        });
        scan.crossed = crossed.collect();
        scan
    }

    /// A scan of single boards, which works out what their moves do one by one.
    pub fn of_boards(pass: &'a Pass<'a>, chunk: LineRange) -> Scan<'a> {
        let lines = pass.index.lines();
        let opponent = |line| lines.row(chunk.section, (chunk.first + line) as u32);
        Scan {
            pass,
            chunk,
            of_mover: pass.index.seeds() - chunk.section,
            width: pass.index.section_width(chunk.section),
            opponents: (0..chunk.lines).map(opponent).collect(),
            crossed: Vec::new(),
        }
    }

    /// The moves of a mover's row, in the order of pits.
    #[inline]
    pub fn moves(&self, rank: usize) -> &'a [LineMove] {
        self.pass.rows.moves(self.of_mover, rank)
    }

    /// The effect of the crossing of a move on the lines.
    #[inline]
    pub fn crossed(&self, m: &LineMove) -> &Crossed {
        &self.crossed[m.crossing()]
    }

    /// The rank of a line's row after a quiet move, or [`CAPTURES`], or [`WHOLE`].
    #[inline]
    pub fn quiet(&self, m: &LineMove, line: usize) -> u32 {
        match self.crossed.get(m.crossing()) {
            Some(crossed) => crossed.quiet[line],
            None => {
                let crossing = &self.pass.rows.crossings()[m.crossing()];
                quiet_rank(&crossing.meet(&self.opponents[line]))
            }
        }
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
        let mover = row::unrank(self.of_mover, rank as u32);
        Board::trusted_rows(mover, self.opponents[line])
    }
}

/// The rank of the row after a quiet move, or [`CAPTURES`], or [`WHOLE`].
fn quiet_rank(meeting: &Meeting) -> u32 {
    match meeting {
        Meeting::Empties => WHOLE,
        Meeting::Feeds { captured: 0, row } => rank_of_row(row),
        Meeting::Feeds { .. } | Meeting::Converts => CAPTURES,
    }
}

impl Crossed {
    fn new(crossing: &Crossing, opponents: &[Row]) -> Crossed {
        let mut crossed = Crossed::default();
        for (line, row) in (0..).zip(opponents) {
            let meeting = crossing.meet(row);
            match meeting {
                Meeting::Empties => crossed.whole.push(line),
                Meeting::Feeds { captured, row } if captured > 0 => {
                    crossed.captures.push(Capture {
                        seeds: captured,
                        line,
                        rank: rank_of_row(&row),
                    });
                }
                Meeting::Feeds { .. } | Meeting::Converts => {}
            }
            crossed.quiet.push(quiet_rank(&meeting));
        }
        // Those that lead to the same layer together.
        crossed.captures.sort_by_key(|capture| capture.seeds);
        crossed
    }
}
