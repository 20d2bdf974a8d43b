//! Tables on good, broken and hostile hosts: the right value or an error, never another one.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::{Duration, Instant};

use krou::index::LayerIndex;
use krou::rules::{Board, Ruleset};
use krou::solve::Silent;
use krou::table::TableIndex;
use krou::tablebase::{BuildOptions, Host, Tablebase, build};

use crate::host::{Fault, TestHost};
use crate::old_tables::{old_folder, open};

pub const SEEDS: u8 = 8;

/// The tables of a host.
pub fn open_host(host: &TestHost) -> Tablebase {
    let sources = Tablebase::builder(Ruleset::ABAPA).without_embedded();
    sources.url(&*host.url).open().unwrap()
}

/// A folder with tables of `abapa`, and its index.
pub fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let options = BuildOptions::new(SEEDS);
    build(Ruleset::ABAPA, folder.path(), &options, &Silent).unwrap();
    let (index, damaged) = TableIndex::of_folder(folder.path(), &mut |_| ()).unwrap();
    assert!(damaged.is_empty());
    index.write(folder.path()).unwrap();
    folder
}

pub fn open_folder(folder: &Path) -> Tablebase {
    let sources = Tablebase::builder(Ruleset::ABAPA).without_embedded();
    sources.folder(folder).open().unwrap()
}

pub fn board() -> Board {
    "0 1 0 2 0 1 / 1 1 1 0 1 0".parse().unwrap()
}

