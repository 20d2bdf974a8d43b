//! `krou engine` over its protocol, as another program uses it.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use krou::engine::{Game, Player};
use krou::rules::Ruleset;
use tempfile::TempDir;

use crate::support::{call, call_with, krou_in};

/// How long a test waits for a line before it fails.
const PATIENCE: Duration = Duration::from_secs(30);

fn engine_in(folder: &Path) -> Command {
    let mut krou = krou_in(folder);
    krou.arg("engine");
    krou
}

/// An engine that is running.
struct Talk {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// The folder that it works in, removed at the end.
    _folder: TempDir,
}

impl Talk {
    fn start(args: &[&str]) -> Talk {
        let folder = tempfile::tempdir().unwrap();
        let mut child = engine_in(folder.path())
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.lines() {
                let _ = sender.send(line.unwrap());
            }
        });
        let input = child.stdin.take();
        Talk {
            child,
            input,
            lines,
            _folder: folder,
        }
    }

    fn say(&mut self, line: impl AsRef<[u8]>) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line.as_ref()).unwrap();
        input.write_all(b"\n").unwrap();
    }

    /// The next line.
    fn line(&self) -> String {
        let line = self.lines.recv_timeout(PATIENCE).expect("an answer");
        // Programs take an empty line for the end of the output.
        assert_ne!(line, "");
        line
    }

    /// The lines up to the one that begins with this word.
    fn until(&self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.line());
            if lines.last().unwrap().split(' ').next() == Some(word) {
                return lines;
            }
        }
    }

    /// It answers other commands again and again, but does not move.
    fn holds_its_answer(&mut self) {
        for _ in 0..100 {
            self.say("isready");
            let lines = self.until("readyok");
            let has_moved = lines.iter().any(|line| line.starts_with("bestmove"));
            assert!(!has_moved, "{lines:?}");
        }
    }

    /// The message for a bad line, after which the engine still answers.
    fn refusal(&mut self, line: impl AsRef<[u8]>) -> String {
        self.say(line);
        self.say("isready");
        let mut lines = self.until("readyok");
        assert_eq!(lines.len(), 2, "{lines:?}");
        let refusal = lines.remove(0);
        refusal.strip_prefix("info string ").unwrap().to_owned()
    }

    fn quit(mut self) {
        self.say("quit");
        self.ends();
    }

    /// It ends with success, without another line and without an error message.
    fn ends(mut self) {
        self.input = None;
        assert_eq!(
            self.lines.recv_timeout(PATIENCE),
            Err(RecvTimeoutError::Disconnected)
        );
        let Output { status, stderr, .. } = self.child.wait_with_output().unwrap();
        assert_eq!((status.code(), stderr), (Some(0), Vec::new()));
    }
}

/// The answers to a whole input.
fn answers(args: &[&str], input: &str) -> Vec<String> {
    let text = call_with(&[&["engine"], args].concat(), input).good();
    text.lines().map(str::to_owned).collect()
}

fn moves(lines: &[String]) -> Vec<&str> {
    let moves = lines
        .iter()
        .filter_map(|line| line.strip_prefix("bestmove "));
    moves.map(|rest| rest.split(' ').next().unwrap()).collect()
}

/// Plays moves, which must all be legal, one after the other.
fn play(game: &mut Game, letters: &str) {
    for letter in letters.chars() {
        let (player, pit) = Player::from_letter(letter).unwrap();
        assert_eq!(player, game.to_move(), "{letters}");
        game.play(pit).unwrap();
    }
}

fn word_after<'t>(line: &'t str, word: &str) -> Option<&'t str> {
    line.split(' ').skip_while(|&w| w != word).nth(1)
}

#[test]
fn uci_lists_name_and_options() {
    let mut talk = Talk::start(&["--hash", "16", "--dir", "/", "--rules", "abapa"]);
    talk.say("uci");
    assert_eq!(
        talk.until("uciok"),
        [
            concat!("id name krou ", env!("CARGO_PKG_VERSION")),
            "id author the authors of krou",
            "option name Hash type spin default 16 min 1 max 65536",
            "option name Threads type spin default 1 min 1 max 1024",
            "option name TablePath type string default /",
            "option name Rules type string default abapa",
            "option name Ponder type check default true",
            "uciok",
        ]
    );
    talk.quit();
}

