//! The transposition table: results of the search by board and lead, in a fixed amount
//! of memory.
//!
//! A slot is two words, `low` and `data` (`entry.rs`), so that threads can share the table
//! without locks: the first one is stored as `low ^ data`. If two threads wrote the two words
//! of a slot, `low` does not match and the slot is skipped. A slot holds the whole key, so a
//! hash collision cannot return the entry of another board.

use std::sync::atomic::{AtomicU64, Ordering};

use super::entry::{AGE, BoardKey, HashEntry, SCORE, ShortKey, depth_of, pack, unpack};
use crate::cpu::{prefetch, vec_in_large_pages};

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

/// Where the entry of a board is or would be.
#[derive(Clone, Copy)]
pub(super) struct Place<'t> {
    slots: &'t [Slot],
    key: ShortKey,
}

/// The table.
pub(super) struct TranspositionTable {
    buckets: Vec<Bucket>,
    /// The number of the current search, from 1. Entries of older searches are replaced
    /// first.
    age: u32,
    /// The first search whose entries are valid.
    oldest: u32,
}

const AGES: u32 = 1 << 7;

impl TranspositionTable {
    /// A table of `mib` MiB; one of 0 MiB stores nothing.
    pub fn new(mib: usize) -> TranspositionTable {
        TranspositionTable::of_bytes(mib.saturating_mul(1 << 20))
    }

    /// A table of as many bytes, in whole buckets.
    pub fn of_bytes(bytes: usize) -> TranspositionTable {
        let count = bytes / size_of::<Bucket>();
        let mut buckets = vec_in_large_pages(count);
        buckets.resize_with(count, Bucket::default);
        TranspositionTable {
            buckets,
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
            // The field is full.
            (self.age, self.oldest) = (1, 1);
            self.buckets.fill_with(Bucket::default);
        }
    }

    /// Where the entry of a key is.
    #[inline(always)]
    pub fn locate(&self, key: BoardKey) -> Place<'_> {
        let count = self.buckets.len() as u128;
        let number = (u128::from(key.hash()) * count) >> u64::BITS;
        let bucket = self.buckets.get(number as usize);
        Place {
            slots: bucket.map_or(&[], |bucket| &bucket.0),
            key: key.short(),
        }
    }

    /// Starts to fetch the slots of a key that will be asked for soon.
    #[inline]
    pub fn prefetch(&self, key: BoardKey) {
        if let Some(slot) = self.locate(key).slots.first() {
            prefetch(slot);
        }
    }

    /// The entry of a key.
    pub fn get(&self, key: BoardKey) -> Option<HashEntry> {
        self.get_at(self.locate(key))
    }

    /// The entry at a place.
    #[inline(always)]
    pub fn get_at(&self, place: Place) -> Option<HashEntry> {
        for slot in place.slots {
            let data = slot.data.load(Ordering::Relaxed);
            if slot.is_of(place.key, data) && self.is_valid(data) {
                return Some(unpack(data));
            }
        }
        None
    }

    /// Stores the entry of a place. It is merged with an older one of the same board, or else
    /// replaces the least valuable one of the bucket.
    pub fn store_at(&self, place: Place, mut entry: HashEntry) {
        let Place { slots, key } = place;
        let Some(mut best) = slots.first() else {
            return;
        };
        let mut least = u64::MAX;
        for slot in slots {
            // Merged with what was compared: another thread may write to the slot meanwhile.
            let data = slot.data.load(Ordering::Relaxed);
            if slot.is_of(key, data) && self.is_valid(data) {
                entry = entry.merged(unpack(data));
                best = slot;
                break;
            }
            let priority = self.priority(data);
            if priority < least {
                (best, least) = (slot, priority);
            }
        }
        let data = key.high | pack(entry) | u64::from(self.age) << AGE;
        best.check.store(key.low ^ data, Ordering::Relaxed);
        best.data.store(data, Ordering::Relaxed);
    }

    /// How many slots have results of the current search, in thousandths, from a sample.
    pub fn permille_of_search(&self) -> u16 {
        const SAMPLE: usize = 250;
        let slots = self
            .buckets
            .iter()
            .take(SAMPLE)
            .flat_map(|bucket| &bucket.0);
        let (mut all, mut current) = (0, 0);
        for slot in slots {
            all += 1;
            current += u32::from(slot.data.load(Ordering::Relaxed) >> AGE == u64::from(self.age));
        }
        (1000 * current / all.max(1)) as u16
    }

    /// How valuable an entry is: first those of the current search, then deep ones. 0 if there
    /// is none.
    fn priority(&self, data: u64) -> u64 {
        let is_current = data >> AGE == u64::from(self.age);
        let value = 1 + (u64::from(is_current) << 7) + u64::from(depth_of(data));
        value * u64::from(self.is_valid(data))
    }

    /// Whether data is that of an entry that was not cleared. The age of an empty slot is
    /// 0.
    fn is_valid(&self, data: u64) -> bool {
        data >> AGE >= u64::from(self.oldest)
    }
}

