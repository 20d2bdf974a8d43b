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

#[test]
fn a_closed_pipe_is_not_an_error() {
    let board = "0 0 0 0 0 1 / 2 0 0 0 0 1";
    let game = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/example.ogn");
    for args in [
        vec!["review", game],
        vec!["review", "--json", game],
        vec!["probe", board],
        vec!["probe", "--json", board],
        vec!["moves", board],
        vec!["moves", "--json", board],
        vec!["stats"],
        vec!["stats", "--csv", "--all"],
        vec!["rules"],
        vec!["rules", "--json"],
        vec!["verify"],
        vec!["export", "--format=csv", "--seeds=9", "--out=-"],
        vec!["bench", "--seeds", "3"],
        vec!["bench", "--seeds", "3", "--json"],
        vec!["--help"],
        vec!["--version"],
        vec!["help", "build"],
    ] {
        let mut krou = start(&args, Stdio::piped());
        drop(krou.stdout.take());
        assert_eq!(
            code_and_stderr(krou),
            (Some(0), String::new()),
            "krou {args:?}"
        );
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

#[test]
fn the_reader_of_a_batch_may_close_early() {
    let home = tempfile::tempdir().unwrap();
    let boards = home.path().join("boards");
    let lines = "0 0 0 0 0 1 2 0 0 0 0 1\nnonsense\n".repeat(50_000);
    std::fs::write(&boards, lines).unwrap();
    let boards = boards.to_str().unwrap();
    for args in [["probe", "--batch", boards], ["moves", "--batch", boards]] {
        let mut krou = start(&args, Stdio::piped());
        let mut beginning = [0; 100];
        let mut pipe = krou.stdout.take().unwrap();
        pipe.read_exact(&mut beginning).unwrap();
        drop(pipe);
        assert_eq!(code_and_stderr(krou), (Some(0), String::new()), "{args:?}");
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
