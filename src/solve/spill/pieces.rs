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
    divider: Divider,
}

/// Divides numbers of lines by the lines of a piece: a multiplication is faster than a division.
#[derive(Clone, Copy, Debug)]
pub(in crate::solve) struct Divider {
    lines: u32,
    /// The reciprocal, rounded up, times `1 << SHIFT`.
    reciprocal: u64,
}

impl Divider {
    /// Numbers and divisors are below 2²², half of this, so that the error of the reciprocal,
    /// which is less than one, makes no difference. Quotients are below 2²⁰, the rest of 64 bits.
    const SHIFT: u32 = 44;

    /// Divides by this many lines, of at most 2²² − 1: a section has fewer.
    fn new(lines: u32) -> Divider {
        Divider {
            lines,
            reciprocal: (1_u64 << Divider::SHIFT).div_ceil(lines.into()),
        }
    }

    /// Every line is in piece 0.
    pub const WHOLE: Divider = Divider {
        lines: 0,
        reciprocal: 0,
    };

    /// The piece of a section that has a line, and the number of the line in it.
    #[inline(always)]
    pub fn divide(self, line: u32) -> (usize, usize) {
        let piece = ((u64::from(line) * self.reciprocal) >> Divider::SHIFT) as u32;
        (piece as usize, (line - piece * self.lines) as usize)
    }
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
                divider: Divider::new(of_piece as u32),
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
        let SectionPieces { first, divider } = self.sections[usize::from(section)];
        first + divider.divide(line).0
    }

    /// The number of the piece that has an entry.
    pub fn of_entry(&self, index: u64) -> usize {
        self.starts.partition_point(|&start| start <= index) - 1
    }

    /// Which piece of a section has a line.
    pub fn divider(&self, section: u8) -> Divider {
        self.sections[usize::from(section)].divider
    }

    /// Where a piece is among all entries.
    pub fn entries(&self, piece: usize) -> Range<u64> {
        self.starts[piece]..self.starts[piece + 1]
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
    fn a_multiplication_divides() {
        for lines in (1..=5000).chain([1 << 20, (1 << 22) - 2, (1 << 22) - 1]) {
            let divider = Divider::new(lines);
            let most = (1 << 22).min(u64::from(lines) << 20) as u32;
            for line in (0..3 * lines.min(5000)).chain(most - 9..most) {
                let right = ((line / lines) as usize, (line % lines) as usize);
                assert_eq!(divider.divide(line), right, "{line} / {lines}");
            }
            assert_eq!(Divider::WHOLE.divide(lines), (0, lines as usize));
        }
    }

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
