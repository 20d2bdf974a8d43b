//! Predecessors: the compiled quiet moves of a layer, backwards.
//!
//! The rows A with a move to line A' are a short list, and a column map leads at most
//! one column B to entry B'.

use rayon::prelude::*;

use super::column_map::ColumnMap;
use super::row_moves::PackedMove;
use super::{CompiledMoves, RowMove};
use crate::index::{LayerIndex, row};
use crate::rules::{Row, Ruleset};
use crate::spans;

/// The sources of the lines of one section, which are the rows with moves to them: those of
/// line `l` are `sources[starts[l]..starts[l + 1]]`. The number of a move is the rank of its row.
struct Sources {
    starts: Box<[u32]>,
    sources: Box<[PackedMove]>,
}

impl Sources {
    /// Finds the moves to the lines of a section.
    fn new(moves: &CompiledMoves, index: &LayerIndex, section: u8) -> Sources {
        let for_each = |then: &mut dyn FnMut(usize, PackedMove)| {
            for seeds in section..=index.seeds() {
                for (rank, row_moves) in (0..).zip(moves.row_moves(seeds)) {
                    let to_section = |m: &RowMove| m.seeds == section;
                    for m in row_moves.iter().filter(to_section) {
                        let source = PackedMove::new(rank, seeds - section, m.map);
                        then(m.line as usize, source);
                    }
                }
            }
        };
        // Count the sources of each line, sum up where they end, and fill them in
        // from the back.
        let mut starts = vec![0; index.section_lines(section) + 1].into_boxed_slice();
        for_each(&mut |line, _| starts[line] += 1);
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut sources = vec![PackedMove::NONE; end as usize].into_boxed_slice();
        for_each(&mut |line, source| {
            starts[line] -= 1;
            sources[starts[line] as usize] = source;
        });
        Sources { starts, sources }
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
        let _parallel = spans::parallel("predecessors");
        let sections = (0..=index.seeds()).into_par_iter().with_max_len(1);
        let (sections, most_received) = sections
            .map(|section| {
                let _task = spans::task("predecessors");
                let sources = Sources::new(moves, index, section);
                (sources, most_received_by_rank(moves.rules, section))
            })
            .unzip();
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
