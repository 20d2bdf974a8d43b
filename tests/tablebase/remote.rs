//! Tables on good, broken and hostile hosts: the right value or an error, never another one.

use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Barrier, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use krou::index::LayerIndex;
use krou::rules::{Board, Ruleset};
use krou::solve::Silent;
use krou::table::TableIndex;
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
    /// The heads of the requests for ranges.
    ranges: Arc<Mutex<Vec<String>>>,
    /// Whether it closes every connection.
    is_dead: Arc<AtomicBool>,
}

impl TestHost {
    fn serve(folder: &Path, fault: Fault) -> TestHost {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let requests = Arc::new(AtomicU64::new(0));
        let (ranges, is_dead) = (Arc::default(), Arc::default());
        let host = TestHost {
            url,
            requests,
            ranges,
            is_dead,
        };
        let (folder, count) = (folder.to_owned(), host.requests.clone());
        let (ranges, is_dead) = (host.ranges.clone(), host.is_dead.clone());
        thread::spawn(move || {
            for (stream, number) in listener.incoming().zip(0..) {
                count.fetch_add(1, Ordering::Relaxed);
                if is_dead.load(Ordering::Relaxed) {
                    continue;
                }
                let (folder, ranges) = (folder.clone(), ranges.clone());
                thread::spawn(move || {
                    // Clients may close connections at any time.
                    let _ = answer(stream.unwrap(), &folder, fault, number, &ranges);
                });
            }
        });
        host
    }

    /// A host that takes its time for each range.
    fn slow(folder: &Path) -> TestHost {
        TestHost::serve(folder, |_| thread::sleep(Duration::from_millis(50)))
    }

    fn open(&self) -> Tablebase {
        let sources = Tablebase::builder(Ruleset::ABAPA);
        sources.url(&*self.url).open().unwrap()
    }
}

