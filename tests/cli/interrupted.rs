//! Builds and repackings that are killed leave only whole layers, and the next run
//! continues to the same bytes.
//!
//! A process is killed once its folder shows how far it is, so that the moments do not
//! depend on the speed of the machine.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use krou::rules::Ruleset;
use krou::solve::memory_needed;
use krou::table::{Kind, Table, TableId};

use crate::support::{kill_once, krou_in};

fn krou(rules: Ruleset, seeds: u8, folder: &Path) -> Command {
    let mut krou = krou_in(folder);
    krou.args(["build", "--distance", "--rules", &rules.to_string()])
        .args(["--seeds", &seeds.to_string(), "--dir", "."])
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    krou
}

fn start(rules: Ruleset, seeds: u8, folder: &Path) -> Child {
    krou(rules, seeds, folder).spawn().unwrap()
}

/// Builds to the end and gives every file of the folder.
fn finish(rules: Ruleset, seeds: u8, folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let output = start(rules, seeds, folder).wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    files(folder)
}

/// Every file of a folder but the lock.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let names = fs::read_dir(folder).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let tables = names.filter(|name| name != ".krou-build.lock");
    tables
        .map(|name| {
            let bytes = fs::read(folder.join(&name)).unwrap();
            (name, bytes)
        })
        .collect()
}

/// The files that have come into a folder since the watch began. A file that replaces
/// another one of its name is new.
struct Watch<'f> {
    folder: &'f Path,
    /// How the names end.
    end: &'static str,
    seen: BTreeSet<(String, u64, i64, i64)>,
    seen_at_first: usize,
}

impl Watch<'_> {
    fn of<'f>(folder: &'f Path, end: &'static str) -> Watch<'f> {
        let mut watch = Watch {
            folder,
            end,
            seen: BTreeSet::new(),
            seen_at_first: 0,
        };
        watch.seen_at_first = watch.new_files();
        watch
    }

    fn new_files(&mut self) -> usize {
        for entry in fs::read_dir(self.folder).unwrap().map(Result::unwrap) {
            let name = entry.file_name().into_string().unwrap();
            // It may be gone already.
            if let (true, Ok(file)) = (name.ends_with(self.end), entry.metadata()) {
                let is_partial = name.ends_with(".partial");
                self.seen.insert(match is_partial {
                    // Every write changes it.
                    true => (name, 0, 0, 0),
                    false => (name, file.ino(), file.mtime(), file.mtime_nsec()),
                });
            }
        }
        self.seen.len() - self.seen_at_first
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
            let unfinished = ends.iter().any(|end| name.ends_with(end));
            assert!(unfinished, "{name}");
        }
    }
    let mut wanted = vec![Kind::Value, Kind::Distance];
    wanted.extend(rules.has_bounds().then_some(Kind::Bounds));
    let there = |seeds, kind| names.contains(&TableId { rules, seeds, kind }.file_name());
    let layers: Vec<u8> = (0..=seeds).filter(|&n| there(n, Kind::Value)).collect();
    for (place, &n) in layers.iter().enumerate() {
        assert_eq!(place, usize::from(n), "layers come one after another");
        for &kind in &wanted {
            assert!(there(n, kind), "layer {n} has values, but no {kind}");
        }
    }
    u8::try_from(layers.len()).unwrap()
}

/// Killed at several moments of the build, each in a folder of its own; every fourth
/// folder is finished.
fn check_moments(rules: Ruleset, seeds: u8) {
    let folder = tempfile::tempdir().unwrap();
    let whole = finish(rules, seeds, folder.path());
    assert_eq!(whole_layers(rules, seeds, folder.path()), seeds + 1);
    for (number, new_files) in [0, 1, 2, 3, 4, 6, 8, 11, 14, 18, 22, 26]
        .into_iter()
        .enumerate()
    {
        let folder = tempfile::tempdir().unwrap();
        let mut watch = Watch::of(folder.path(), "");
        let build = start(rules, seeds, folder.path());
        kill_once(build, || watch.new_files() >= new_files);
        whole_layers(rules, seeds, folder.path());
        if number % 4 == 3 {
            let finished = finish(rules, seeds, folder.path());
            assert_eq!(finished, whole, "killed after {new_files} files");
        }
    }
}

/// One build that is killed again and again: after each table that it reports, while
/// it puts the tables of a layer in their places.
fn check_every_table(rules: Ruleset, seeds: u8) {
    let folder = tempfile::tempdir().unwrap();
    let whole = finish(rules, seeds, folder.path());
    let folder = tempfile::tempdir().unwrap();
    let mut layers = 0;
    for _ in 0..whole.len() {
        let mut build = start(rules, seeds, folder.path());
        let mut lines = BufReader::new(build.stdout.take().unwrap());
        lines.read_line(&mut String::new()).unwrap();
        kill_once(build, || true);
        let now = whole_layers(rules, seeds, folder.path());
        assert!(now >= layers, "finished layers stay");
        layers = now;
    }
    assert_eq!(finish(rules, seeds, folder.path()), whole);
}

#[test]
fn killed_builds_of_values_and_distances_resume() {
    check_moments(Ruleset::AWARI, 11);
    check_every_table(Ruleset::AWARI, 8);
}

