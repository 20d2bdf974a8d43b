//! Ranges of the tables on a host: requests that all probes share.
//!
//! A probe asks for all ranges that it lacks. Those that the cache on disk has come from there;
//! the others, the near ones joined, become requests in a queue, which some threads work off. A
//! range that another probe has asked for already is not requested again: both wait for one
//! answer. A probe that is told to stop waits no longer; its requests still bring their bytes.

use std::collections::{HashMap, HashSet, VecDeque};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use super::http::{Client, FileVersion, HttpError, REQUESTS};
use super::range_cache::RangeCache;
use crate::ranges::{FetchError, FileRange, KeptRanges, Ranges, joined};
use crate::table::{HEADER_LEN, Table, TableError, TableId, TableIndex};

/// How often the header of a file is read to hear what each machine of a host calls its version.
const MACHINES: usize = 8;

/// How often a waiting probe looks whether it is to stop.
const LOOK: Duration = Duration::from_millis(20);

/// A host whose tables are open.
#[derive(Clone, Debug)]
pub(crate) struct Remote(Arc<Shared>);

/// What probes and the threads of requests share.
#[derive(Debug)]
struct Shared {
    client: Arc<Client>,
    index: TableIndex,
    cache: Option<RangeCache>,
    /// How many probes may wait at the same time.
    places: usize,
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
    /// What the machines of the host call the version of each file.
    versions: HashMap<usize, Vec<FileVersion>>,
    /// The files for which the cache on disk had bad bytes.
    past_cache: HashSet<usize>,
    /// The probes that wait.
    waiting: usize,
}

/// A request for a range that is one range that was asked for, or several near ones.
#[derive(Debug)]
struct RangeRequest {
    range: FileRange,
    parts: Vec<FileRange>,
    outcome: OnceLock<Result<(), Arc<HttpError>>>,
}

impl Remote {
    pub(super) fn new(
        client: Arc<Client>,
        index: TableIndex,
        cache: Option<RangeCache>,
        places: usize,
    ) -> Remote {
        Remote(Arc::new(Shared {
            client,
            index,
            cache,
            places,
            state: Mutex::default(),
            answered: Condvar::new(),
        }))
    }

    pub(super) fn client(&self) -> &Client {
        &self.0.client
    }

    pub(super) fn index(&self) -> &TableIndex {
        &self.0.index
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
        if ranges.iter().all(|&range| state.kept.get(range).is_some()) {
            return Ok(true);
        }
        if state.waiting == self.0.places {
            let file = self.0.address(ranges.first().map_or(0, |range| range.file));
            return Err(FetchError::Crowded { file });
        }
        state.waiting += 1;
        state.enqueue(ranges);
        let pending = |range| state.pending.get(range).cloned();
        let requests: Vec<Arc<RangeRequest>> = ranges.iter().filter_map(pending).collect();
        self.start_threads(state);
        let mut requests = requests.iter();
        let waited = requests.try_for_each(|request| self.0.wait(request, stop));
        self.0.state().waiting -= 1;
        waited.map(|()| true)
    }

    fn forget(&self, file: usize) -> bool {
        let mut state = self.0.state();
        let is_first = state.past_cache.insert(file);
        if is_first {
            state.kept.forget(file);
        }
        is_first
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
        if self.state().past_cache.contains(&range.file) {
            return None;
        }
        let table = &self.index.tables[range.file];
        self.cache.as_ref()?.read(&table.sha256, range)
    }

    /// The address of a file.
    fn address(&self, file: usize) -> PathBuf {
        let table = &self.index.tables[file];
        format!("{}{}", self.client.base(), table.name).into()
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
        let (bytes, version) = match self.client.range(&table.name, range, table.bytes) {
            Err(error) if error.is_offline() => {
                let cached = request.parts.iter().map(|part| self.cached(*part));
                return cached.collect::<Option<_>>().ok_or(error);
            }
            sent => sent?,
        };
        self.must_be_of_index(range.file, &version)?;
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

    /// Checks that an answer is of the file of the index. The first version is the one whose header
    /// the table reads; another one may be what another machine of the host calls the same file,
    /// if it has the header of the index.
    fn must_be_of_index(&self, file: usize, version: &FileVersion) -> Result<(), HttpError> {
        let table = &self.index.tables[file];
        for _ in 0..MACHINES {
            let mut state = self.state();
            let known = state.versions.entry(file).or_default();
            if known.is_empty() {
                known.push(version.clone());
            }
            if known.contains(version) {
                return Ok(());
            }
            drop(state);
            let (start, end) = (0, HEADER_LEN as u64);
            let header = FileRange { file, start, end };
            let (header, other) = self.client.range(&table.name, header, table.bytes)?;
            if table.header_bytes() != Some(header) {
                break;
            }
            self.state().versions.entry(file).or_default().push(other);
        }
        Err(HttpError::Changed)
    }

    /// Waits for a request, unless it is told to stop.
    fn wait(&self, request: &RangeRequest, stop: &AtomicBool) -> Result<(), FetchError> {
        let file = || self.address(request.range.file);
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
