//! A pass over the boards of a layer: chunk by chunk, and in a chunk mover's row by mover's
//! row. The effect of a crossing on the lines of a chunk is computed once for all mover's rows.

use super::sowing::{Crossing, LineMove, Meeting, RowTable};
use crate::index::{LayerIndex, rank_of_row, row};
use crate::rules::{Board, Moves, Row, Ruleset, Step};
use crate::solve::observer::Observer;
use crate::solve::spill::Pieces;

/// The most lines of a chunk: few enough for their data to stay in the cache of a processor,
/// many enough for the moves of a mover's row to be worth looking up.
pub(super) const MAX_LINES: usize = 512;

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
    /// Bytes of arrays beyond memory that may be in memory at a time.
    pub pool_bytes: u64,
}

impl Pass<'_> {
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
    /// The chunks of a section. Each is in one of the pieces of arrays beyond memory, if there
    /// are any.
    pub fn of_section(index: &LayerIndex, section: u8, pieces: Option<&Pieces>) -> Vec<LineRange> {
        let all = index.section_lines(section);
        let of_piece = pieces.map_or(all, |pieces| pieces.lines(section));
        // Enough for several threads, unless the section is small.
        let most = (all / 16).clamp(16, MAX_LINES);
        let chunk = |first, end: usize| LineRange {
            section,
            first,
            lines: most.min(end - first),
        };
        let starts = (0..all).step_by(of_piece.max(1));
        let chunks = starts.flat_map(|start| {
            let end = all.min(start + of_piece);
            (start..end)
                .step_by(most)
                .map(move |first| chunk(first, end))
        });
        chunks.collect()
    }

    /// The number of the piece that a chunk is in.
    pub fn piece(&self, pieces: &Pieces) -> usize {
        pieces.of_line(self.section, self.first as u32)
    }
}

/// What crossings do to the lines of a chunk.
pub(super) struct Meetings {
    /// The opponent's row of each line.
    opponents: Vec<Row>,
    /// By the number of the crossing; without lines for crossings of more seeds than the mover
    /// has, and empty if single boards are looked at.
    pub crossed: Vec<Crossed>,
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

impl Meetings {
    pub fn new(pass: &Pass<'_>, chunk: LineRange) -> Meetings {
        let mut meetings = Meetings::of_boards(pass, chunk);
        let of_mover = pass.index.seeds() - chunk.section;
        let crossed = pass.rows.crossings().iter().map(|crossing| {
            if crossing.seeds() > of_mover {
                return Crossed::default();
            }
            Crossed::new(crossing, &meetings.opponents)
        });
        meetings.crossed = crossed.collect();
        meetings
    }

    /// The lines alone, for single boards.
    pub fn of_boards(pass: &Pass<'_>, chunk: LineRange) -> Meetings {
        let lines = pass.index.lines();
        let opponent = |line| lines.row(chunk.section, (chunk.first + line) as u32);
        Meetings {
            opponents: (0..chunk.lines).map(opponent).collect(),
            crossed: Vec::new(),
        }
    }

    /// The rank of a line's row after a quiet move, or [`CAPTURES`], or [`WHOLE`].
    #[inline]
    pub fn quiet(&self, pass: &Pass<'_>, m: &LineMove, line: usize) -> u32 {
        match self.crossed.get(m.crossing()) {
            Some(crossed) => crossed.quiet[line],
            None => {
                let crossing = &pass.rows.crossings()[m.crossing()];
                quiet_rank(&crossing.meet(&self.opponents[line]))
            }
        }
    }

    /// A board of the chunk.
    pub fn board(&self, of_mover: u8, rank: usize, line: usize) -> Board {
        let mover = row::unrank(of_mover, rank as u32);
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
