//! When a search ends and answers: `infinite`, `ponder`, limits, and a single move.

use super::process::EngineProcess;

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
fn forced_moves_are_played_at_once() {
    // F is the only move. The clock has more time than the test would wait.
    let mut engine = EngineProcess::start(&[]);
    engine.send("position fen 0-0-0-0-0-9-4-4-4-4-4-4-6-5-S");
    for go in [
        "go wtime 3600000 btime 3600000",
        "go movetime 3600000",
        "go nodes 4000000000",
    ] {
        engine.send(go);
        let lines = engine.lines_until("bestmove");
        assert!(lines.last().unwrap().starts_with("bestmove F"), "{lines:?}");
    }
    // Also after a search in the opponent's time.
    engine.send("go ponder wtime 3600000 btime 3600000");
    engine.lines_until("info");
    engine.send("ponderhit");
    engine.lines_until("bestmove");
    engine.quit();
}
