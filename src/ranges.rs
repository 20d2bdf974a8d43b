//! Ranges of files on another machine: which bytes a read lacks, and where they come from.
//!
//! A read that lacks bytes fails with an error that holds their ranges. A search goes on with
//! what does not depend on them, collects the ranges of all its reads, and fails in the end.
//! Whoever asked fetches all of them at once and asks again: `Tablebase` for tables on a web
//! host, a program in a browser for itself.

use std::collections::{HashMap, VecDeque};
use std::fmt::Debug;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
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

/// Why ranges cannot be had.
#[derive(Debug)]
pub enum FetchError {
    /// The file cannot be read.
    Failed {
        /// Its address.
        file: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// As many wait for the host as may.
    Crowded {
        /// The address of the file.
        file: PathBuf,
    },
    /// The work was stopped.
    Stopped {
        /// The address of the file that it waited for.
        file: PathBuf,
    },
}

/// Where ranges of files come from.
pub trait Ranges: Debug + Send + Sync {
    /// The bytes of a range, if they are here.
    fn kept(&self, range: FileRange) -> Option<Arc<[u8]>>;

    /// Fetches ranges, which are in order, unless it is told to stop. Returns false if that is for
    /// whoever asks.
    ///
    /// # Errors
    /// If they cannot be had.
    fn fetch(&self, ranges: &[FileRange], stop: &AtomicBool) -> Result<bool, FetchError>;

    /// Forgets the bytes of a file because some were bad; true if they can be fetched anew from
    /// where they are certain to be those of the file.
    fn forget(&self, _file: usize) -> bool {
        false
    }
}

/// Ranges that a read lacked, each with its source.
pub type Lacking = Vec<(Arc<dyn Ranges>, FileRange)>;

/// An error that may only say that bytes are lacking.
pub(crate) trait MayLack: Sized {
    /// The ranges, if that is what it says.
    fn lacking(&mut self) -> Option<&mut Lacking>;
}

/// The ranges that the reads of a search have lacked so far, as an error.
pub(crate) struct Lacked<E>(Option<E>);

impl<E> Default for Lacked<E> {
    fn default() -> Lacked<E> {
        Lacked(None)
    }
}

impl<E: MayLack> Lacked<E> {
    /// A result, or `None` for one that lacks bytes.
    #[inline]
    pub fn skip<T>(&mut self, result: Result<T, E>) -> Result<Option<T>, E> {
        match result {
            Ok(result) => Ok(Some(result)),
            Err(error) => self.add(error).map(|()| None),
        }
    }

    /// Adds what an error lacks; any other error is returned.
    #[cold]
    fn add(&mut self, mut error: E) -> Result<(), E> {
        let Some(more) = error.lacking() else {
            return Err(error);
        };
        match self.0.as_mut().and_then(MayLack::lacking) {
            Some(lacking) => lacking.append(more),
            None => self.0 = Some(error),
        }
        Ok(())
    }

    /// Fails if anything was lacking.
    #[inline]
    pub fn end(self) -> Result<(), E> {
        self.0.map_or(Ok(()), Err)
    }
}

/// Both results, or all that they lack.
#[inline]
pub(crate) fn both<A, B, E: MayLack>(a: Result<A, E>, b: Result<B, E>) -> Result<(A, B), E> {
    match (a, b) {
        (Ok(a), Ok(b)) => Ok((a, b)),
        (a, b) => {
            let mut lacked = Lacked::default();
            lacked.skip(a)?;
            lacked.skip(b)?;
            lacked.end()?;
            unreachable!("one of them is an error")
        }
    }
}

/// Those near to each other of ranges in order joined: what to ask a host for.
pub fn joined(ranges: impl IntoIterator<Item = FileRange>) -> Vec<FileRange> {
    let mut joined: Vec<FileRange> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if is_near(last, &range) => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}

fn is_near(last: &FileRange, next: &FileRange) -> bool {
    let end = last.end.max(next.end);
    last.file == next.file && next.start <= last.end + NEAR && end - last.start <= LONGEST_JOINED
}

/// Bytes of ranges, the newest of them up to a limit.
#[derive(Debug, Default)]
pub(crate) struct KeptRanges {
    bytes: HashMap<FileRange, Arc<[u8]>>,
    /// The keys, the oldest first.
    order: VecDeque<FileRange>,
    length: usize,
}

impl KeptRanges {
    pub fn get(&self, range: FileRange) -> Option<Arc<[u8]>> {
        self.bytes.get(&range).cloned()
    }