#[test]
fn killed_builds_of_bounds_resume() {
    check_moments(Ruleset::ABAPA, 10);
    check_every_table(Ruleset::ABAPA, 8);
}

/// Kills a build of its last layer once it has saved this stage `saves` times, and
/// finishes it; whether it resumed from a checkpoint.
fn check_stage(
    id: TableId,
    saves: usize,
    options: &[String],
    whole: &BTreeMap<String, Vec<u8>>,
) -> bool {
    let TableId { rules, seeds, .. } = id;
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    finish(rules, seeds - 1, folder);
    let build = krou(rules, seeds, folder)
        .arg("--checkpoint=0")
        .args(options)
        .spawn()
        .unwrap();
    let mut watch = Watch::of(folder, ".checkpoint");
    let stage = folder.join(format!("{id}.checkpoint"));
    kill_once(build, || watch.new_files() >= saves && stage.exists());
    let layers = whole_layers(rules, seeds, folder);
    let is_checkpoint = |name: &String| name.ends_with(".checkpoint");
    let saved = files(folder).into_keys().any(|name| is_checkpoint(&name)) && layers == seeds;

    // It resumes whether it saves checkpoints itself or not.
    let mut again = krou(rules, seeds, folder);
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

fn check_stages(rules: Ruleset, seeds: u8, options: &[String]) {
    let straight = tempfile::tempdir().unwrap();
    let whole = finish(rules, seeds, straight.path());
    for kind in Kind::ALL {
        if kind == Kind::Bounds && !rules.has_bounds() {
            continue;
        }
        let id = TableId { rules, seeds, kind };
        check_stage(id, 3, options, &whole);
        // The layer may be finished before the process is killed.
        let resumed = (0..10).any(|_| check_stage(id, 1, options, &whole));
        assert!(resumed, "{kind}");
    }
}

#[test]
fn killed_layers_resume_from_their_checkpoints() {
    check_stages(Ruleset::AWARI, 10, &[]);
    check_stages(Ruleset::AWALE, 7, &[]);
}

/// With the least memory budget most of the layer is on disk.
#[test]
fn killed_layers_on_disk_resume_from_their_checkpoints() {
    let memory = memory_needed(Ruleset::AWALE, 7, &Kind::ALL);
    check_stages(Ruleset::AWALE, 7, &[format!("--memory={memory}")]);
}

/// One build that is killed again and again, each time after some checkpoints.
#[test]
fn a_build_that_is_killed_again_and_again_makes_progress() {
    let straight = tempfile::tempdir().unwrap();
    let whole = finish(Ruleset::AWALE, 7, straight.path());
    let place = tempfile::tempdir().unwrap();
    finish(Ruleset::AWALE, 6, place.path());
    let mut saved = 0;
    for _ in 0..6 {
        let mut watch = Watch::of(place.path(), ".checkpoint");
        let build = krou(Ruleset::AWALE, 7, place.path())
            .arg("--checkpoint=0")
            .spawn()
            .unwrap();
        kill_once(build, || watch.new_files() >= 3);
        saved += watch.new_files();
        whole_layers(Ruleset::AWALE, 7, place.path());
    }
    assert!(saved > 0);
    assert_eq!(finish(Ruleset::AWALE, 7, place.path()), whole);
}

/// A repacking that is killed after a number of tables, each time in a folder of its
/// own: every table is whole and of one codec or the other, and the next run comes to
/// the same bytes.
#[test]
fn killed_repackings_resume() {
    const SEEDS: u8 = 10;
    let rules = Ruleset::ABAPA;
    let repack = |folder: &Path| {
        let mut krou = krou_in(folder);
        krou.args(["repack", "--codec", "raw", "--rules", "abapa", "--dir", "."]);
        krou.stdout(Stdio::null()).stderr(Stdio::null());
        krou.spawn().unwrap()
    };
    let straight = tempfile::tempdir().unwrap();
    let small = finish(rules, SEEDS, straight.path());
    assert!(repack(straight.path()).wait().unwrap().success());
    let raw = files(straight.path());

    let mut unfinished = 0;
    for (number, tables) in [0, 1, 2, 4, 8, 16, 24, 30].into_iter().enumerate() {
        let place = tempfile::tempdir().unwrap();
        for (name, bytes) in &small {
            fs::write(place.path().join(name), bytes).unwrap();
        }
        let mut watch = Watch::of(place.path(), ".krou");
        kill_once(repack(place.path()), || watch.new_files() >= tables);
        assert_eq!(whole_layers(rules, SEEDS, place.path()), SEEDS + 1);
        let now = files(place.path());
        let is = |of: &BTreeMap<_, _>, name| of.get(name) == now.get(name);
        assert!(small.keys().all(|name| is(&small, name) || is(&raw, name)));
        unfinished += u32::from(small.keys().any(|name| !is(&raw, name)));
        if number % 4 == 3 {
            assert!(repack(place.path()).wait().unwrap().success());
            assert!(files(place.path()) == raw);
        }
    }
    assert!(unfinished > 0, "none was killed before its end");
}
