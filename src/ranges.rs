//! Bytes of files on another machine, as far as they have been fetched.
//!
//! A read that finds its bytes missing fails and leaves a note. Whoever probes goes on with
//! what else it needs, so that it notes all of that; somebody fetches the ranges together
//! and inserts their bytes, and the probe is tried again.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What is kept: a few hundred layers' models, or some ten thousand blocks.
const MOST_BYTES: usize = 32 << 20;

/// Ranges this near to each other are fetched as one: a request costs about as much.
const NEAR: u64 = 512;

/// The longest range that is fetched for the sake of being near to others.
const LONGEST_JOINED: u64 = 64 << 10;

/// Bytes of a file, by their offsets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FileRange {
    /// The number of the file.
    pub file: usize,
    /// The first byte.
    pub start: u64,
    /// The byte after the last one.
    pub end: u64,
}

/// The bytes that have been fetched, and the ranges that are wanted. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct RangeStore(Arc<Mutex<Pieces>>);

#[derive(Debug, Default)]
struct Pieces {
    fetched: HashMap<FileRange, Arc<[u8]>>,
    /// The keys of `fetched`, the oldest first.
    order: VecDeque<FileRange>,
    bytes: usize,
    wanted: BTreeSet<FileRange>,
}

impl RangeStore {
    /// The bytes of a range. If they are not there, notes that they are wanted, and fails
    /// with [`io::ErrorKind::WouldBlock`].
    pub(crate) fn bytes(&self, range: FileRange) -> io::Result<Arc<[u8]>> {
        if range.start == range.end {
            return Ok(Arc::default());
        }
        let mut pieces = self.pieces();
        if let Some(bytes) = pieces.fetched.get(&range) {
            return Ok(bytes.clone());
        }
        pieces.wanted.insert(range);
        Err(io::ErrorKind::WouldBlock.into())
    }

    /// The bytes of a range, if they are there.
    #[cfg(feature = "remote")]
    pub(crate) fn kept(&self, range: FileRange) -> Option<Arc<[u8]>> {
        self.pieces().fetched.get(&range).cloned()
    }

    /// The ranges that are wanted, in order.
    pub fn wanted(&self) -> Vec<FileRange> {
        self.pieces().wanted.iter().copied().collect()
    }

    /// Takes the bytes of a file from `start` on; every wanted range among them is there
    /// from now on.
    pub fn insert(&self, file: usize, start: u64, bytes: &[u8]) {
        let mut pieces = self.pieces();
        let end = start + bytes.len() as u64;
        let first = FileRange {
            file,
            start,
            end: start,
        };
        let wanted: Vec<FileRange> = pieces
            .wanted
            .range(first..)
            .take_while(|range| (range.file, range.start) <= (file, end))
            .filter(|range| range.end <= end)
            .copied()
            .collect();
        for range in wanted {
            let offset = |at: u64| usize::try_from(at - start).unwrap_or(bytes.len());
            let piece = &bytes[offset(range.start)..offset(range.end)];
            pieces.wanted.remove(&range);
            pieces.keep(range, piece.into());
        }
    }

    /// Forgets what is wanted, as after an error.
    pub fn give_up(&self) {
        self.pieces().wanted.clear();
    }

    fn pieces(&self) -> MutexGuard<'_, Pieces> {
        // Every change of the pieces is whole, also where a thread has panicked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pieces {
    /// Keeps a piece, and drops the oldest ones beyond the limit.
    fn keep(&mut self, range: FileRange, bytes: Arc<[u8]>) {
        self.bytes += bytes.len();
        self.fetched.insert(range, bytes);
        self.order.push_back(range);
        while self.bytes > MOST_BYTES && self.order.len() > 1 {
            let oldest = self.order.pop_front();
            let dropped = oldest.and_then(|range| self.fetched.remove(&range));
            self.bytes -= dropped.map_or(0, |bytes| bytes.len());
        }
    }
}

/// Ranges in order, those near to each other joined: what to ask a host for.
pub fn joined(ranges: &[FileRange]) -> Vec<FileRange> {
    let mut joined: Vec<FileRange> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if is_near(last, range) => last.end = last.end.max(range.end),
            _ => joined.push(*range),
        }
    }
    joined
}

fn is_near(last: &FileRange, next: &FileRange) -> bool {
    let end = last.end.max(next.end);
    last.file == next.file && next.start <= last.end + NEAR && end - last.start <= LONGEST_JOINED
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(file: usize, start: u64, end: u64) -> FileRange {
        FileRange { file, start, end }
    }

    #[test]
    fn wanted_ranges_are_joined_fetched_and_kept() {
        let store = RangeStore::default();
        let far = 10 * NEAR;
        let ranges = [
            range(0, 8, 10),
            range(0, 0, 4),
            range(0, far, far + 2),
            range(1, 0, 4),
        ];
        for range in ranges {
            let error = store.bytes(range).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::WouldBlock);
        }
        let requests = [range(0, 0, 10), range(0, far, far + 2), range(1, 0, 4)];
        assert_eq!(joined(&store.wanted()), requests);

        store.insert(0, 0, b"0123456789");
        assert_eq!(*store.bytes(ranges[0]).unwrap(), *b"89");
        assert_eq!(*store.bytes(ranges[1]).unwrap(), *b"0123");
        assert_eq!(store.wanted(), requests[1..]);
        // Too few bytes, or those of another file, are no answer.
        store.insert(1, 0, b"012");
        store.insert(2, 0, b"0123");
        assert_eq!(store.wanted(), requests[1..]);
        store.give_up();
        assert_eq!(store.wanted(), []);
    }

    #[test]
    fn the_oldest_pieces_go_first() {
        let store = RangeStore::default();
        let bytes = vec![0; MOST_BYTES / 2];
        let ranges = [0, 1, 2].map(|file| range(file, 0, bytes.len() as u64));
        for range in ranges {
            store.bytes(range).unwrap_err();
            store.insert(range.file, 0, &bytes);
        }
        assert!(store.bytes(ranges[0]).is_err());
        assert!(store.bytes(ranges[1]).is_ok() && store.bytes(ranges[2]).is_ok());
    }
}