#[test]
fn remote_tables_answer_as_local_ones_do() {
    let folder = folder();
    let local = open_folder(folder.path());
    // Without headers, as an index of three fields has them, they are fetched first.
    let (mut index, _) = TableIndex::of_folder(folder.path(), &mut |_| ()).unwrap();
    for table in &mut index.tables {
        table.header = None;
    }
    index.write(folder.path()).unwrap();
    let host = TestHost::serve(folder.path(), |_| ());
    let remote = open_host(&host);
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

/// Opens the tables of a host with a cache on disk.
fn open_cached(host: &TestHost, cache: &Path) -> Tablebase {
    let remote = Host::new(&*host.url).cache(cache, 1 << 20);
    let tables = Tablebase::builder(Ruleset::ABAPA).without_embedded();
    tables.url(remote).open().unwrap()
}

#[test]
fn ranges_come_from_the_cache_on_disk() {
    let folder = folder();
    let cache = tempfile::tempdir().unwrap();
    let host = TestHost::serve(folder.path(), |_| ());
    let open = || open_cached(&host, cache.path());
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
    let local = open_folder(folder.path());
    let host = TestHost::slow(folder.path());
    let few = tempfile::tempdir().unwrap();
    for name in ["abapa-02.value.krou", "abapa-02.bounds.krou"] {
        fs::copy(folder.path().join(name), few.path().join(name)).unwrap();
    }
    let sources = Tablebase::builder(Ruleset::ABAPA)
        .without_embedded()
        .folder(few.path());
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
    let tables = open_host(&host);
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
    let tables = open_host(&host);
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
    let local = open_folder(folder.path());
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
                        .without_embedded()
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
    let sources = || Tablebase::builder(Ruleset::ABAPA).without_embedded();
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
        (|answer| answer.total += "0", "has changed"),
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
        let error = open_host(&host).probe(&board()).unwrap_err().to_string();
        assert!(error.contains(words), "{words}: {error}");
        assert!(error.starts_with(&host.url), "{words}: {error}");
    }
    let host = TestHost::serve(&folder.path().join("none"), |_| ());
    let sources = || Tablebase::builder(Ruleset::ABAPA).without_embedded();
    let error = sources().url(&*host.url).open().unwrap_err().to_string();
    assert!(
        error.contains("404") && error.contains("'krou index' writes"),
        "{error}"
    );
    for (address, words) in [
        ("http://127.0.0.1:99999/", "not an address"),
        ("http://example.org/", "not encrypted"),
        ("ftp://example.org/", "not an address"),
        ("tables", "not an address"),
    ] {
        let error = sources().url(address).open().unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}

/// Hosts may have tables of earlier versions, and folders too.
#[test]
fn old_tables_of_hosts_are_those_of_open() {
    let folder = old_folder();
    let (index, _) = TableIndex::of_folder(folder.path(), &mut |_| ()).unwrap();
    index.write(folder.path()).unwrap();
    let host = TestHost::serve(folder.path(), |_| ());
    let tables = open_host(&host);
    assert_eq!(
        (tables.highest_layer(), tables.old_tables().count()),
        (None, 15)
    );
    let tables = Tablebase::builder(open())
        .without_embedded()
        .url(&*host.url)
        .open()
        .unwrap();
    assert_eq!(tables.highest_layer(), Some(4));
    assert!(tables.probe(&board()).is_err());
}

/// Pieces that have the names of others are whole, but wrong: they are fetched once more.
#[test]
fn bad_pieces_of_the_cache_are_fetched_again() {
    let folder = folder();
    let local = open_folder(folder.path());
    let cache = tempfile::tempdir().unwrap();
    let host = TestHost::serve(folder.path(), |_| ());
    let open = || open_cached(&host, cache.path());
    let index = LayerIndex::new(Ruleset::ABAPA, SEEDS);
    let boards: Vec<Board> = index.boards().step_by(5003).collect();
    let right = local.probe_all(&boards);
    let is_right = |tables: &Tablebase| {
        let found = tables.probe_all(&boards);
        let mut pairs = found.iter().zip(&right);
        pairs.all(|(found, right)| found.as_ref().ok() == right.as_ref().ok())
    };
    assert!(is_right(&open()));
    let mut spoilt = 0;
    for table in fs::read_dir(cache.path()).unwrap().flatten() {
        let pieces = fs::read_dir(table.path()).unwrap().flatten();
        let mut pieces: Vec<_> = pieces.map(|piece| piece.path()).collect();
        pieces.sort_by_key(|piece| piece.metadata().unwrap().len());
        for pair in pieces.windows(2) {
            let [one, other] = [&pair[0], &pair[1]].map(|piece| fs::read(piece).unwrap());
            if one.len() == other.len() && one != other {
                fs::write(&pair[0], other).unwrap();
                spoilt += 1;
            }
        }
    }
    assert!(spoilt > 0);
    assert!(is_right(&open()));
    // They are right in the cache, too.
    host.requests.store(0, Ordering::Relaxed);
    assert!(is_right(&open()));
}

/// A password is not for the screen.
#[test]
fn addresses_are_shown_without_passwords() {
    for address in [
        "http://me:secret@127.0.0.1:1/x",
        "http://me:secret@example.org/",
        "ftp://a:secret@b/",
    ] {
        let host = Host::new(address);
        let error = host.index().unwrap_err().to_string();
        assert!(
            !error.contains("secret") && !format!("{host:?}").contains("secret"),
            "{error}"
        );
    }
}

/// What an index says of itself and its tables.
#[test]
fn indexes_have_a_version_and_sums_in_any_letters() {
    let folder = folder();
    let path = folder.path().join("krou-index.json");
    let host = TestHost::serve(folder.path(), |_| ());
    let text = fs::read_to_string(&path).unwrap();
    let index = Host::new(&*host.url).index().unwrap();
    let sums = index.tables.iter().map(|table| &*table.sha256);
    let capitals = sums.fold(text.clone(), |text, sum| {
        text.replace(sum, &sum.to_uppercase())
    });
    assert_ne!(capitals, text);
    fs::write(&path, capitals).unwrap();
    assert_eq!(Host::new(&*host.url).index().unwrap(), index);
    let newer = text.replace("\"version\": 1", "\"version\": 2");
    assert_ne!(newer, text);
    fs::write(&path, newer).unwrap();
    let error = Host::new(&*host.url).index().unwrap_err().to_string();
    assert!(error.contains("update krou"), "{error}");
}

/// Files with names of others, or of none, would be taken for them.
#[test]
fn an_index_leaves_out_files_with_other_names() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::rename(at("abapa-03.value.krou"), at("abapa-04.value.krou")).unwrap();
    fs::copy(at("abapa-05.value.krou"), at("copy.krou")).unwrap();
    let (index, left_out) = TableIndex::of_folder(folder.path(), &mut |_| ()).unwrap();
    let left_out: Vec<String> = left_out.iter().map(ToString::to_string).collect();
    assert_eq!(left_out.len(), 2, "{left_out:?}");
    assert!(left_out[0].contains("abapa-04.value.krou: holds abapa-03.value: give it the name"));
    assert!(
        index
            .tables
            .iter()
            .all(|table| !["abapa-04.value.krou", "copy.krou"].contains(&&*table.name))
    );
    assert_eq!(index.tables.len(), 16);
}
