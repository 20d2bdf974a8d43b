//! Input lines: malformed ones, their order, and the end of the input.

use std::io::Write;

use krou::engine::Game;
use krou::rules::Ruleset;

use super::process::{EngineProcess, best_moves, output_of, play, start, word_after};
use crate::support::call;

#[test]
fn malformed_lines_change_nothing() {
    let mut engine = EngineProcess::start(&[]);
    engine.send("position startpos moves FaBc");
    for (line, part) in [
        (&b"xyzzy"[..], "there is no command 'xyzzy'"),
        (b"GO", "there is no command 'GO'"),
        (b"setoption", "setoption needs 'name'"),
        (b"setoption Hash 3", "setoption needs 'name'"),
        (
            b"setoption name DrawSearch value 3",
            "there is no option 'DrawSearch'",
        ),
        (b"setoption name Hash value lots", "Hash cannot be 'lots'"),
        (b"debug", "debug needs 'on' or 'off'"),
        (b"\x1b[2J\x00", "there is no command '?[2J?'"),
    ] {
        let error = engine.error(line);
        assert!(error.contains(part), "{error}");
        assert!(!error.contains(char::is_control));
    }
    // The position is still the one before the malformed lines; blank lines are ignored.
    engine.send(" \t ");
    engine.send("");
    engine.send(" \t debug \t off  ");
    assert_move_after(&mut engine, "FaBc");
    engine.quit();
}

#[test]
fn positions_have_moves_with_or_without_spaces() {
    let mut engine = EngineProcess::start(&[]);
    let fen = "fen 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";
    for (start, moves) in [("startpos", "FaBc"), ("startpos", "F a B c"), (fen, "FaBc")] {
        engine.send(format!("position {start} moves {moves}"));
        assert_move_after(&mut engine, "FaBc");
    }
    // A player of the store family may move again.
    engine.send("setoption name Rules value kalah");
    engine.send("position startpos moves CF\nisready");
    let lines = engine.lines_until("readyok");
    assert!(
        lines.iter().all(|line| !line.contains("wrong")),
        "{lines:?}"
    );
    engine.quit();
}

#[test]
fn refused_positions_say_why() {
    let mut engine = EngineProcess::start(&[]);
    for (position, why) in [
        ("", "position needs 'startpos' or 'fen'"),
        ("4-4", "position needs 'startpos' or 'fen'"),
        (
            "startpos FaB",
            "only 'moves' may follow startpos, not 'FaB'",
        ),
        ("fen", "fen: a board needs 12 numbers"),
        ("fen 4-4-S", "fen: engine notation needs 15 parts"),
        (
            "startpos moves FX",
            "move 2, 'X', is wrong: pits are A to F",
        ),
        (
            "startpos moves FA",
            "move 2, 'A', is wrong: it is North's turn",
        ),
        (
            "startpos moves FaF",
            "move 3, 'F', is wrong: pit F is empty",
        ),
        ("startpos moves F\u{1}", "move 2, '?', is wrong"),
    ] {
        let error = engine.error(format!("position {position}"));
        assert!(error.contains(why), "{position}: {error}");
    }
    engine.quit();
}

/// Searches, and checks that the answer is a legal move after these.
fn assert_move_after(engine: &mut EngineProcess, letters: &str) {
    engine.send("go depth 1");
    let lines = engine.lines_until("bestmove");
    let best = word_after(lines.last().unwrap(), "bestmove").unwrap();
    let mut game = Game::new(Ruleset::ABAPA);
    play(&mut game, letters);
    play(&mut game, best);
}

/// A program that plays on after a position that was refused gets no move of another board.
#[test]
fn after_a_refused_position_there_is_no_move_until_the_next_one() {
    let mut engine = EngineProcess::start(&[]);
    let long = "position startpos moves ".to_owned() + &"Fa".repeat(40_000);
    for (line, part) in [
        (&b"position"[..], "position needs"),
        (b"position fen 4-4-4-4-4-4-4-4-4-4-4-4-1-0-S", "49 seeds"),
        (
            b"position fen 4-4-4-4-4-4-4-4-4-4-4-4-0-0-W",
            "'W' is not a side",
        ),
        (b"position startpos moves FaFa", "move 3, 'F', is wrong"),
        (b"position startpos moves Fz", "move 2, 'z', is wrong"),
        // These may have been positions.
        (b"\xff\xfe", "the line is not UTF-8 text"),
        (long.as_bytes(), "the line is too long"),
    ] {
        engine.send("position startpos moves FaBc");
        assert_move_after(&mut engine, "FaBc");
        let error = engine.error(line);
        assert!(error.contains(part), "{error}");
        for go in ["go depth 1", "go movetime 10"] {
            engine.send(go);
            let lines = engine.lines_until("bestmove");
            let [note, answer] = &lines[..] else {
                panic!("{lines:?}");
            };
            assert!(
                note.starts_with("info string there is no position"),
                "{note}"
            );
            assert_eq!(answer, "bestmove 0000");
        }
    }
    engine.send("go infinite");
    engine.assert_no_move();
    engine.send("stop");
    assert_eq!(
        engine.lines_until("bestmove").last().unwrap(),
        "bestmove 0000"
    );
    // A new game has a position.
    engine.send("ucinewgame");
    assert_move_after(&mut engine, "");
    engine.quit();
}

