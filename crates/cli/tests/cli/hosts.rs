//! Tables on web hosts: downloads, and an engine that waits for no host.

use std::fs;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::engine::process::EngineProcess;
use crate::files::names;
use crate::host::TestHost;
#[cfg(unix)]
use crate::program::send_signal;
use crate::support::{built, call_in, krou_in, words};

/// A folder with a folder `tables`, which has an index.
fn indexed(options: &str) -> TempDir {
    let home = built(options);
    assert_eq!(call_in(home.path(), &["index", "tables"]).code, Some(0));
    home
}

#[test]
fn downloads_are_proved_or_take_consent() {
    let known = indexed("--rules awari --seeds 3");
    let host = TestHost::serve(&known.path().join("tables"), |_| ());
    let home = TempDir::new().unwrap();
    let fetch = format!(
        "fetch --rules awari --seeds 3 --from {} --dir got",
        host.url
    );
    for _ in 0..2 {
        let done = call_in(home.path(), &words(&fetch));
        assert_eq!(done.code, Some(0), "{done:?}");
        assert!(done.stderr.contains("4 tables in got") && done.stderr.contains("a build writes"));
    }
    let unknown = indexed("--rules kalah --seeds 1");
    let host = TestHost::serve(&unknown.path().join("tables"), |_| ());
    let fetch = format!(
        "fetch --rules kalah --seeds 1 --from {} --dir other",
        host.url
    );
    let error = call_in(home.path(), &words(&fetch)).error();
    assert!(error.contains("--trust-host"), "{error}");
    let done = call_in(home.path(), &words(&format!("{fetch} --trust-host")));
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(done.stderr.contains("krou verify"), "{done:?}");
    assert_eq!(names(&home.path().join("other")).len(), 2);
}

#[test]
fn an_index_warns_of_wrong_names() {
    let home = indexed("--rules awari --seeds 2");
    let at = |name: &str| home.path().join("tables").join(name);
    fs::rename(at("awari-02.value.krou"), at("awari-03.value.krou")).unwrap();
    let done = call_in(home.path(), &["index", "tables"]);
    assert_eq!(done.code, Some(1));
    assert!(
        done.stderr.contains("give it the name awari-02.value.krou"),
        "{done:?}"
    );
}

/// A board that is here whole asks no host, but a wrong address is one all the same.
#[test]
fn a_board_that_is_here_waits_for_no_host() {
    let home = TempDir::new().unwrap();
    let probe = |url| {
        call_in(
            home.path(),
            &["probe", "--tables", url, "0 1 0 0 1 0 0 0 0 1 0 0"],
        )
    };
    let start = Instant::now();
    probe("http://127.0.0.1:1/").success();
    assert!(start.elapsed() < Duration::from_secs(1));
    assert!(
        probe("http://example.org/")
            .error()
            .contains("not encrypted")
    );
}

/// At the first signal, also while a host is silent.
#[cfg(unix)]
#[test]
fn downloads_end_at_the_first_signal() {
    use std::process::Stdio;
    let home = indexed("--rules awari --seeds 3");
    // The runner of the tests may ignore other signals, which stay ignored.
    let host = TestHost::silent(&home.path().join("tables"));
    let fetch = format!(
        "fetch --rules awari --seeds 3 --from {} --dir got",
        host.url
    );
    let mut process = krou_in(home.path())
        .args(words(&fetch))
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while host.ranges.lock().unwrap().is_empty() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let start = Instant::now();
    send_signal("TERM", &process);
    assert_eq!(process.wait().unwrap().code(), Some(143));
    assert!(
        start.elapsed() < Duration::from_secs(5),
        "{:?}",
        start.elapsed()
    );
}

/// It asks the host beside the search.
#[test]
fn the_engine_moves_in_time_whatever_a_host_does() {
    let home = indexed("--rules pratt --seeds 9");
    let tables = home.path().join("tables");
    let position = "position fen 1-1-1-0-1-1-1-1-1-0-1-0-20-19-S";
    let silent = TestHost::silent(&tables);
    let mut engine = EngineProcess::start(&["-r", "pratt", "--tables", &silent.url]);
    engine.send("isready");
    engine.lines_until("readyok");
    let start = Instant::now();
    engine.send(position);
    engine.send("go movetime 100");
    engine.lines_until("bestmove");
    engine.send("go infinite");
    engine.send("stop");
    engine.lines_until("bestmove");
    engine.send("eval");
    engine.send("isready");
    engine.lines_until("readyok");
    assert!(
        start.elapsed() < Duration::from_secs(1),
        "{:?}",
        start.elapsed()
    );
    assert!(!silent.ranges.lock().unwrap().is_empty());
    engine.quit();

    // An answer that comes in time is used: it is all that the engine needs.
    let slow = TestHost::slow(&tables);
    let mut engine = EngineProcess::start(&["-r", "pratt", "--tables", &slow.url]);
    engine.send(position);
    engine.send("go movetime 20000");
    let start = Instant::now();
    let lines = engine.lines_until("bestmove");
    assert!(start.elapsed() < Duration::from_secs(10), "{lines:?}");
    assert!(
        lines.iter().any(|line| line.contains(" depth 0 ")),
        "{lines:?}"
    );
    engine.quit();
}
