//! What a session does when a transposition table is refused.

use std::io::Cursor;
use std::sync::mpsc::{Receiver, sync_channel};

use krou::engine::EngineOptions;
use krou::rules::Ruleset;

use super::*;
use crate::folder_args::FolderArgs;
use crate::lines::Line;

/// A session with a transposition table of 2 MiB on a machine with 3 MiB of free memory,
/// and the events of its searches.
fn session() -> (Session<Vec<u8>>, Receiver<Event>) {
    let folder = tempfile::tempdir().unwrap();
    let folders = FolderArgs::at(folder.path().to_owned());
    let engine = EngineOptions::default().with_hash_mib(2);
    let options = Options::new(Ruleset::AWARI, folders, engine).unwrap();
    let options = options.with_free_memory(|| Some(3 << 20));
    let (sender, events) = sync_channel(64);
    let searcher = SearchThread::start(options.engine(), sender).unwrap();
    (Session::new(options, searcher, Vec::new()), events)
}

/// The lines that the session prints in answer to a line.
fn answer(session: &mut Session<Vec<u8>>, line: &str) -> Vec<String> {
    let line = Line::read(&mut Cursor::new(line), 1000).unwrap().unwrap();
    session.handle(Event::Line(line)).unwrap();
    let text = String::from_utf8(std::mem::take(&mut session.out)).unwrap();
    text.lines().map(str::to_owned).collect()
}

fn hash_line(session: &mut Session<Vec<u8>>) -> String {
    let lines = answer(session, "uci");
    lines
        .into_iter()
        .find(|line| line.contains("Hash"))
        .unwrap()
}

#[test]
fn a_refused_hash_size_restores_the_old_one() {
    let (mut session, events) = session();
    assert_eq!(
        answer(&mut session, "setoption name Hash value 4"),
        ["info string Hash cannot be 4 MiB: only 3 MiB of memory are free"]
    );
    assert!(hash_line(&mut session).contains("default 2 "));
    // The session has an engine, and other options can be set.
    assert!(answer(&mut session, "setoption name Threads value 2").is_empty());
    assert!(answer(&mut session, "setoption name Hash value 3").is_empty());
    assert!(hash_line(&mut session).contains("default 3 "));
    assert!(answer(&mut session, "go depth 1").is_empty());
    while session.search.is_some() {
        session.handle(events.recv().unwrap()).unwrap();
    }
    let output = String::from_utf8(session.out).unwrap();
    assert!(output.contains("bestmove "), "{output}");
}
