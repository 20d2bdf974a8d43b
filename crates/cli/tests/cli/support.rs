//! Calls of the program, folders of tables, and changes to their entries.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::Duration;

use krou::internal::table::{EntrySource, write};
use krou::rules::Ruleset;
use krou::solve::Silent;
use krou::solve::{LayerArray, Solver, Value};
use krou::table::{Codec, Kind, TableId};
use krou::tablebase::Tablebase;
use tempfile::TempDir;

pub use crate::files::{files, names};
#[cfg(target_os = "linux")]
use crate::program::isolated;
pub use crate::program::{Outcome, krou_in, run, run_with_input};

/// Calls the program in a folder.
pub fn call_in<A: AsRef<OsStr>>(folder: &Path, args: &[A]) -> Outcome {
    run(krou_in(folder).args(args))
}

/// Calls the program where there are no tables.
pub fn call<A: AsRef<OsStr>>(args: &[A]) -> Outcome {
    call_in(TempDir::new().unwrap().path(), args)
}

/// Calls the program where there are no tables, with this input on stdin.
pub fn call_with_input<A: AsRef<OsStr>>(args: &[A], input: impl Into<Vec<u8>>) -> Outcome {
    let home = TempDir::new().unwrap();
    run_with_input(krou_in(home.path()).args(args), input)
}

/// Calls the program with a limit on the size of files, in KiB, which stands for a full
/// disk. The signal of the limit is ignored, so that writing fails as on a full disk.
#[cfg(target_os = "linux")]
pub fn call_on_full_disk(folder: &Path, kib: u32, command: &str) -> Outcome {
    let script = format!("trap '' XFSZ; ulimit -f {kib}; exec \"$0\" {command}");
    // The blocks of `ulimit` have 1024 bytes.
    let mut shell = isolated("bash", folder);
    run(shell.args(["-c", &script, env!("CARGO_BIN_EXE_krou")]))
}

/// Saves a checkpoint of the values of a layer of `awari` from before the last sweep;
/// returns its path.
pub fn save_checkpoint(folder: &Path, seeds: u8) -> PathBuf {
    let mut solver = Solver::new(Ruleset::AWARI);
    for _ in 0..seeds {
        solver.solve_next(&Silent).unwrap();
    }
    let mut solver = solver.with_checkpoints(folder, Some(Duration::ZERO));
    solver.solve_next(&Silent).unwrap();
    folder.join(format!("awari-{seeds:02}.value.checkpoint"))
}

/// Kills a process as soon as a condition holds, unless it ends earlier. No destructor
/// runs, and nothing is flushed.
pub fn kill_when(mut process: Child, mut condition: impl FnMut() -> bool) {
    while process.try_wait().unwrap().is_none() && !condition() {
        thread::sleep(Duration::from_micros(200));
    }
    process.kill().unwrap();
    process.wait().unwrap();
}

/// The arguments of a command line.
pub fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// A folder that holds a folder `tables`, built with these options. Tests share a build: each
/// has a copy of its files.
pub fn built(options: &str) -> TempDir {
    type Files = BTreeMap<String, Vec<u8>>;
    static BUILT: Mutex<BTreeMap<String, Arc<OnceLock<Files>>>> = Mutex::new(BTreeMap::new());
    let shared = BUILT
        .lock()
        .unwrap()
        .entry(options.to_owned())
        .or_default()
        .clone();
    let built = shared.get_or_init(|| {
        let home = TempDir::new().unwrap();
        build_in(home.path(), options);
        files(&home.path().join("tables"))
    });
    let home = TempDir::new().unwrap();
    let tables = home.path().join("tables");
    fs::create_dir(&tables).unwrap();
    for (name, bytes) in built {
        fs::write(tables.join(name), bytes).unwrap();
    }
    home
}

/// Builds into the folder `tables` of a folder.
pub fn build_in(home: &Path, options: &str) -> Outcome {
    fs::create_dir_all(home.join("tables")).unwrap();
    let built = call_in(home, &words(&format!("build {options}")));
    assert_eq!(built.code, Some(0), "{built:?}");
    built
}

/// Opens the folder `tables` of a folder through the library, completed as the program does.
pub fn open(home: &Path, rules: Ruleset) -> Tablebase {
    Tablebase::builder(rules)
        .folder(home.join("tables"))
        .open()
        .unwrap()
}

/// The planes of a table of the folder `tables`, with an entry for every indexed board.
pub fn read_planes(home: &Path, id: TableId) -> Vec<Vec<u8>> {
    let tables = open(home, id.rules);
    let mut loader = tables.loader();
    let quantity = |array: &LayerArray<Value>| {
        let values = array.as_slice().iter();
        values.map(|value| value.get().cast_unsigned()).collect()
    };
    match id.kind {
        Kind::Value => vec![quantity(loader.load(id.seeds).unwrap().value())],
        Kind::Distance => vec![
            loader
                .distances(id.seeds)
                .unwrap()
                .unwrap()
                .as_slice()
                .to_vec(),
        ],
        Kind::Bounds => {
            let bounds = loader.load(id.seeds).unwrap().bounds().unwrap();
            vec![quantity(&bounds.lower), quantity(&bounds.upper)]
        }
        other => panic!("tables of {other}"),
    }
}

/// Replaces a table by one with these planes, the exact entries and right checksums.
pub fn write_planes(home: &Path, id: TableId, planes: &[Vec<u8>]) {
    let planes: Vec<&dyn EntrySource> = planes
        .iter()
        .map(|plane| plane as &dyn EntrySource)
        .collect();
    let folder = home.join("tables");
    let pending = write(&folder, id, &planes, &Codec::Raw.into(), &|_| Ok(())).unwrap();
    pending.publish().unwrap();
}

pub fn id(rules: Ruleset, seeds: u8, kind: Kind) -> TableId {
    TableId { rules, seeds, kind }
}
