//! A folder of tables on a web host, and its index.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::http::{Client, HttpError, SILENCE};
use super::range_cache::RangeCache;
use super::requests::Remote;
use crate::table::{Fault, INDEX_NAME, TableError, TableIndex};

/// The longest index that is read: that of a thousand tables takes an eighth of it.
const MOST_INDEX: u64 = 4 << 20;

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
/// let tables = Tablebase::builder(Ruleset::AWARI).url(host).open()?;
/// # Ok::<(), krou::tablebase::OpenError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Host {
    url: String,
    is_insecure: bool,
    pub(super) is_trusted: bool,
    silence: Duration,
    places: usize,
    cache: Option<(PathBuf, u64)>,
    /// Clones share what was asked of the host.
    opened: Arc<Mutex<Opened>>,
}

/// What is known of a host.
#[derive(Debug, Default)]
struct Opened {
    client: Option<Arc<Client>>,
    remote: Option<Remote>,
}

impl Host {
    /// The folder with this address. Plain `http` is only for this machine. Clones ask for the
    /// index once, and share what is fetched.
    pub fn new(url: impl Into<String>) -> Host {
        Host {
            url: without_password(&url.into()),
            is_insecure: false,
            is_trusted: false,
            silence: SILENCE,
            places: usize::MAX,
            cache: None,
            opened: Arc::default(),
        }
    }

    /// Allows plain `http` to any host, by which anybody on the way can alter tables.
    pub fn insecure(self) -> Host {
        Host {
            is_insecure: true,
            ..self.unopened()
        }
    }

    /// Accepts downloads of tables whose sums krou does not know, for which nothing but the host
    /// vouches.
    pub fn trusted(self) -> Host {
        Host {
            is_trusted: true,
            ..self.unopened()
        }
    }

    /// How long the host may be silent before it is left alone for a minute: 30 seconds unless
    /// set.
    pub fn timeout(self, silence: Duration) -> Host {
        Host {
            silence,
            ..self.unopened()
        }
    }

    /// How many probes may wait for the host at the same time: one more fails at once. There is no
    /// limit unless set.
    pub fn places(self, places: usize) -> Host {
        Host {
            places,
            ..self.unopened()
        }
    }

    /// Bytes that programs keep of what was fetched, unless somebody chooses.
    pub const CACHE_BYTES: u64 = 256 << 20;

    /// Keeps what was fetched in a folder on disk, of at most this number of bytes. Several
    /// programs may share the folder.
    pub fn cache(self, folder: impl Into<PathBuf>, bytes: u64) -> Host {
        Host {
            cache: Some((folder.into(), bytes)),
            ..self.unopened()
        }
    }

    fn unopened(self) -> Host {
        Host {
            opened: Arc::default(),
            ..self
        }
    }

    /// The index of the host's tables.
    ///
    /// # Errors
    /// If the host does not send one.
    pub fn index(&self) -> Result<TableIndex, TableError> {
        self.open().map(|remote| remote.index().clone())
    }

    /// Whether the address is one that may be used.
    ///
    /// # Errors
    /// If not.
    #[doc(hidden)]
    pub fn check_address(&self) -> Result<(), TableError> {
        self.client().map(|_| ())
    }

    fn client(&self) -> Result<Client, TableError> {
        let client = Client::new(&self.url, self.is_insecure, self.silence);
        client.map_err(|error| self.index_error(error))
    }

    fn index_error(&self, error: HttpError) -> TableError {
        let folder = self.url.trim_end_matches('/');
        failed(format!("{folder}/{INDEX_NAME}"), error)
    }

    /// Reads the index, unless that was done.
    pub(crate) fn open(&self) -> Result<Remote, TableError> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(remote) = &opened.remote {
            return Ok(remote.clone());
        }
        let client = match &opened.client {
            Some(client) => client.clone(),
            None => opened.client.insert(Arc::new(self.client()?)).clone(),
        };
        let cache = self.cache.clone();
        let cache = cache.map(|(folder, bytes)| RangeCache::new(folder, bytes));
        let index = read_index(&client, cache.as_ref()).map_err(|error| self.index_error(error))?;
        Ok(opened
            .remote
            .insert(Remote::new(client, index, cache, self.places))
            .clone())
    }
}

/// The index of a host. If the host cannot be reached, that which the cache has.
fn read_index(client: &Client, cache: Option<&RangeCache>) -> Result<TableIndex, HttpError> {
    let bytes = match client.index(INDEX_NAME, MOST_INDEX) {
        Err(error) if error.is_offline() => {
            let kept = cache.and_then(|cache| cache.read_index(client.base()));
            kept.ok_or(error)?
        }
        sent => sent?,
    };
    let index = serde_json::from_slice(&bytes).map_err(HttpError::Index)?;
    // What is no index does not replace the one that is kept.
    if let Some(cache) = cache {
        cache.write_index(client.base(), &bytes);
    }
    Ok(index)
}

/// An address without the name and password that it may have: they are not sent, and must not be
/// shown.
fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return url.to_owned();
    };
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let host = authority.rsplit('@').next().unwrap_or_default();
    format!("{scheme}://{host}{path}")
}

impl<T: Into<String>> From<T> for Host {
    fn from(url: T) -> Host {
        Host::new(url)
    }
}

/// The error of a file on a host.
pub(super) fn failed(file: String, error: HttpError) -> TableError {
    let cause = io::Error::other(error);
    Fault::Read { cause }.of(file)
}
