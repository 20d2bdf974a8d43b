//! Regions: some rows of neighbouring lines of a section.

use std::ops::Range;

use rayon::prelude::*;

use crate::spans;

/// Some rows of neighbouring lines of a section.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::solve) struct Region {
    pub lines: Range<usize>,
    pub rows: Range<usize>,
}

impl Region {
    /// Entries of the region.
    pub fn len(&self) -> usize {
        self.lines.len() * self.rows.len()
    }

    /// Where its entries are in a section whose lines have `width` rows, as far as that is in
    /// `range`: pieces of the section, in order, and where each is among the entries of the
    /// region. Whole lines are one piece.
    pub fn pieces(
        &self,
        width: usize,
        range: Range<usize>,
    ) -> impl Iterator<Item = (Range<usize>, usize)> + use<> {
        let Region { lines, rows } = match self.rows.len() == width {
            true => Region {
                lines: 0..1,
                rows: self.lines.start * width..self.lines.end * width,
            },
            false => self.clone(),
        };
        let within = range.start / width..range.end.div_ceil(width);
        let of_lines = match lines.len() {
            1 => lines.clone(),
            _ => lines.start.max(within.start)..lines.end.min(within.end),
        };
        of_lines.filter_map(move |line| {
            let first = line * width + rows.start;
            let piece = first.max(range.start)..(first + rows.len()).min(range.end);
            let offset = (line - lines.start) * rows.len();
            (!piece.is_empty()).then(|| (piece.clone(), offset + piece.start - first))
        })
    }

    /// Copies the entries of the region into a section whose lines have `width` rows, on all
    /// threads: the lines for which `is_wanted`.
    pub fn copy_lines<E: Copy + Send + Sync>(
        &self,
        entries: &[E],
        section: &mut [E],
        width: usize,
        is_wanted: impl Fn(usize) -> bool + Sync,
    ) {
        /// Entries that a thread copies at a time, at the least.
        const BATCH: usize = 1 << 16;
        if entries.is_empty() {
            return;
        }
        let _parallel = spans::parallel("copy");
        let section = &mut section[self.lines.start * width..self.lines.end * width];
        let pairs = entries.par_chunks(self.rows.len());
        let pairs = pairs.zip(section.par_chunks_mut(width)).enumerate();
        let pairs = pairs.with_min_len(BATCH.div_ceil(self.rows.len()));
        pairs.for_each_init(
            || spans::task("copy"),
            |_, (number, (entries, line))| {
                if is_wanted(self.lines.start + number) {
                    line[self.rows.clone()].copy_from_slice(entries);
                }
            },
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_the_entries_of_a_region_in_order() {
        const WIDTH: usize = 10;
        for (lines, rows) in [
            (0..4, 0..10),
            (1..3, 0..10),
            (1..4, 2..7),
            (2..3, 9..10),
            (1..1, 0..5),
        ] {
            let region = Region { lines, rows };
            let all: Vec<usize> = region
                .lines
                .clone()
                .flat_map(|line| region.rows.clone().map(move |row| line * WIDTH + row))
                .collect();
            assert_eq!(all.len(), region.len());
            for start in 0..=4 * WIDTH {
                for end in start..=4 * WIDTH {
                    let mut found = Vec::new();
                    for (piece, offset) in region.pieces(WIDTH, start..end) {
                        found.extend(piece.clone().zip(offset..));
                        assert!(!piece.is_empty());
                    }
                    let numbered = all.iter().copied().zip(0..);
                    let right: Vec<(usize, usize)> = numbered
                        .filter(|(number, _)| (start..end).contains(number))
                        .collect();
                    assert_eq!(found, right, "{region:?} {start}..{end}");
                }
            }
        }
        // Whole lines are one piece.
        let region = Region {
            lines: 1..4,
            rows: 0..WIDTH,
        };
        assert!(region.pieces(WIDTH, 0..100).eq([(10..40, 0)]));
    }
}
