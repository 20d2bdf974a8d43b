//! Which lines of a layer a rank has: neighbouring ones of each section, about the same
//! number for each rank.

use std::ops::Range;
use std::sync::Arc;

use super::Ranks;
use crate::index::LayerIndex;

/// The lines of each section of a layer that a rank has, and who has the others.
#[derive(Clone, Debug)]
pub(in crate::solve) struct Part {
    index: LayerIndex,
    ranks: usize,
    /// The lines of each section.
    lines: Arc<[Range<usize>]>,
}

impl Part {
    /// All lines.
    pub fn whole(index: &LayerIndex) -> Part {
        Part::numbered(index, 0, 1)
    }

    /// The part of one of several ranks.
    pub fn of(index: &LayerIndex, ranks: &dyn Ranks) -> Part {
        Part::numbered(index, ranks.rank(), ranks.count())
    }

    /// The part of rank `rank` of `ranks`.
    pub fn numbered(index: &LayerIndex, rank: usize, ranks: usize) -> Part {
        let lines = (0..=index.seeds()).map(|section| {
            let lines = index.section_lines(section);
            lines * rank / ranks..lines * (rank + 1) / ranks
        });
        Part {
            index: index.clone(),
            ranks,
            lines: lines.collect(),
        }
    }

    /// The index of the layer.
    pub fn index(&self) -> &LayerIndex {
        &self.index
    }

    /// Whether these are all lines.
    pub fn is_whole(&self) -> bool {
        self.ranks == 1
    }

    /// The lines of a section.
    pub fn lines(&self, section: u8) -> Range<usize> {
        self.lines[usize::from(section)].clone()
    }

    /// The first of the lines of a section.
    pub fn first_line(&self, section: u8) -> usize {
        self.lines[usize::from(section)].start
    }

    /// The rank that has a line.
    pub fn owner(&self, section: u8, line: u32) -> usize {
        let lines = self.index.section_lines(section);
        // The last rank whose first line, rounded down, is not beyond it.
        ((line as usize + 1) * self.ranks - 1) / lines
    }

    /// Entries of a section.
    pub fn section_entries(&self, section: u8) -> usize {
        self.lines(section).len() * self.index.section_width(section)
    }

    /// The index of the first entry of a section.
    pub fn section_start(&self, section: u8) -> u64 {
        let offset = self.first_line(section) * self.index.section_width(section);
        self.index.section_start(section) + offset as u64
    }

    /// Entries of all sections.
    pub fn len(&self) -> u64 {
        let sections = 0..=self.index.seeds();
        sections
            .map(|section| self.section_entries(section) as u64)
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Ruleset;

    #[test]
    fn each_line_has_one_owner() {
        for rules in [Ruleset::AWARI, Ruleset::KALAH] {
            for seeds in [0, 1, 2, 9] {
                let index = LayerIndex::new(rules, seeds);
                for ranks in 1..=7 {
                    let part = |rank| Part::numbered(&index, rank, ranks);
                    let parts: Vec<Part> = (0..ranks).map(part).collect();
                    assert_eq!(parts.iter().map(Part::len).sum::<u64>(), index.len());
                    for section in 0..=seeds {
                        for line in 0..index.section_lines(section) as u32 {
                            let owner = parts[0].owner(section, line);
                            let has = |part: &Part| part.lines(section).contains(&(line as usize));
                            let owners = (0..ranks).filter(|&rank| has(&parts[rank]));
                            assert!(owners.eq([owner]), "{rules} {line}");
                        }
                    }
                }
            }
        }
    }
}