/// Plays a game against itself; every move, line and reply must be legal.
fn whole_game(talk: &mut Talk, rules: Ruleset, go: &str) {
    let mut game = Game::new(rules);
    let mut letters = String::new();
    talk.say(format!("setoption name Rules value {rules}"));
    talk.say("ucinewgame");
    while game.outcome().is_none() {
        assert!(letters.len() < 1000, "{rules}: {letters}");
        talk.say(match letters.as_str() {
            "" => "position startpos".to_owned(),
            _ => format!("position startpos moves {letters}"),
        });
        talk.say(go);
        let lines = talk.until("bestmove");
        let (best, infos) = lines.split_last().unwrap();
        let best_move = word_after(best, "bestmove").unwrap();
        let last = infos.iter().rfind(|line| line.starts_with("info depth"));
        let line = word_after(last.unwrap(), "pv").unwrap();
        assert!(line.starts_with(best_move), "{lines:?}");
        play(&mut game.clone(), line);
        play(&mut game, best_move);
        if let Some(reply) = word_after(best, "ponder") {
            play(&mut game.clone(), reply);
        }
        letters += best_move;
    }
    talk.say(format!("position startpos moves {letters}"));
    talk.say("go depth 3");
    assert_eq!(talk.until("bestmove"), ["bestmove 0000"]);
}

#[test]
fn games_end_under_every_named_ruleset() {
    let mut talk = Talk::start(&["--hash", "1"]);
    for (_, rules) in Ruleset::NAMED {
        whole_game(&mut talk, rules, "go depth 2");
    }
    let combined = "oware+illegal+penalty+owner+even".parse().unwrap();
    whole_game(&mut talk, combined, "go nodes 300");
    talk.quit();
}

#[test]
fn the_score_counts_the_stores_for_the_player_to_move() {
    // South takes 3 of the last 4 seeds, and then 1 more; the tables have the value.
    let fen = "position fen 0-0-0-0-0-1-2-0-0-0-0-1-23-21";
    let input = format!("{fen}-S\ngo depth 1\n{fen}-N\ngo depth 1\n");
    let lines = answers(&[], &input);
    let scores: Vec<&str> = lines
        .iter()
        .filter_map(|line| word_after(line, "cp"))
        .collect();
    // South leads by 2 and gains 4. North trails by 2, and North's move gives South two
    // seeds.
    assert_eq!(scores[0], "600");
    assert!(lines.contains(&"info string the score is exact".to_owned()));
    assert_eq!(moves(&lines)[0], "F");
    // An estimate is not called exact.
    let lines = answers(&[], "go depth 1\n");
    assert!(
        lines.iter().all(|line| !line.contains("exact")),
        "{lines:?}"
    );
}

#[test]
fn malformed_lines_change_nothing() {
    let mut talk = Talk::start(&[]);
    talk.say("position startpos moves FaBc");
    let long = "position startpos moves ".to_owned() + &"Fa".repeat(40_000);
    for (line, part) in [
        (&b"xyzzy"[..], "there is no command 'xyzzy'"),
        (b"position", "position needs"),
        (b"position fen 4-4-4-4-4-4-4-4-4-4-4-4-1-0-S", "49 seeds"),
        (b"position fen 4-4-4-4-4-4-4-4-4-4-4-3-0-0-S", "47 seeds"),
        (
            b"position fen 4-4-4-4-4-4-4-4-4-4-4-4-0-0-W",
            "'W' is not a side",
        ),
        (b"position startpos moves FaFa", "move 3, 'F', is wrong"),
        (b"position startpos moves Fz", "move 2, 'z', is wrong"),
        (b"setoption", "setoption needs 'name'"),
        (
            b"setoption name Contempt value 3",
            "there is no option 'Contempt'",
        ),
        (b"setoption name Hash value lots", "the size must be"),
        (b"debug", "debug needs 'on' or 'off'"),
        (b"\xff\xfe", "the line is not UTF-8 text"),
        (b"\x1b[2J\x00", "there is no command '?[2J?'"),
        (long.as_bytes(), "the line is too long"),
    ] {
        let refusal = talk.refusal(line);
        assert!(refusal.contains(part), "{refusal}");
        assert!(!refusal.contains(char::is_control));
    }
    // The position is still the one before the bad lines; blank lines are ignored.
    talk.say("");
    talk.say("go depth 1");
    let lines = talk.until("bestmove");
    let best = word_after(lines.last().unwrap(), "bestmove").unwrap();
    let mut game = Game::new(Ruleset::AWARI);
    play(&mut game, "FaBc");
    play(&mut game, best);
    talk.quit();
}

