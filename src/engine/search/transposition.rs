//! The transposition table: results of the search by board, in a fixed amount of memory.
//!
//! A slot is two words, so that threads can share the table without locks:
//!
//! ```text
//! low    pits 0..10, six bits each                                   60 bits
//! data   pits 10, 11 · score · depth · bound · proven · pit · age    12+16+8+2+2+3+21 bits
//! ```
//!
//! The first word is stored as `low ^ data`. If two threads wrote the two words of a
//! slot, `low` does not match and the slot is skipped. A slot holds the whole board, so
//! a hash collision cannot return the entry of another board.

use std::sync::atomic::{AtomicU64, Ordering};

use super::bounded_score::BoundedScore;
use super::key::Key;
use super::window::Window;
use crate::rules::Board;

/// How the score of a search relates to the true score of its depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    Exact,
    Lower,
    Upper,
}

impl Bound {
    /// The bound of a score found with this window.
    pub fn of(score: i16, window: Window) -> Bound {
        if score <= window.alpha {
            Bound::Upper
        } else if score >= window.beta {
            Bound::Lower
        } else {
            Bound::Exact
        }
    }
}

/// The result of a search of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    /// The score, with what is proven about it at any depth.
    pub score: BoundedScore,
    /// How the score relates to that of `depth`.
    pub bound: Bound,
    /// Depth of the search in plies.
    pub depth: u8,
    /// The best move, if one was found.
    pub pit: Option<u8>,
}

impl Entry {
    /// Whether a search to `depth` would add nothing for this window.
    pub fn settles(&self, depth: u8, window: Window) -> bool {
        let score = self.score.score;
        self.depth >= depth
            && match self.bound {
                Bound::Exact => true,
                Bound::Lower => score >= window.beta,
                Bound::Upper => score <= window.alpha,
            }
    }
}

/// Slots of a bucket, which is a cache line.
const WAYS: usize = 4;

#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; WAYS]);

/// The table.
pub(super) struct TranspositionTable {
    buckets: Vec<Bucket>,
    /// The number of the current search, from 1. Entries of older searches are replaced
    /// first.
    age: u32,
    /// The first search whose entries are valid.
    oldest: u32,
}

const AGES: u32 = 1 << 21;

// Where the fields of `data` begin.
const SCORE: u32 = Key::HIGH_BITS;
const DEPTH: u32 = 28;
const BOUND: u32 = 36;
const IS_LOWER: u32 = 38;
const IS_UPPER: u32 = 39;
const PIT: u32 = 40;
const AGE: u32 = 43;

/// No best move: all bits of the field are set.
const NO_PIT: u8 = 7;

impl TranspositionTable {
    /// A table of `mib` MiB; one of 0 MiB stores nothing.
    pub fn new(mib: usize) -> TranspositionTable {
        let count = mib.saturating_mul(1 << 20) / size_of::<Bucket>();
        TranspositionTable {
            buckets: (0..count).map(|_| Bucket::default()).collect(),
            age: 1,
            oldest: 1,
        }
    }

    /// Removes all entries, without touching them.
    pub fn clear(&mut self) {
        self.new_search();
        self.oldest = self.age;
    }

    /// Begins another search.
    pub fn new_search(&mut self) {
        self.age += 1;
        if self.age == AGES {
            // The field is full after two million searches.
            (self.age, self.oldest) = (1, 1);
            self.buckets.fill_with(Bucket::default);
        }
    }

    fn slots(&self, key: Key) -> &[Slot] {
        match self.buckets.len() {
            0 => &[],
            count => {
                let bucket = (u128::from(key.hash()) * count as u128) >> u64::BITS;
                &self.buckets[bucket as usize].0
            }
        }
    }

    /// The entry of a board.
    pub fn get(&self, board: &Board) -> Option<Entry> {
        let key = Key::of(board);
        let slots = self.slots(key).iter();
        let mut valid = slots.filter(|slot| self.is_valid(slot));
        valid.find_map(|slot| slot.data_of(key)).and_then(unpack)
    }

