//! Requests to a web host: whole small files, and ranges of tables.
//!
//! A host may be broken, slow or hostile. Every answer must be exactly what was asked for, and
//! must make progress. A host that has kept somebody waiting in vain is left alone for a while.

use std::io::{self, Read};
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;
use ureq::http::{HeaderMap, Response, StatusCode, Uri, header};
use ureq::{Agent, Body, BodyReader};

use crate::ranges::FileRange;
use crate::table::reason;

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(10);

/// How long a host may be silent, unless a program says otherwise. The page has the same limit.
pub(super) const SILENCE: Duration = Duration::from_secs(30);

/// A host that sends fewer bytes in that time is silent.
pub(super) const LEAST: u64 = 1 << 10;

/// How long a host that was silent is left alone.
const REST: Duration = Duration::from_secs(60);

/// How often a request is made while the host says that it is busy, how long the pause is if the
/// host names none, and the longest one that it may name.
pub(super) const TRIES: u32 = 4;
pub(super) const PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

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
    /// The host was silent a moment ago.
    #[error("the host does not answer: it was silent, and is asked again after a minute")]
    Resting,
    /// The answer ends early or makes no progress.
    #[error("the answer cannot be read to its end: {}", reason(.0))]
    Read(#[source] io::Error),
    /// The host answers with an error.
    #[error("the host answers '{0}'")]
    Status(StatusCode),
    /// The host has no index.
    #[error("the host answers '{0}': 'krou index' writes this file beside tables")]
    NoIndex(StatusCode),
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
    /// The index names other tables than those that krou knows.
    #[error("{0} there are not what a build writes: do not trust this host")]
    Forged(String),
    /// The index names tables that krou does not know.
    #[error(
        "nothing but the host vouches for {count} of its tables, such as {first}: ask for fewer seeds, or accept them with '--trust-host' and prove them with 'krou verify'"
    )]
    Unproved {
        /// The first of them.
        first: String,
        /// How many there are.
        count: usize,
    },
    /// Downloaded tables are not those of the index.
    #[error(
        "{0} do not have the SHA-256 sums that the index names, and were removed: try again later"
    )]
    WrongSum(String),
    /// Tables that are there already are not those of the index.
    #[error("{0} in the folder are not the host's tables: remove them, or name another folder")]
    Differs(String),
    /// The index is not one.
    #[error("it is not an index of tables ({0}): write one with 'krou index'")]
    Index(#[source] serde_json::Error),
}

impl HttpError {
    /// Whether another try may succeed at once.
    pub(super) fn may_pass(&self) -> bool {
        matches!(self, HttpError::Connection(_) | HttpError::Read(_))
    }

    /// Whether the host cannot be reached.
    pub fn is_offline(&self) -> bool {
        matches!(self, HttpError::Connection(_) | HttpError::Resting) || self.is_silence()
    }

    /// Whether the host has kept somebody waiting in vain.
    fn is_silence(&self) -> bool {
        let is_timeout = |error: &ureq::Error| matches!(error, ureq::Error::Timeout(_));
        match self {
            HttpError::Connection(error) => is_timeout(error),
            HttpError::Read(error) => {
                let inner = error.get_ref().and_then(|inner| inner.downcast_ref());
                error.kind() == io::ErrorKind::TimedOut || inner.is_some_and(is_timeout)
            }
            _ => false,
        }
    }
}

/// What is asked of one host. Threads share it and its connections.
#[derive(Debug)]
pub(super) struct Client {
    agent: Agent,
    /// The folder's address, with a slash at its end.
    base: String,
    silence: Duration,
    /// When the host was silent.
    silent_at: Mutex<Option<Instant>>,
}

/// The headers of an answer that tell versions of a file apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FileVersion([Option<Vec<u8>>; 2]);

impl FileVersion {
    fn of(headers: &HeaderMap) -> FileVersion {
        let value = |name| headers.get(name).map(|value| value.as_bytes().to_vec());
        FileVersion([header::ETAG, header::LAST_MODIFIED].map(value))
    }
}

