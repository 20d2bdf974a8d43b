//! Input lines: refused positions, their order, and the end of the input.

use std::io::Write;
use std::time::{Duration, Instant};

use krou::engine::Game;
use krou::rules::Ruleset;

use super::process::{EngineProcess, best_moves, output_of, play, start, word_after};

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
fn a_stop_ends_all_searches_before_it() {
    let begin = Instant::now();
    let output = output_of(&[], &("go movetime 60000\n".repeat(4) + "stop\n"));
    assert_eq!(best_moves(&output).len(), 4, "{output:?}");
    assert!(begin.elapsed() < Duration::from_secs(60), "{output:?}");
}

/// Whether it works, waits, or has yet to read something, and whether more input may come.
#[test]
fn a_closed_output_ends_the_engine() {
    for (commands, ends_input) in [
        ("uci\nisready\ngo depth 2\n", true),
        ("uci\nisready\ngo depth 2\n", false),
        ("go perft 40\n", false),
        ("go infinite\n", false),
        (
            "position fen 0-0-0-0-0-1-0-0-0-0-0-0-23-24-S\ngo infinite\n",
            false,
        ),
        ("setoption name Skill Level value 3\ngo infinite\n", false),
    ] {
        let (mut child, _home) = start(&[]);
        let mut input = child.stdin.take().unwrap();
        // It may have ended before.
        let _ = input.write_all(commands.as_bytes());
        drop(child.stdout.take());
        let kept = (!ends_input).then_some(input);
        let output = child.wait_with_output().unwrap();
        let ended = (output.status.code(), output.stderr);
        assert_eq!(ended, (Some(0), Vec::new()), "{commands}");
        drop(kept);
    }
}
