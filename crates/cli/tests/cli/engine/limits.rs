//! What the words after `go` limit, as `debug on` tells it.

use super::process::output_of;

/// The notes about each search of these commands, from a position after some moves. The time
/// for a move is less by an overhead of 50 ms.
fn notes(moves: &str, commands: &[&str]) -> Vec<String> {
    let mut script =
        format!("debug on\nsetoption name Move Overhead value 50\nposition startpos {moves}\n");
    for go in commands {
        script += &format!("go {go}\nstop\n");
    }
    let lines = output_of(&[], &script);
    let moves = lines.iter().filter(|line| line.starts_with("bestmove "));
    assert_eq!(moves.count(), commands.len(), "{lines:?}");
    let notes = lines.iter();
    let notes = notes.filter_map(|line| line.strip_prefix("info string "));
    let notes = notes.filter(|note| note.starts_with("searching") || note.starts_with("go "));
    notes.map(str::to_owned).collect()
}

const CLOCKS: &str = "wtime 60050 btime 30050 winc 400 binc 800";

#[test]
fn parameters_limit_the_search() {
    let cases = [
        (
            "depth 8 nodes 5000 movetime 600",
            "to depth 8 or 5000 nodes or 550 ms",
        ),
        ("depth 8", "to depth 8"),
        ("nodes 8", "to 8 nodes"),
        ("", "to 2000 ms"),
        // Values out of range are clamped.
        ("depth 0", "to depth 1"),
        ("depth 300", "to depth 255"),
        ("nodes -1", "to 0 nodes"),
        ("movetime -5", "to 0 ms"),
        ("movetime 9223372036854775807", "to 863999950 ms"),
        // Only clocks have a target. White's is South's.
        (CLOCKS, "to 2300 to 6900 ms"),
        ("wtime 60050", "to 2000 to 6000 ms"),
        ("wtime 60050 movetime 500", "to 2000 to 450 ms"),
        ("wtime 60050 winc 1000", "to 2750 to 8250 ms"),
        ("wtime 60050 movestogo 10", "to 6000 to 15000 ms"),
        ("wtime 60050 movestogo 2", "to 30000 to 30000 ms"),
        ("wtime 60050 movestogo 1", "to 60000 to 60000 ms"),
        ("wtime 60050 movestogo 0", "to 60000 to 60000 ms"),
        // More moves to go than a game has do not change the time.
        ("wtime 60050 movestogo 1000", "to 2000 to 6000 ms"),
        ("wtime 60050 movestogo 5", "to 12000 to 15000 ms"),
        ("btime 60050", "to 2000 ms"),
        ("mate 3", "to depth 5 or a proven win"),
        ("mate 3 depth 2", "to depth 2 or a proven win"),
        ("mate 200", "to depth 254 or a proven win"),
        ("mate -1", "to depth 1 or a proven win"),
        ("infinite depth 3 movetime 5", "until stop"),
        // The time of a pondered move begins with `ponderhit`.
        ("ponder depth 3 movetime 5", "to depth 3"),
        ("searchmoves A CF d depth 3", "to depth 3"),
    ];
    let notes = notes("", &cases.map(|(go, _)| go));
    for ((go, limits), note) in cases.iter().zip(&notes) {
        assert_eq!(note, &format!("searching {limits}"), "{go}");
    }
    assert_eq!(notes.len(), cases.len());
    let north = self::notes("moves F", &[CLOCKS, "wtime 60050"]);
    assert_eq!(
        north,
        ["searching to 1600 to 4800 ms", "searching to 2000 ms"]
    );
}

#[test]
fn words_without_sense_are_ignored() {
    let cases = [
        ("searchmoves depth 3", "searchmoves", "to depth 3"),
        ("searchmoves A x depth 3", "x", "to depth 3"),
        ("mate soon", "mate soon", "to 2000 ms"),
        ("sideways 3 depth 2", "sideways 3", "to depth 2"),
        ("depth", "depth", "to 2000 ms"),
        ("depth five", "depth five", "to 2000 ms"),
        ("wtime 1.5 depth 2", "wtime 1.5", "to depth 2"),
        (
            "nodes 9999999999999999999",
            "nodes 9999999999999999999",
            "to 2000 ms",
        ),
        ("depth infinite", "depth", "until stop"),
        ("depth 3 depth", "depth", "to depth 3"),
    ];
    let notes = notes("", &cases.map(|(go, ..)| go));
    let expected = cases.iter().flat_map(|(_, ignored, limits)| {
        [
            format!("go ignores '{ignored}'"),
            format!("searching {limits}"),
        ]
    });
    assert_eq!(notes, expected.collect::<Vec<_>>());
}
