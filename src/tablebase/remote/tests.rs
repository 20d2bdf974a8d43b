//! Tables on good, broken and hostile hosts: the right value or an error, never another one.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use super::{Host, INDEX_NAME, TableIndex};
use crate::rules::{Board, Ruleset};
use crate::solve::Silent;
use crate::table::{Kind, TableId};
use crate::tablebase::{BuildOptions, Tablebase, build};

const SEEDS: u8 = 8;

/// What a host does to the answers for tables.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    None,
    /// It sends whole files.
    NoRanges,
    WrongRange,
    WrongTotal,
    Truncated,
    FlippedBits,
    NotFound,
    ServerError,
    /// It sends each table to an address where nothing is.
    Redirect,
    /// Each answer is of another version.
    Changes,
    Garbage,
}

/// A host that serves a folder until the program ends.
struct TestHost {
    url: String,
    requests: Arc<AtomicU64>,
}

impl TestHost {
    fn serve(folder: &Path, fault: Fault) -> TestHost {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let requests = Arc::new(AtomicU64::new(0));
        let (folder, count) = (folder.to_owned(), requests.clone());
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (folder, count) = (folder.clone(), count.clone());
                thread::spawn(move || {
                    // Clients may close connections at any time.
                    let _ = answer_all(stream.unwrap(), &folder, fault, &count);
                });
            }
        });
        TestHost { url, requests }
    }

    fn open(&self) -> Tablebase {
        let sources = Tablebase::builder(Ruleset::ABAPA);
        sources.url(&*self.url).open().unwrap()
    }
}

fn answer_all(
    stream: TcpStream,
    folder: &Path,
    fault: Fault,
    count: &AtomicU64,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut stream = stream;
    loop {
        let (mut path, mut range) = (String::new(), None);
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line)? == 0 {
                return Ok(());
            }
            let line = line.trim_end();
            if let Some(rest) = line.strip_prefix("GET /") {
                path = rest.split(' ').next().unwrap().to_owned();
            } else if let Some(rest) = line.to_lowercase().strip_prefix("range: bytes=") {
                let (start, last) = rest.split_once('-').unwrap();
                range = Some((start.parse().unwrap(), last.parse().unwrap()));
            } else if line.is_empty() {
                break;
            }
        }
        let number = count.fetch_add(1, Ordering::Relaxed);
        let is_last = answer(&mut stream, &folder.join(path), range, fault, number)?;
        if is_last {
            return Ok(());
        }
    }
}

/// Answers one request. True if the connection is to be closed.
fn answer(
    stream: &mut TcpStream,
    path: &Path,
    range: Option<(usize, usize)>,
    fault: Fault,
    number: u64,
) -> std::io::Result<bool> {
    let file = fs::read(path).unwrap_or_default();
    let Some((start, last)) = range else {
        let status = if path.exists() {
            "200 OK"
        } else {
            "404 Not Found"
        };
        write!(
            stream,
            "HTTP/1.1 {status}\r\nContent-Length: {}\r\n\r\n",
            file.len()
        )?;
        stream.write_all(&file)?;
        return Ok(false);
    };
    let mut bytes = file[start..=last].to_vec();
    let total = file.len();
    let status = match fault {
        Fault::NoRanges => "200 OK",
        Fault::NotFound => "404 Not Found",
        Fault::ServerError => "503 Service Unavailable",
        Fault::Redirect => "302 Found",
        Fault::Garbage => "and so on",
        _ => "206 Partial Content",
    };
    let mut head = format!("HTTP/1.1 {status}\r\nLocation: http://127.0.0.1:1/\r\n");
    let version = if fault == Fault::Changes { number } else { 0 };
    write!(
        head,
        "ETag: \"{version}\"\r\nContent-Length: {}\r\n",
        bytes.len()
    )
    .unwrap();
    let (first, total) = match fault {
        Fault::WrongRange => (start + 1, total),
        Fault::WrongTotal => (start, total + 1),
        _ => (start, total),
    };
    write!(head, "Content-Range: bytes {first}-{last}/{total}\r\n\r\n").unwrap();
    match fault {
        Fault::Truncated => bytes.truncate(bytes.len() / 2),
        Fault::FlippedBits => bytes.iter_mut().for_each(|byte| *byte ^= 0x10),
        _ => {}
    }
    stream.write_all(head.as_bytes())?;
    stream.write_all(&bytes)?;
    Ok(fault == Fault::Truncated)
}

/// A folder with tables of `abapa`, and its index.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let options = BuildOptions::new(SEEDS);
    build(Ruleset::ABAPA, folder.path(), &options, &Silent).unwrap();
    write_index(folder.path());
    folder
}

fn write_index(folder: &Path) {
    let (index, damaged) = TableIndex::of_folder(folder, &mut |_| ()).unwrap();
    assert!(damaged.is_empty());
    index.write(folder).unwrap();
}

fn board() -> Board {
    "0 1 0 2 0 1 / 1 1 1 0 1 0".parse().unwrap()
}