#[test]
fn long_games_are_read_to_the_end() {
    // Two seeds that chase each other, and 46 captured ones: the positions repeat.
    let fen = "position fen 1-0-0-0-0-1-0-0-0-0-0-0-23-23-S";
    let round = "FaAbBcCdDeEf";
    let mut talk = Talk::start(&[]);
    talk.say(format!("{fen} moves {round}"));
    talk.say("go depth 1");
    assert_ne!(talk.until("bestmove").last().unwrap(), "bestmove 0000");
    talk.say(format!("{fen} moves {round}{round}"));
    talk.say("go depth 1");
    assert_eq!(talk.until("bestmove"), ["bestmove 0000"]);
    let refusal = talk.refusal(format!("{fen} moves {}", round.repeat(5000)));
    assert_eq!(refusal, "move 25, 'F', is wrong: the game is over");
    talk.quit();
}

#[test]
fn an_infinite_search_answers_when_stopped_and_not_before() {
    let mut talk = Talk::start(&[]);
    for position in [
        "startpos",
        "startpos moves FaBc",
        // The tables have the value.
        "fen 0-0-0-0-0-1-2-0-0-0-0-1-23-21-S",
        // The game is over.
        "fen 0-0-0-0-0-1-2-0-0-0-0-1-30-14-S",
    ] {
        talk.say(format!("position {position}"));
        talk.say("go infinite depth 1 movetime 1");
        talk.holds_its_answer();
        talk.say("stop");
        talk.until("bestmove");
    }
    // Now there is nothing to stop.
    talk.say("stop");
    talk.say("ponderhit");
    talk.say("isready");
    assert_eq!(talk.until("readyok"), ["readyok"]);
    talk.quit();
}

#[test]
fn pondering_answers_after_ponderhit_or_stop() {
    let mut talk = Talk::start(&[]);
    talk.say("position startpos moves Fa");
    talk.say("go ponder movetime 100");
    talk.holds_its_answer();
    talk.say("ponderhit");
    talk.until("bestmove");
    // The opponent plays another move.
    talk.say("go ponder wtime 1000000 btime 1000000");
    talk.holds_its_answer();
    talk.say("stop");
    talk.until("bestmove");
    talk.quit();
}

#[test]
fn without_pondering_bestmove_has_no_reply() {
    let lines = answers(
        &[],
        "go depth 3\nsetoption name Ponder value false\ngo depth 3\n",
    );
    let answers: Vec<&String> = lines.iter().filter(|l| l.starts_with("bestmove")).collect();
    assert!(answers[0].contains(" ponder "), "{answers:?}");
    assert!(!answers[1].contains("ponder"), "{answers:?}");
}

/// None of these searches ends by itself. The clock has as much time as the test.
#[test]
fn a_limited_search_ends() {
    let mut talk = Talk::start(&[]);
    for go in [
        "go movetime 200",
        "go wtime 30000 btime 30000",
        "go movetime 0",
        "go nodes 0",
    ] {
        talk.say(go);
        talk.until("bestmove");
    }
    talk.quit();
}

