//! Killed builds and repackings leave only whole layers, and the next run resumes and
//! writes the same bytes.
//!
//! The files in the folder decide when a process is killed, so that the tests do not depend
//! on the speed of the machine.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use krou::rules::Ruleset;
use krou::table::{Kind, Table, TableId};

use crate::program::send_signal;
use crate::support::{kill_when, krou_in};

fn build_command(rules: Ruleset, seeds: u8, folder: &Path) -> Command {
    let mut krou = krou_in(folder);
    krou.args(["build", "--distance", "--rules", &rules.to_string()])
        .args(["--seeds", &seeds.to_string(), "--dir", "."])
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    krou
}

fn start(rules: Ruleset, seeds: u8, folder: &Path) -> Child {
    build_command(rules, seeds, folder).spawn().unwrap()
}

/// Builds to the end and returns every file of the folder.
fn finish(rules: Ruleset, seeds: u8, folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let output = start(rules, seeds, folder).wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    files(folder)
}

/// Every file of a folder except the lock.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = crate::support::files(folder);
    files.remove(".krou-build.lock");
    files
}

/// Counts the new files in a folder. A file that replaces another one of its name is new.
struct FolderWatch<'f> {
    folder: &'f Path,
    /// The ending of the names to count.
    suffix: &'static str,
    seen: BTreeSet<(String, u64, i64, i64)>,
    present_at_start: usize,
}

impl FolderWatch<'_> {
    fn new<'f>(folder: &'f Path, suffix: &'static str) -> FolderWatch<'f> {
        let mut watch = FolderWatch {
            folder,
            suffix,
            seen: BTreeSet::new(),
            present_at_start: 0,
        };
        watch.present_at_start = watch.new_files();
        watch
    }

    fn new_files(&mut self) -> usize {
        for entry in fs::read_dir(self.folder).unwrap().map(Result::unwrap) {
            let name = entry.file_name().into_string().unwrap();
            // It may have been removed meanwhile.
            if let (true, Ok(file)) = (name.ends_with(self.suffix), entry.metadata()) {
                let is_partial = name.ends_with(".partial");
                self.seen.insert(match is_partial {
                    // Every write changes its times.
                    true => (name, 0, 0, 0),
                    false => (name, file.ino(), file.mtime(), file.mtime_nsec()),
                });
            }
        }
        self.seen.len() - self.present_at_start
    }
}

/// The number of layers in a folder. Each of them must be whole, and the other files
/// must be those of an unfinished build.
fn whole_layers(rules: Ruleset, seeds: u8, folder: &Path) -> u8 {
    let Ok(entries) = fs::read_dir(folder) else {
        return 0;
    };
    let names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    for name in &names {
        if Path::new(name).extension().is_some_and(|e| e == "krou") {
            let table = Table::open(folder.join(name)).unwrap();
            table.check().unwrap();
            assert_eq!(table.id().file_name(), *name);
        } else {
            let ends = [
                ".krou-build.lock",
                ".krou.partial",
                ".checkpoint",
                ".checkpoint.partial",
            ];
            let is_temporary = ends.iter().any(|end| name.ends_with(end));
            assert!(is_temporary, "{name}");
        }
    }
    let mut wanted = vec![Kind::Value, Kind::Distance];
    wanted.extend(rules.has_bounds().then_some(Kind::Bounds));
    let exists = |seeds, kind| names.contains(&TableId { rules, seeds, kind }.file_name());
    let layers: Vec<u8> = (0..=seeds).filter(|&n| exists(n, Kind::Value)).collect();
    for (number, &n) in layers.iter().enumerate() {
        assert_eq!(number, usize::from(n), "a lower layer is missing");
        for &kind in &wanted {
            assert!(exists(n, kind), "layer {n} has values, but no {kind}");
        }
    }
    u8::try_from(layers.len()).unwrap()
}

/// Kills builds after different numbers of new files, each in a folder of its own;
/// finishes every fourth one.
fn check_kills_after_files(rules: Ruleset, seeds: u8) {
    let folder = tempfile::tempdir().unwrap();
    let whole = finish(rules, seeds, folder.path());
    assert_eq!(whole_layers(rules, seeds, folder.path()), seeds + 1);
    for (number, new_files) in [0, 1, 2, 4, 7, 11, 16, 22].into_iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        let mut watch = FolderWatch::new(folder.path(), "");
        let build = start(rules, seeds, folder.path());
        kill_when(build, || watch.new_files() >= new_files);
        whole_layers(rules, seeds, folder.path());
        if number % 4 == 3 {
            let finished = finish(rules, seeds, folder.path());
            assert_eq!(finished, whole, "killed after {new_files} files");
        }
    }
}

/// Kills one build repeatedly: each time after the first table that it reports, while it
/// renames the tables of a layer.
fn check_kills_after_tables(rules: Ruleset, seeds: u8) {
    let folder = tempfile::tempdir().unwrap();
    let whole = finish(rules, seeds, folder.path());
    let folder = tempfile::tempdir().unwrap();
    let mut layers = 0;
    for _ in 0..whole.len() {
        let mut build = start(rules, seeds, folder.path());
        let mut lines = BufReader::new(build.stdout.take().unwrap());
        lines.read_line(&mut String::new()).unwrap();
        kill_when(build, || true);
        let now = whole_layers(rules, seeds, folder.path());
        assert!(now >= layers, "finished layers stay");
        layers = now;
    }
    assert_eq!(finish(rules, seeds, folder.path()), whole);
}

