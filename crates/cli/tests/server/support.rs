//! A server for a test, and a client that can send any bytes.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

#[cfg(unix)]
use crate::program::isolated;
use crate::program::{krou_in, run};

/// How long a test waits for an answer before it fails.
const TIMEOUT: Duration = Duration::from_secs(30);
/// How long it waits for an answer that may not come.
const SHORT_TIMEOUT: Duration = Duration::from_millis(100);

/// A server that is stopped at the end of its test.
pub struct Server {
    pub process: Child,
    pub address: SocketAddr,
    /// The lines on its stderr after the first one, until it ends.
    log_lines: Mutex<Receiver<String>>,
    first_lines: Vec<String>,
    home: TempDir,
}

/// An answer that was read until the connection was closed.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    /// By name, in lower case.
    pub headers: BTreeMap<String, String>,
    pub body: String,
}

impl Response {
    fn parse(text: &str) -> Option<Response> {
        let (head, body) = text.split_once("\r\n\r\n")?;
        let mut lines = head.split("\r\n");
        let status = lines.next()?.strip_prefix("HTTP/1.")?.get(2..5)?;
        let headers = lines.filter_map(|line| line.split_once(": "));
        Some(Response {
            status: status.parse().ok()?,
            headers: headers
                .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
                .collect(),
            body: body.to_owned(),
        })
    }

