//! A folder of tables on a web host: its index, and what probes lack.

use std::io;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::http::{Client, HttpError};
use super::index::{INDEX_NAME, TableIndex};
use super::pieces::PieceCache;
use crate::ranges::{FileRange, RangeStore, joined};
use crate::table::{Fault, Table, TableError, TableId};

/// The longest index that is read: that of a thousand tables takes half of it.
const MOST_INDEX: u64 = 1 << 20;

/// Requests at a time.
const REQUESTS: usize = 6;

/// A folder of tables on a web host that serves ranges of files.
///
/// `krou index` writes the index that it needs, and `docs/hosting.md` tells how to publish
/// tables.
///
/// ```no_run
/// use krou::tablebase::Host;
/// use krou::{Ruleset, Tablebase};
///
/// let host = Host::new("https://example.org/tables/").cache("/var/cache/krou", 256 << 20);
/// let tables = Tablebase::builder(Ruleset::AWARI).url(host).embedded().open()?;
/// # Ok::<(), krou::tablebase::OpenError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Host {
    url: String,
    is_insecure: bool,
    cache: Option<(PathBuf, u64)>,
}

impl Host {
    /// The folder with this address. Plain `http` is only for this machine.
    pub fn new(url: impl Into<String>) -> Host {
        Host {
            url: url.into(),
            is_insecure: false,
            cache: None,
        }
    }

    /// Allows plain `http` to any host, by which anybody on the way can alter tables.
    pub fn insecure(mut self) -> Host {
        self.is_insecure = true;
        self
    }

    /// Keeps what was fetched in a folder on disk, of at most this number of bytes. Several
    /// programs may share the folder.
    pub fn cache(mut self, folder: impl Into<PathBuf>, bytes: u64) -> Host {
        self.cache = Some((folder.into(), bytes));
        self
    }

    /// The index of the host's tables.
    ///
    /// # Errors
    /// If the host does not send one.
    #[doc(hidden)]
    pub fn index(&self) -> Result<TableIndex, TableError> {
        self.connect().map(|(_, index)| index)
    }

    /// The host's client and the index of its tables.
    pub(super) fn connect(&self) -> Result<(Client, TableIndex), TableError> {
        let of_index = |error: HttpError| {
            let folder = self.url.trim_end_matches('/');
            failed(format!("{folder}/{INDEX_NAME}"), error)
        };
        let client = Client::new(&self.url, self.is_insecure).map_err(of_index)?;
        let bytes = client.file(INDEX_NAME, MOST_INDEX).map_err(of_index)?;
        let index = serde_json::from_slice(&bytes);
        Ok((
            client,
            index.map_err(|error| of_index(HttpError::Index(error)))?,
        ))
    }

    /// Reads the index.
    pub(crate) fn open(&self) -> Result<Remote, TableError> {
        let (client, index) = self.connect()?;
        let cache = self.cache.clone();
        Ok(Remote {
            client,
            index,
            store: RangeStore::default(),
            cache: cache.map(|(folder, bytes)| PieceCache::new(folder, bytes)),
            fetching: Mutex::new(()),
        })
    }
}

impl<T: Into<String>> From<T> for Host {
    fn from(url: T) -> Host {
        Host::new(url)
    }
}

/// A host whose tables are open.
#[derive(Debug)]
pub(crate) struct Remote {
    client: Client,
    index: TableIndex,
    store: RangeStore,
    cache: Option<PieceCache>,
    /// Held by the thread that fetches: what others want meanwhile, it may bring.
    fetching: Mutex<()>,
}

impl Remote {
    /// A table of the host: see [`TableIndex::open`].
    pub fn table(&self, id: TableId) -> Option<Result<Table, TableError>> {
        self.index.open(id, self.client.base(), &self.store)
    }

    /// Forgets what is wanted.
    pub fn give_up(&self) {
        self.store.give_up();
    }

    /// Fetches all ranges that are wanted, from the cache on disk or from the host.
    pub fn fetch_wanted(&self) -> Result<(), TableError> {
        let _turn = self.fetching.lock().unwrap_or_else(PoisonError::into_inner);
        let mut wanted = self.store.wanted();
        wanted.retain(|&range| match self.cached(range) {
            Some(bytes) => {
                self.store.insert(range.file, range.start, &bytes);
                false
            }
            None => true,
        });
        let requests = joined(&wanted);
        let next = AtomicUsize::new(0);
        let work = || -> Result<(), TableError> {
            while let Some(&range) = requests.get(next.fetch_add(1, Ordering::Relaxed)) {
                self.fetch(range)?;
            }
            Ok(())
        };
        let fetched: Result<(), TableError> = thread::scope(|scope| {
            let count = requests.len().min(REQUESTS);
            // Where no thread can be started, this one does all.
            let start = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
            let workers: Vec<_> = (1..count).map_while(start).collect();
            let own = work();
            let joined = workers.into_iter().map(|worker| match worker.join() {
                Ok(result) => result,
                Err(panic) => resume_unwind(panic),
            });
            joined.fold(own, Result::and)
        });
        if fetched.is_err() {
            self.store.give_up();
        } else if let Some(cache) = &self.cache {
            for range in wanted.iter().filter(|range| range.start > 0) {
                if let Some(bytes) = self.store.kept(*range) {
                    cache.write(&self.index.tables[range.file].sha256, *range, &bytes);
                }
            }
        }
        fetched
    }

    /// A range from the cache on disk. A header always comes from the host: it tells
    /// whether the file is still the one of the index.
    fn cached(&self, range: FileRange) -> Option<Vec<u8>> {
        let table = &self.index.tables[range.file];
        let cache = self.cache.as_ref().filter(|_| range.start > 0)?;
        cache.read(&table.sha256, range)
    }

    fn fetch(&self, range: FileRange) -> Result<(), TableError> {
        let table = &self.index.tables[range.file];
        let bytes = self.client.range(&table.name, range, table.bytes);
        let name = || format!("{}{}", self.client.base(), table.name);
        let bytes = bytes.map_err(|error| failed(name(), error))?;
        self.store.insert(range.file, range.start, &bytes);
        Ok(())
    }
}

/// The error of a file on a host.
pub(super) fn failed(file: String, error: HttpError) -> TableError {
    let cause = io::Error::other(error);
    Fault::Read { cause }.of(file)
}
