//! Sets of boards of a chunk, by which a foundation knows which numbers are left.

use std::ops::Range;

use super::given::Marked;

/// Boards of a chunk: a bit for each, by mover's row and then by line.
#[derive(Clone)]
pub(super) struct BoardSet {
    bits: Vec<u64>,
    count: usize,
    lines: usize,
}

const WORD: usize = u64::BITS as usize;

impl BoardSet {
    /// The boards for whose entries, which are given line by line, `is_in` returns `true`.
    pub fn new(own: &[Marked], lines: usize, is_in: impl Fn(&Marked) -> bool) -> BoardSet {
        let width = own.len() / lines;
        let mut bits = vec![0; own.len().div_ceil(WORD)];
        let mut count = 0;
        for rank in 0..width {
            for (line, entry) in own[rank..].iter().step_by(width).enumerate() {
                let board = rank * lines + line;
                let is_in = is_in(entry);
                bits[board / WORD] |= u64::from(is_in) << (board % WORD);
                count += usize::from(is_in);
            }
        }
        BoardSet { bits, count, lines }
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

    /// Keeps the boards of a mover's row that `stays` returns `true` for, given the line.
    #[inline(always)]
    pub fn retain(&mut self, rank: usize, mut stays: impl FnMut(usize) -> bool) {
        for (word, mask) in self.words(rank) {
            let mut left = self.bits[word] & mask;
            while left != 0 {
                let bit = left.trailing_zeros() as usize;
                left &= left - 1;
                if !stays(word * WORD + bit - rank * self.lines) {
                    self.bits[word] &= !(1 << bit);
                    self.count -= 1;
                }
            }
        }
    }

    /// Keeps the boards for whose entries, given line by line, `stays` returns `true`.
    pub fn retain_entries(&mut self, own: &[Marked], stays: impl Fn(&Marked) -> bool) {
        let width = own.len() / self.lines;
        for rank in 0..width {
            self.retain(rank, |line| stays(&own[line * width + rank]));
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
    fn boards_are_in_until_they_are_not_retained() {
        for (lines, width) in [(1, 200), (3, 50), (64, 3), (100, 7), (130, 2)] {
            let is_in = |rank: usize, line: usize| (rank * 7 + line * 5).is_multiple_of(3);
            let mut own = Vec::new();
            for line in 0..lines {
                own.extend((0..width).map(|rank| Marked::new(0, !is_in(rank, line))));
            }
            let mut set = BoardSet::new(&own, lines, |entry| !entry.both().1);
            let mut left = set.count();
            for rank in 0..width {
                let expected: Vec<_> = (0..lines).filter(|&line| is_in(rank, line)).collect();
                assert_eq!(set.count_of(rank), expected.len());
                let mut visited = Vec::new();
                set.retain(rank, |line| {
                    visited.push(line);
                    line % 2 == 0
                });
                assert_eq!(visited, expected);
                let even = expected.iter().filter(|&line| line % 2 == 0).count();
                left -= expected.len() - even;
                assert_eq!((set.count(), set.count_of(rank)), (left, even));
            }
        }
    }
}