    /// Stores the entry of a board. It replaces an entry of the same board, or else the
    /// least valuable one of the bucket.
    pub fn store(&self, board: &Board, entry: Entry) {
        let key = Key::of(board);
        let slots = self.slots(key);
        let own = slots
            .iter()
            .find(|slot| self.is_valid(slot) && slot.data_of(key).is_some());
        let Some(slot) = own.or_else(|| slots.iter().min_by_key(|slot| self.priority(slot))) else {
            return;
        };
        let data = key.high | pack(entry) | u64::from(self.age) << AGE;
        slot.check.store(key.low ^ data, Ordering::Relaxed);
        slot.data.store(data, Ordering::Relaxed);
    }

    /// How valuable the entry of a slot is: first entries of the current search, then
    /// deep ones.
    fn priority(&self, slot: &Slot) -> Option<(bool, u8)> {
        let data = slot.data.load(Ordering::Relaxed);
        let is_current = data >> AGE == u64::from(self.age);
        self.is_valid(slot)
            .then_some((is_current, (data >> DEPTH) as u8))
    }

    /// Whether a slot has an entry that was not cleared. The age of an empty slot is 0.
    fn is_valid(&self, slot: &Slot) -> bool {
        slot.data.load(Ordering::Relaxed) >> AGE >= u64::from(self.oldest)
    }
}

impl Slot {
    /// The data, if it is this board's.
    fn data_of(&self, key: Key) -> Option<u64> {
        let data = self.data.load(Ordering::Relaxed);
        let low = self.check.load(Ordering::Relaxed) ^ data;
        let high = data & ((1 << SCORE) - 1);
        (key == Key { low, high }).then_some(data)
    }
}

/// The data of an entry, without board and age.
fn pack(entry: Entry) -> u64 {
    let bound = match entry.bound {
        Bound::Exact => 1,
        Bound::Lower => 2,
        Bound::Upper => 3,
    };
    u64::from(entry.score.score.cast_unsigned()) << SCORE
        | u64::from(entry.depth) << DEPTH
        | bound << BOUND
        | u64::from(entry.score.is_lower) << IS_LOWER
        | u64::from(entry.score.is_upper) << IS_UPPER
        | u64::from(entry.pit.unwrap_or(NO_PIT)) << PIT
}

