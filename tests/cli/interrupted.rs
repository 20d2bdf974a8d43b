//! Builds and repackings that are killed at any moment: only whole layers are in
//! the folder, and the next run goes on to the same bytes.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use krou::rules::Ruleset;
use krou::solve::memory_needed;
use krou::table::{Kind, Table, TableId};

fn krou(rules: Ruleset, seeds: u8, folder: &Path) -> Command {
    let mut krou = Command::new(env!("CARGO_BIN_EXE_krou"));
    krou.args(["build", "--distance", "--rules", &rules.to_string()])
        .args(["--seeds", &seeds.to_string(), "--dir"])
        .arg(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    krou
}

fn start(rules: Ruleset, seeds: u8, folder: &Path) -> Child {
    krou(rules, seeds, folder).spawn().unwrap()
}

/// Builds to the end and gives every file with a final name.
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

/// SIGKILL: no destructor runs, nothing is flushed.
fn kill(mut build: Child) {
    build.kill().unwrap();
    build.wait().unwrap();
}

/// How many layers are there; each of them is whole, and no file but them and
/// those of an unfinished build is in the folder.
fn whole_layers(rules: Ruleset, seeds: u8, folder: &Path) -> u8 {
    let Ok(entries) = fs::read_dir(folder) else {
        return 0;
    };
    let names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    for name in &names {
        if Path::new(name).extension().is_some_and(|e| e == "krou") {
            let table = Table::open(&folder.join(name)).unwrap();
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

/// Killed after so long, in a folder of its own.
fn killed_after(time: Duration, rules: Ruleset, seeds: u8) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let build = start(rules, seeds, folder.path());
    std::thread::sleep(time);
    kill(build);
    whole_layers(rules, seeds, folder.path());
    folder
}

/// At moments spread over the whole build; every fifth folder is finished.
fn check_moments(rules: Ruleset, seeds: u8) {
    let folder = tempfile::tempdir().unwrap();
    let began = Instant::now();
    let whole = finish(rules, seeds, folder.path());
    let took = began.elapsed();
    assert_eq!(whole_layers(rules, seeds, folder.path()), seeds + 1);
    // Most of them where small layers follow each other fast.
    let early = (1..=12).map(|i| Duration::from_millis(3 * i));
    let late = (1..=5).map(|i| took * i / 6);
    for (number, time) in early.chain(late).enumerate() {
        let folder = killed_after(time, rules, seeds);
        if number % 5 == 4 {
            assert_eq!(finish(rules, seeds, folder.path()), whole, "{time:?}");
        }
    }
}

/// One build that is killed again and again: after each table it tells of,
/// which is in the midst of putting a layer's tables in their places.
fn check_every_table(rules: Ruleset, seeds: u8) {
    let folder = tempfile::tempdir().unwrap();
    let whole = finish(rules, seeds, folder.path());
    let folder = tempfile::tempdir().unwrap();
    let mut layers = 0;
    for _ in 0..whole.len() {
        let mut build = start(rules, seeds, folder.path());
        let mut told = BufReader::new(build.stdout.take().unwrap());
        told.read_line(&mut String::new()).unwrap();
        kill(build);
        let now = whole_layers(rules, seeds, folder.path());
        assert!(now >= layers, "what was finished stays");
        layers = now;
    }
    assert_eq!(finish(rules, seeds, folder.path()), whole);
}

#[test]
fn awari_with_distances() {
    check_moments(Ruleset::AWARI, 11);
    check_every_table(Ruleset::AWARI, 8);
}

#[test]
fn abapa_with_distances_and_bounds() {
    check_moments(Ruleset::ABAPA, 10);
    check_every_table(Ruleset::ABAPA, 8);
}

/// Killed when the last layer is in the midst of this stage, some time after
/// the stage was first saved; whether there was something to go on from.
fn check_stage(
    id: TableId,
    later: u64,
    options: &[String],
    whole: &BTreeMap<String, Vec<u8>>,
) -> bool {
    let TableId { rules, seeds, .. } = id;
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    finish(rules, seeds - 1, folder);
    let mut build = krou(rules, seeds, folder)
        .arg("--checkpoint=0")
        .args(options)
        .spawn()
        .unwrap();
    while !folder.join(format!("{id}.checkpoint")).exists() {
        assert_eq!(build.try_wait().unwrap(), None, "it is at work");
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(Duration::from_millis(later));
    kill(build);
    let layers = whole_layers(rules, seeds, folder);
    let is_checkpoint = |name: &String| name.ends_with(".checkpoint");
    let saved = files(folder).into_keys().any(|name| is_checkpoint(&name)) && layers == seeds;

    // It goes on whether it is to be saved again or not.
    let mut again = krou(rules, seeds, folder);
    again.args(options).stderr(Stdio::piped());
    again.args((later > 0).then_some("--checkpoint"));
    let again = again.output().unwrap();
    let said = String::from_utf8(again.stderr).unwrap();
    assert_eq!(again.status.code(), Some(0), "{said}");
    assert_eq!(said.contains("taken up from a checkpoint"), saved, "{said}");
    assert!(!said.contains("passed over"), "{said}");
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
        let saved = [0, 10].map(|later| check_stage(id, later, options, &whole));
        assert!(saved.contains(&true), "{kind}");
    }
}

#[test]
fn layers_go_on_from_their_checkpoints() {
    check_stages(Ruleset::AWARI, 10, &[]);
    check_stages(Ruleset::AWALE, 7, &[]);
}

/// With the least memory there is, most of the layer is on disk.
#[test]
fn layers_that_are_on_disk_go_on_too() {
    let memory = memory_needed(Ruleset::AWALE, 7, true);
    check_stages(Ruleset::AWALE, 7, &[format!("--memory={memory}")]);
}

/// One build that is killed again and again, a little later each time.
#[test]
fn a_build_that_is_killed_again_and_again_comes_to_its_end() {
    let straight = tempfile::tempdir().unwrap();
    let whole = finish(Ruleset::AWALE, 7, straight.path());
    let place = tempfile::tempdir().unwrap();
    finish(Ruleset::AWALE, 6, place.path());
    for kills in 1.. {
        let mut build = krou(Ruleset::AWALE, 7, place.path())
            .arg("--checkpoint=0")
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(25 * kills));
        let ended = build.try_wait().unwrap();
        kill(build);
        whole_layers(Ruleset::AWALE, 7, place.path());
        if let Some(status) = ended {
            assert!(status.success());
            break;
        }
    }
    assert_eq!(files(place.path()), whole);
}

/// A repacking that is killed at moments spread over its run, each time in a folder
/// of its own: every table is whole and of one codec or the other, and the next run
/// comes to the same bytes.
#[test]
fn repackings_are_taken_up() {
    const SEEDS: u8 = 10;
    let rules = Ruleset::ABAPA;
    let repack = |folder: &Path| {
        let mut krou = Command::new(env!("CARGO_BIN_EXE_krou"));
        krou.args(["repack", "--codec", "raw", "--rules", "abapa", "--dir"]);
        krou.arg(folder).stdout(Stdio::null()).stderr(Stdio::null());
        krou.spawn().unwrap()
    };
    let straight = tempfile::tempdir().unwrap();
    let small = finish(rules, SEEDS, straight.path());
    let began = Instant::now();
    assert!(repack(straight.path()).wait().unwrap().success());
    let took = began.elapsed();
    let raw = files(straight.path());

    let mut halfway = 0;
    for part in 0..12 {
        let place = tempfile::tempdir().unwrap();
        for (name, bytes) in &small {
            fs::write(place.path().join(name), bytes).unwrap();
        }
        let krou = repack(place.path());
        std::thread::sleep(took * part / 12);
        kill(krou);
        assert_eq!(whole_layers(rules, SEEDS, place.path()), SEEDS + 1);
        let now = files(place.path());
        let is = |of: &BTreeMap<_, _>, name| of.get(name) == now.get(name);
        assert!(small.keys().all(|name| is(&small, name) || is(&raw, name)));
        halfway += u32::from(small.keys().any(|name| !is(&raw, name)));
        if part % 4 == 3 {
            assert!(repack(place.path()).wait().unwrap().success());
            assert!(files(place.path()) == raw);
        }
    }
    assert!(halfway > 2, "{halfway} of 12 were killed before their end");
}
