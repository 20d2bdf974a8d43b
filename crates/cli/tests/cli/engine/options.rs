//! The options of the protocol.

use super::process::{EngineProcess, best_moves, output_of, word_after};
use crate::support::{built, damage};

#[test]
fn uci_lists_name_and_options() {
    let mut engine = EngineProcess::start(&["--hash", "16", "--dir", "/", "--rules", "abapa"]);
    engine.send("uci");
    let mut lines = engine.lines_until("uciok");
    // Its default depends on the free memory.
    let of_tables = lines.iter().position(|line| line.contains(" TableMemory "));
    let of_tables = lines.remove(of_tables.unwrap());
    let mib: u32 = word_after(&of_tables, "default").unwrap().parse().unwrap();
    assert!(
        mib <= 512 && of_tables.ends_with(" min 0 max 1048576"),
        "{of_tables}"
    );
    assert_eq!(
        lines,
        [
            concat!("id name krou ", env!("CARGO_PKG_VERSION")),
            "id author the authors of krou",
            "option name Hash type spin default 16 min 1 max 65536",
            "option name Threads type spin default 1 min 1 max 1024",
            "option name TablePath type string default /",
            "option name Rules type string default abapa",
            "option name Ponder type check default true",
            "option name OwnBook type check default true",
            "option name MultiPV type spin default 1 min 1 max 6",
            "option name Move Overhead type spin default 10 min 0 max 5000",
            "option name Contempt type spin default 0 min -1000 max 1000",
            "option name Repetitions type spin default 3 min 2 max 3",
            "option name UCI_ShowWDL type check default false",
            "option name Clear Hash type button",
            "uciok",
        ]
    );
    engine.quit();
}

#[test]
fn option_lines_show_the_settings() {
    let other = tempfile::tempdir().unwrap();
    let other = other.path().to_str().unwrap();
    let mut engine = EngineProcess::start(&["--dir", "/"]);
    let settings = [
        ("Hash", "16"),
        ("threads", "2"),
        ("TABLEPATH", other),
        ("Rules", "oware+illegal+required+owner+even"),
        ("Ponder", "false"),
        ("OwnBook", "false"),
        ("TableMemory", "100"),
        ("repetitions", "2"),
        ("UCI_ShowWDL", "true"),
        ("multipv", "3"),
        ("Move Overhead", "100"),
        ("Contempt", "-50"),
    ];
    for (name, value) in settings {
        engine.send(format!("setoption name {name} value {value}"));
    }
    engine.send("uci");
    let lines = engine.lines_until("uciok");
    for (name, value) in settings {
        let is_set = |line: &&String| {
            let line = line.to_lowercase();
            line.contains(&format!(" name {} type ", name.to_lowercase()))
                && format!("{line} ").contains(&format!(" default {} ", value.to_lowercase()))
        };
        assert_eq!(lines.iter().filter(is_set).count(), 1, "{name}: {lines:?}");
    }
    engine.send("setoption name TablePath value <empty>\nuci");
    let lines = engine.lines_until("uciok");
    assert!(lines.contains(&"option name TablePath type string default /".to_owned()));
    engine.quit();
}

#[test]
fn invalid_settings_are_rejected() {
    let mut engine = EngineProcess::start(&[]);
    engine.send("uci");
    let before = engine.lines_until("uciok");
    for (name, value, part) in [
        ("Hash", "0", ": give a whole number from 1 to 65536"),
        ("Hash", "", ""),
        ("Hash", "65537", ""),
        ("Threads", "-1", ": give a whole number from 1 to 1024"),
        ("Ponder", "maybe", ": give true or false"),
        ("OwnBook", "yes", ""),
        ("Repetitions", "4", ": give a whole number from 2 to 3"),
        ("TableMemory", "-1", ""),
        ("TableMemory", "1048577", ""),
        ("MultiPV", "7", ": give a whole number from 1 to 6"),
        ("Move Overhead", "-1", ""),
        ("Contempt", "1001", ""),
        ("Contempt", "much", ""),
    ] {
        let error = engine.error(format!("setoption name {name} value {value}"));
        let expected = format!("{name} cannot be '{value}'{part}");
        assert!(error.starts_with(&expected), "{error}");
    }
    engine.send("uci");
    assert_eq!(engine.lines_until("uciok"), before);
    engine.quit();
}

