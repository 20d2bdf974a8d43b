//! Requests to a web host: whole small files, and ranges of tables.
//!
//! A host may be broken, slow or hostile. Every answer must be exactly what was asked for,
//! within a time limit, and all ranges of a file must be of one version of it.

use std::collections::HashMap;
use std::io::{self, Read};
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use thiserror::Error;
use ureq::http::{HeaderMap, Response, StatusCode, Uri, header};
use ureq::{Agent, Body};

use crate::ranges::FileRange;
use crate::table::reason;

/// How long a connection, and the whole answer to a request for a range, may take.
const CONNECT: Duration = Duration::from_secs(10);
const ANSWER: Duration = Duration::from_secs(30);

/// Requests for ranges at a time; as many connections are kept.
pub(super) const REQUESTS: usize = 32;

/// Why a host does not give what it was asked for.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum HttpError {
    /// The address is none of a web host.
    #[error("'{0}' is not an address of a web host: write 'https://HOST/FOLDER/'")]
    Address(String),
    /// Plain HTTP, by which anybody on the way can alter tables.
    #[error(
        "'{0}' is not encrypted, so that anybody on the way could alter tables: use https, or allow insecure hosts"
    )]
    Insecure(String),
    /// The host cannot be reached, or does not answer in time.
    #[error("the host does not answer: {}", reason(.0))]
    Connection(#[source] Box<ureq::Error>),
    /// The answer ends early or takes too long.
    #[error("the answer cannot be read to its end: {}", reason(.0))]
    Read(#[source] io::Error),
    /// The host answers with an error.
    #[error("the host answers '{0}'")]
    Status(StatusCode),
    /// The host sends the whole file instead of a range.
    #[error("the host does not serve ranges of files: put the tables on one that does")]
    NoRanges,
    /// The host sends another range than it was asked for.
    #[error("the host sends another range than it was asked for")]
    WrongRange,
    /// The file is not the one that it was when its first bytes were read.
    #[error("the file has changed while it was read: open the tables again")]
    Changed,
    /// The answer is longer than any good one.
    #[error("the answer is too long")]
    TooLong,
    /// The index has no such table.
    #[error("the host's index does not list it: ask for fewer seeds, or another host")]
    NotListed,
    /// A downloaded table is not the one of the index.
    #[error("its bytes do not have the SHA-256 sum that the index names: try again later")]
    WrongSum,
    /// A table that is there already is not the one of the index.
    #[error("it is not the host's table: remove it, or name another folder")]
    Differs,
    /// The index is not one.
    #[error("it is not an index of tables: write one with 'krou index'")]
    Index(#[source] serde_json::Error),
}

impl HttpError {
    /// Whether another try may succeed.
    pub(super) fn may_pass(&self) -> bool {
        match self {
            HttpError::Connection(_) | HttpError::Read(_) => true,
            HttpError::Status(status) => {
                status.is_server_error() || *status == StatusCode::TOO_MANY_REQUESTS
            }
            _ => false,
        }
    }
}

impl HttpError {
    /// Whether the host cannot be reached.
    pub fn is_offline(&self) -> bool {
        matches!(self, HttpError::Connection(_))
    }
}

/// What is asked of one host. Threads share it and its connections.
#[derive(Debug)]
pub(super) struct Client {
    agent: Agent,
    /// The folder's address, with a slash at its end.
    base: String,
    /// What tells versions of each file apart, as its first answer said.
    versions: Mutex<HashMap<usize, FileVersion>>,
}

/// The headers of an answer that tell versions of a file apart.
#[derive(PartialEq, Eq, Debug)]
struct FileVersion([Option<Vec<u8>>; 2]);

impl FileVersion {
    fn of(headers: &HeaderMap) -> FileVersion {
        let value = |name| headers.get(name).map(|value| value.as_bytes().to_vec());
        FileVersion([header::ETAG, header::LAST_MODIFIED].map(value))
    }
}

impl Client {
    /// A client for a folder. Plain HTTP is for this machine alone, unless `is_insecure`.
    pub fn new(url: &str, is_insecure: bool) -> Result<Client, HttpError> {
        let wrong = || HttpError::Address(url.to_owned());
        let uri: Uri = url.parse().map_err(|_| wrong())?;
        let host = uri.host().ok_or_else(wrong)?;
        let is_encrypted = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err(wrong()),
        };
        if uri.query().is_some() {
            return Err(wrong());
        }
        let may_be_plain = is_insecure || is_loopback(host);
        if !is_encrypted && !may_be_plain {
            return Err(HttpError::Insecure(url.to_owned()));
        }
        let config = Agent::config_builder()
            .https_only(is_encrypted && !is_insecure)
            // From plain HTTP a redirection may lead anywhere.
            .max_redirects(if is_encrypted || is_insecure { 5 } else { 0 })
            .http_status_as_error(false)
            .timeout_connect(Some(CONNECT))
            .timeout_global(Some(ANSWER))
            // Each request keeps its connection for the next one.
            .max_idle_connections(REQUESTS)
            .max_idle_connections_per_host(REQUESTS)
            .user_agent(concat!("krou/", env!("CARGO_PKG_VERSION")))
            // Compressed ranges would be of another file.
            .accept_encoding("identity")
            .build();
        Ok(Client {
            agent: config.into(),
            base: format!("{}/", url.trim_end_matches('/')),
            versions: Mutex::default(),
        })
    }

    /// The folder's address, with a slash at its end.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// A whole file of at most `most` bytes.
    pub fn file(&self, name: &str, most: u64) -> Result<Vec<u8>, HttpError> {
        let request = self.agent.get(format!("{}{name}", self.base));
        let answer = request.call().map_err(connection)?;
        match answer.status() {
            StatusCode::OK => read(answer, most),
            status => Err(HttpError::Status(status)),
        }
    }

    /// A range of a file of `len` bytes.
    pub fn range(&self, name: &str, range: FileRange, len: u64) -> Result<Vec<u8>, HttpError> {
        let FileRange { file, start, end } = range;
        let last = end.saturating_sub(1);
        let answer = self
            .agent
            .get(format!("{}{name}", self.base))
            .header(header::RANGE, format!("bytes={start}-{last}"))
            .call()
            .map_err(connection)?;
        match answer.status() {
            StatusCode::PARTIAL_CONTENT => {}
            StatusCode::OK => return Err(HttpError::NoRanges),
            status => return Err(HttpError::Status(status)),
        }
        let content = answer.headers().get(header::CONTENT_RANGE);
        let content = content.and_then(|value| value.to_str().ok());
        match content.and_then(|text| text.strip_prefix("bytes ")?.split_once('/')) {
            Some((_, total)) if total != len.to_string() => return Err(HttpError::Changed),
            Some((sent, _)) if sent == format!("{start}-{last}") => {}
            _ => return Err(HttpError::WrongRange),
        }
        self.must_be_same(file, FileVersion::of(answer.headers()))?;
        let bytes = read(answer, end - start)?;
        if bytes.len() as u64 == end - start {
            Ok(bytes)
        } else {
            Err(HttpError::WrongRange)
        }
    }

    fn must_be_same(&self, file: usize, version: FileVersion) -> Result<(), HttpError> {
        let mut versions = self.versions.lock().unwrap_or_else(PoisonError::into_inner);
        match versions.get(&file) {
            Some(first) if *first != version => Err(HttpError::Changed),
            Some(_) => Ok(()),
            None => {
                versions.insert(file, version);
                Ok(())
            }
        }
    }
}

fn connection(error: ureq::Error) -> HttpError {
    HttpError::Connection(error.into())
}

/// The body of an answer, at most `most` bytes.
fn read(answer: Response<Body>, most: u64) -> Result<Vec<u8>, HttpError> {
    let mut bytes = Vec::new();
    let mut reader = answer
        .into_body()
        .into_reader()
        .take(most.saturating_add(1));
    reader.read_to_end(&mut bytes).map_err(HttpError::Read)?;
    if bytes.len() as u64 > most {
        return Err(HttpError::TooLong);
    }
    Ok(bytes)
}

fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    let is_address = address.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
    is_address || host.eq_ignore_ascii_case("localhost")
}