#[test]
fn a_rejected_option_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut talk = Talk::start(&[]);
    let told = |talk: &mut Talk, name: &str| {
        talk.say("uci");
        let lines = talk.until("uciok");
        let line = lines
            .iter()
            .find(|line| word_after(line, "name") == Some(name));
        word_after(line.unwrap(), "default").unwrap().to_owned()
    };
    let known = "position fen 0-0-0-0-0-1-2-0-0-0-0-1-23-21-S\ngo depth 1";
    let is_exact = |talk: &mut Talk| {
        talk.say(known);
        talk.until("bestmove")
            .contains(&"info string the score is exact".to_owned())
    };
    let refusal = talk.refusal("setoption name TablePath value /no/such/folder");
    assert!(
        refusal.contains("/no/such/folder is not a folder"),
        "{refusal}"
    );
    assert_eq!(told(&mut talk, "TablePath"), "<empty>");
    assert!(is_exact(&mut talk));
    let refusal = talk.refusal("setoption name Rules value awri");
    assert!(refusal.contains("there is no ruleset 'awri'"));
    assert_eq!(told(&mut talk, "Rules"), "awari");
    let refusal = talk.refusal("setoption name Hash value 0");
    assert!(refusal.contains("from 1 to 65536"), "{refusal}");

    let path = folder.path().to_str().unwrap();
    talk.say(format!("setoption name TablePath value {path}"));
    assert_eq!(told(&mut talk, "TablePath"), path);
    talk.say("setoption name TablePath value <empty>");
    assert_eq!(told(&mut talk, "TablePath"), "<empty>");
    // New rules begin a new game.
    talk.say("position startpos moves F");
    talk.say("setoption name Rules value kalah");
    talk.say("go depth 1");
    let answer = talk.until("bestmove").pop().unwrap();
    assert!(
        ('A'..='F').contains(&answer.chars().nth(9).unwrap()),
        "{answer}"
    );
    talk.quit();
}

/// A search with results of an earlier one visits fewer nodes.
#[test]
fn a_new_game_or_hash_size_clears_the_transposition_table() {
    let input = [
        "go depth 7",
        "setoption name Ponder value false\ngo depth 7",
        "ucinewgame\ngo depth 7",
        "go depth 7",
        "setoption name Hash value 64\ngo depth 7",
    ];
    let lines = answers(&[], &(input.join("\n") + "\n"));
    let last = |lines: &[String]| {
        let info = lines.iter().rfind(|line| line.starts_with("info depth"));
        word_after(info.unwrap(), "nodes").unwrap().parse().unwrap()
    };
    let searches = lines.split_inclusive(|line| line.starts_with("bestmove"));
    let nodes: Vec<u32> = searches.map(last).collect();
    let [first, ponder, new_game, again, hash] = nodes[..] else {
        panic!("{nodes:?}");
    };
    assert_eq!((new_game, hash), (first, first));
    assert!(ponder < first && again < first, "{nodes:?}");
}

#[test]
fn debug_reports_the_limits() {
    let lines = answers(
        &[],
        "debug on\ngo depth 2 nodes 100 movetime 5000\ndebug off\ngo depth 1\n",
    );
    let told: Vec<&String> = lines
        .iter()
        .filter(|l| l.contains("string searching"))
        .collect();
    assert_eq!(
        told,
        ["info string searching to depth 2 or 100 nodes or 5000 ms"]
    );
}

