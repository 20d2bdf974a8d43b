//! Ranges of the tables on a host: requests that all probes share.
//!
//! A probe asks for all ranges that it lacks. Those that the cache on disk has come from there;
//! the others, the near ones joined, become requests in a queue, which some threads work off. A
//! range that another probe has asked for already is not requested again: both wait for one
//! answer. A probe that is told to stop waits no longer; its requests still bring their bytes.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use super::http::{Client, HttpError, REQUESTS};
use super::range_cache::RangeCache;
use crate::ranges::{FetchError, FileRange, KeptRanges, Ranges, joined};
use crate::table::{Table, TableError, TableId, TableIndex};

/// How often a waiting probe looks whether it is to stop.
const LOOK: Duration = Duration::from_millis(20);

/// A host whose tables are open.
#[derive(Clone, Debug)]
pub(crate) struct Remote(Arc<Shared>);

/// What probes and the threads of requests share.
#[derive(Debug)]
struct Shared {
    client: Client,
    index: TableIndex,
    cache: Option<RangeCache>,
    state: Mutex<Fetches>,
    /// A request is answered.
    answered: Condvar,
}

#[derive(Debug, Default)]
struct Fetches {
    kept: KeptRanges,
    /// The requests that bring ranges, until they are answered.
    pending: HashMap<FileRange, Arc<RangeRequest>>,
    /// Those that no thread works on yet.
    queue: VecDeque<Arc<RangeRequest>>,
    threads: usize,
}

/// A request for a range that is one range that was asked for, or several near ones.
#[derive(Debug)]
struct RangeRequest {
    range: FileRange,
    parts: Vec<FileRange>,
    outcome: OnceLock<Result<(), Arc<HttpError>>>,
}

impl Remote {
    pub(super) fn new(client: Client, index: TableIndex, cache: Option<RangeCache>) -> Remote {
        Remote(Arc::new(Shared {
            client,
            index,
            cache,
            state: Mutex::default(),
            answered: Condvar::new(),
        }))
    }

    /// A table of the host: see [`TableIndex::open`].
    pub fn table(&self, id: TableId) -> Option<Result<Table, TableError>> {
        let ranges: Arc<dyn Ranges> = Arc::new(self.clone());
        self.0.index.open(id, self.0.client.base(), &ranges)
    }

    /// Starts threads for the requests in the queue. Where none can be started, this one works.
    fn start_threads(&self, mut state: MutexGuard<'_, Fetches>) {
        for _ in 0..state.queue.len().min(REQUESTS - state.threads) {
            state.threads += 1;
            let shared = self.0.clone();
            let started = thread::Builder::new().spawn(move || shared.work());
            if started.is_err() {
                drop(state);
                return self.0.work();
            }
        }
    }
}

impl Ranges for Remote {
    fn kept(&self, range: FileRange) -> Option<Arc<[u8]>> {
        self.0.state().kept.get(range)
    }

    fn fetch(&self, ranges: &[FileRange], stop: &AtomicBool) -> Result<bool, FetchError> {
        self.0.read_cache(ranges);
        let mut state = self.0.state();
        state.enqueue(ranges);
        let pending = |range| state.pending.get(range).cloned();
        let requests: Vec<Arc<RangeRequest>> = ranges.iter().filter_map(pending).collect();
        self.start_threads(state);
        for request in requests {
            self.0.wait(&request, stop)?;
        }
        Ok(true)
    }
}

impl Fetches {
    /// Makes requests for the ranges that are neither here nor on their way.
    fn enqueue(&mut self, ranges: &[FileRange]) {
        let is_missing = |range: &&FileRange| {
            self.kept.get(**range).is_none() && !self.pending.contains_key(range)
        };
        let missing: Vec<FileRange> = ranges.iter().filter(is_missing).copied().collect();
        for range in joined(missing.iter().copied()) {
            let is_part = |part: &&FileRange| {
                part.file == range.file && range.start <= part.start && part.end <= range.end
            };
            let request = Arc::new(RangeRequest {
                range,
                parts: missing.iter().filter(is_part).copied().collect(),
                outcome: OnceLock::new(),
            });
            let parts = request.parts.iter();
            self.pending
                .extend(parts.map(|part| (*part, request.clone())));
            self.queue.push_back(request);
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, Fetches> {
        // Every change is whole, also where a thread has panicked.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes ranges from the cache on disk. The first bytes of a file always come from the host:
    /// they tell whether it is still the file of the index.
    fn read_cache(&self, ranges: &[FileRange]) {
        for &range in ranges.iter().filter(|range| range.start > 0) {
            if let Some(bytes) = self.cached(range) {
                self.state().kept.insert(range, bytes.into());
            }
        }
    }

    fn cached(&self, range: FileRange) -> Option<Vec<u8>> {
        let table = &self.index.tables[range.file];
        self.cache.as_ref()?.read(&table.sha256, range)
    }

    /// Works off the queue.
    fn work(&self) {
        loop {
            let mut state = self.state();
            let Some(request) = state.queue.pop_front() else {
                state.threads -= 1;
                return;
            };
            drop(state);
            let answer = catch_unwind(AssertUnwindSafe(|| self.answer(&request)));
            let answer = answer.unwrap_or_else(|_| {
                let cause = io::Error::other("the request has failed");
                Err(HttpError::Read(cause))
            });
            let mut state = self.state();
            for part in &request.parts {
                state.pending.remove(part);
            }
            let outcome = answer.map(|parts| {
                for (part, bytes) in request.parts.iter().zip(parts) {
                    state.kept.insert(*part, bytes.into());
                }
            });
            let _ = request.outcome.set(outcome.map_err(Arc::new));
            self.answered.notify_all();
        }
    }

    /// The bytes of each part of a request, which go to the cache as well. Without a connection
    /// what the cache has is all there is.
    fn answer(&self, request: &RangeRequest) -> Result<Vec<Vec<u8>>, HttpError> {
        let range = request.range;
        let table = &self.index.tables[range.file];
        let bytes = match self.client.range(&table.name, range, table.bytes) {
            Err(error) if error.is_offline() => {
                let cached = request.parts.iter().map(|part| self.cached(*part));
                return cached.collect::<Option<_>>().ok_or(error);
            }
            sent => sent?,
        };
        let part = |part: &FileRange| {
            // The client has checked the length, which fits into memory.
            let offset = |at: u64| (at - range.start) as usize;
            bytes[offset(part.start)..offset(part.end)].to_vec()
        };
        let parts: Vec<Vec<u8>> = request.parts.iter().map(part).collect();
        if let Some(cache) = &self.cache {
            for (part, bytes) in request.parts.iter().zip(&parts) {
                cache.write(&table.sha256, *part, bytes);
            }
        }
        Ok(parts)
    }

    /// Waits for a request, unless it is told to stop.
    fn wait(&self, request: &RangeRequest, stop: &AtomicBool) -> Result<(), FetchError> {
        let file = || {
            let table = &self.index.tables[request.range.file];
            PathBuf::from(format!("{}{}", self.client.base(), table.name))
        };
        let mut state = self.state();
        loop {
            if let Some(outcome) = request.outcome.get() {
                return outcome.clone().map_err(|error| FetchError::Failed {
                    file: file(),
                    cause: io::Error::other(error),
                });
            }
            if stop.load(Ordering::Relaxed) {
                return Err(FetchError::Stopped { file: file() });
            }
            let waited = self.answered.wait_timeout(state, LOOK);
            (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }
}