#[test]
fn a_rejected_option_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = EngineProcess::start(&[]);
    let default_of = |engine: &mut EngineProcess, name: &str| {
        engine.send("uci");
        let lines = engine.lines_until("uciok");
        let line = lines
            .iter()
            .find(|line| word_after(line, "name") == Some(name));
        word_after(line.unwrap(), "default").unwrap().to_owned()
    };
    let position = "position fen 0-0-0-0-0-1-2-0-0-0-0-1-23-21-S\ngo depth 1";
    let is_exact = |engine: &mut EngineProcess| {
        engine.send(position);
        engine
            .lines_until("bestmove")
            .contains(&"info string the score is exact".to_owned())
    };
    let error = engine.error("setoption name TablePath value /no/such/folder");
    assert!(error.contains("/no/such/folder is not a folder"), "{error}");
    assert_eq!(default_of(&mut engine, "TablePath"), "<empty>");
    assert!(is_exact(&mut engine));
    let error = engine.error("setoption name Rules value awri");
    assert!(error.contains("there is no ruleset 'awri'"));
    assert_eq!(default_of(&mut engine, "Rules"), "abapa");
    let error = engine.error("setoption name Hash value 0");
    assert!(error.contains("from 1 to 65536"), "{error}");

    let path = folder.path().to_str().unwrap();
    engine.send(format!("setoption name TablePath value {path}"));
    assert_eq!(default_of(&mut engine, "TablePath"), path);
    engine.send("setoption name TablePath value <empty>");
    assert_eq!(default_of(&mut engine, "TablePath"), "<empty>");
    // A new ruleset begins a new game.
    engine.send("position startpos moves F");
    engine.send("setoption name Rules value kalah");
    engine.send("go depth 1");
    let answer = engine.lines_until("bestmove").pop().unwrap();
    assert!(
        ('A'..='F').contains(&answer.chars().nth(9).unwrap()),
        "{answer}"
    );
    engine.quit();
}