#[test]
fn remote_tables_answer_as_local_ones_do() {
    let folder = folder();
    let local = Tablebase::builder(Ruleset::ABAPA)
        .folder(folder.path())
        .open()
        .unwrap();
    // Without headers, as an index of three fields has them, they are fetched first.
    let path = folder.path().join(INDEX_NAME);
    let with_headers = fs::read(&path).unwrap();
    let mut index: TableIndex = serde_json::from_slice(&with_headers).unwrap();
    for table in &mut index.tables {
        table.header = None;
    }
    index.write(folder.path()).unwrap();
    let host = TestHost::serve(folder.path(), Fault::None);
    let remote = host.open();
    for seeds in 0..=SEEDS {
        let index = crate::index::LayerIndex::new(Ruleset::ABAPA, seeds);
        for board in index.boards().step_by(17) {
            assert_eq!(remote.probe(&board).unwrap(), local.probe(&board).unwrap());
            assert_eq!(remote.moves(&board).unwrap(), local.moves(&board).unwrap());
        }
    }
    let error = remote.loader().load(3).unwrap_err();
    assert!(error.to_string().contains("krou fetch"), "{error}");
}

#[test]
fn ranges_come_from_the_cache_on_disk() {
    let folder = folder();
    let cache = tempfile::tempdir().unwrap();
    let host = TestHost::serve(folder.path(), Fault::None);
    let open = || {
        let remote = Host::new(&*host.url).cache(cache.path(), 1 << 20);
        Tablebase::builder(Ruleset::ABAPA)
            .url(remote)
            .open()
            .unwrap()
    };
    let value = open().value(&board()).unwrap();
    let first = host.requests.swap(0, Ordering::Relaxed);
    assert_eq!(open().value(&board()).unwrap(), value);
    // The index and a header from each table.
    let second = host.requests.load(Ordering::Relaxed);
    assert!(second < first, "{second} requests after {first}");
}

#[test]
fn broken_hosts_are_errors() {
    let folder = folder();
    for (fault, words) in [
        (Fault::NoRanges, "does not serve ranges"),
        (Fault::WrongRange, "another range"),
        (Fault::WrongTotal, "has changed"),
        (Fault::Truncated, "cannot be read to its end"),
        (Fault::FlippedBits, "krou index"),
        (Fault::NotFound, "404 Not Found"),
        (Fault::ServerError, "503 Service Unavailable"),
        (Fault::Redirect, ""),
        (Fault::Changes, "has changed"),
        (Fault::Garbage, "does not answer"),
    ] {
        let host = TestHost::serve(folder.path(), fault);
        let error = host.open().probe(&board()).unwrap_err().to_string();
        assert!(error.contains(words), "{fault:?}: {error}");
        assert!(error.starts_with(&host.url), "{fault:?}: {error}");
    }
    let host = TestHost::serve(&folder.path().join("none"), Fault::None);
    let sources = || Tablebase::builder(Ruleset::ABAPA);
    let error = sources().url(&*host.url).open().unwrap_err();
    assert!(error.to_string().contains("404"), "{error}");
    for (address, words) in [
        ("http://example.org/", "not encrypted"),
        ("ftp://example.org/", "not an address"),
        ("tables", "not an address"),
    ] {
        let error = sources().url(address).open().unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn tables_that_are_not_those_of_the_index_are_refused() {
    let folder = folder();
    let host = TestHost::serve(folder.path(), Fault::None);
    let remote = host.open();
    let name = |seeds| {
        TableId {
            rules: Ruleset::ABAPA,
            seeds,
            kind: Kind::Value,
        }
        .file_name()
    };
    let path = folder.path().join(name(8));
    let mut bytes = fs::read(&path).unwrap();
    bytes[48] ^= 1;
    fs::write(&path, bytes).unwrap();
    let error = remote.probe(&board()).unwrap_err();
    assert!(error.to_string().contains("krou index"), "{error}");
}

#[test]
fn downloads_go_on_and_are_checked() {
    let folder = folder();
    let host = TestHost::serve(folder.path(), Fault::None);
    let to = tempfile::tempdir().unwrap();
    let ids: Vec<TableId> = (0..=SEEDS)
        .flat_map(|seeds| [Kind::Value, Kind::Bounds].map(|kind| (seeds, kind)))
        .map(|(seeds, kind)| TableId {
            rules: Ruleset::ABAPA,
            seeds,
            kind,
        })
        .collect();
    let bytes = AtomicU64::new(0);
    let on_bytes = |more| {
        bytes.fetch_add(more, Ordering::Relaxed);
    };
    let stop = AtomicBool::new(true);
    let download =
        |stop: &AtomicBool| Host::new(&*host.url).download(&ids, to.path(), &on_bytes, stop);
    assert!(!download(&stop).unwrap());
    // What an interrupted run has left is the start of the table.
    let last = ids.last().unwrap().file_name();
    let whole = fs::read(folder.path().join(&last)).unwrap();
    let partial = to.path().join(last.clone() + ".partial");
    fs::write(&partial, &whole[..100]).unwrap();
    bytes.store(0, Ordering::Relaxed);
    assert!(download(&AtomicBool::new(false)).unwrap());
    let mut all = 0;
    for id in &ids {
        let table = fs::read(to.path().join(id.file_name())).unwrap();
        assert_eq!(table, fs::read(folder.path().join(id.file_name())).unwrap());
        all += table.len() as u64;
    }
    assert_eq!(bytes.load(Ordering::Relaxed), all);
    assert!(!partial.exists());

    // A start that is not the table's does not become one.
    fs::remove_file(to.path().join(&last)).unwrap();
    fs::write(&partial, [7; 100]).unwrap();
    let error = download(&AtomicBool::new(false)).unwrap_err();
    assert!(error.to_string().contains("SHA-256"), "{error}");
    assert!(download(&AtomicBool::new(false)).unwrap());
    // Nor is a table overwritten that is another one.
    fs::write(to.path().join(&last), b"mine").unwrap();
    let error = download(&AtomicBool::new(false)).unwrap_err();
    assert!(
        error.to_string().contains("not the host's table"),
        "{error}"
    );
}
