//! Builds that are killed at any moment: only whole layers are in the folder,
//! and the next build goes on to the same bytes.
#![cfg(all(feature = "cli", unix))]

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use krou::rules::Ruleset;
use krou::table::{Kind, Table, TableId};

fn start(rules: Ruleset, seeds: u8, folder: &Path) -> Child {
    Command::new(env!("CARGO_BIN_EXE_krou"))
        .args(["build", "--distance", "--rules", &rules.to_string()])
        .args(["--seeds", &seeds.to_string(), "--dir"])
        .arg(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Builds to the end and gives every file with a final name.
fn finish(rules: Ruleset, seeds: u8, folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let output = start(rules, seeds, folder).wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
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
            let unfinished = name == ".krou-build.lock" || name.ends_with(".krou.partial");
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