/// A search that finds the results of an earlier one in the transposition table visits
/// fewer nodes.
#[test]
fn new_games_and_hash_sizes_clear_the_transposition_table() {
    let input = [
        "go depth 7",
        "setoption name Ponder value false\ngo depth 7",
        "ucinewgame\ngo depth 7",
        "go depth 7",
        "setoption name Hash value 32\ngo depth 7",
    ];
    let lines = output_of(&[], &(input.join("\n") + "\n"));
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

/// The peak resident memory of a process in bytes.
#[cfg(target_os = "linux")]
pub fn peak_memory(id: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.unwrap().trim().strip_suffix(" kB").unwrap();
    kib.parse::<u64>().unwrap() * 1024
}

/// Each new table takes the memory of the one before, and never lives beside it.
#[cfg(target_os = "linux")]
#[test]
fn a_new_hash_size_releases_the_old_table_first() {
    let mut engine = EngineProcess::start(&["--hash", "100"]);
    for hash in [101, 102] {
        engine.send(format!("setoption name Hash value {hash}\ngo depth 1"));
        engine.lines_until("bestmove");
    }
    let mib = peak_memory(engine.id()) >> 20;
    assert!((100..160).contains(&mib), "{mib} MiB");
    engine.quit();
}

/// Twelve quiet moves return to the board. By the second occurrence the game is over, by
/// the third one not yet.
#[test]
fn repetitions_sets_the_occurrence_that_ends_the_game() {
    let moves = "position fen 1-0-0-0-0-1-0-0-0-0-0-0-23-23-S moves FaAbBcCdDeEf";
    let script =
        format!("{moves}\ngo depth 1\nsetoption name Repetitions value 2\n{moves}\ngo depth 1\n");
    let lines = output_of(&["--rules", "abapa"], &script);
    let answers: Vec<&String> = lines.iter().filter(|l| l.starts_with("bestmove")).collect();
    assert_eq!(answers.len(), 2, "{lines:?}");
    assert_ne!(answers[0], "bestmove 0000");
    assert_eq!(answers[1], "bestmove 0000");
}

#[test]
fn certain_results_are_shown_on_request() {
    let position = "position fen 0-0-0-0-0-1-2-0-0-0-0-1-23-21-S\ngo depth 3\n";
    let script = format!("{position}setoption name UCI_ShowWDL value true\n{position}");
    let lines = output_of(&[], &script);
    let infos: Vec<&String> = lines
        .iter()
        .filter(|l| l.starts_with("info depth"))
        .collect();
    assert!(!infos[0].contains("wdl"), "{infos:?}");
    let last = infos.last().unwrap();
    assert!(last.contains(" wdl 1000 0 0 nodes"), "{infos:?}");
}

#[test]
fn a_damaged_table_is_reported_once() {
    let home = built("--seeds 5");
    let tables = home.path().join("tables");
    damage(tables.join("awari-05.value.krou"));
    let position = "position fen 0-0-1-0-0-1-2-0-0-0-0-1-20-23-S\ngo depth 3\n";
    let args = ["--rules", "awari", "--dir", tables.to_str().unwrap()];
    let lines = output_of(&args, &position.repeat(3));
    let reports: Vec<&String> = lines
        .iter()
        .filter(|line| line.starts_with("info string") && line.contains("awari-05.value.krou"))
        .collect();
    assert_eq!(reports.len(), 1, "{lines:?}");
    assert!(reports[0].ends_with("the engine searches without it"));
    assert_eq!(
        lines.iter().filter(|l| l.starts_with("bestmove")).count(),
        3
    );
}

#[test]
fn every_damaged_table_is_reported() {
    let home = built("--seeds 5 --codec raw");
    let tables = home.path().join("tables");
    for seeds in [2, 4] {
        damage(tables.join(format!("awari-0{seeds}.value.krou")));
    }
    let position = |fen| format!("position fen {fen}\ngo depth 3\n");
    let script =
        position("0-0-1-0-0-1-1-0-0-0-0-1-21-23-S") + &position("0-0-0-0-0-1-0-0-0-0-0-1-23-23-S");
    let args = ["--rules", "awari", "--dir", tables.to_str().unwrap()];
    let lines = output_of(&args, &script.repeat(2));
    for seeds in [2, 4] {
        let file = format!("awari-0{seeds}.value.krou");
        let reports = lines.iter().filter(|line| line.contains(&file));
        assert_eq!(reports.count(), 1, "{file}: {lines:?}");
    }
    assert_eq!(best_moves(&lines).len(), 4);
}

/// What cannot be opened is said once, after `uciok`, and the rest is used.
#[test]
fn the_engine_starts_whatever_is_wrong_with_its_tables() {
    let home = built("--seeds 5 --rules awale");
    let tables = home.path().join("tables");
    std::fs::write(tables.join("awale-05.value.krou"), "").unwrap();
    let nowhere = home.path().join("nowhere");
    let position = "position fen 0-0-0-0-0-1-2-0-0-0-0-1-23-21-S\ngo depth 1";
    let script = format!("uci\nisready\n{position}\n{position}\n");
    for (folder, part) in [(&tables, "awale-05.value.krou"), (&nowhere, "nowhere")] {
        let args = ["--rules", "awale", "--dir", folder.to_str().unwrap()];
        let lines = output_of(&args, &script);
        let notes = lines
            .iter()
            .filter(|line| line.starts_with("info string /") && line.contains(part));
        assert_eq!(notes.count(), 1, "{lines:?}");
        assert_eq!(best_moves(&lines).len(), 2);
        let place = |part: &str| lines.iter().position(|line| line.contains(part)).unwrap();
        assert_eq!(place("uciok") + 1, place("info string"), "{lines:?}");
    }
    // Of several folders those that are there are used.
    let both = format!("{};{}", nowhere.display(), tables.display());
    let script = format!("setoption name TablePath value \"{both}\"\nuci\n{position}\n");
    let lines = output_of(&["--rules", "awale"], &script);
    let exact = lines
        .iter()
        .any(|line| line == "info string the score is exact");
    assert!(exact, "{lines:?}");
    let notes = lines
        .iter()
        .filter(|line| line.contains("nowhere is not a folder"));
    assert_eq!(notes.count(), 1, "{lines:?}");
}
