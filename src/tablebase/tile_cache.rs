//! The cache of decoded tiles, which all threads share without locks or counters.
//!
//! A tile has one slot where it can be, and replaces the tile that is there. A slot is a
//! sequence lock made of atomic numbers: a writer makes its version odd, and then even
//! again; a reader that finds the same even version before and after it has read, has read
//! what belongs together. A thread never waits: a reader decodes the tile itself, and a
//! writer leaves the slot to the other one.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering, fence};

/// Words of a slot: each has eight cells.
const WORDS: usize = 16;
/// The most cells of a tile.
const CELLS: usize = WORDS * size_of::<u64>();
/// Slots that are allocated together, when the first of them is used.
const CHUNK: usize = 512;

/// The tiles decoded last.
pub(super) struct TileCache {
    chunks: Vec<OnceLock<Box<[Slot]>>>,
    slots: u64,
}

struct Slot {
    /// Odd while a thread is writing.
    version: AtomicU64,
    key: AtomicU64,
    cells: [AtomicU64; WORDS],
}

impl fmt::Debug for TileCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TileCache")
            .field("slots", &self.slots)
            .finish_non_exhaustive()
    }
}

impl TileCache {
    /// A cache that takes at most this number of bytes.
    pub fn new(bytes: u64) -> TileCache {
        let slots = bytes / size_of::<Slot>() as u64;
        let chunks = slots.div_ceil(CHUNK as u64);
        TileCache {
            chunks: (0..chunks).map(|_| OnceLock::new()).collect(),
            slots,
        }
    }

    /// A cell of a tile, if the tile is in the cache.
    #[inline]
    pub fn get(&self, key: u64, cell: usize) -> Option<u8> {
        let (chunk, number) = self.place(key)?;
        let slot = &self.chunks[chunk].get()?[number];
        let version = slot.version.load(Ordering::Acquire);
        if version % 2 == 1 || slot.key.load(Ordering::Relaxed) != key {
            return None;
        }
        let word = slot.cells[cell / 8 % WORDS].load(Ordering::Relaxed);
        // If a writer's word was read, its odd version is read as well.
        fence(Ordering::Acquire);
        let is_same = slot.version.load(Ordering::Relaxed) == version;
        is_same.then(|| word.to_le_bytes()[cell % 8])
    }

    /// Adds a tile with at most 128 cells.
    pub fn add(&self, key: u64, cells: &[u8]) {
        debug_assert!(cells.len() <= CELLS);
        let Some((chunk, number)) = self.place(key) else {
            return;
        };
        let slots = || (0..CHUNK).map(|_| Slot::empty()).collect();
        let slot = &self.chunks[chunk].get_or_init(slots)[number];
        let version = slot.version.load(Ordering::Relaxed);
        let odd = version | 1;
        let is_taken = version == odd
            || slot
                .version
                .compare_exchange(version, odd, Ordering::Acquire, Ordering::Relaxed)
                .is_err();
        if is_taken {
            return;
        }
        // Whoever reads what follows reads the odd version afterwards.
        fence(Ordering::Release);
        slot.key.store(key, Ordering::Relaxed);
        for (word, cells) in slot.cells.iter().zip(cells.chunks(8)) {
            let cells = std::array::from_fn(|i| cells.get(i).copied().unwrap_or(0));
            word.store(u64::from_le_bytes(cells), Ordering::Relaxed);
        }
        slot.version.store(odd + 1, Ordering::Release);
    }

    /// The chunk and the slot in it of a tile; `None` if there is no slot at all.
    #[inline]
    fn place(&self, key: u64) -> Option<(usize, usize)> {
        let slot = slot_of(key, self.slots);
        (self.slots > 0).then_some((slot / CHUNK, slot % CHUNK))
    }
}

/// The slot of a key among some slots.
#[inline]
pub(super) fn slot_of(key: u64, slots: u64) -> usize {
    // Multiplicative hashing by 2^64 divided by the golden ratio: the highest bits of
    // the product depend on all bits of the key.
    let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    // The upper half of the product of two numbers is below both.
    ((u128::from(hash) * u128::from(slots)) >> u64::BITS) as usize
}

impl Slot {
    fn empty() -> Slot {
        Slot {
            version: AtomicU64::new(0),
            // No unit's key.
            key: AtomicU64::new(u64::MAX),
            cells: [const { AtomicU64::new(0) }; WORDS],
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    /// The content of a tile in the tests: it depends on the key alone.
    fn cells(key: u64) -> Vec<u8> {
        let length = 1 + key as usize % CELLS;
        (0..length).map(|cell| content(key, cell)).collect()
    }

    fn content(key: u64, cell: usize) -> u8 {
        (key * 31 + cell as u64 * 7) as u8
    }

    #[test]
    fn tiles_are_found_until_others_replace_them() {
        let cache = TileCache::new(100 * size_of::<Slot>() as u64);
        let mut found = 0;
        for key in 0..1000 {
            assert_eq!(cache.get(key, 0), None);
            let tile = cells(key);
            cache.add(key, &tile);
            for (cell, &entry) in tile.iter().enumerate() {
                assert_eq!(cache.get(key, cell), Some(entry));
            }
        }
        for key in 0..1000 {
            let got = cache.get(key, 0);
            found += usize::from(got.is_some());
            assert!(got.is_none_or(|entry| entry == content(key, 0)));
        }
        assert!((50..=100).contains(&found), "{found}");
    }

    #[test]
    fn a_cache_without_slots_holds_nothing() {
        let cache = TileCache::new(size_of::<Slot>() as u64 - 1);
        cache.add(1, &[1]);
        assert_eq!(cache.get(1, 0), None);
    }

    /// Threads read and write the same few slots: each cell that is found is its tile's.
    #[test]
    fn threads_never_read_a_mixture() {
        let cache = TileCache::new(3 * size_of::<Slot>() as u64);
        thread::scope(|scope| {
            for thread in 0..4_u64 {
                let cache = &cache;
                scope.spawn(move || {
                    for round in 0..50_000 {
                        let key = (round * (thread + 3)) % 17;
                        let tile = cells(key);
                        for cell in (0..tile.len()).step_by(9) {
                            let entry = cache.get(key, cell);
                            assert!(entry.is_none_or(|entry| entry == content(key, cell)));
                        }
                        cache.add(key, &tile);
                    }
                });
            }
        });
        // Nobody writes any more: what is added is found.
        cache.add(5, &cells(5));
        assert_eq!(cache.get(5, 4), Some(content(5, 4)));
    }
}
