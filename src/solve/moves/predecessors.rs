//! Predecessors: the compiled quiet moves of a layer, backwards.
//!
//! The rows A with a move to line A' are a short list, and a column map leads at most
//! one column B to entry B'.

use std::ops::Range;

use rayon::prelude::*;

use super::CompiledMoves;
use super::column_map::ColumnMap;
use super::row_moves::PackedMove;
use crate::index::{LayerIndex, row};
use crate::rules::{Row, Ruleset};

/// The sources of the lines of one section, which are the rows with moves to them: those of
/// line `l` are `sources[starts[l]..starts[l + 1]]`. The number of a move is the rank of its row.
struct Sources {
    starts: Box<[u32]>,
    sources: Box<[PackedMove]>,
}

impl Sources {
    /// Finds the moves to the lines of some sections, for each of them.
    fn of_sections(moves: &CompiledMoves, index: &LayerIndex, sections: Range<u8>) -> Vec<Sources> {
        let for_each = |then: &mut dyn FnMut(u8, u32, PackedMove)| {
            for seeds in sections.start..=index.seeds() {
                for (rank, row_moves) in (0..).zip(moves.row_moves(seeds)) {
                    for m in row_moves.iter().filter(|m| sections.contains(&m.seeds)) {
                        let source = PackedMove::new(rank, seeds - m.seeds, m.map);
                        then(m.seeds - sections.start, m.line, source);
                    }
                }
            }
        };
        // Count the sources of each line, sum up where they end, and fill them in
        // from the back.
        let starts = |section| vec![0; index.section_lines(section) + 1].into_boxed_slice();
        let mut starts: Vec<Box<[u32]>> = sections.clone().map(starts).collect();
        for_each(&mut |section, line, _| starts[usize::from(section)][line as usize] += 1);
        let mut all = Vec::new();
        for mut starts in starts {
            let mut end = 0;
            for start in &mut starts {
                end += *start;
                *start = end;
            }
            let sources = vec![PackedMove::NONE; end as usize].into_boxed_slice();
            all.push(Sources { starts, sources });
        }
        for_each(&mut |section, line, source| {
            let Sources { starts, sources } = &mut all[usize::from(section)];
            let start = &mut starts[line as usize];
            *start -= 1;
            sources[*start as usize] = source;
        });
        all
    }

    fn of(&self, line: u32) -> &[PackedMove] {
        let line = line as usize;
        &self.sources[self.starts[line] as usize..self.starts[line + 1] as usize]
    }
}

/// The quiet moves of a layer, backwards.
pub(in crate::solve) struct Predecessors<'a> {
    moves: &'a CompiledMoves,
    index: &'a LayerIndex,
    /// By seeds in the row that a move leaves behind.
    sections: Vec<Sources>,
    /// By seeds and rank of a row: no move that sends more seeds leads to it.
    most_received: Vec<Vec<u8>>,
}

/// A board with a quiet move to a given one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::solve) struct Predecessor {
    pub section: u8,
    pub line: u32,
    /// The rank among all rows of the opponent's row.
    pub column: u32,
    /// The rank of the mover's row.
    pub rank: u32,
}

impl<'a> Predecessors<'a> {
    /// Reverses the compiled moves of a layer.
    pub fn new(moves: &'a CompiledMoves, index: &'a LayerIndex) -> Predecessors<'a> {
        /// Groups of sections for each thread. Every group reads all moves, so one thread would
        /// take several times as long with a group for each section.
        const GROUPS: usize = 2;
        let end = index.seeds() + 1;
        let group_size = usize::from(end).div_ceil(GROUPS * rayon::current_num_threads());
        let groups: Vec<Vec<_>> = (0..end)
            .into_par_iter()
            .step_by(group_size)
            .with_max_len(1)
            .map(|first| {
                let sections = first..end.min(first + group_size as u8);
                let received = sections.clone();
                let received = received.map(|section| most_received_by_rank(moves.rules, section));
                let sources = Sources::of_sections(moves, index, sections);
                sources.into_iter().zip(received).collect()
            })
            .collect();
        let (sections, most_received) = groups.into_iter().flatten().unzip();
        Predecessors {
            moves,
            index,
            sections,
            most_received,
        }
    }

    /// The indexed boards with a quiet move to the board at a line of a section with
    /// this rank of the mover's row.
    #[inline]
    pub fn of(&self, section: u8, line: u32, rank: u32) -> impl Iterator<Item = Predecessor> {
        let seeds = self.index.seeds();
        let most = self.most_received[usize::from(seeds - section)][rank as usize];
        // Those that send fewer seeds come last.
        let sources = self.sections[usize::from(section)].of(line).iter().rev();
        sources
            .take_while(move |source| source.crossed() <= most)
            .filter_map(move |source| {
                let parent = seeds - section - source.crossed();
                let map: &ColumnMap = &self.moves.maps(parent)[usize::from(source.map())];
                let column = map.quiet.column_to(rank)?;
                Some(Predecessor {
                    section: parent,
                    line: self.moves.line(parent, column)?,
                    column,
                    rank: source.number(),
                })
            })
    }
}

/// [`most_received`] of the rows of `seeds` seeds.
fn most_received_by_rank(rules: Ruleset, seeds: u8) -> Vec<u8> {
    match rules {
        Ruleset::Oware(_) => row::rows(seeds).map(|row| most_received(&row)).collect(),
        Ruleset::Stores(_) => vec![u8::MAX; row::row_count(seeds) as usize],
    }
}

/// The most seeds that a quiet sowing can have sent into a row that now looks like
/// this: they lie in its first pits, and no limit is known once all pits hold some.
fn most_received(row: &Row) -> u8 {
    match row.iter().position(|&seeds| seeds == 0) {
        Some(pits) => pits as u8,
        None => u8::MAX,
    }
}
