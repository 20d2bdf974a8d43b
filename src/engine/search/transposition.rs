//! The transposition table: what was found out about boards, in a set amount of memory.
//!
//! A slot is two words, so that threads can share the table without locks:
//!
//! ```text
//! low    pits 0..10, six bits each                                  60 bits
//! data   pits 10, 11 · score · depth · bound · proven · pit · age   12+16+8+2+2+3+21 bits
//! ```
//!
//! The first word is stored as `low ^ data`. Where two threads wrote the two
//! words of a slot, `low` does not come out right, and the slot is passed over.
//! The whole board is kept: what is read is of this board, never of another with
//! the same hash.

use std::sync::atomic::{AtomicU64, Ordering};

use super::claim::{Claim, Window};
use crate::rules::{Board, PITS};

/// How a score stands to the window that it was found with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// It is the score of the depth.
    Exact,
    /// The score of the depth is at least so much.
    Lower,
    /// The score of the depth is at most so much.
    Upper,
}

impl Bound {
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

/// What is known of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    pub claim: Claim,
    pub bound: Bound,
    /// Plies it was searched for.
    pub depth: u8,
    /// The best move, if one was found.
    pub pit: Option<u8>,
}

impl Entry {
    /// Whether a search as deep as `depth` would tell no more to this window.
    pub fn answers(&self, depth: u8, window: Window) -> bool {
        let score = self.claim.score;
        self.depth >= depth
            && match self.bound {
                Bound::Exact => true,
                Bound::Lower => score >= window.beta,
                Bound::Upper => score <= window.alpha,
            }
    }
}

/// Slots looked at for a board: a cache line.
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
pub(super) struct Transpositions {
    buckets: Vec<Bucket>,
    /// Which search is under way, from 1: what older ones left goes first.
    age: u32,
    /// The first search of which something is remembered.
    oldest: u32,
}

const PIT_BITS: u32 = 6;
/// Pits in the first word.
const LOW: usize = 10;
const AGES: u32 = 1 << 21;

// Where the fields of `data` begin.
const SCORE: u32 = 12;
const DEPTH: u32 = 28;
const BOUND: u32 = 36;
const AT_LEAST: u32 = 38;
const AT_MOST: u32 = 39;
const PIT: u32 = 40;
const AGE: u32 = 43;

/// No best move: all bits of the field are set.
const NO_PIT: u8 = 7;

/// A board as two words.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Key {
    low: u64,
    high: u64,
}

impl Key {
    pub fn of(board: &Board) -> Key {
        let pack = |pits: &[u8]| {
            pits.iter()
                .fold(0, |word, &seeds| word << PIT_BITS | u64::from(seeds))
        };
        let pits = board.pits();
        Key {
            low: pack(&pits[..LOW]),
            high: pack(&pits[LOW..PITS]),
        }
    }

    /// A number that spreads boards evenly; its upper bits do so best.
    pub fn mixed(self) -> u64 {
        let mixed = (self.low ^ self.high << 52).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed ^ mixed >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93)
    }

    /// One of `count` buckets.
    fn bucket(self, count: usize) -> usize {
        ((u128::from(self.mixed()) * count as u128) >> u64::BITS) as usize
    }
}

impl Transpositions {
    /// A table of so many MiB; of 0 it is one that remembers nothing.
    pub fn new(mib: usize) -> Transpositions {
        let count = mib.saturating_mul(1 << 20) / size_of::<Bucket>();
        Transpositions {
            buckets: (0..count).map(|_| Bucket::default()).collect(),
            age: 1,
            oldest: 1,
        }
    }

    /// Forgets everything: at once, however large it is.
    pub fn clear(&mut self) {
        self.grow_older();
        self.oldest = self.age;
    }

    /// Begins another search.
    pub fn grow_older(&mut self) {
        self.age += 1;
        if self.age == AGES {
            // There is no greater number, after two million searches.
            (self.age, self.oldest) = (1, 1);
            self.buckets.fill_with(Bucket::default);
        }
    }

    fn slots(&self, key: Key) -> &[Slot] {
        match self.buckets.len() {
            0 => &[],
            count => &self.buckets[key.bucket(count)].0,
        }
    }

    /// What is known of a board.
    pub fn get(&self, board: &Board) -> Option<Entry> {
        let key = Key::of(board);
        let slots = self.slots(key).iter();
        let mut kept = slots.filter(|slot| self.remembers(slot));
        kept.find_map(|slot| slot.data_of(key)).and_then(unpack)
    }

    /// Keeps what was found out about a board, in place of what is worth least.
    pub fn put(&self, board: &Board, entry: Entry) {
        let key = Key::of(board);
        let slots = self.slots(key);
        let own = slots
            .iter()
            .find(|slot| self.remembers(slot) && slot.data_of(key).is_some());
        let Some(slot) = own.or_else(|| slots.iter().min_by_key(|slot| self.worth(slot))) else {
            return;
        };
        let data = key.high | pack(entry) | u64::from(self.age) << AGE;
        slot.check.store(key.low ^ data, Ordering::Relaxed);
        slot.data.store(data, Ordering::Relaxed);
    }