    pub fn json(&self) -> Value {
        assert_eq!(self.headers["content-type"], "application/json");
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

impl Server {
    /// Starts a server with the embedded tables.
    pub fn start() -> Server {
        Server::in_folder(tempfile::tempdir().unwrap())
    }

    /// Starts a server with the tables of builds with these options.
    pub fn with_tables(builds: &[&str]) -> Server {
        let home = tempfile::tempdir().unwrap();
        // An existing folder `tables` is the default.
        std::fs::create_dir(home.path().join("tables")).unwrap();
        for options in builds {
            let mut build = krou_in(home.path());
            build.arg("build").args(options.split_whitespace());
            assert_eq!(run(&mut build).code, Some(0));
        }
        Server::in_folder(home)
    }

    /// Starts a server in a folder, which may have tables.
    pub fn in_folder(home: TempDir) -> Server {
        Server::in_folder_with(home, &[])
    }

    /// The same with these options.
    pub fn in_folder_with(home: TempDir, options: &[&str]) -> Server {
        let krou = krou_in(home.path());
        Server::run(krou, home, options)
    }

    /// Starts a server with the embedded tables and these options.
    pub fn with_options(options: &[&str]) -> Server {
        Server::in_folder_with(tempfile::tempdir().unwrap(), options)
    }

    /// Starts a server with the embedded tables after this command of a shell.
    #[cfg(unix)]
    pub fn after(command: &str) -> Server {
        let home = tempfile::tempdir().unwrap();
        let mut shell = isolated("bash", home.path());
        let script = format!("{command}; exec \"$0\" \"$@\"");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_krou")]);
        Server::run(shell, home, &[])
    }

    fn run(mut krou: Command, home: TempDir, options: &[&str]) -> Server {
        krou.args(["serve", "--listen", "127.0.0.1:0"])
            .args(options);
        krou.stdin(Stdio::null()).stderr(Stdio::piped());
        let mut process = krou.spawn().unwrap();
        let mut stderr = BufReader::new(process.stderr.take().unwrap());
        let mut first_lines = Vec::new();
        let address = loop {
            let mut line = String::new();
            stderr.read_line(&mut line).unwrap();
            first_lines.push(line.clone());
            if let Some(address) = line.strip_prefix("krou: listening on http://") {
                break address.to_owned();
            }
            assert!(line.starts_with("krou: warning: "), "{line}");
        };
        let address = address.split(',').next().unwrap().parse().unwrap();
        let (sender, log_lines) = mpsc::channel();
        thread::spawn(move || {
            // Until the server ends, in whatever way, or the test does.
            stderr
                .lines()
                .map_while(Result::ok)
                .try_for_each(|line| sender.send(line))
        });
        Server {
            process,
            address,
            log_lines: Mutex::new(log_lines),
            first_lines,
            home,
        }
    }

    /// The line on stderr that names its address.
    pub fn first_line(&self) -> &str {
        self.first_lines.last().unwrap()
    }

    /// The lines on stderr up to that one.
    pub fn first_lines(&self) -> &[String] {
        &self.first_lines
    }

    /// The folder that the server runs in.
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// Stops the server and returns what it wrote to stderr after its first line.
    pub fn log(mut self) -> String {
        let _ = self.process.kill();
        let lines = self.log_lines.get_mut().unwrap().iter();
        lines.map(|line| line + "\n").collect()
    }

    pub fn connect(&self) -> TcpStream {
        Server::with_timeouts(TcpStream::connect(self.address).unwrap())
    }

    /// A connection from another address of this machine.
    #[cfg(target_os = "linux")]
    pub fn connect_from(&self, address: [u8; 4]) -> TcpStream {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .build();
        let stream = runtime.unwrap().block_on(async {
            let socket = tokio::net::TcpSocket::new_v4().unwrap();
            socket.bind(SocketAddr::from((address, 0))).unwrap();
            socket
                .connect(self.address)
                .await
                .unwrap()
                .into_std()
                .unwrap()
        });
        stream.set_nonblocking(false).unwrap();
        Server::with_timeouts(stream)
    }

    fn with_timeouts(stream: TcpStream) -> TcpStream {
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        stream.set_write_timeout(Some(TIMEOUT)).unwrap();
        stream
    }

    /// Sends only these bytes, and reads until the connection is closed: by the server at any
    /// time, or by the client once an answer has come or, if the head is not complete, after
    /// a short timeout. To the server, a client that closes earlier does not wait for an
    /// answer.
    pub fn send(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        let _ = stream.write_all(bytes);
        let head = bytes.trim_ascii_start();
        let mut answer = vec![0];
        if head.windows(4).any(|end| end == b"\r\n\r\n") {
            let read = stream.read(&mut answer).unwrap_or(0);
            answer.truncate(read);
        } else {
            answer.clear();
        }
        let _ = stream.set_read_timeout(Some(SHORT_TIMEOUT));
        let _ = stream.read_to_end(&mut answer);
        let _ = stream.shutdown(Shutdown::Write);
        let _ = stream.set_read_timeout(Some(TIMEOUT));
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Sends a request with a method and more header lines.
    pub fn request(&self, method: &str, path: &str, lines: &str) -> Response {
        self.request_from("localhost", method, path, lines, "")
    }

    /// Sends a body.
    pub fn post(&self, path: &str, body: &str) -> Response {
        let length = format!("Content-Length: {}\r\n", body.len());
        self.request_from("localhost", "POST", path, &length, body)
    }

    /// Sends a request to a host.
    pub fn request_from(
        &self,
        host: &str,
        method: &str,
        path: &str,
        lines: &str,
        body: &str,
    ) -> Response {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{lines}\r\n{body}"
        );
        let answer = self.exchange(request.as_bytes());
        let answer = String::from_utf8(answer).unwrap();
        Response::parse(&answer).unwrap_or_else(|| panic!("{path}: {answer}"))
    }

    /// Sends bytes and reads until the server closes the connection.
    pub fn exchange(&self, request: &[u8]) -> Vec<u8> {
        let mut stream = self.connect();
        // The server may answer before it has read everything.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        answer
    }

    pub fn get(&self, path: &str) -> Response {
        self.request("GET", path, "")
    }

    /// The server-sent events of a request that must succeed, with their data.
    pub fn events(&self, path: &str) -> Vec<(String, Value)> {
        let mut stream = self.connect();
        // Without chunks.
        write!(stream, "GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let response = Response::parse(&answer).unwrap_or_else(|| panic!("{path}: {answer}"));
        assert_eq!(response.status, 200, "{path}: {}", response.body);
        assert_eq!(response.headers["content-type"], "text/event-stream");
        let events = response.body.split_terminator("\n\n").map(|event| {
            let (name, data) = event.split_once('\n').unwrap();
            let name = name.strip_prefix("event: ").unwrap();
            let data = data.strip_prefix("data: ").unwrap();
            (name.to_owned(), serde_json::from_str(data).unwrap())
        });
        events.collect()
    }

    /// The JSON of a request that must succeed.
    pub fn get_ok(&self, path: &str) -> Value {
        let response = self.get(path);
        assert_eq!(response.status, 200, "{path}: {}", response.body);
        response.json()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The server may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Text as part of a URL.
pub fn encoded(text: &str) -> String {
    text.replace(' ', "%20").replace('/', "%2F")
}
