//! Which pieces of arrays beyond memory the steps of a walk need.
//!
//! A step needs all lines of its section, and the lines that its moves lead to. They are worked
//! out with the certificate's own moves, but for conversions of the store family. No wrong number
//! can come from here: who reads a line of a piece that is not in memory panics.

use std::ops::Range;

use super::given::Given;
use super::pass::Pass;
use super::sowing::Meeting;
use crate::rules::Ruleset;
use crate::solve::array::LayerArray;
use crate::solve::conversions::store_lines;
use crate::solve::entry::Value;
use crate::solve::sections::Sections;
use crate::solve::spill::{Pieces, Pool, PoolFiles};

/// What the boards of a walk are compared with. Arrays are named by their places among those of
/// the walk.
#[derive(Clone, Copy, Default)]
pub(super) struct Reads<'a> {
    /// The arrays with numbers of the boards themselves.
    pub own: &'a [usize],
    /// Those of them that may change.
    pub written: &'a [usize],
    /// The arrays with numbers of the boards that quiet moves lead to.
    pub children: &'a [usize],
    /// The layers that conversions lead to, by seeds.
    pub lower: &'a [&'a LayerArray<Value>],
}

/// What a walk reads, and which files it is in.
pub(super) struct Needs<'a> {
    pass: &'a Pass<'a>,
    pub reads: Reads<'a>,
    /// How the arrays of the layer are cut; `None` if all that is read is in memory.
    pub pieces: Option<Pieces>,
    /// The positions of the arrays, and of the lower layers, among the files of a pool.
    arrays: Vec<Option<usize>>,
    lower: Vec<Option<usize>>,
}

