//! Predecessors: the compiled quiet moves of a layer, backwards.
//!
//! The rows A with a move to line A' are a short list, and a column map leads at most
//! one column B to entry B'.

use super::CompiledMoves;
use super::column_map::ColumnMap;
use crate::index::{LayerIndex, row};
use crate::rules::{Row, Ruleset};
use crate::solve::storage::PREDECESSOR_BYTES;

/// A row with a move to a certain line.
#[derive(Clone, Copy, Default)]
struct Source {
    /// The rank of the row.
    rank: u32,
    seeds: u8,
    map: u8,
}

const _: () = assert!(size_of::<Source>() == PREDECESSOR_BYTES);

/// The sources of the lines of one section: those of line `l` are
/// `sources[starts[l]..starts[l + 1]]`.
struct Sources {
    starts: Vec<u32>,
    sources: Vec<Source>,
}

impl Sources {
    fn of(&self, line: u32) -> &[Source] {
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
        let seeds = index.seeds();
        let for_each = |then: &mut dyn FnMut(usize, usize, Source)| {
            for a in 0..=seeds {
                for (rank, row_moves) in (0..).zip(moves.row_moves(a)) {
                    for m in row_moves.as_slice() {
                        let source = Source {
                            rank,
                            seeds: a,
                            map: m.map,
                        };
                        then(usize::from(m.seeds), m.line as usize, source);
                    }
                }
            }
        };
        let mut sections: Vec<Sources> = (0..=seeds)
            .map(|section| Sources {
                starts: vec![0; index.section_lines(section) + 1],
                sources: Vec::new(),
            })
            .collect();
        // Count the sources of each line, sum up where they end, and fill them in
        // from the back.
        for_each(&mut |section, line, _| sections[section].starts[line] += 1);
        for section in &mut sections {
            let mut end = 0;
            for start in &mut section.starts {
                end += *start;
                *start = end;
            }
            section.sources = vec![Source::default(); end as usize];
        }
        for_each(&mut |section, line, source| {
            let section = &mut sections[section];
            section.starts[line] -= 1;
            section.sources[section.starts[line] as usize] = source;
        });
        let most_received = (0..=seeds)
            .map(|k| match moves.rules {
                Ruleset::Oware(_) => row::rows(k).map(|row| most_received(&row)).collect(),
                Ruleset::Stores(_) => vec![u8::MAX; row::row_count(k) as usize],
            })
            .collect();
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
            .take_while(move |source| source.seeds - section <= most)
            .filter_map(move |source| {
                let parent = seeds - source.seeds;
                let map: &ColumnMap = &self.moves.maps(parent)[usize::from(source.map)];
                let column = map.quiet.column_to(rank)?;
                Some(Predecessor {
                    section: parent,
                    line: self.moves.line(parent, column)?,
                    column,
                    rank: source.rank,
                })
            })
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
