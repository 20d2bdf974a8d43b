//! A web host of this machine for tests, good, broken or hostile. Each test program uses a part
//! of it.
#![allow(dead_code)]

use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// The answer to a request for a table, or for a range of it.
pub struct Answer {
    /// The number of the request.
    pub number: u64,
    /// The name of the file.
    pub name: String,
    pub status: &'static str,
    pub version: u64,
    /// More lines of the head.
    pub headers: &'static str,
    pub length: usize,
    pub first: usize,
    pub last: usize,
    pub total: String,
    pub bytes: Vec<u8>,
    /// All bytes of the file.
    pub file: Vec<u8>,
    /// Bytes that are sent at a time, and the pause after them.
    pub pace: (usize, Duration),
}

impl Answer {
    /// Makes it the answer of a host without ranges.
    pub fn make_whole(&mut self) {
        self.status = "200 OK";
        self.length = self.file.len();
        self.bytes.clone_from(&self.file);
    }
}

/// What a host does to its answers.
pub type Fault = fn(&mut Answer);

/// A host that serves a folder until the program ends.
pub struct TestHost {
    pub url: String,
    pub requests: Arc<AtomicU64>,
    /// What was asked of tables: the file, and the range or nothing.
    pub ranges: Arc<Mutex<Vec<String>>>,
    /// Whether it closes every connection.
    pub is_dead: Arc<AtomicBool>,
}

impl TestHost {
    pub fn serve(folder: &Path, fault: Fault) -> TestHost {
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
    pub fn slow(folder: &Path) -> TestHost {
        TestHost::serve(folder, |_| thread::sleep(Duration::from_millis(50)))
    }

    /// A host that sends its index and then nothing any more.
    pub fn silent(folder: &Path) -> TestHost {
        TestHost::serve(folder, |_| thread::sleep(Duration::from_secs(3600)))
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
    let name = head.split([' ', '/']).nth(2).unwrap();
    let Ok(file) = fs::read(folder.join(name)) else {
        let status = "404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        return write!(stream, "HTTP/1.1 {status}");
    };
    let range = head.split("range: bytes=").nth(1);
    let range = range.and_then(|rest| rest.lines().next());
    let total = file.len();
    let (first, last) = match range.and_then(|range| range.split_once('-')) {
        Some((first, last)) => (first.parse().unwrap(), last.parse().unwrap()),
        None => (0, total - 1),
    };
    let mut answer = Answer {
        number,
        name: name.to_owned(),
        status: if range.is_some() {
            "206 Partial Content"
        } else {
            "200 OK"
        },
        version: 0,
        headers: "",
        length: last + 1 - first,
        first,
        last,
        total: total.to_string(),
        bytes: file[first..=last].to_vec(),
        file,
        pace: (usize::MAX, Duration::ZERO),
    };
    if name != "krou-index.json" {
        let asked = format!("{name} {}", range.unwrap_or_default());
        ranges.lock().unwrap().push(asked.trim_end().to_owned());
        fault(&mut answer);
    }
    write!(
        stream,
        "HTTP/1.1 {}\r\nLocation: http://127.0.0.1:1/\r\nETag: \"{}\"\r\nConnection: close\r\n\
         Content-Length: {}\r\n{}",
        answer.status, answer.version, answer.length, answer.headers
    )?;
    if answer.status.starts_with("206") {
        let Answer {
            first, last, total, ..
        } = &answer;
        write!(stream, "Content-Range: bytes {first}-{last}/{total}\r\n")?;
    }
    write!(stream, "\r\n")?;
    let (at_a_time, pause) = answer.pace;
    for bytes in answer.bytes.chunks(at_a_time) {
        stream.write_all(bytes)?;
        thread::sleep(pause);
    }
    Ok(())
}