#[test]
fn queued_commands_run_in_order() {
    // All three answers although the input has ended, which stops infinite searches.
    let input =
        "go depth 3\nposition startpos moves F\ngo depth 2\nposition startpos\ngo infinite\n";
    let lines = answers(&[], input);
    let moves = moves(&lines);
    assert_eq!(moves.len(), 3, "{lines:?}");
    assert!(
        moves[0] < "a" && moves[1] >= "a" && moves[2] < "a",
        "{moves:?}"
    );
    // `stop` ends every search before it.
    let mut talk = Talk::start(&[]);
    talk.say("go infinite\nposition startpos moves F\ngo infinite\nstop\nisready");
    talk.until("readyok");
    talk.until("bestmove");
    let second = talk.until("bestmove").pop().unwrap();
    assert!(second.as_bytes()[9].is_ascii_lowercase(), "{second}");
    // The queue of commands has a limit.
    talk.say("go infinite");
    for _ in 0..100 {
        talk.say("position startpos");
    }
    assert!(talk.until("info").pop().is_some());
    talk.say("isready");
    let dropped = talk.until("readyok");
    assert!(
        dropped
            .iter()
            .any(|line| line.contains("this one is dropped")),
        "{dropped:?}"
    );
    talk.say("stop");
    talk.until("bestmove");
    talk.quit();
}

#[test]
fn every_go_is_answered() {
    for go in [
        "searchmoves A B depth 1",
        "mate 3 depth 1",
        "sideways nodes 10",
        "depth many movetime 5",
    ] {
        let lines = answers(&[], &format!("go {go}\n"));
        let note = lines.iter().filter(|line| line.contains("go ignores '"));
        assert_eq!(note.count(), 1, "{go}: {lines:?}");
        assert_eq!(moves(&lines).len(), 1, "{go}: {lines:?}");
    }
}

#[test]
fn quit_and_end_of_input_end_the_engine() {
    let mut talk = Talk::start(&[]);
    talk.say("go infinite");
    talk.holds_its_answer();
    talk.quit();
    assert_eq!(answers(&[], ""), Vec::<String>::new());
    assert_eq!(answers(&[], "isready"), ["readyok"]);
    // Nothing to stop is no reason to wait.
    assert_eq!(answers(&[], "stop\n"), Vec::<String>::new());
    let late = answers(&[], "go depth 1\nisready\nstop\nstop\n");
    assert_eq!(moves(&late).len(), 1, "{late:?}");
}

#[test]
fn bad_arguments_give_one_sentence() {
    for (args, part) in [
        (["--rules", "awri"], "there is no ruleset 'awri'"),
        (
            ["--dir", "/no/such/folder"],
            "/no/such/folder is not a folder",
        ),
        (["--hash", "0"], "from 1 to 65536"),
        (["--threads", "0"], "from 1 to 1024"),
    ] {
        let error = call(&[&["engine"], &args[..]].concat()).refused();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let place = tempfile::tempdir().unwrap();
    let mut child = engine_in(place.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"uci\nisready\ngo depth 2\n").unwrap();
    drop(input);
    let Output { status, stderr, .. } = child.wait_with_output().unwrap();
    assert_eq!((status.code(), stderr), (Some(0), Vec::new()));
}

/// Whether a line is as in the document, where `…` stands for any text.
fn is_as_written(line: &str, written: &str) -> bool {
    let mut parts = written.split('…');
    let first = parts.next().unwrap();
    let Some(mut rest) = line.strip_prefix(first) else {
        return false;
    };
    let mut open = false;
    for part in parts {
        open = true;
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.is_empty() || (open && written.ends_with('…'))
}

#[test]
fn the_protocol_document_shows_real_answers() {
    let text = include_str!("../../docs/protocol.md");
    let mut talk = Talk::start(&[]);
    // The document does not promise the number of depths, and which scores are exact.
    let is_note = |line: &str| line.starts_with("info");
    let mut told: Vec<String> = Vec::new();
    let mut answers = 0;
    for line in text.lines() {
        if let Some(command) = line.strip_prefix("> ") {
            assert!(told.iter().all(|line| is_note(line)), "{told:?}");
            told.clear();
            talk.say(command);
        } else if let Some(written) = line.strip_prefix("< ") {
            answers += 1;
            while !told.iter().any(|line| is_as_written(line, written)) {
                told.push(talk.line());
                assert!(
                    is_note(told.last().unwrap()) || is_as_written(told.last().unwrap(), written),
                    "{written}: {told:?}"
                );
            }
            told.retain(|line| !is_as_written(line, written));
        }
    }
    assert!(answers > 12);
    talk.ends();
}