impl Client {
    /// A client for a folder. Plain HTTP is for this machine alone, unless `is_insecure`.
    pub fn new(url: &str, is_insecure: bool, silence: Duration) -> Result<Client, HttpError> {
        let wrong = || HttpError::Address(url.to_owned());
        let uri: Uri = url.parse().map_err(|_| wrong())?;
        let host = uri.host().ok_or_else(wrong)?;
        let is_encrypted = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err(wrong()),
        };
        let has_wrong_port =
            uri.authority().is_some_and(|named| named != host) && uri.port().is_none();
        if uri.query().is_some() || has_wrong_port {
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
            .timeout_resolve(Some(CONNECT.min(silence)))
            .timeout_connect(Some(CONNECT.min(silence)))
            .timeout_recv_response(Some(silence))
            .timeout_per_read(Some(silence))
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
            silence,
            silent_at: Mutex::default(),
        })
    }

    /// The folder's address, with a slash at its end.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// The index, which has at most `most` bytes.
    pub fn index(&self, name: &str, most: u64) -> Result<Vec<u8>, HttpError> {
        self.unless_resting(|| {
            let answer = self.ask(name, None)?;
            match answer.status() {
                StatusCode::OK => self.receive(answer).read_all(most),
                status if status.is_client_error() => Err(HttpError::NoIndex(status)),
                status => Err(HttpError::Status(status)),
            }
        })
    }

    /// A range of a file of `len` bytes, and the version of the file.
    pub fn range(
        &self,
        name: &str,
        range: FileRange,
        len: u64,
    ) -> Result<(Vec<u8>, FileVersion), HttpError> {
        let FileRange { start, end, .. } = range;
        self.unless_resting(|| {
            let answer = self.ask(name, Some((start, end)))?;
            if answer.status() == StatusCode::OK {
                return Err(HttpError::NoRanges);
            }
            must_be_range(&answer, (start, end), len)?;
            let version = FileVersion::of(answer.headers());
            let bytes = self.receive(answer).read_all(end - start)?;
            match bytes.len() as u64 == end - start {
                true => Ok((bytes, version)),
                false => Err(HttpError::WrongRange),
            }
        })
    }

    /// A file of `len` bytes from `start` on; the whole file takes no ranges. A host without them
    /// sends what comes before, too, which is skipped.
    pub fn rest(&self, name: &str, start: u64, len: u64) -> Result<Incoming, HttpError> {
        let answer = self.ask(name, (start > 0).then_some((start, len)))?;
        let is_whole = answer.status() == StatusCode::OK;
        if !is_whole {
            must_be_range(&answer, (start, len), len)?;
        }
        let mut incoming = self.receive(answer);
        let mut skipped = if is_whole { start } else { 0 };
        let mut bytes = [0; 4096];
        while skipped > 0 {
            let most = skipped.min(bytes.len() as u64) as usize;
            match incoming.read(&mut bytes[..most])? {
                0 => return Err(HttpError::Read(io::ErrorKind::UnexpectedEof.into())),
                read => skipped -= read as u64,
            }
        }
        Ok(incoming)
    }

    /// Makes a request, again after a pause while the host says that it is busy.
    fn ask(&self, name: &str, range: Option<(u64, u64)>) -> Result<Response<Body>, HttpError> {
        let mut tries = 1;
        loop {
            let mut request = self.agent.get(format!("{}{name}", self.base));
            if let Some((start, end)) = range {
                let last = end.saturating_sub(1);
                request = request.header(header::RANGE, format!("bytes={start}-{last}"));
            }
            let answer = request.call();
            let answer = answer.map_err(|error| HttpError::Connection(error.into()))?;
            match pause(&answer) {
                Some(pause) if tries < TRIES => thread::sleep(pause),
                _ => return Ok(answer),
            }
            tries += 1;
        }
    }

    fn receive(&self, answer: Response<Body>) -> Incoming {
        Incoming {
            reader: answer.into_body().into_reader(),
            silence: self.silence,
            since: Instant::now(),
            received: 0,
        }
    }

    /// Asks the host, unless it was silent a moment ago.
    fn unless_resting<T>(
        &self,
        ask: impl FnOnce() -> Result<T, HttpError>,
    ) -> Result<T, HttpError> {
        let silent_at = || {
            self.silent_at
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        if silent_at().is_some_and(|at| at.elapsed() < REST) {
            return Err(HttpError::Resting);
        }
        let answered = ask();
        if answered.as_ref().is_err_and(HttpError::is_silence) {
            *silent_at() = Some(Instant::now());
        }
        answered
    }
}

/// The body of an answer, which must make progress.
pub(super) struct Incoming {
    reader: BodyReader<'static>,
    silence: Duration,
    /// When it last made progress, and the bytes since then.
    since: Instant,
    received: u64,
}

impl Incoming {
    /// Reads the next bytes; none at the end.
    pub fn read(&mut self, bytes: &mut [u8]) -> Result<usize, HttpError> {
        let read = self.reader.read(bytes).map_err(HttpError::Read)?;
        self.received += read as u64;
        if self.received >= LEAST {
            (self.since, self.received) = (Instant::now(), 0);
        } else if read > 0 && self.since.elapsed() > self.silence {
            let cause = io::Error::new(io::ErrorKind::TimedOut, "it comes too slowly");
            return Err(HttpError::Read(cause));
        }
        Ok(read)
    }

    /// All bytes, at most `most`.
    fn read_all(mut self, most: u64) -> Result<Vec<u8>, HttpError> {
        let (mut all, mut bytes) = (Vec::new(), [0; 4096]);
        loop {
            match self.read(&mut bytes)? {
                0 => return Ok(all),
                read => all.extend_from_slice(&bytes[..read]),
            }
            if all.len() as u64 > most {
                return Err(HttpError::TooLong);
            }
        }
    }
}

/// How long a busy host wants to be left alone; `None` if it is not busy, or wants too long.
fn pause(answer: &Response<Body>) -> Option<Duration> {
    let status = answer.status();
    let is_busy = status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS;
    let named = answer.headers().get(header::RETRY_AFTER);
    let seconds = named.and_then(|value| value.to_str().ok()?.parse().ok());
    let pause = seconds.map_or(PAUSE, Duration::from_secs);
    (is_busy && pause <= LONGEST_PAUSE).then_some(pause)
}

/// Whether an answer has a range, its first byte and the one after the last, of a file of `len`
/// bytes. A host need not know the length.
fn must_be_range(answer: &Response<Body>, range: (u64, u64), len: u64) -> Result<(), HttpError> {
    match answer.status() {
        StatusCode::PARTIAL_CONTENT => {}
        StatusCode::RANGE_NOT_SATISFIABLE => return Err(HttpError::Changed),
        status => return Err(HttpError::Status(status)),
    }
    let (start, end) = range;
    let wanted = format!("{start}-{}", end.saturating_sub(1));
    let content = answer.headers().get(header::CONTENT_RANGE);
    let content = content.and_then(|value| value.to_str().ok());
    match content.and_then(|text| text.strip_prefix("bytes ")?.split_once('/')) {
        Some((_, total)) if total != "*" && total != len.to_string() => Err(HttpError::Changed),
        Some((sent, _)) if sent == wanted => Ok(()),
        _ => Err(HttpError::WrongRange),
    }
}

fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    let is_address = address.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
    is_address || host.eq_ignore_ascii_case("localhost")
}
