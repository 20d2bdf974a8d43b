//! The boards of a chunk whose numbers are not founded yet.

use std::ops::Range;

use super::entries::MarkedEntry;

/// A bit for each board, by mover's row and then by line.
pub(super) struct Waiting {
    bits: Vec<u64>,
    count: usize,
    lines: usize,
}

const WORD: usize = u64::BITS as usize;

impl Waiting {
    /// The boards whose entries, line by line, are not marked.
    pub fn new(own: &[MarkedEntry], lines: usize) -> Waiting {
        let width = own.len() / lines;
        let mut bits = vec![0; own.len().div_ceil(WORD)];
        let mut count = 0;
        for rank in 0..width {
            for (line, entry) in own[rank..].iter().step_by(width).enumerate() {
                let board = rank * lines + line;
                let waits = !entry.both().1;
                bits[board / WORD] |= u64::from(waits) << (board % WORD);
                count += usize::from(waits);
            }
        }
        Waiting { bits, count, lines }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// How many there are of a mover's row.
    pub fn count_of(&self, rank: usize) -> usize {
        let count = |(word, mask): (usize, u64)| (self.bits[word] & mask).count_ones() as usize;
        self.words(rank).map(count).sum()
    }

    /// Keeps the boards of a mover's row that `waits` returns `true` for, given the line.
    #[inline(always)]
    pub fn retain(&mut self, rank: usize, mut waits: impl FnMut(usize) -> bool) {
        for (word, mask) in self.words(rank) {
            let mut left = self.bits[word] & mask;
            while left != 0 {
                let bit = left.trailing_zeros() as usize;
                left &= left - 1;
                if !waits(word * WORD + bit - rank * self.lines) {
                    self.bits[word] &= !(1 << bit);
                    self.count -= 1;
                }
            }
        }
    }

    /// The words that the boards of a mover's row are in, each with a mask of them.
    fn words(&self, rank: usize) -> impl Iterator<Item = (usize, u64)> + use<> {
        let Range { start, end } = rank * self.lines..(rank + 1) * self.lines;
        (start / WORD..end.div_ceil(WORD)).map(move |word| {
            let first = word * WORD;
            let before = start.saturating_sub(first);
            let after = (first + WORD).saturating_sub(end);
            (word, u64::MAX << before & u64::MAX >> after)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_wait_until_they_are_not_retained() {
        for (lines, width) in [(1, 200), (3, 50), (64, 3), (100, 7), (130, 2)] {
            let waits = |rank: usize, line: usize| (rank * 7 + line * 5).is_multiple_of(3);
            let mut own = Vec::new();
            for line in 0..lines {
                own.extend((0..width).map(|rank| MarkedEntry::with(0, !waits(rank, line))));
            }
            let mut waiting = Waiting::new(&own, lines);
            let mut left = waiting.count();
            for rank in 0..width {
                let expected: Vec<_> = (0..lines).filter(|&line| waits(rank, line)).collect();
                assert_eq!(waiting.count_of(rank), expected.len());
                let mut visited = Vec::new();
                waiting.retain(rank, |line| {
                    visited.push(line);
                    line % 2 == 0
                });
                assert_eq!(visited, expected);
                let even = expected.iter().filter(|&line| line % 2 == 0).count();
                left -= expected.len() - even;
                assert_eq!((waiting.count(), waiting.count_of(rank)), (left, even));
            }
        }
    }
}
