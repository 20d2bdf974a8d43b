//! A folder of tables on a web host, and its index.

use std::io;
use std::path::PathBuf;

use super::http::{Client, HttpError};
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
    pub fn index(&self) -> Result<TableIndex, TableError> {
        self.connect().map(|(_, index)| index)
    }

    /// Whether the address is one that may be used.
    ///
    /// # Errors
    /// If not.
    pub(crate) fn check_address(&self) -> Result<(), TableError> {
        self.client().map(|_| ())
    }

    fn client(&self) -> Result<Client, TableError> {
        let client = Client::new(&self.url, self.is_insecure);
        client.map_err(|error| self.index_error(error))
    }

    fn index_error(&self, error: HttpError) -> TableError {
        let folder = self.url.trim_end_matches('/');
        failed(format!("{folder}/{INDEX_NAME}"), error)
    }

    /// The host's client and the index of its tables. If the host cannot be reached, the index
    /// that the cache has.
    pub(super) fn connect(&self) -> Result<(Client, TableIndex), TableError> {
        let of_index = |error| self.index_error(error);
        let client = self.client()?;
        let cache = self.range_cache();
        let bytes = match client.file(INDEX_NAME, MOST_INDEX) {
            Err(error) if error.is_offline() => {
                let kept = cache.as_ref();
                let kept = kept.and_then(|cache| cache.read_index(client.base()));
                kept.ok_or_else(|| of_index(error))?
            }
            sent => sent.map_err(of_index)?,
        };
        let index = serde_json::from_slice(&bytes);
        let index = index.map_err(|error| of_index(HttpError::Index(error)))?;
        // What is no index does not replace the one that is kept.
        if let Some(cache) = cache {
            cache.write_index(client.base(), &bytes);
        }
        Ok((client, index))
    }

    /// Reads the index.
    pub(crate) fn open(&self) -> Result<Remote, TableError> {
        let (client, index) = self.connect()?;
        Ok(Remote::new(client, index, self.range_cache()))
    }

    fn range_cache(&self) -> Option<RangeCache> {
        let (folder, bytes) = self.cache.clone()?;
        Some(RangeCache::new(folder, bytes))
    }
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