impl Slot {
    /// Whether data read from this slot is that of a board, and was written with the rest of
    /// the slot.
    #[inline(always)]
    fn is_of(&self, key: ShortKey, data: u64) -> bool {
        let low = self.check.load(Ordering::Relaxed) ^ data;
        let high = data & ((1 << SCORE) - 1);
        (low ^ key.low) | (high ^ key.high) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::search::entry::Bound;
    use crate::engine::search::score::ProvenBounds;
    use crate::rules::{Board, PITS, PackedBoard};

    fn entry(score: i16, depth: u8) -> HashEntry {
        HashEntry {
            score,
            bound: [Bound::Exact, Bound::Lower, Bound::Upper][usize::from(depth % 3)],
            depth,
            pit: (depth % 7 < 6).then_some(depth % 7),
            proven: ProvenBounds {
                lower: -((score & 31) as i8) - 17,
                upper: (score & 15) as i8 + 33,
            },
        }
    }

    fn store(table: &TranspositionTable, key: BoardKey, entry: HashEntry) {
        table.store_at(table.locate(key), entry);
    }

    /// Keys of boards that differ in any of the twelve pits.
    fn keys() -> impl Iterator<Item = BoardKey> {
        (0..4096u64).map(|i| {
            let mut pits = [0; PITS];
            for (pit, seeds) in pits.iter_mut().enumerate() {
                *seeds = (i >> pit & 1) as u8 * (pit as u8 % 3 + 1);
            }
            BoardKey::of(PackedBoard::of(&Board::new(pits).unwrap()), (i % 5) as i8)
        })
    }

    #[test]
    fn stored_entries_are_found() {
        let table = TranspositionTable::new(1);
        for (i, key) in (0u16..).zip(keys()) {
            assert_eq!(table.get(key), None);
            let stored = entry(i.cast_signed() - 2048, (i % 121) as u8);
            store(&table, key, stored);
            assert_eq!(table.get(key), Some(stored));
        }
        let kept = keys().filter(|&key| table.get(key).is_some()).count();
        assert!(kept > 4000, "{kept} of 4096 boards in 65,536 slots");
    }

    #[test]
    fn deeper_scores_and_all_proofs_are_kept() {
        let table = TranspositionTable::new(1);
        let key = keys().next().unwrap();
        let entry = |score, bound, depth, lower, upper| HashEntry {
            score,
            bound,
            depth,
            pit: Some(depth % 6),
            proven: ProvenBounds { lower, upper },
        };
        store(&table, key, entry(200, Bound::Lower, 9, -4, 30));
        store(&table, key, entry(100, Bound::Exact, 5, -20, 8));
        assert_eq!(
            table.get(key),
            Some(entry(200, Bound::Lower, 9, -4, 8)).map(|kept| HashEntry {
                pit: Some(5),
                ..kept
            })
        );
        // A score that rests on the path is no score.
        store(&table, key, entry(-900, Bound::None, 11, 0, 8));
        let kept = table.get(key).unwrap();
        assert_eq!((kept.score, kept.depth, kept.proven.lower), (200, 9, 0));
        store(&table, key, entry(300, Bound::Upper, 9, 0, 8));
        assert_eq!(table.get(key).unwrap().score, 300);
    }

    #[test]
    fn a_full_bucket_keeps_the_deepest_entries_of_the_latest_search() {
        let mut table = TranspositionTable::new(1);
        table.buckets.truncate(1);
        let keys: Vec<BoardKey> = keys().take(10).collect();
        let kept = |table: &TranspositionTable| -> Vec<usize> {
            (0..10).filter(|&i| table.get(keys[i]).is_some()).collect()
        };
        for (&key, depth) in keys.iter().zip([9, 2, 7, 8, 5, 6]) {
            store(&table, key, entry(1, depth));
        }
        assert_eq!(kept(&table), [0, 2, 3, 5]);
        table.new_search();
        for &key in &keys[6..10] {
            store(&table, key, entry(1, 1));
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
            for (i, key) in (0u16..).zip(keys().step_by(3).chain(keys().step_by(2))) {
                store(table, key, entry(i.cast_signed(), (i % 50) as u8));
            }
        };
        let small = || {
            let mut table = TranspositionTable::new(1);
            table.buckets.truncate(100);
            table
        };
        let (fresh, mut used) = (small(), small());
        for key in keys() {
            store(&used, key, entry(1, 100));
        }
        used.clear();
        assert!(keys().all(|key| used.get(key).is_none()));
        fill(&fresh);
        fill(&used);
        for key in keys() {
            assert_eq!(used.get(key), fresh.get(key));
        }
        // Also when the age wraps around.
        used.age = AGES - 1;
        used.clear();
        assert!(keys().all(|key| used.get(key).is_none()));
    }

    #[test]
    fn the_share_of_a_search_counts_its_own_entries() {
        let mut table = TranspositionTable::new(1);
        table.buckets.truncate(2);
        assert_eq!(table.permille_of_search(), 0);
        for key in keys().take(200) {
            store(&table, key, entry(1, 1));
        }
        assert_eq!(table.permille_of_search(), 1000);
        table.new_search();
        assert_eq!(table.permille_of_search(), 0);
        store(&table, keys().next().unwrap(), entry(1, 2));
        assert_eq!(table.permille_of_search(), 125);
        assert_eq!(TranspositionTable::new(0).permille_of_search(), 0);
    }

    /// Two threads write different entries for the same boards. Every entry that is read
    /// was written as a whole.
    #[test]
    fn torn_writes_are_detected() {
        let mut table = TranspositionTable::new(1);
        table.buckets.truncate(1);
        let keys: Vec<BoardKey> = keys().take(8).collect();
        std::thread::scope(|scope| {
            for thread in 0..2 {
                let (table, keys) = (&table, &keys);
                scope.spawn(move || {
                    for round in 0..20_000u32 {
                        let at = (round * 7 + thread) as usize % keys.len();
                        let depth = (round % 120) as u8;
                        store(
                            table,
                            keys[at],
                            entry(i16::from(depth) + i16::from(at as u8) * 300, depth),
                        );
                        if let Some(read) = table.get(keys[at]) {
                            let score = i16::from(read.depth) + i16::from(at as u8) * 300;
                            let written = entry(score, read.depth);
                            assert_eq!((read.score, read.bound), (score, written.bound));
                        }
                    }
                });
            }
        });
    }
}