    /// How much it would be to lose a slot: nothing, an old search, a shallow one.
    fn worth(&self, slot: &Slot) -> Option<(bool, u8)> {
        let data = slot.data.load(Ordering::Relaxed);
        let is_fresh = data >> AGE == u64::from(self.age);
        self.remembers(slot)
            .then_some((is_fresh, (data >> DEPTH) as u8))
    }

    /// Whether what a slot holds is not forgotten. The age of one that was never written
    /// is 0.
    fn remembers(&self, slot: &Slot) -> bool {
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

/// The data of an entry, but for board and age.
fn pack(entry: Entry) -> u64 {
    let bound = match entry.bound {
        Bound::Exact => 1,
        Bound::Lower => 2,
        Bound::Upper => 3,
    };
    u64::from(entry.claim.score.cast_unsigned()) << SCORE
        | u64::from(entry.depth) << DEPTH
        | bound << BOUND
        | u64::from(entry.claim.at_least) << AT_LEAST
        | u64::from(entry.claim.at_most) << AT_MOST
        | u64::from(entry.pit.unwrap_or(NO_PIT)) << PIT
}

/// The entry of such data.
fn unpack(data: u64) -> Option<Entry> {
    let pit = (data >> PIT) as u8 & NO_PIT;
    Some(Entry {
        claim: Claim {
            score: ((data >> SCORE) as u16).cast_signed(),
            at_least: data >> AT_LEAST & 1 == 1,
            at_most: data >> AT_MOST & 1 == 1,
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

    fn entry(score: i16, depth: u8) -> Entry {
        Entry {
            claim: Claim {
                score,
                at_least: score > 0,
                at_most: score < 5,
            },
            bound: [Bound::Exact, Bound::Lower, Bound::Upper][usize::from(depth % 3)],
            depth,
            pit: (depth % 7 < 6).then_some(depth % 7),
        }
    }

    /// Boards whose last pits alone differ among them.
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
    fn what_was_put_is_got_back() {
        let table = Transpositions::new(1);
        for (i, board) in (0u16..).zip(boards()) {
            assert_eq!(table.get(&board), None);
            let put = entry(i.cast_signed() - 2048, i as u8);
            table.put(&board, put);
            assert_eq!(table.get(&board), Some(put));
        }
        let kept = boards().filter(|board| table.get(board).is_some()).count();
        assert!(kept > 4000, "{kept} of 4096 boards in 65,536 slots");
    }

    #[test]
    fn a_full_table_keeps_the_deepest_of_the_newest_search() {
        let mut table = Transpositions::new(1);
        table.buckets.truncate(1);
        let boards: Vec<Board> = boards().take(10).collect();
        let kept = |table: &Transpositions| -> Vec<usize> {
            (0..10)
                .filter(|&i| table.get(&boards[i]).is_some())
                .collect()
        };
        for (board, depth) in boards.iter().zip([9, 2, 7, 8, 5, 6]) {
            table.put(board, entry(1, depth));
        }
        assert_eq!(kept(&table), [0, 2, 3, 5]);
        table.grow_older();
        for board in &boards[6..10] {
            table.put(board, entry(1, 1));
        }
        assert_eq!(kept(&table), [6, 7, 8, 9]);
        table.clear();
        assert!(kept(&table).is_empty());
    }

    /// What is forgotten is in nobody's way, even if it was deep and is of the same board.
    #[test]
    fn a_cleared_table_is_as_good_as_new() {
        let fill = |table: &Transpositions| {
            for (i, board) in (0u16..).zip(boards().step_by(3).chain(boards().step_by(2))) {
                table.put(&board, entry(i.cast_signed(), (i % 50) as u8));
            }
        };
        let few = || {
            let mut table = Transpositions::new(1);
            table.buckets.truncate(100);
            table
        };
        let (fresh, mut used) = (few(), few());
        for board in boards() {
            used.put(&board, entry(1, 100));
        }
        used.clear();
        assert!(boards().all(|board| used.get(&board).is_none()));
        fill(&fresh);
        fill(&used);
        for board in boards() {
            assert_eq!(used.get(&board), fresh.get(&board));
        }
        // Also when searches begin to be counted anew.
        used.age = AGES - 1;
        used.clear();
        assert!(boards().all(|board| used.get(&board).is_none()));
    }

    /// However large a table is: what it holds is forgotten where it lies.
    #[test]
    fn to_clear_a_table_touches_no_slot() {
        let mut table = Transpositions::new(1);
        boards().for_each(|board| table.put(&board, entry(1, 1)));
        let words = |table: &Transpositions| -> Vec<u64> {
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
    fn without_memory_nothing_is_remembered() {
        let mut table = Transpositions::new(0);
        table.put(&Board::START, entry(1, 1));
        assert_eq!(table.get(&Board::START), None);
        table.clear();
    }

    /// Two threads that write other scores for the same boards: what is read was
    /// written whole.
    #[test]
    fn torn_slots_are_passed_over() {
        let mut table = Transpositions::new(1);
        table.buckets.truncate(1);
        let boards: Vec<Board> = boards().take(8).collect();
        std::thread::scope(|scope| {
            for thread in 0..2 {
                let (table, boards) = (&table, &boards);
                scope.spawn(move || {
                    for round in 0..20_000u32 {
                        let at = (round * 7 + thread) as usize % boards.len();
                        let depth = (round % 200) as u8;
                        table.put(
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