/// Shells of Windows begin a pipe with it.
#[test]
fn a_byte_order_mark_is_ignored() {
    let lines = output_of(&[], "\u{feff}uci\n");
    assert_eq!(lines.last().unwrap(), "uciok");
}

/// Whatever its size, the transposition table is made when it is needed.
#[cfg(target_os = "linux")]
#[test]
fn uciok_does_not_wait_for_the_transposition_table() {
    use super::options::peak_memory;

    let mut engine = EngineProcess::start(&["--hash", "300"]);
    engine.send("uci");
    engine.lines_until("uciok");
    // A size that the machine cannot have changes nothing and allocates nothing.
    engine.send("setoption name Hash value 65536");
    let refused = engine.line();
    assert!(refused.contains("MiB of memory are free"), "{refused}");
    assert!(peak_memory(engine.id()) < 200 << 20);
    engine.send("isready");
    engine.lines_until("readyok");
    assert!(peak_memory(engine.id()) > 300 << 20);
    engine.quit();
}

#[test]
fn queued_commands_run_in_order() {
    // All three searches are answered although the input has ended, which stops infinite
    // searches.
    let input =
        "go depth 3\nposition startpos moves F\ngo depth 2\nposition startpos\ngo infinite\n";
    let lines = output_of(&[], input);
    let moves = best_moves(&lines);
    assert_eq!(moves.len(), 3, "{lines:?}");
    assert!(
        moves[0] < "a" && moves[1] >= "a" && moves[2] < "a",
        "{moves:?}"
    );
    // `stop` ends every search before it.
    let mut engine = EngineProcess::start(&[]);
    engine.send("go infinite\nposition startpos moves F\ngo infinite\nstop\nisready");
    engine.lines_until("readyok");
    engine.lines_until("bestmove");
    let second = engine.lines_until("bestmove").pop().unwrap();
    assert!(second.as_bytes()[9].is_ascii_lowercase(), "{second}");
    // The queue of commands has a limit.
    engine.send("go infinite");
    for _ in 0..100 {
        engine.send("position startpos");
    }
    assert!(engine.lines_until("info").pop().is_some());
    engine.send("isready");
    let dropped = engine.lines_until("readyok");
    assert!(
        dropped
            .iter()
            .any(|line| line.contains("this one is dropped")),
        "{dropped:?}"
    );
    engine.send("stop");
    engine.lines_until("bestmove");
    engine.quit();
}

#[test]
fn unknown_parameters_of_go_are_ignored() {
    for go in [
        "searchmoves Z depth 1",
        "mate soon depth 1",
        "sideways nodes 10",
        "depth many movetime 5",
    ] {
        let lines = output_of(&[], &format!("go {go}\n"));
        let note = lines.iter().filter(|line| line.contains("go ignores '"));
        assert_eq!(note.count(), 1, "{go}: {lines:?}");
        assert_eq!(best_moves(&lines).len(), 1, "{go}: {lines:?}");
    }
}

/// The counts are those of `tests/rules/data/perft.csv`.
#[test]
fn positions_are_shown_valued_and_counted() {
    let script = "position startpos moves F\nd\neval\ngo perft 2\nposition startpos\ngo perft 5";
    let lines = output_of(&[], script);
    let has = |line: &str| lines.iter().any(|l| l == line);
    assert!(
        has("info string fen 4-4-4-4-4-0-5-5-5-5-4-4-0-0-N"),
        "{lines:?}"
    );
    let count = |part: &str| lines.iter().filter(|line| line.contains(part)).count();
    assert_eq!(
        [count("4  4  5  5  5  5"), count("info depth 1 ")],
        [1, 1],
        "{lines:?}"
    );
    assert!(has("info string sequences: 5219"), "{lines:?}");
    assert_eq!(best_moves(&lines), ["0000", "0000"]);
    let mut engine = EngineProcess::start(&[]);
    engine.send("go perft 99\nstop");
    assert_eq!(
        engine.lines_until("bestmove").pop().unwrap(),
        "bestmove 0000"
    );
    engine.quit();
}

#[test]
fn quit_and_end_of_input_end_the_engine() {
    let mut engine = EngineProcess::start(&[]);
    engine.send("go infinite");
    engine.assert_no_move();
    // The search may report something before it reads `quit`.
    engine.quit_during_search();
    assert_eq!(output_of(&[], ""), Vec::<String>::new());
    assert_eq!(output_of(&[], "isready"), ["readyok"]);
    // `stop` without a search does not wait for one.
    assert_eq!(output_of(&[], "stop\n"), Vec::<String>::new());
    let late = output_of(&[], "go depth 1\nisready\nstop\nstop\n");
    assert_eq!(best_moves(&late).len(), 1, "{late:?}");
}

#[test]
fn invalid_arguments_give_one_sentence() {
    for (args, part) in [
        (["--rules", "awri"], "there is no ruleset 'awri'"),
        (["--hash", "0"], "from 1 to 65536"),
        (["--threads", "0"], "from 1 to 1024"),
    ] {
        let error = call(&[&["engine"], &args[..]].concat()).error();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn a_closed_output_is_not_an_error() {
    let (mut child, _home) = start(&[]);
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"uci\nisready\ngo depth 2\n").unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
}
