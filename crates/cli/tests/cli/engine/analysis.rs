//! Analysis: several lines, chosen moves, and the search for a win.

use super::process::{EngineProcess, best_moves, output_of, word_after};

/// A board of the built-in tables: South takes three seeds with F.
const TABLES: &str = "position fen 0-0-0-0-1-1-2-0-0-0-0-1-23-20-S\n";

fn infos(lines: &[String]) -> Vec<&String> {
    let infos = lines.iter().filter(|line| line.starts_with("info depth"));
    infos.collect()
}

#[test]
fn multipv_reports_each_line_with_its_number() {
    let lines = output_of(&[], "setoption name MultiPV value 3\ngo depth 6\n");
    let mut completed = infos(&lines);
    completed.retain(|line| !line.contains("bound"));
    assert_eq!(completed.len(), 18, "{lines:?}");
    for depth in completed.chunks(3) {
        let numbers: Vec<_> = depth.iter().map(|l| word_after(l, "multipv")).collect();
        assert_eq!(numbers, [Some("1"), Some("2"), Some("3")]);
        let mut moves: Vec<_> = depth
            .iter()
            .map(|l| word_after(l, "pv").unwrap().chars().next())
            .collect();
        moves.sort_unstable();
        moves.dedup();
        assert_eq!(moves.len(), 3, "{depth:?}");
    }
    assert_eq!(best_moves(&lines).len(), 1);
    // There are no more lines than moves, and each has an exact score.
    let script = format!("setoption name MultiPV value 6\n{TABLES}go depth 3\n");
    let lines = output_of(&[], &script);
    let exact = lines
        .iter()
        .filter(|line| line.contains("the score is exact"));
    assert_eq!((infos(&lines).len(), exact.count()), (2, 2), "{lines:?}");
    assert_eq!(best_moves(&lines), ["F"]);
}

#[test]
fn searchmoves_restricts_the_search() {
    let script = format!(
        "go depth 4 searchmoves B\n{TABLES}go searchmoves E depth 4\n\
         position startpos\ngo searchmoves a depth 1\n"
    );
    let lines = output_of(&[], &script);
    let moves = best_moves(&lines);
    assert_eq!(moves[..2], ["B", "E"], "{lines:?}");
    // North's moves are none of South's.
    assert_eq!(moves.len(), 3);
    let note = "info string searchmoves has no legal move, so all moves are searched";
    assert_eq!(lines.iter().filter(|line| *line == note).count(), 1);
}

#[test]
fn mate_says_whether_a_win_is_proven() {
    let lines = output_of(
        &[],
        &format!("position startpos\ngo mate 2\n{TABLES}go mate 1\n"),
    );
    let notes: Vec<&String> = lines
        .iter()
        .filter(|line| line.contains("a win is proven") || line.contains("no win within"))
        .collect();
    assert_eq!(
        notes,
        [
            "info string no win within 2 moves was found",
            "info string a win is proven"
        ]
    );
    assert_eq!(best_moves(&lines).len(), 2);
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

#[test]
fn the_overhead_is_subtracted_from_all_times() {
    let lines = output_of(
        &[],
        "debug on\nsetoption name Move Overhead value 40\ngo movetime 60\n\
         go wtime 640 btime 0 movestogo 30\n",
    );
    let notes: Vec<&String> = lines
        .iter()
        .filter(|line| line.contains("searching to"))
        .collect();
    assert_eq!(
        notes,
        [
            "info string searching to 20 ms",
            "info string searching to 20 to 60 ms"
        ]
    );
}

#[test]
fn contempt_changes_no_exact_score() {
    let script = format!("setoption name Contempt value 500\n{TABLES}go depth 3\n");
    for lines in [
        output_of(&[], &script),
        output_of(&[], &format!("{TABLES}go depth 3\n")),
    ] {
        assert_eq!(word_after(infos(&lines)[0], "cp"), Some("800"), "{lines:?}");
        assert!(lines.contains(&"info string the score is exact".to_owned()));
    }
}
