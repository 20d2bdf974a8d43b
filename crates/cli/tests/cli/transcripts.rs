//! Sessions in a terminal: the commands in the `console` blocks of a Markdown file are run and
//! print what the block shows. These are the files of `tests/transcripts`, the README and `docs`.
//!
//! A shell runs what is after `$ `, with lines that go on after `> `: all commands of a file in
//! their order, in one folder. Below a command are its exit code after `? `, unless that is 0, its
//! stdout, and the lines of its stderr after `! `. A line `...` stands for any lines, and `[..]`
//! for any text in a line. `SNAPSHOTS=overwrite` writes today's output into the file.

use std::iter::from_fn;
use std::path::{Path, PathBuf};
use std::{env, fs};

use snapbox::Data;
use snapbox::assert::{Assert, DEFAULT_ACTION_ENV};
use snapbox::data::DataFormat;
use snapbox::filter::NormalizeToExpected;

use crate::files::names;
use crate::program::{Outcome, isolated, run};

macro_rules! transcripts {
    ($($name:ident)*) => {
        const NAMES: &[&str] = &[$(stringify!($name)),*];
        $(#[test]
        fn $name() {
            let file = transcripts().join(concat!(stringify!($name), ".md"));
            replay(&file, tempfile::tempdir().unwrap().path());
        })*
    };
}

transcripts! {
    analyse batch bench build damage dataset engine exchange folders info moves notations opponents play
    probe puzzles query repack review rules shell stats usage verify
}

/// The folder of transcripts.
fn transcripts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts")
}

#[test]
fn every_transcript_is_replayed() {
    let files = NAMES.iter().map(|name| format!("{name}.md"));
    assert!(names(&transcripts()).into_iter().eq(files));
}

#[test]
fn documents_show_what_the_program_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for folder in ["", "docs", "docs/internals"].map(|folder| root.join(folder)) {
        for file in names(&folder).iter().map(|name| folder.join(name)) {
            if file.extension().is_some_and(|extension| extension == "md") {
                let home = tempfile::tempdir().unwrap();
                // The game that documents review.
                fs::create_dir(home.path().join("docs")).unwrap();
                let game = include_str!("../../../../docs/example.ogn");
                fs::write(home.path().join("docs/example.ogn"), game).unwrap();
                replay(&file, home.path());
            }
        }
    }
}

/// Replays a file in a folder and compares what it shows with what is printed.
fn replay(file: &Path, folder: &Path) {
    let text = fs::read_to_string(file).unwrap();
    let mut lines = text.lines().peekable();
    let mut today: Vec<String> = Vec::new();
    let mut is_session = false;
    while let Some(line) = lines.next() {
        today.push(line.to_owned());
        if line.starts_with("```") {
            is_session = line == "```console";
        } else if is_session && let Some(first) = line.strip_prefix("$ ") {
            let mut command = first.to_owned();
            while let Some(line) = lines.next_if(|line| line.starts_with('>')) {
                today.push(line.to_owned());
                command += &format!("\n{}", line.strip_prefix("> ").unwrap_or_default());
            }
            let is_output = |line: &&str| !line.starts_with("$ ") && !line.starts_with("```");
            let mut shown: Vec<&str> = from_fn(|| lines.next_if(is_output)).collect();
            // Blank lines before the next command are no output.
            let last = shown.iter().rposition(|line| !line.is_empty());
            let blank = shown.split_off(last.map_or(0, |last| last + 1));
            let told = told(&run_command(folder, &command));
            today.extend(as_shown(&told, &shown.join("\n")));
            today.extend(blank.into_iter().map(str::to_owned));
        }
    }
    let shown = Data::read_from(file, Some(DataFormat::Text)).raw();
    let assert = Assert::new().action_env(DEFAULT_ACTION_ENV);
    assert.eq(today.join("\n") + "\n", shown);
}

/// Runs a command in a shell that finds the program, with as many threads on every machine.
fn run_command(folder: &Path, command: &str) -> Outcome {
    let program = Path::new(env!("CARGO_BIN_EXE_krou"));
    let mut path = program.parent().unwrap().as_os_str().to_owned();
    path.push(":");
    path.push(env::var_os("PATH").unwrap());
    let mut shell = isolated("sh", folder);
    shell.env("PATH", path).env("RAYON_NUM_THREADS", "2");
    run(shell.args(["-c", command]))
}

/// What is below a command.
fn told(outcome: &Outcome) -> String {
    let code = outcome.code.expect("no signal ends a command");
    let code = (code != 0).then(|| format!("? {code}"));
    let stdout = outcome.stdout.trim_end_matches('\n').lines();
    let stderr = outcome.stderr.lines().map(|line| format!("! {line}"));
    let lines = code.into_iter().chain(stdout.map(str::to_owned));
    lines.chain(stderr).collect::<Vec<_>>().join("\n")
}

/// The lines of an output, written as those shown where they match.
fn as_shown(output: &str, shown: &str) -> Vec<String> {
    let normalize = NormalizeToExpected::new().redact();
    let output = normalize.normalize(Data::text(output), &Data::text(shown));
    let output = output.render().unwrap();
    output.lines().map(str::to_owned).collect()
}
