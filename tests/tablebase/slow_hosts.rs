//! Hosts that are busy, silent or several machines: nobody waits longer than they must.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use krou::index::LayerIndex;
use krou::rules::{Board, Ruleset};
use krou::tablebase::{Host, Tablebase};

use crate::host::{Fault, TestHost};
use crate::remote::{SEEDS, board, folder, open_folder, open_host};

/// Of two versions, as machines behind one name call them, neither is wrong.
#[test]
fn machines_of_a_host_may_call_a_file_differently() {
    let folder = folder();
    let local = open_folder(folder.path());
    let host = TestHost::serve(folder.path(), |answer| answer.version = answer.number % 2);
    assert_eq!(
        open_host(&host).moves(&board()).unwrap(),
        local.moves(&board()).unwrap()
    );
}

/// They want a pause, or do not know the length of a file.
#[test]
fn busy_hosts_and_unknown_lengths_are_no_errors() {
    let folder = folder();
    let value = open_folder(folder.path()).probe(&board()).unwrap();
    let faults: [Fault; 3] = [
        |answer| answer.total = "*".to_owned(),
        |answer| {
            if answer.number.is_multiple_of(3) {
                (answer.status, answer.headers) = ("429 Too Many Requests", "Retry-After: 0\r\n");
            }
        },
        |answer| {
            if answer.number.is_multiple_of(3) {
                answer.status = "503 Service Unavailable";
            }
        },
    ];
    for fault in faults {
        let host = TestHost::serve(folder.path(), fault);
        assert_eq!(open_host(&host).probe(&board()).unwrap(), value);
    }
    // Nobody waits for an hour.
    let host = TestHost::serve(folder.path(), |answer| {
        (answer.status, answer.headers) = ("503 Service Unavailable", "Retry-After: 3600\r\n");
    });
    let error = open_host(&host).probe(&board()).unwrap_err();
    assert!(error.to_string().contains("503"), "{error}");
    assert!(host.requests.load(Ordering::Relaxed) < 20);
}

/// Only the first probe waits, and only as long as it must: then the host is left alone.
#[test]
fn silent_hosts_cost_one_wait() {
    let folder = folder();
    let drips: Fault = |answer| answer.pace = (1, Duration::from_millis(50));
    let silent: Fault = |_| thread::sleep(Duration::from_secs(3600));
    for fault in [silent, drips] {
        let host = TestHost::serve(folder.path(), fault);
        let impatient = Host::new(&*host.url).timeout(Duration::from_millis(300));
        let tables = Tablebase::builder(Ruleset::ABAPA).without_embedded();
        let tables = tables.url(impatient).open().unwrap();
        let index = LayerIndex::new(Ruleset::ABAPA, SEEDS);
        let boards: Vec<Board> = index.boards().step_by(1001).collect();
        let start = Instant::now();
        assert!(tables.probe_all(&boards).iter().any(Result::is_err));
        assert!(
            start.elapsed() < Duration::from_millis(1500),
            "{:?}",
            start.elapsed()
        );
        let start = Instant::now();
        let error = tables.probe(&board()).unwrap_err().to_string();
        assert!(error.contains("asked again after a minute"), "{error}");
        assert!(start.elapsed() < Duration::from_millis(100));
    }
}

/// A host that accepts and says nothing closes no tables that are here, and is asked once.
#[test]
fn hosts_without_a_word_are_asked_once() {
    let folder = folder();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let host = Host::new(url).timeout(Duration::from_secs(1));
    let start = Instant::now();
    for _ in 0..3 {
        let sources = Tablebase::builder(Ruleset::ABAPA)
            .without_embedded()
            .folder(folder.path());
        let tables = sources.url(host.clone()).open().unwrap();
        assert!(tables.probe(&board()).is_ok());
        assert_eq!(tables.damaged_tables().count(), 1);
    }
    assert!(
        start.elapsed() < Duration::from_millis(2500),
        "{:?}",
        start.elapsed()
    );
}

/// With one place, one waits, and the other fails at once.
#[test]
fn places_limit_who_waits_for_a_host() {
    let folder = folder();
    let host = TestHost::serve(folder.path(), |_| thread::sleep(Duration::from_millis(400)));
    let tables = Tablebase::builder(Ruleset::ABAPA).without_embedded();
    let tables = tables.url(Host::new(&*host.url).places(1)).open().unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(|| tables.until(stop.clone()).probe(&board()));
        thread::sleep(Duration::from_millis(100));
        let start = Instant::now();
        let error = tables.probe(&board()).unwrap_err().to_string();
        assert!(error.contains("too many wait"), "{error}");
        let error = tables.without_waiting().probe(&board()).unwrap_err();
        assert!(error.to_string().contains("stopped"), "{error}");
        assert!(start.elapsed() < Duration::from_millis(100));
        stop.store(true, Ordering::Relaxed);
    });
    assert!(tables.probe(&board()).is_ok());
}