impl<'a> Needs<'a> {
    /// The needs of a walk; its files are added to those of a pool.
    pub fn new(
        pass: &'a Pass<'a>,
        arrays: &[&mut Given],
        reads: Reads<'a>,
        files: &mut PoolFiles,
    ) -> Needs<'a> {
        let arrays = arrays.iter().map(|given| {
            let file = given.entries().spill_file();
            file.map(|(file, _)| files.add(file))
        });
        let arrays: Vec<_> = arrays.collect();
        let lower = reads.lower.iter().map(|array| {
            let file = array.spill_file();
            file.map(|(file, _)| files.add(file))
        });
        let lower: Vec<_> = lower.collect();
        let is_in_memory = arrays.iter().chain(&lower).all(Option::is_none);
        Needs {
            pass,
            reads,
            pieces: (!is_in_memory).then(|| Pieces::new(pass.index)),
            arrays,
            lower,
        }
    }

    /// The pieces that steps of some mover's rows of a section need, by their numbers.
    pub fn of_steps(
        &self,
        files: &PoolFiles,
        pieces: &Pieces,
        section: u8,
        steps: &[Range<usize>],
    ) -> Vec<Vec<u32>> {
        let captured = self.captured(section);
        let own: Vec<usize> = pieces.of_section(section).collect();
        let of_step = |rows: &Range<usize>| {
            let mut children = vec![false; pieces.count()];
            if !self.reads.children.is_empty() {
                self.mark_children(pieces, section, rows.clone(), &mut children);
            }
            let mut needed = self.numbers(files, &own, &children);
            self.add_lower(files, section, rows.clone(), &captured, &mut needed);
            needed
        };
        steps.iter().map(of_step).collect()
    }

    /// Marks the pieces with the lines that quiet moves of some mover's rows lead to.
    pub fn mark_children(
        &self,
        pieces: &Pieces,
        section: u8,
        rows: impl Iterator<Item = usize>,
        is_read: &mut [bool],
    ) {
        let of_mover = self.pass.index.seeds() - section;
        for m in rows.flat_map(|rank| self.pass.rows.moves(of_mover, rank)) {
            is_read[pieces.of_line(m.section, m.line)] = true;
        }
    }

    /// The numbers of the pieces of boards and of their children in the arrays of the walk.
    pub fn numbers(&self, files: &PoolFiles, own: &[usize], is_read: &[bool]) -> Vec<u32> {
        let read = (0..is_read.len()).filter(|&piece| is_read[piece]);
        let mut numbers = Vec::new();
        let mut add = |array: usize, piece: usize| {
            if let Some(file) = self.arrays[array] {
                numbers.push(files.number(file, piece) as u32);
            }
        };
        for &array in self.reads.own {
            for &piece in own {
                add(array, piece);
            }
        }
        for &array in self.reads.children {
            read.clone().for_each(|piece| add(array, piece));
        }
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// The pieces of an array among some numbers, with these.
    pub fn of_array(
        &self,
        files: &PoolFiles,
        array: usize,
        numbers: &[u32],
    ) -> Vec<(usize, usize)> {
        let Some(file) = self.arrays[array] else {
            return Vec::new();
        };
        let all = files.numbers(file);
        let numbers = numbers.iter().map(|&number| number as usize);
        let numbers = numbers.filter(|number| all.contains(number));
        numbers.map(|number| (number - all.start, number)).collect()
    }

    /// The lower layers, as far as they are in a pool.
    pub fn lower_in<'p>(&self, pool: &'p Pool) -> Vec<Sections<'p, Value>>
    where
        'a: 'p,
    {
        let lower = self.reads.lower.iter().zip(&self.lower);
        lower
            .map(|(array, &file)| Sections::in_pool(array, file, pool))
            .collect()
    }

    /// How many seeds each crossing captures from the lines of a section: a bit for each number.
    fn captured(&self, section: u8) -> Vec<u64> {
        let Pass { index, rows, .. } = self.pass;
        if self.lower.iter().all(Option::is_none) {
            return Vec::new();
        }
        let lines = 0..index.section_lines(section) as u32;
        let lines: Vec<_> = lines.map(|line| index.lines().row(section, line)).collect();
        let of_mover = index.seeds() - section;
        let crossings = rows.crossings().iter().map(|crossing| {
            let lines = match crossing.seeds() <= of_mover {
                true => &lines[..],
                false => &[],
            };
            let captures = lines.iter().map(|line| match crossing.meet(line) {
                Meeting::Feeds { captured, .. } => 1 << captured,
                Meeting::Empties | Meeting::Converts => 0,
            });
            // 0 seeds are no capture.
            captures.fold(0, |all, captured| all | captured) & !1
        });
        crossings.collect()
    }

    /// Adds the pieces with the lines that conversions of some mover's rows lead to.
    fn add_lower(
        &self,
        files: &PoolFiles,
        section: u8,
        rows: Range<usize>,
        captured: &[u64],
        numbers: &mut Vec<u32>,
    ) {
        if self.lower.iter().all(Option::is_none) {
            return;
        }
        let Pass { rules, index, .. } = *self.pass;
        let mut need = |seeds: u8, section: u8, line: Option<u32>| {
            let seeds = usize::from(seeds);
            let Some(&Some(file)) = self.lower.get(seeds) else {
                return;
            };
            let (_, pieces) = self.reads.lower[seeds].spill_file().expect("in a file");
            let read = match line {
                Some(line) => {
                    let piece = pieces.of_line(section, line);
                    piece..piece + 1
                }
                None => pieces.of_section(section),
            };
            numbers.extend(read.map(|piece| files.number(file, piece) as u32));
        };
        match rules {
            Ruleset::Oware(_) => {
                for m in rows.flat_map(|rank| self.pass.rows.moves(index.seeds() - section, rank)) {
                    let captured = captured[m.crossing()];
                    for seeds in (1..=index.seeds()).filter(|seeds| captured >> seeds & 1 == 1) {
                        need(index.seeds() - seeds, m.section, Some(m.line));
                    }
                }
            }
            Ruleset::Stores(game) => store_lines(game, index, section, rows, &mut need),
        }
        numbers.sort_unstable();
        numbers.dedup();
    }
}
