//! When a search ends and answers: `infinite`, `ponder`, and limits.

use super::process::{EngineProcess, output_of};

#[test]
fn infinite_searches_answer_only_after_stop() {
    let mut engine = EngineProcess::start(&[]);
    for position in [
        "startpos",
        "startpos moves FaBc",
        // The tables hold the value.
        "fen 0-0-0-0-0-1-2-0-0-0-0-1-23-21-S",
        // The game is over.
        "fen 0-0-0-0-0-1-2-0-0-0-0-1-30-14-S",
    ] {
        engine.send(format!("position {position}"));
        engine.send("go infinite depth 1 movetime 1");
        engine.assert_no_move();
        engine.send("stop");
        engine.lines_until("bestmove");
    }
    // Without a search there is nothing to stop.
    engine.send("stop");
    engine.send("ponderhit");
    engine.send("isready");
    assert_eq!(engine.lines_until("readyok"), ["readyok"]);
    engine.quit();
}

#[test]
fn pondering_answers_only_after_ponderhit_or_stop() {
    let mut engine = EngineProcess::start(&[]);
    engine.send("position startpos moves Fa");
    engine.send("go ponder movetime 100");
    engine.assert_no_move();
    engine.send("ponderhit");
    engine.lines_until("bestmove");
    // The opponent plays another move.
    engine.send("go ponder wtime 1000000 btime 1000000");
    engine.assert_no_move();
    engine.send("stop");
    engine.lines_until("bestmove");
    engine.quit();
}

#[test]
fn without_pondering_bestmove_has_no_reply() {
    let lines = output_of(
        &[],
        "go depth 3\nsetoption name Ponder value false\ngo depth 3\n",
    );
    let best_moves: Vec<&String> = lines.iter().filter(|l| l.starts_with("bestmove")).collect();
    assert!(best_moves[0].contains(" ponder "), "{best_moves:?}");
    assert!(!best_moves[1].contains("ponder"), "{best_moves:?}");
    // The game is over before a reply, or the same player moves again.
    let last = "position fen 0-0-0-0-0-1-1-0-0-0-0-0-22-24-S\ngo depth 3\n";
    assert_eq!(output_of(&[], last).last().unwrap(), "bestmove F");
    let again = output_of(&["--rules", "kalah"], "go depth 3 searchmoves C\n");
    assert_eq!(again.last().unwrap(), "bestmove C");
}

/// None of these searches ends without its limit. The clock has as much time as the test
/// waits for an answer.
#[test]
fn limited_searches_end() {
    let mut engine = EngineProcess::start(&[]);
    for go in [
        "go movetime 200",
        "go wtime 30000 btime 30000",
        "go movetime 0",
        "go nodes 0",
    ] {
        engine.send(go);
        engine.lines_until("bestmove");
    }
    engine.quit();
}

#[test]
fn debug_reports_the_limits() {
    let lines = output_of(
        &[],
        "debug on\ngo depth 2 nodes 100 movetime 5000\ndebug off\ngo depth 1\n",
    );
    let notes: Vec<&String> = lines
        .iter()
        .filter(|l| l.contains("string searching"))
        .collect();
    assert_eq!(
        notes,
        ["info string searching to depth 2 or 100 nodes or 4990 ms"]
    );
}
