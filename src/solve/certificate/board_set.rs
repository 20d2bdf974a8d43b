//! Sets of boards of a chunk, by which a foundation knows which numbers are left.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};

/// Boards of a chunk: a bit for each, by mover's row and then by line.
/// One thread at a time changes it, others may look what is in.
#[derive(Default)]
pub(super) struct BoardSet {
    bits: Vec<AtomicU64>,
    count: AtomicUsize,
    lines: usize,
}

const WORD: usize = u64::BITS as usize;

impl Clone for BoardSet {
    fn clone(&self) -> BoardSet {
        let words = (0..self.bits.len()).map(|word| self.word(word).into());
        BoardSet {
            bits: words.collect(),
            count: self.count().into(),
            lines: self.lines,
        }
    }
}

impl BoardSet {
    /// The boards for whose entries, which are given line by line, `is_in` returns `true`.
    pub fn new(own: &[AtomicU8], lines: usize, is_in: impl Fn(&AtomicU8) -> bool) -> BoardSet {
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
        BoardSet {
            bits: bits.into_iter().map(AtomicU64::new).collect(),
            count: count.into(),
            lines,
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }

    /// How many there are of some mover's rows.
    pub fn count_of(&self, rows: Range<usize>) -> usize {
        let count = |(word, mask): (usize, u64)| (self.word(word) & mask).count_ones() as usize;
        self.words(rows).map(count).sum()
    }

    /// Whether a board is in.
    pub fn has(&self, rank: usize, line: usize) -> bool {
        let board = rank * self.lines + line;
        self.word(board / WORD) >> (board % WORD) & 1 == 1
    }

    /// Passes on the lines of the boards of a mover's row, in order.
    pub fn for_each(&self, rank: usize, mut then: impl FnMut(usize)) {
        self.retain(rank, |line| {
            then(line);
            true
        });
    }

    /// Keeps the boards of a mover's row that `stays` returns `true` for, given the line.
    #[inline(always)]
    pub fn retain(&self, rank: usize, mut stays: impl FnMut(usize) -> bool) {
        for (word, mask) in self.words(rank..rank + 1) {
            let before = self.word(word);
            let (mut now, mut left) = (before, before & mask);
            while left != 0 {
                let bit = left.trailing_zeros() as usize;
                left &= left - 1;
                if !stays(word * WORD + bit - rank * self.lines) {
                    now &= !(1 << bit);
                    // Others may wait for it.
                    self.bits[word].store(now, Ordering::Release);
                }
            }
            let removed = (before ^ now).count_ones() as usize;
            self.count.store(self.count() - removed, Ordering::Relaxed);
        }
    }

    /// Keeps the boards for whose entries, given line by line, `stays` returns `true`.
    pub fn retain_entries(&self, own: &[AtomicU8], stays: impl Fn(&AtomicU8) -> bool) {
        let width = own.len() / self.lines;
        for rank in 0..width {
            self.retain(rank, |line| stays(&own[line * width + rank]));
        }
    }

    #[inline(always)]
    fn word(&self, word: usize) -> u64 {
        self.bits[word].load(Ordering::Acquire)
    }

    /// The words that the boards of some mover's rows are in, each with a mask of them.
    fn words(&self, rows: Range<usize>) -> impl Iterator<Item = (usize, u64)> + use<> {
        let Range { start, end } = rows.start * self.lines..rows.end * self.lines;
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
    use std::sync::atomic::Ordering::Relaxed;

    use super::*;

    #[test]
    fn boards_are_in_until_they_are_not_retained() {
        for (lines, width) in [(1, 200), (3, 50), (64, 3), (100, 7), (130, 2)] {
            let is_in = |rank: usize, line: usize| (rank * 7 + line * 5).is_multiple_of(3);
            let mut own = Vec::new();
            for line in 0..lines {
                own.extend((0..width).map(|rank| AtomicU8::new(u8::from(is_in(rank, line)))));
            }
            let set = BoardSet::new(&own, lines, |entry| entry.load(Relaxed) == 1);
            let in_rows =
                (width / 3..width).flat_map(|rank| (0..lines).map(move |line| (rank, line)));
            let in_rows = in_rows.filter(|&(rank, line)| is_in(rank, line));
            assert_eq!(set.count_of(width / 3..width), in_rows.count());
            let mut left = set.count();
            for rank in 0..width {
                let expected: Vec<_> = (0..lines).filter(|&line| is_in(rank, line)).collect();
                assert_eq!(set.count_of(rank..rank + 1), expected.len());
                let mut visited = Vec::new();
                assert!((0..lines).all(|line| set.has(rank, line) == is_in(rank, line)));
                set.retain(rank, |line| {
                    visited.push(line);
                    line % 2 == 0
                });
                assert_eq!(visited, expected);
                let even = expected.iter().filter(|&line| line % 2 == 0).count();
                left -= expected.len() - even;
                assert_eq!((set.count(), set.count_of(rank..rank + 1)), (left, even));
            }
        }
    }
}