#[test]
fn killed_builds_of_values_and_distances_resume() {
    check_kills_after_files(Ruleset::AWARI, 9);
    check_kills_after_tables(Ruleset::AWARI, 5);
}

#[test]
fn killed_builds_of_bounds_resume() {
    check_kills_after_files(Ruleset::ABAPA, 8);
    check_kills_after_tables(Ruleset::ABAPA, 4);
}

/// Ctrl-C ends a build with one line that says what is there, and leaves no unfinished file.
#[test]
fn an_interrupted_build_says_that_it_goes_on() {
    let home = tempfile::tempdir().unwrap();
    let mut build = build_command(Ruleset::ABAPA, 20, home.path())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(build.stdout.take().unwrap());
    for _ in 0..9 {
        lines.read_line(&mut String::new()).unwrap();
    }
    send_signal("TERM", &build);
    // Nobody else reads what it prints meanwhile.
    std::io::copy(&mut lines, &mut std::io::sink()).unwrap();
    let ended = build.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(143));
    let there = whole_layers(Ruleset::ABAPA, 20, home.path());
    assert_eq!(
        String::from_utf8(ended.stderr).unwrap(),
        format!("krou: interrupted: {there} of 21 layers are in .; the same command goes on\n")
    );
    let left = files(home.path());
    assert!(
        !left.keys().any(|name| name.ends_with(".partial")),
        "{left:?}"
    );
}

/// `nohup` ignores the hangup. Another signal ends the program with its own exit code.
#[test]
fn an_ignored_signal_stays_ignored() {
    let home = tempfile::tempdir().unwrap();
    let build = build_command(Ruleset::ABAPA, 20, home.path());
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' HUP; exec \"$@\"", "sh"]);
    command.arg(build.get_program()).args(build.get_args());
    command.current_dir(home.path()).stdout(Stdio::piped());
    let mut build = command.stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(build.stdout.take().unwrap());
    lines.read_line(&mut String::new()).unwrap();
    send_signal("HUP", &build);
    // It goes on: further layers are finished.
    for _ in 0..8 {
        assert!(lines.read_line(&mut String::new()).unwrap() > 0);
    }
    send_signal("TERM", &build);
    std::io::copy(&mut lines, &mut std::io::sink()).unwrap();
    assert_eq!(build.wait().unwrap().code(), Some(143));
}

/// Kills a build of its last layer once it has saved a checkpoint of this table `saves`
/// times, and finishes it; returns whether it resumed from a checkpoint.
fn check_kill_after_checkpoints(
    id: TableId,
    saves: usize,
    options: &[String],
    whole: &BTreeMap<String, Vec<u8>>,
) -> bool {
    let TableId { rules, seeds, .. } = id;
    let home = tempfile::tempdir().unwrap();
    let folder = home.path();
    finish(rules, seeds - 1, folder);
    let build = build_command(rules, seeds, folder)
        .arg("--checkpoint=0")
        .args(options)
        .spawn()
        .unwrap();
    let mut watch = FolderWatch::new(folder, ".checkpoint");
    let checkpoint = folder.join(format!("{id}.checkpoint"));
    kill_when(build, || watch.new_files() >= saves && checkpoint.exists());
    let layers = whole_layers(rules, seeds, folder);
    let is_checkpoint = |name: &String| name.ends_with(".checkpoint");
    let saved = files(folder).into_keys().any(|name| is_checkpoint(&name)) && layers == seeds;

    // The next build resumes whether or not it saves checkpoints itself.
    let mut again = build_command(rules, seeds, folder);
    again.args(options).stderr(Stdio::piped());
    again.args((saves > 1).then_some("--checkpoint"));
    let again = again.output().unwrap();
    let notes = String::from_utf8(again.stderr).unwrap();
    assert_eq!(again.status.code(), Some(0), "{notes}");
    assert_eq!(
        notes.contains("resumed from a checkpoint"),
        saved,
        "{notes}"
    );
    assert!(!notes.contains("is ignored"), "{notes}");
    assert_eq!(&files(folder), whole);
    saved
}

fn check_checkpoints(rules: Ruleset, seeds: u8, options: &[String]) {
    let uninterrupted = tempfile::tempdir().unwrap();
    let whole = finish(rules, seeds, uninterrupted.path());
    for &kind in Kind::ALL {
        if kind == Kind::Bounds && !rules.has_bounds() {
            continue;
        }
        let id = TableId { rules, seeds, kind };
        check_kill_after_checkpoints(id, 3, options, &whole);
        // The layer may be finished before the process is killed.
        let resumed = (0..10).any(|_| check_kill_after_checkpoints(id, 1, options, &whole));
        assert!(resumed, "{kind}");
    }
}

#[test]
fn killed_layers_resume_from_their_checkpoints() {
    check_checkpoints(Ruleset::AWARI, 8, &[]);
    check_checkpoints(Ruleset::AWALE, 6, &[]);
}
