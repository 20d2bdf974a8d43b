//! Tables on good, broken and hostile hosts: the right value or an error, never another one.

use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use krou::index::LayerIndex;
use krou::internal::remote::TableIndex;
use krou::rules::{Board, Ruleset};
use krou::solve::Silent;
use krou::table::{Kind, TableId};
use krou::tablebase::{BuildOptions, Host, Tablebase, build};

use crate::old_tables::{old_folder, open};

const SEEDS: u8 = 8;

/// The answer to a request for a range of a table.
struct Answer {
    /// The number of the request.
    number: u64,
    status: &'static str,
    version: u64,
    length: usize,
    first: usize,
    last: usize,
    total: usize,
    bytes: Vec<u8>,
}

/// What a host does to its answers.
type Fault = fn(&mut Answer);

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
            for (stream, number) in listener.incoming().zip(0..) {
                count.fetch_add(1, Ordering::Relaxed);
                // Clients may close connections at any time.
                let _ = answer(stream.unwrap(), &folder, fault, number);
            }
        });
        TestHost { url, requests }
    }

    fn open(&self) -> Tablebase {
        let sources = Tablebase::builder(Ruleset::ABAPA);
        sources.url(&*self.url).open().unwrap()
    }
}

/// Answers the one request of a connection.
fn answer(mut stream: TcpStream, folder: &Path, fault: Fault, number: u64) -> io::Result<()> {
    let mut head = String::new();
    let mut reader = BufReader::new(stream.try_clone()?);
    while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head)? > 0 {}
    let head = head.to_lowercase();
    let path = folder.join(head.split([' ', '/']).nth(2).unwrap());
    let mut file = fs::read(&path).unwrap_or_default();
    let total = file.len();
    let range = head.split("range: bytes=").nth(1);
    let Some((first, last)) = range.and_then(|rest| rest.lines().next()?.split_once('-')) else {
        let status = if path.exists() {
            "200 OK"
        } else {
            "404 Not Found"
        };
        write!(
            stream,
            "HTTP/1.1 {status}\r\nContent-Length: {total}\r\nConnection: close\r\n\r\n"
        )?;
        return stream.write_all(&file);
    };
    let (first, last): (usize, usize) = (first.parse().unwrap(), last.parse().unwrap());
    let mut answer = Answer {
        status: "206 Partial Content",
        number,
        version: 0,
        length: last + 1 - first,
        first,
        last,
        total,
        bytes: file.drain(first..=last).collect(),
    };
    fault(&mut answer);
    write!(
        stream,
        "HTTP/1.1 {}\r\nLocation: http://127.0.0.1:1/\r\nETag: \"{}\"\r\nConnection: close\r\n\
         Content-Length: {}\r\nContent-Range: bytes {}-{}/{}\r\n\r\n",
        answer.status, answer.version, answer.length, answer.first, answer.last, answer.total
    )?;
    stream.write_all(&answer.bytes)
}

/// A folder with tables of `abapa`, and its index.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let options = BuildOptions::new(SEEDS);
    build(Ruleset::ABAPA, folder.path(), &options, &Silent).unwrap();
    let (index, damaged) = TableIndex::of_folder(folder.path(), &mut |_| ()).unwrap();
    assert!(damaged.is_empty());
    index.write(folder.path()).unwrap();
    folder
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
    let (mut index, _) = TableIndex::of_folder(folder.path(), &mut |_| ()).unwrap();
    for table in &mut index.tables {
        table.header = None;
    }
    index.write(folder.path()).unwrap();
    let host = TestHost::serve(folder.path(), |_| ());
    let remote = host.open();
    for seeds in 0..=SEEDS {
        let index = LayerIndex::new(Ruleset::ABAPA, seeds);
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
    let host = TestHost::serve(folder.path(), |_| ());
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
    let cases: [(Fault, &str); 10] = [
        (|answer| answer.status = "200 OK", "does not serve ranges"),
        (|answer| answer.first += 1, "another range"),
        (|answer| answer.total += 1, "has changed"),
        (
            |answer| answer.bytes.truncate(answer.length / 2),
            "cannot be read to its end",
        ),
        (
            |answer| answer.bytes.iter_mut().for_each(|byte| *byte ^= 16),
            "krou index",
        ),
        (|answer| answer.status = "404 Not Found", "404 Not Found"),
        (
            |answer| answer.status = "503 Service Unavailable",
            "503 Service Unavailable",
        ),
        (|answer| answer.status = "302 Found", ""),
        (|answer| answer.version = answer.number, "has changed"),
        (|answer| answer.status = "and so on", "does not answer"),
    ];
    for (fault, words) in cases {
        let host = TestHost::serve(folder.path(), fault);
        let error = host.open().probe(&board()).unwrap_err().to_string();
        assert!(error.contains(words), "{words}: {error}");
        assert!(error.starts_with(&host.url), "{words}: {error}");
    }
    let host = TestHost::serve(&folder.path().join("none"), |_| ());
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
fn downloads_go_on_and_are_checked() {
    let folder = folder();
    let host = TestHost::serve(folder.path(), |_| ());
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

/// Hosts may have tables of earlier versions, and folders too.
#[test]
fn old_tables_of_hosts_are_those_of_open() {
    let folder = old_folder();
    let (index, _) = TableIndex::of_folder(folder.path(), &mut |_| ()).unwrap();
    index.write(folder.path()).unwrap();
    let host = TestHost::serve(folder.path(), |_| ());
    let tables = host.open();
    assert_eq!(
        (tables.highest_layer(), tables.old_tables().count()),
        (None, 15)
    );
    let tables = Tablebase::builder(open()).url(&*host.url).open().unwrap();
    assert_eq!(tables.highest_layer(), Some(4));
    assert!(tables.probe(&board()).is_err());
    let id = TableId {
        rules: Ruleset::ABAPA,
        seeds: 3,
        kind: Kind::Bounds,
    };
    let download = |host: &TestHost, to: &Path| {
        Host::new(&*host.url).download(&[id], to, &|_| (), &AtomicBool::new(false))
    };
    let to = tempfile::tempdir().unwrap();
    let error = download(&host, to.path()).unwrap_err();
    assert!(error.to_string().contains("earlier version"), "{error}");
    // A download replaces an old table.
    let fresh = self::folder();
    let host = TestHost::serve(fresh.path(), |_| ());
    assert!(download(&host, folder.path()).unwrap());
    let [was, is] = [&fresh, &folder].map(|folder| fs::read(folder.path().join(id.file_name())));
    assert_eq!(was.unwrap(), is.unwrap());
}