    /// Drops the bytes of a file.
    #[cfg(feature = "remote")]
    pub fn forget(&mut self, file: usize) {
        self.order.retain(|range| range.file != file);
        self.bytes.retain(|range, _| range.file != file);
        self.length = self.bytes.values().map(|bytes| bytes.len()).sum();
    }

    /// Keeps the bytes of a range, and drops the oldest ones beyond the limit.
    pub fn insert(&mut self, range: FileRange, bytes: Arc<[u8]>) {
        self.length += bytes.len();
        match self.bytes.insert(range, bytes) {
            Some(before) => self.length -= before.len(),
            None => self.order.push_back(range),
        }
        while self.length > MOST_BYTES && self.order.len() > 1 {
            let oldest = self.order.pop_front();
            let dropped = oldest.and_then(|range| self.bytes.remove(&range));
            self.length -= dropped.map_or(0, |bytes| bytes.len());
        }
    }
}

/// Ranges that a program fetches itself and inserts. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct InsertedRanges(Arc<Mutex<KeptRanges>>);

impl InsertedRanges {
    /// Takes the bytes of a file from `start` on: those of one range that was lacking.
    pub fn insert(&self, file: usize, start: u64, bytes: &[u8]) {
        let end = start + bytes.len() as u64;
        self.ranges()
            .insert(FileRange { file, start, end }, bytes.into());
    }

    fn ranges(&self) -> MutexGuard<'_, KeptRanges> {
        // Every change is whole, also where a thread has panicked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ranges for InsertedRanges {
    fn kept(&self, range: FileRange) -> Option<Arc<[u8]>> {
        self.ranges().get(range)
    }

    fn fetch(&self, _: &[FileRange], _: &AtomicBool) -> Result<bool, FetchError> {
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(file: usize, start: u64, end: u64) -> FileRange {
        FileRange { file, start, end }
    }

    #[test]
    fn near_ranges_are_joined() {
        let far = 10 * NEAR;
        let ranges = [
            range(0, 0, 2),
            range(0, 0, 4),
            range(0, 8, 10),
            range(0, far, far + 2),
            range(1, 0, 4),
        ];
        let requests = [range(0, 0, 10), range(0, far, far + 2), range(1, 0, 4)];
        assert_eq!(joined(ranges), requests);
        // No request is long for the sake of being one.
        let long = [
            range(0, 0, LONGEST_JOINED),
            range(0, LONGEST_JOINED, LONGEST_JOINED + 1),
        ];
        assert_eq!(joined(long), long);
    }

    #[test]
    fn inserted_ranges_are_kept_whole() {
        let ranges = InsertedRanges::default();
        ranges.insert(0, 4, b"4567");
        assert_eq!(*ranges.kept(range(0, 4, 8)).unwrap(), *b"4567");
        for other in [range(0, 4, 7), range(0, 5, 8), range(1, 4, 8)] {
            assert_eq!(ranges.kept(other), None);
        }
    }

    #[test]
    fn the_oldest_ranges_go_first() {
        let ranges = InsertedRanges::default();
        let bytes = vec![0; MOST_BYTES / 2];
        for file in [0, 1, 1, 2] {
            ranges.insert(file, 0, &bytes);
        }
        let kept = |file| ranges.kept(range(file, 0, bytes.len() as u64)).is_some();
        assert_eq!([0, 1, 2].map(kept), [false, true, true]);
    }
}
