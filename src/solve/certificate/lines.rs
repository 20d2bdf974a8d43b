//! A chunk of lines, and what each crossing does to their opponent's rows.

use super::sowing::{Crossing, Meeting};
use crate::index::{LayerIndex, rank_of_row};
use crate::rules::{Row, row_seeds};

/// Lines of a chunk, at the most: few enough for what is known of them to stay in the
/// cache of a processor, many enough for the moves of a mover's row to be worth looking up.
pub(super) const MAX_LINES: usize = 512;

/// Instead of the rank of a row: the move captures or, in the store family, is not quiet.
pub(super) const CAPTURES: u32 = u32::MAX;
/// Instead of the rank of a row: the whole board decides.
pub(super) const WHOLE: u32 = u32::MAX - 1;

/// Neighbouring lines of a section.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunk {
    pub section: u8,
    pub first: usize,
    pub lines: usize,
}

impl Chunk {
    /// The chunk's part of what there is for each board of its section, line by line.
    pub fn own<'e, T>(&self, index: &LayerIndex, section: &'e [T]) -> &'e [T] {
        let width = index.section_width(self.section);
        &section[self.first * width..][..self.lines * width]
    }

    /// The chunks of some sections of a layer.
    pub fn all(index: &LayerIndex, sections: impl Iterator<Item = u8>) -> Vec<Chunk> {
        let chunks = |section: u8| {
            let all = index.section_lines(section);
            // Enough for several threads, unless the section is small.
            let size = (all / 16).clamp(16, MAX_LINES);
            (0..all).step_by(size).map(move |first| Chunk {
                section,
                first,
                lines: size.min(all - first),
            })
        };
        sections.flat_map(chunks).collect()
    }
}

/// What a crossing does to the lines of a chunk.
#[derive(Default, Debug)]
pub(super) struct Crossed {
    /// For each line the rank of the row after a quiet move, or [`CAPTURES`], or
    /// [`WHOLE`].
    pub quiet: Vec<u32>,
    /// The captures, by the seeds captured; none in the store family.
    pub captures: Vec<Captures>,
    /// The lines in which the whole board decides.
    pub whole: Vec<u32>,
}

/// Captures of the same number of seeds.
#[derive(Debug)]
pub(super) struct Captures {
    pub seeds: u8,
    /// Lines of the chunk, ascending, each with the rank of the row after the capture.
    pub targets: Vec<(u32, u32)>,
    /// The least and the greatest rank.
    pub reach: (u32, u32),
}

/// The opponent's rows of a chunk, and what crossings do to them.
#[derive(Debug)]
pub(super) struct Lines<'a> {
    pub rows: Vec<Row>,
    crossings: &'a [Crossing],
    /// By the number of the crossing; empty for crossings of more seeds than the mover has,
    /// and before [`Lines::cross`].
    crossed: Vec<Crossed>,
}

impl Lines<'_> {
    pub fn new<'a>(index: &LayerIndex, chunk: Chunk, crossings: &'a [Crossing]) -> Lines<'a> {
        let lines = index.lines();
        let row = |line| lines.row(chunk.section, (chunk.first + line) as u32);
        Lines {
            rows: (0..chunk.lines).map(row).collect(),
            crossings,
            crossed: Vec::new(),
        }
    }

    /// Works out what each crossing does to all lines, for a mover who has this many seeds.
    pub fn cross(&mut self, of_mover: u8) {
        let crossed = self.crossings.iter().map(|crossing| {
            if crossing.seeds() > of_mover {
                return Crossed::default();
            }
            Crossed::new(crossing, &self.rows)
        });
        self.crossed = crossed.collect();
    }

    /// The rank of a line's row after a crossing, or [`CAPTURES`], or [`WHOLE`].
    #[inline]
    pub fn quiet(&self, crossing: usize, line: usize) -> u32 {
        match self.crossed.get(crossing) {
            Some(crossed) => crossed.quiet[line],
            None => quiet_rank(&self.crossings[crossing].meet(&self.rows[line])),
        }
    }

    /// What a crossing does.
    #[inline]
    pub fn crossed(&self, crossing: usize) -> &Crossed {
        &self.crossed[crossing]
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
    fn new(crossing: &Crossing, rows: &[Row]) -> Crossed {
        let mut crossed = Crossed::default();
        for (line, row) in (0..).zip(rows) {
            let meeting = crossing.meet(row);
            match meeting {
                Meeting::Empties => crossed.whole.push(line),
                Meeting::Feeds { captured, row } if captured > 0 => {
                    crossed.add_capture(captured, line, rank_of_row(&row));
                    debug_assert!(row_seeds(&row) > 0);
                }
                Meeting::Feeds { .. } | Meeting::Converts => {}
            }
            crossed.quiet.push(quiet_rank(&meeting));
        }
        crossed
    }

    fn add_capture(&mut self, seeds: u8, line: u32, rank: u32) {
        let same = self.captures.iter_mut().find(|other| other.seeds == seeds);
        match same {
            Some(captures) => {
                captures.targets.push((line, rank));
                let (least, greatest) = &mut captures.reach;
                (*least, *greatest) = ((*least).min(rank), (*greatest).max(rank));
            }
            None => self.captures.push(Captures {
                seeds,
                targets: vec![(line, rank)],
                reach: (rank, rank),
            }),
        }
    }
}
