//! Tables on web hosts, beside other requests.

use std::io::Write;
use std::time::{Duration, Instant};

use crate::host::TestHost;
use crate::program::{krou_in, run};
use crate::support::Server;

/// More requests than places for those who wait for a host: boards of this machine are answered
/// at once.
#[test]
fn silent_hosts_do_not_delay_boards_of_this_machine() {
    let folder = tempfile::tempdir().unwrap();
    for command in ["build --rules kalah --seeds 4 --dir .", "index ."] {
        let done = run(krou_in(folder.path()).args(command.split(' ')));
        assert_eq!(done.code, Some(0), "{done:?}");
    }
    let host = TestHost::silent(folder.path());
    let server = Server::with_options(&["--tables", &host.url]);
    let remote = "/api/v1/kalah?board=0,1,0,1,0,0,1,0,1,0,0,0";
    let waiting = (0..60).map(|_| {
        let mut stream = server.connect();
        let request = format!("GET {remote} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        stream
    });
    let waiting: Vec<_> = waiting.collect();
    while host.ranges.lock().unwrap().is_empty() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let start = Instant::now();
    for _ in 0..5 {
        let answer = server.get("/api/v1/awari?board=0,1,0,1,0,0,1,0,1,0,0,0");
        assert_eq!(answer.status, 200, "{answer:?}");
    }
    assert!(
        start.elapsed() < Duration::from_secs(1),
        "{:?}",
        start.elapsed()
    );
    let crowded = server.get(remote);
    assert_eq!(crowded.status, 503, "{crowded:?}");
    drop(waiting);
}
