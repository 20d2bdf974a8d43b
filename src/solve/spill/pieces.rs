//! How an array is cut into pieces: neighbouring lines of a section, as many in each.
//!
//! Pieces are small against a section, so that memory holds just what a step of the work reads,
//! and large against a page of the disk. All arrays of a layer are cut alike, whatever their
//! entries.

use std::ops::Range;

use crate::index::LayerIndex;

/// Entries of a piece, and boards of a step, at the most: a 64th of the largest section, unless
/// that is less than a page of the disk or a line.
pub(in crate::solve) fn most_entries(index: &LayerIndex) -> usize {
    const PIECES: usize = 64;
    const PAGE: usize = 4096;
    (index.largest_section() / PIECES).max(PAGE)
}

/// The pieces of the arrays of a layer, in the order of the index.
#[derive(Clone, Debug)]
pub(in crate::solve) struct Pieces {
    sections: Vec<SectionPieces>,
    /// Where each piece starts among all entries, and where the last one ends.
    starts: Vec<u64>,
}

/// The pieces of a section.
#[derive(Clone, Copy, Debug)]
struct SectionPieces {
    /// The number of the first one.
    first: usize,
    /// Lines of each; the last one may have fewer.
    lines: usize,
}

impl Pieces {
    pub fn new(index: &LayerIndex) -> Pieces {
        let most = most_entries(index);
        let (mut sections, mut starts) = (Vec::new(), Vec::new());
        for section in 0..=index.seeds() {
            let (lines, width) = (index.section_lines(section), index.section_width(section));
            let of_piece = (most / width).clamp(1, lines.max(1));
            sections.push(SectionPieces {
                first: starts.len(),
                lines: of_piece,
            });
            let start = index.section_start(section);
            let lines = (0..lines).step_by(of_piece);
            starts.extend(lines.map(|line| start + (line * width) as u64));
        }
        starts.push(index.len());
        Pieces { sections, starts }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The numbers of a section's pieces.
    pub fn of_section(&self, section: u8) -> Range<usize> {
        let next = self.sections.get(usize::from(section) + 1);
        let end = next.map_or(self.count(), |next| next.first);
        self.sections[usize::from(section)].first..end
    }

    /// The number of the piece that has a line.
    pub fn of_line(&self, section: u8, line: u32) -> usize {
        let SectionPieces { first, lines } = self.sections[usize::from(section)];
        first + line as usize / lines
    }

    /// The number of the piece that has an entry.
    pub fn of_entry(&self, index: u64) -> usize {
        self.starts.partition_point(|&start| start <= index) - 1
    }

    /// Lines of each piece of a section; the last one may have fewer.
    pub fn lines(&self, section: u8) -> usize {
        self.sections[usize::from(section)].lines
    }

    /// Where a piece is among all entries.
    pub fn entries(&self, piece: usize) -> Range<u64> {
        self.starts[piece]..self.starts[piece + 1]
    }

    /// The same, for slices.
    pub fn range(&self, piece: usize) -> Range<usize> {
        self.starts[piece] as usize..self.starts[piece + 1] as usize
    }

    /// Entries of a piece.
    pub fn len(&self, piece: usize) -> usize {
        (self.starts[piece + 1] - self.starts[piece]) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Ruleset;

    #[test]
    fn pieces_have_all_lines_in_order() {
        for rules in [Ruleset::AWARI, Ruleset::KALAH] {
            for seeds in [0, 1, 5, 9, 12] {
                let index = LayerIndex::new(rules, seeds);
                let pieces = Pieces::new(&index);
                let mut next = 0;
                for section in 0..=seeds {
                    for line in 0..index.section_lines(section) as u32 {
                        let piece = pieces.of_line(section, line);
                        assert!(pieces.of_section(section).contains(&piece));
                        let width = index.section_width(section) as u64;
                        let start = index.section_start(section) + u64::from(line) * width;
                        let entries = pieces.entries(piece);
                        assert!(entries.start <= start && start + width <= entries.end);
                    }
                }
                for piece in 0..pieces.count() {
                    assert_eq!(pieces.entries(piece).start, next);
                    next += pieces.len(piece) as u64;
                }
                assert_eq!(next, index.len());
            }
        }
    }
}