/// The entry in such data.
fn unpack(data: u64) -> Option<Entry> {
    let pit = (data >> PIT) as u8 & NO_PIT;
    Some(Entry {
        score: BoundedScore {
            score: ((data >> SCORE) as u16).cast_signed(),
            is_lower: data >> IS_LOWER & 1 == 1,
            is_upper: data >> IS_UPPER & 1 == 1,
        },
        bound: match data >> BOUND & 3 {
            1 => Bound::Exact,
            2 => Bound::Lower,
            3 => Bound::Upper,
            _ => return None,
        },
        depth: (data >> DEPTH) as u8,
        pit: (pit != NO_PIT).then_some(pit),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::PITS;

    fn entry(score: i16, depth: u8) -> Entry {
        Entry {
            score: BoundedScore {
                score,
                is_lower: score > 0,
                is_upper: score < 5,
            },
            bound: [Bound::Exact, Bound::Lower, Bound::Upper][usize::from(depth % 3)],
            depth,
            pit: (depth % 7 < 6).then_some(depth % 7),
        }
    }

    /// Boards that differ in any of the twelve pits.
    fn boards() -> impl Iterator<Item = Board> {
        (0..4096u64).map(|i| {
            let mut pits = [0; PITS];
            for (pit, seeds) in pits.iter_mut().enumerate() {
                *seeds = (i >> pit & 1) as u8 * (pit as u8 % 3 + 1);
            }
            Board::new(pits).unwrap()
        })
    }

    #[test]
    fn stored_entries_are_found() {
        let table = TranspositionTable::new(1);
        for (i, board) in (0u16..).zip(boards()) {
            assert_eq!(table.get(&board), None);
            let stored = entry(i.cast_signed() - 2048, i as u8);
            table.store(&board, stored);
            assert_eq!(table.get(&board), Some(stored));
        }
        let kept = boards().filter(|board| table.get(board).is_some()).count();
        assert!(kept > 4000, "{kept} of 4096 boards in 65,536 slots");
    }

    #[test]
    fn a_full_bucket_keeps_the_deepest_entries_of_the_latest_search() {
        let mut table = TranspositionTable::new(1);
        table.buckets.truncate(1);
        let boards: Vec<Board> = boards().take(10).collect();
        let kept = |table: &TranspositionTable| -> Vec<usize> {
            (0..10)
                .filter(|&i| table.get(&boards[i]).is_some())
                .collect()
        };
        for (board, depth) in boards.iter().zip([9, 2, 7, 8, 5, 6]) {
            table.store(board, entry(1, depth));
        }
        assert_eq!(kept(&table), [0, 2, 3, 5]);
        table.new_search();
        for board in &boards[6..10] {
            table.store(board, entry(1, 1));
        }
        assert_eq!(kept(&table), [6, 7, 8, 9]);
        table.clear();
        assert!(kept(&table).is_empty());
    }

    /// Cleared entries are replaced like empty slots, even if they were deep or of the
    /// same board.
    #[test]
    fn a_cleared_table_behaves_like_a_new_one() {
        let fill = |table: &TranspositionTable| {
            for (i, board) in (0u16..).zip(boards().step_by(3).chain(boards().step_by(2))) {
                table.store(&board, entry(i.cast_signed(), (i % 50) as u8));
            }
        };
        let small = || {
            let mut table = TranspositionTable::new(1);
            table.buckets.truncate(100);
            table
        };
        let (fresh, mut used) = (small(), small());
        for board in boards() {
            used.store(&board, entry(1, 100));
        }
        used.clear();
        assert!(boards().all(|board| used.get(&board).is_none()));
        fill(&fresh);
        fill(&used);
        for board in boards() {
            assert_eq!(used.get(&board), fresh.get(&board));
        }
        // Also when the age wraps around.
        used.age = AGES - 1;
        used.clear();
        assert!(boards().all(|board| used.get(&board).is_none()));
    }

    #[test]
    fn clearing_writes_to_no_slot() {
        let mut table = TranspositionTable::new(1);
        boards().for_each(|board| table.store(&board, entry(1, 1)));
        let words = |table: &TranspositionTable| -> Vec<u64> {
            let slots = table.buckets.iter().flat_map(|bucket| &bucket.0);
            slots
                .map(|slot| slot.data.load(Ordering::Relaxed))
                .collect()
        };
        let before = words(&table);
        table.clear();
        assert!(words(&table) == before && before.iter().any(|&word| word != 0));
        assert!(boards().all(|board| table.get(&board).is_none()));
    }

    #[test]
    fn a_table_without_memory_stores_nothing() {
        let mut table = TranspositionTable::new(0);
        table.store(&Board::START, entry(1, 1));
        assert_eq!(table.get(&Board::START), None);
        table.clear();
    }

    /// Two threads write different entries for the same boards. Every entry that is read
    /// was written as a whole.
    #[test]
    fn torn_writes_are_detected() {
        let mut table = TranspositionTable::new(1);
        table.buckets.truncate(1);
        let boards: Vec<Board> = boards().take(8).collect();
        std::thread::scope(|scope| {
            for thread in 0..2 {
                let (table, boards) = (&table, &boards);
                scope.spawn(move || {
                    for round in 0..20_000u32 {
                        let at = (round * 7 + thread) as usize % boards.len();
                        let depth = (round % 200) as u8;
                        table.store(
                            &boards[at],
                            entry(i16::from(depth) + i16::from(at as u8) * 300, depth),
                        );
                        if let Some(read) = table.get(&boards[at]) {
                            let score = i16::from(read.depth) + i16::from(at as u8) * 300;
                            assert_eq!(read, entry(score, read.depth));
                        }
                    }
                });
            }
        });
    }
}