/// Answers the one request of a connection.
fn answer(
    mut stream: TcpStream,
    folder: &Path,
    fault: Fault,
    number: u64,
    ranges: &Mutex<Vec<String>>,
) -> io::Result<()> {
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
    let range = format!("{} {first}-{last}", path.display());
    ranges.lock().unwrap().push(range);
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

/// Threads that want the same ranges wait for the same requests, and one that needs none for
/// nothing.
#[test]
fn threads_share_requests_to_a_slow_host() {
    let folder = folder();
    let local = Tablebase::builder(Ruleset::ABAPA)
        .folder(folder.path())
        .open()
        .unwrap();
    let host = TestHost::slow(folder.path());
    let few = tempfile::tempdir().unwrap();
    for name in ["abapa-02.value.krou", "abapa-02.bounds.krou"] {
        fs::copy(folder.path().join(name), few.path().join(name)).unwrap();
    }
    let sources = Tablebase::builder(Ruleset::ABAPA).folder(few.path());
    let shared = sources.url(&*host.url).open().unwrap();
    let index = LayerIndex::new(Ruleset::ABAPA, SEEDS);
    let boards: Vec<Board> = index.boards().step_by(9001).collect();
    let (start, is_over) = (Barrier::new(4), AtomicBool::new(false));
    let probes = thread::scope(|scope| {
        let near = LayerIndex::new(Ruleset::ABAPA, 2);
        let (start, is_over, local, shared) = (&start, &is_over, &local, &shared);
        let needs_no_host = scope.spawn(move || {
            start.wait();
            let mut probes = 0_u32;
            while !is_over.load(Ordering::Relaxed) {
                for board in near.boards() {
                    assert_eq!(shared.probe(&board).unwrap(), local.probe(&board).unwrap());
                    probes += 1;
                }
            }
            probes
        });
        let workers = [0, 1, 2].map(|_| {
            let boards = &boards;
            scope.spawn(move || {
                start.wait();
                for board in boards {
                    assert_eq!(shared.moves(board).unwrap(), local.moves(board).unwrap());
                }
            })
        });
        for worker in workers {
            worker.join().unwrap();
        }
        is_over.store(true, Ordering::Relaxed);
        needs_no_host.join().unwrap()
    });
    assert!(probes > 1000, "{probes}");
    let mut ranges = host.ranges.lock().unwrap().clone();
    assert!(ranges.len() > 3, "{ranges:?}");
    ranges.sort();
    let all = ranges.len();
    ranges.dedup();
    assert_eq!(ranges.len(), all, "ranges were fetched twice");
}

#[test]
fn stopped_probes_wait_for_no_host() {
    let folder = folder();
    let host = TestHost::serve(folder.path(), |_| thread::sleep(Duration::from_millis(400)));
    let tables = host.open();
    let stop = Arc::new(AtomicBool::new(false));
    let start = Instant::now();
    let error = thread::scope(|scope| {
        let probing = scope.spawn(|| tables.until(stop.clone()).probe(&board()));
        thread::sleep(Duration::from_millis(50));
        stop.store(true, Ordering::Relaxed);
        probing.join().unwrap().unwrap_err()
    });
    assert!(error.to_string().contains("stopped"), "{error}");
    assert!(start.elapsed() < Duration::from_millis(300));
    // Others can still wait.
    assert!(tables.probe(&board()).is_ok());
}

/// While a player thinks, the answers to all their moves arrive.
#[test]
fn answers_to_moves_are_fetched_ahead() {
    let folder = folder();
    let host = TestHost::slow(folder.path());
    let tables = host.open();
    let board = board();
    tables.moves(&board).unwrap();
    tables.fetch_ahead(&board, 12);
    let count = || host.ranges.lock().unwrap().len();
    let mut before = usize::MAX;
    while count() != before {
        before = count();
        thread::sleep(Duration::from_secs(1));
    }
    for step in Ruleset::ABAPA.moves(&board).legal() {
        tables.moves(&step.board).unwrap();
        tables.best_line(&step.board, 12).unwrap();
    }
    assert_eq!(count(), before);
}

/// Two caches on one folder, as of two programs; it is small, so that each removes files that the
/// other may read, and there is a file that is none of theirs.
#[test]
fn programs_share_a_cache_folder() {
    let folder = folder();
    let local = Tablebase::builder(Ruleset::ABAPA)
        .folder(folder.path())
        .open()
        .unwrap();
    let host = TestHost::serve(folder.path(), |_| ());
    let cache = tempfile::tempdir().unwrap();
    fs::write(cache.path().join("notes.txt"), "mine").unwrap();
    thread::scope(|scope| {
        for first in [0, 1] {
            let (host, cache, local) = (&host, cache.path(), &local);
            scope.spawn(move || {
                for round in 0..3 {
                    let remote = Host::new(&*host.url).cache(cache, 40_000);
                    let tables = Tablebase::builder(Ruleset::ABAPA)
                        .url(remote)
                        .open()
                        .unwrap();
                    let index = LayerIndex::new(Ruleset::ABAPA, SEEDS);
                    for board in index.boards().skip(first + round).step_by(4001) {
                        assert_eq!(tables.probe(&board).unwrap(), local.probe(&board).unwrap());
                    }
                }
            });
        }
    });
    let files = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
    let ranges = files(cache.path()).flat_map(|folder| files(&folder.path()));
    let bytes: u64 = ranges.map(|file| file.metadata().unwrap().len()).sum();
    assert!((1..80_000).contains(&bytes), "{bytes}");
    assert!(cache.path().join("notes.txt").exists());
}

/// A host that does not answer closes neither the tables of folders nor what its cache has.
#[test]
fn dead_hosts_leave_what_is_here() {
    let folder = folder();
    let few = tempfile::tempdir().unwrap();
    for seeds in 0..=3 {
        for kind in ["value", "bounds"] {
            let name = format!("abapa-{seeds:02}.{kind}.krou");
            fs::copy(folder.path().join(&name), few.path().join(&name)).unwrap();
        }
    }
    let host = TestHost::serve(folder.path(), |_| ());
    let cache = tempfile::tempdir().unwrap();
    let sources = || Tablebase::builder(Ruleset::ABAPA);
    let cached = || {
        sources()
            .url(Host::new(&*host.url).cache(cache.path(), 1 << 20))
            .open()
    };
    let beside = || sources().folder(few.path()).url(&*host.url).open().unwrap();
    let value = cached().unwrap().probe(&board()).unwrap();
    let three: Board = "0 1 0 0 0 1 / 1 0 0 0 0 0".parse().unwrap();
    let whole = beside();
    let of_three = whole.probe(&three).unwrap();

    // A page in place of the index, as of a hotel's network, does not replace the one that is kept.
    let index = fs::read(folder.path().join("krou-index.json")).unwrap();
    fs::write(folder.path().join("krou-index.json"), "<html>").unwrap();
    assert!(cached().is_err());
    fs::write(folder.path().join("krou-index.json"), index).unwrap();

    host.is_dead.store(true, Ordering::Relaxed);
    // A host that dies later, and one that is dead from the start.
    for tables in [&whole, &beside()] {
        assert_eq!(tables.probe(&three).unwrap(), of_three);
        assert!(tables.probe(&board()).is_err());
    }
    let why = beside()
        .damaged_tables()
        .map(ToString::to_string)
        .collect::<Vec<_>>();
    assert!(
        why.len() == 1 && why[0].contains("does not answer"),
        "{why:?}"
    );
    assert_eq!(cached().unwrap().probe(&board()).unwrap(), value);
    let other: Board = "1 0 0 0 0 1 / 2 0 3 0 1 0".parse().unwrap();
    let error = cached().unwrap().probe(&other).unwrap_err();
    assert!(error.to_string().contains("does not answer"), "{error}");
    assert!(sources().url(&*host.url).open().is_err());
    let insecure = sources().folder(few.path()).url("http://example.org/");
    assert!(
        insecure
            .open()
            .unwrap_err()
            .to_string()
            .contains("not encrypted")
    );
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
