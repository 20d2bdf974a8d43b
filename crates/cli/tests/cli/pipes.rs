//! Pipes that are closed early, and outputs that cannot be written.

use std::fs::File;
use std::io::Read;
use std::process::{Child, Stdio};

use crate::support::{built, files, krou_in, words};

fn start(args: &[&str], stdout: Stdio) -> Child {
    let home = tempfile::tempdir().unwrap();
    krou_in(home.path())
        .args(args)
        .stdin(Stdio::null())
        .stdout(stdout)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn code_and_stderr(child: Child) -> (Option<i32>, String) {
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), stderr)
}

/// As `head` does: closes the pipe at once or after the first byte.
#[test]
fn a_closed_pipe_is_not_an_error() {
    let game = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/example.ogn");
    let folder = built("--seeds 3");
    let tables = folder.path().join("tables");
    let boards = folder.path().join("boards");
    let lines = "0 0 0 0 0 1 2 0 0 0 0 1\nnonsense\n";
    std::fs::write(&boards, lines.repeat(20_000)).unwrap();
    let [tables, boards] = [&tables, &boards].map(|path| path.to_str().unwrap());
    for line in [
        "analyse --depth 3 0 0 0 0 0 1 2 0 0 0 0 1",
        "analyse --depth 3 --json 0 0 0 0 0 1 2 0 0 0 0 1",
        "bench --seeds 3",
        "bench --seeds 3 --json",
        "build --seeds 9 --plan",
        "completions bash",
        "export --format=csv --seeds=9 --out=-",
        "export --format=csv --rules=kalah --seeds=8 --out=-",
        "help build",
        "--help",
        "info TABLES",
        "info --csv TABLES",
        "info --json TABLES",
        "moves 0 0 0 0 0 1 2 0 0 0 0 1",
        "moves --json 0 0 0 0 0 1 2 0 0 0 0 1",
        "moves --batch BOARDS",
        "play",
        "play --opponent none --show-values",
        "probe 0 0 0 0 0 1 2 0 0 0 0 1",
        "probe --line --json 0 0 0 0 0 1 2 0 0 0 0 1",
        "probe --batch BOARDS",
        "puzzles --count 3 --seeds 9 --seed 1",
        "puzzles --count 3 --seeds 9 --seed 1 --json",
        "puzzles --count 3 --seeds 9 --seed 1 --play",
        "query --seeds 7",
        "query --seeds 7 --sort value --limit 100",
        "query --seeds 7 --sample 100",
        "review GAME",
        "review --json GAME",
        "rules",
        "rules --json",
        "stats",
        "stats --csv --all",
        "stats --json",
        "verify",
        "verify --dir TABLES",
        "--version",
    ] {
        let paths = [("BOARDS", boards), ("TABLES", tables), ("GAME", game)];
        let path_of = |word: &str| paths.iter().find(|(name, _)| *name == word);
        let args = words(line);
        let args = args
            .iter()
            .map(|word| path_of(word).map_or(&word[..], |path| path.1));
        let args: Vec<&str> = args.collect();
        for bytes in 0..=1 {
            let mut krou = start(&args, Stdio::piped());
            let mut pipe = krou.stdout.take().unwrap();
            pipe.read_exact(&mut [0; 1][..bytes]).expect(line);
            drop(pipe);
            let ended = code_and_stderr(krou);
            assert_eq!(ended, (Some(0), String::new()), "krou {line}");
        }
    }
}

/// The plot is written even if the text cannot be.
#[test]
fn a_closed_pipe_does_not_stop_the_plot() {
    let home = tempfile::tempdir().unwrap();
    let game = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/example.ogn");
    for args in [vec!["stats"], vec!["stats", "--csv"], vec!["review", game]] {
        let picture = home.path().join("picture.svg");
        let plot = ["--plot", picture.to_str().unwrap()];
        let mut krou = start(&[&args[..], &plot].concat(), Stdio::piped());
        drop(krou.stdout.take());
        assert_eq!(code_and_stderr(krou), (Some(0), String::new()), "{args:?}");
        std::fs::remove_file(picture).unwrap();
    }
}

/// The results of a build are its tables.
#[test]
fn a_build_continues_after_its_pipe_is_closed() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("tables");
    let folder = folder.to_str().unwrap();
    let mut krou = start(&["build", "--seeds", "7", "--dir", folder], Stdio::piped());
    drop(krou.stdout.take());
    assert_eq!(code_and_stderr(krou).0, Some(0));
    let whole = built("--seeds 7");
    let tables = whole.path().join("tables");
    assert_eq!(files(folder.as_ref()), files(&tables));
}

#[cfg(target_os = "linux")]
#[test]
fn an_unwritable_output_is_an_error() {
    for line in [
        "probe --json 0 0 0 0 0 1 2 0 0 0 0 1",
        "probe 0 0 0 0 0 1 2 0 0 0 0 1",
        "moves --json 0 0 0 0 0 1 2 0 0 0 0 1",
        "stats --csv",
        "rules --json",
        "verify --seeds 3",
        "export --format csv --seeds 2 --out -",
        "export --format csv --seeds 9 --out -",
        "bench --seeds 3",
        "bench --seeds 3 --json",
    ] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let (code, stderr) = code_and_stderr(start(&words(line), full.into()));
        assert_eq!(code, Some(2), "krou {line}: {stderr}");
        assert_eq!(stderr.lines().count(), 1, "krou {line}: {stderr}");
        assert!(stderr.starts_with("krou: "), "krou {line}: {stderr}");
    }
}
