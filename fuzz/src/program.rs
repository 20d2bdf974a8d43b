//! The fuzz targets of the program's protocols: scripts of UCI, and requests over HTTP.

use std::cell::LazyCell;

use krou_cli::internal::{LocalServer, ScriptEngine};

/// Words of lines that are left out: they take memory, open files, or end the script.
const LEFT_OUT: [&str; 4] = ["hash", "threads", "table", "quit"];

thread_local! {
    static ENGINE: LazyCell<ScriptEngine> =
        LazyCell::new(|| ScriptEngine::new().expect("an engine"));
    static SERVER: LazyCell<LocalServer> =
        LazyCell::new(|| LocalServer::new().expect("a server"));
}

/// A script of UCI: each `go` is answered by one `bestmove`, and each `isready` by `readyok`.
pub fn uci(data: &[u8]) {
    let lines = data.split(|&byte| byte == b'\n').filter(|line| {
        let text = String::from_utf8_lossy(line).to_lowercase();
        !LEFT_OUT.iter().any(|word| text.contains(word))
    });
    let mut script: Vec<&[u8]> = lines.take(32).collect();
    let first_word = |line: &[u8]| {
        let line = str::from_utf8(line).ok()?;
        line.trim_start_matches('\u{feff}')
            .split_whitespace()
            .next()
            .map(str::to_owned)
    };
    let commands: Vec<String> = script.iter().copied().filter_map(first_word).collect();
    script.push(b"stop");
    let script = script.join(&b'\n');
    let answer = ENGINE.with(|engine| engine.answer(&script).expect("an answer"));
    let answer = String::from_utf8(answer).expect("text");
    for (command, reply) in [("go", "bestmove"), ("isready", "readyok"), ("uci", "uciok")] {
        let asked = commands.iter().filter(|&word| word == command).count();
        let replies = answer
            .lines()
            .filter(|line| line.starts_with(reply))
            .count();
        assert_eq!(replies, asked, "{command}: {answer}");
    }
}

/// Queries of the endpoints that take one.
const QUERIES: [&str; 5] = [
    "abapa",
    "awari/probe",
    "abapa/mainline",
    "kalah/game",
    "awari/ogn",
];

/// The first byte selects an endpoint; the rest is its query or the body. The answer is right
/// or a sentence that says why not, and never a fault of the server.
pub fn http(data: &[u8]) {
    let Some((&choice, rest)) = data.split_first() else {
        return;
    };
    let (method, address, body) = match choice % 8 {
        0 => ("POST", "/api/v1/ogn".to_owned(), rest),
        1 => ("POST", "/api/v1/awari/boards".to_owned(), rest),
        2 => ("POST", "/api/v1/abapa/boards".to_owned(), rest),
        query => {
            let query = QUERIES[usize::from(query) - 3];
            let text = String::from_utf8_lossy(rest);
            ("GET", format!("/api/v1/{query}?{text}"), &[][..])
        }
    };
    let answered = SERVER.with(|server| server.answer(method, &address, body));
    let Ok((status, body)) = answered else {
        return;
    };
    assert!(
        [200, 400, 404, 413, 414].contains(&status),
        "{address}: {status}"
    );
    let text = String::from_utf8(body).expect("text");
    if status != 200 {
        assert!(text.starts_with("{\"error\":\""), "{address}: {text}");
    }
}
