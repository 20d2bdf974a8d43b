//! Calls of the program, folders of tables, and changes of their entries.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::thread;
use std::time::Duration;

use krou::index::LayerIndex;
use krou::rules::Ruleset;
use krou::solve::{Silent, Solver};
use krou::table::{Codec, EntrySource, Kind, TableId, write};
use krou::tablebase::Tablebase;
use tempfile::TempDir;

pub use crate::program::{Ended, ended, ended_with, isolated, krou_in};

/// Calls the program in a folder.
pub fn call_in<A: AsRef<OsStr>>(folder: &Path, args: &[A]) -> Ended {
    ended(krou_in(folder).args(args))
}

/// Calls the program where there are no tables.
pub fn call<A: AsRef<OsStr>>(args: &[A]) -> Ended {
    call_in(TempDir::new().unwrap().path(), args)
}

/// Calls the program where there are no tables, with this on stdin.
pub fn call_with<A: AsRef<OsStr>>(args: &[A], input: impl Into<Vec<u8>>) -> Ended {
    let place = TempDir::new().unwrap();
    ended_with(krou_in(place.path()).args(args), input)
}

/// Saves a checkpoint of a layer's values under `awari`, as before the last sweep; gives
/// its file.
pub fn save_checkpoint(folder: &Path, seeds: u8) -> PathBuf {
    let mut solver = Solver::new(Ruleset::AWARI);
    for _ in 0..seeds {
        solver.solve_next(&Silent).unwrap();
    }
    let mut solver = solver.with_checkpoints(folder, Some(Duration::ZERO));
    solver.solve_next(&Silent).unwrap();
    folder.join(format!("awari-{seeds:02}.value.checkpoint"))
}

/// Kills a process as soon as the condition holds, unless it ends before. No destructor
/// runs, and nothing is flushed.
pub fn kill_once(mut process: Child, mut is_so: impl FnMut() -> bool) {
    while process.try_wait().unwrap().is_none() && !is_so() {
        thread::sleep(Duration::from_micros(200));
    }
    process.kill().unwrap();
    process.wait().unwrap();
}

/// The arguments of a command line.
pub fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// A folder that holds a folder `tables`, built with these options.
pub fn built(options: &str) -> TempDir {
    let place = TempDir::new().unwrap();
    build_in(place.path(), options);
    place
}

/// Builds into the folder `tables` of a folder.
pub fn build_in(place: &Path, options: &str) -> Ended {
    fs::create_dir_all(place.join("tables")).unwrap();
    let built = call_in(place, &words(&format!("build {options}")));
    assert_eq!(built.code, Some(0), "{built:?}");
    built
}

/// Every file of a folder, by name.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries
        .filter(|entry| !entry.path().is_dir())
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, fs::read(entry.path()).unwrap())
        })
        .collect()
}

/// The names in a folder.
pub fn names(folder: &Path) -> Vec<String> {
    files(folder).into_keys().collect()
}

/// Opens the folder `tables` of a folder through the library.
pub fn open(place: &Path, rules: Ruleset) -> Tablebase {
    Tablebase::open(rules, &[place.join("tables")]).unwrap()
}

/// The planes of a table of the folder `tables`, with an entry for every indexed board.
pub fn read_planes(place: &Path, id: TableId) -> Vec<Vec<u8>> {
    let tables = open(place, id.rules);
    let mut loader = tables.loader();
    let plane = |entries: &dyn EntrySource| {
        let mut plane = vec![0; LayerIndex::new(id.rules, id.seeds).len() as usize];
        entries.fill(0, &mut plane).unwrap();
        plane
    };
    match id.kind {
        Kind::Value => vec![plane(loader.load(id.seeds).unwrap().value())],
        Kind::Distance => vec![plane(&loader.distances(id.seeds).unwrap().unwrap())],
        Kind::Bounds => {
            let bounds = loader.load(id.seeds).unwrap().bounds().unwrap();
            vec![plane(&bounds.lower), plane(&bounds.upper)]
        }
        other => panic!("tables of {other}"),
    }
}

/// Replaces a table by one with these planes, the exact entries and right checksums.
pub fn write_planes(place: &Path, id: TableId, planes: &[Vec<u8>]) {
    let planes: Vec<&dyn EntrySource> = planes
        .iter()
        .map(|plane| plane as &dyn EntrySource)
        .collect();
    let folder = place.join("tables");
    let pending = write(&folder, id, &planes, &Codec::Raw.into(), &|_| ()).unwrap();
    pending.publish().unwrap();
}

pub fn id(rules: Ruleset, seeds: u8, kind: Kind) -> TableId {
    TableId { rules, seeds, kind }
}
