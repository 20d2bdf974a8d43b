//! Folders that are changed from one codec to another: to the bytes that a build
//! writes, or not at all.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use krou::index::LayerIndex;
use krou::rules::{Board, Ruleset};
use krou::solve::{Observer, Phase, Silent, memory_needed};
use krou::table::{
    Codec, EntrySource, Fault, FolderLock, Kind, Table, TableError, TableId, WriteOptions, write,
};
use krou::tablebase::{
    BuildError, BuildObserver, BuildOptions, ProbeResult, RepackOptions, Repacked, Tablebase,
    build, repack,
};
use tempfile::TempDir;

fn built(rules: Ruleset, seeds: u8, distance: bool, codec: Codec) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let options = BuildOptions::new(seeds)
        .with_distance(distance)
        .with_write(codec);
    build(rules, folder.path(), &options, &Silent).unwrap();
    folder
}

fn repack_to(rules: Ruleset, folder: &Path, codec: Codec) -> Result<Repacked, BuildError> {
    repack(rules, folder, &options(codec), &Silent)
}

fn options(codec: Codec) -> RepackOptions {
    let write = WriteOptions::new(codec).with_check(true);
    let memory = None;
    RepackOptions::new(write).with_memory(memory)
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let file = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().unwrap();
        (name, fs::read(entry.path()).unwrap())
    };
    entries.map(file).collect()
}

fn bytes_of(files: &BTreeMap<String, Vec<u8>>) -> u64 {
    files.values().map(|bytes| bytes.len() as u64).sum()
}

fn copied(files: &BTreeMap<String, Vec<u8>>) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

/// The probe results of all boards up to `seeds` seeds.
fn answers(rules: Ruleset, folder: &Path, seeds: u8) -> Vec<ProbeResult> {
    let tables = Tablebase::open(rules, &[folder]).unwrap();
    let index = |n| LayerIndex::new(rules, n);
    let boards = (0..=seeds).flat_map(|n| (0..index(n).len()).map(move |i| index(n).board(i)));
    let boards: Vec<Board> = boards.collect();
    let answers = tables.probe_all(&boards).into_iter();
    answers.collect::<Result<_, _>>().unwrap()
}

/// Every codec to every other, in both families and with bounds and distances.
#[test]
fn a_repacked_folder_is_as_it_would_have_been_built() {
    const SEEDS: u8 = 6;
    for rules in [Ruleset::AWARI, Ruleset::ABAPA, Ruleset::KALAH] {
        let by_codec = Codec::ALL.map(|codec| files(built(rules, SEEDS, true, codec).path()));
        for (from, before) in Codec::ALL.into_iter().zip(&by_codec) {
            for (to, after) in Codec::ALL.into_iter().zip(&by_codec) {
                let folder = copied(before);
                let right = answers(rules, folder.path(), SEEDS);
                let done = repack_to(rules, folder.path(), to).unwrap();
                assert!(&files(folder.path()) == after, "{rules}: {from} to {to}");
                assert_eq!(answers(rules, folder.path(), SEEDS), right);
                let all = before.len() as u64;
                let (tables, kept) = if from == to { (0, all) } else { (all, 0) };
                assert_eq!(
                    (done.tables, done.kept),
                    (tables, kept),
                    "{rules}: {from} to {to}"
                );
                let bytes = (bytes_of(before), bytes_of(after));
                assert_eq!(
                    (done.bytes_before, done.bytes),
                    bytes,
                    "{rules}: {from} to {to}"
                );
            }
        }
    }
}

/// Layers and kinds of every codec in one folder: only the others are packed.
#[test]
fn mixed_folders_become_one_kind() {
    let rules = Ruleset::ABAPA;
    let by_codec = Codec::ALL.map(|codec| files(built(rules, 6, true, codec).path()));
    let mut mixed = BTreeMap::new();
    for (number, name) in by_codec[0].keys().enumerate() {
        // 3 tables a layer: every kind meets every codec.
        mixed.insert(
            name.clone(),
            by_codec[number % Codec::ALL.len()][name].clone(),
        );
    }
    for (codec, whole) in Codec::ALL.into_iter().zip(&by_codec) {
        let folder = copied(&mixed);
        let done = repack_to(rules, folder.path(), codec).unwrap();
        assert!(&files(folder.path()) == whole, "{codec}");
        let kept = mixed.iter().filter(|(name, bytes)| whole[*name] == **bytes);
        // Small layers may come out alike, so that their bytes do not tell.
        assert!(done.kept > 0 && done.kept <= kept.count() as u64);
        assert_eq!(done.tables + done.kept, mixed.len() as u64);
        assert_eq!(done.bytes, bytes_of(whole));
    }
}

fn written_at(folder: &Path) -> Vec<SystemTime> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths.push(folder.to_path_buf());
    let written = paths.iter().map(|path| fs::metadata(path)?.modified());
    written.collect::<Result<_, _>>().unwrap()
}

/// Not even the lock is taken: a folder that is as it should be may be read-only.
#[test]
fn where_nothing_is_to_be_done_nothing_is_written() {
    let folder = built(Ruleset::AWARI, 5, true, Codec::Packed);
    let lock = FolderLock::new(folder.path()).unwrap();
    let before = written_at(folder.path());
    let done = repack_to(Ruleset::AWARI, folder.path(), Codec::Packed).unwrap();
    assert_eq!((done.tables, done.kept), (0, 12));
    assert_eq!(written_at(folder.path()), before);
    drop(lock);
}

#[test]
fn a_folder_in_which_somebody_is_at_work_is_left_alone() {
    let folder = built(Ruleset::AWARI, 5, false, Codec::Small);
    let _lock = FolderLock::new(folder.path()).unwrap();
    let before = files(folder.path());
    let error = repack_to(Ruleset::AWARI, folder.path(), Codec::Raw).unwrap_err();
    assert!(matches!(&error, BuildError::Busy { folder: busy } if busy == folder.path()));
    assert!(files(folder.path()) == before);
}

/// A repacking that cannot be completed is not started.
#[test]
fn missing_layers_and_too_little_memory_are_told_first() {
    let rules = Ruleset::ABAPA;
    let folder = built(rules, 6, true, Codec::Small);
    let needed = memory_needed(rules, 6, &Kind::ALL);
    let with = |memory| {
        let memory = Some(memory);
        let options = options(Codec::Raw).with_memory(memory);
        repack(rules, folder.path(), &options, &Silent)
    };
    let before = files(folder.path());
    let error = with(needed - 1).unwrap_err();
    assert!(
        matches!(error, BuildError::Memory { seeds: 6, .. }),
        "{error}"
    );
    assert!(
        error.to_string().ends_with(": allow more memory"),
        "{error}"
    );
    assert!(files(folder.path()) == before);

    for lacking in ["abapa-03.value.krou", "abapa-04.bounds.krou"] {
        fs::remove_file(folder.path().join(lacking)).unwrap();
        let before = files(folder.path());
        let error = with(needed).unwrap_err();
        assert!(matches!(error, BuildError::Missing { .. }), "{error}");
        assert!(error.to_string().contains("abapa"), "{error}");
        assert!(files(folder.path()) == before, "{lacking}");
        fs::write(
            folder.path().join(lacking),
            &files(built(rules, 4, true, Codec::Small).path())[lacking],
        )
        .unwrap();
    }
    with(needed).unwrap();
    assert!(files(folder.path()) == files(built(rules, 6, true, Codec::Raw).path()));

    let nothing = tempfile::tempdir().unwrap();
    for folder in [nothing.path(), &nothing.path().join("nowhere")] {
        let error = repack_to(rules, folder, Codec::Raw).unwrap_err();
        assert!(
            matches!(error, BuildError::Missing { seeds: 0, .. }),
            "{error}"
        );
    }
    assert!(files(nothing.path()).is_empty());
}

fn damage(folder: &Path, name: &str, place: usize) {
    let path = folder.join(name);
    let mut bytes = fs::read(&path).unwrap();
    bytes[place] ^= 0x10;
    fs::write(path, bytes).unwrap();
}

/// A header is looked at before anything is done, a block when its turn comes:
/// then what lies below is done, and everything else as it was.
#[test]
fn a_damaged_table_stops_it_and_is_named() {
    const NAME: &str = "awari-05.value.krou";
    let rules = Ruleset::AWARI;
    let small = files(built(rules, 7, true, Codec::Small).path());
    let raw = files(built(rules, 7, true, Codec::Raw).path());
    let last = small[NAME].len() - 1;
    for place in [20, last] {
        let folder = copied(&small);
        damage(folder.path(), NAME, place);
        let damaged = files(folder.path());
        let error = repack_to(rules, folder.path(), Codec::Raw).unwrap_err();
        let BuildError::Table(TableError { file, .. }) = &error else {
            panic!("{error}");
        };
        assert!(file.ends_with(NAME), "{error}");
        let after = files(folder.path());
        assert_eq!(after.len(), small.len());
        for (name, bytes) in &after {
            let is_done = place == last && name.as_str() < "awari-05";
            let expected = if is_done { &raw } else { &damaged };
            assert!(bytes == &expected[name], "{name}, byte {place}");
        }
        // With a sound copy in its place the next run goes on.
        fs::write(folder.path().join(NAME), &small[NAME]).unwrap();
        repack_to(rules, folder.path(), Codec::Raw).unwrap();
        assert!(files(folder.path()) == raw);
    }
}

/// Also of tables that have the codec already.
#[test]
fn what_killed_runs_have_left_goes() {
    let folder = built(Ruleset::AWARI, 4, false, Codec::Small);
    let unfinished = |seeds| {
        folder
            .path()
            .join(format!("awari-{seeds:02}.value.krou.partial"))
    };
    let raw = built(Ruleset::AWARI, 2, false, Codec::Raw);
    let name = "awari-02.value.krou";
    fs::copy(raw.path().join(name), folder.path().join(name)).unwrap();
    for seeds in [2, 4, 30] {
        fs::write(unfinished(seeds), [1; 1000]).unwrap();
    }
    let done = repack_to(Ruleset::AWARI, folder.path(), Codec::Small).unwrap();
    assert_eq!((done.tables, done.kept), (1, 4));
    assert!(
        files(folder.path())
            .keys()
            .all(|name| Path::new(&name).extension().is_some_and(|e| e == "krou"))
    );
}

/// Counts what a repacking says it has done.
#[derive(Default)]
struct Steps(Mutex<(u8, Vec<u64>)>);

impl Steps {
    fn at(&self, seeds: u8) {
        let mut steps = self.0.lock().unwrap();
        steps.0 = seeds;
        steps.1.resize(usize::from(seeds) + 1, 0);
    }
}

impl Observer for Steps {
    fn begins(&self, seeds: u8, _: Phase, _: u64) {
        self.at(seeds);
    }

    fn advance(&self, boards: u64) {
        let mut steps = self.0.lock().unwrap();
        let seeds = usize::from(steps.0);
        steps.1[seeds] += boards;
    }
}

impl BuildObserver for Steps {
    fn packs(&self, id: TableId, _: u64) {
        self.at(id.seeds);
    }
}

/// A bar that follows it never stands still until it jumps, and ends where it
/// should.
#[test]
fn it_does_as_many_steps_as_it_says() {
    for rules in [Ruleset::AWARI, Ruleset::ABAPA] {
        for (from, to) in [(Codec::Small, Codec::Raw), (Codec::Zstd, Codec::Small)] {
            for check in [true, false] {
                let folder = built(rules, 6, true, from);
                let tables = Tablebase::open(rules, &[folder.path()]).unwrap();
                let mut options = options(to);
                options.write.check = check;
                let steps = Steps::default();
                repack(rules, folder.path(), &options, &steps).unwrap();
                let expected = tables.repack_steps(&options.write);
                assert_eq!(steps.0.lock().unwrap().1, expected, "{rules} {from} {to}");
                let tables = Tablebase::open(rules, &[folder.path()]).unwrap();
                assert!(tables.repack_steps(&options.write).is_empty());
            }
        }
    }
}

/// Entries one of which is another as soon as the table is packed, as if the disk
/// had changed it.
struct Fickle {
    entries: Vec<u8>,
    packed: AtomicU64,
    place: u64,
}

impl EntrySource for Fickle {
    fn fill(&self, start: u64, out: &mut [u8]) -> std::io::Result<()> {
        self.entries.fill(start, out)?;
        let is_packed = self.packed.load(Ordering::Relaxed) >= self.entries.len() as u64;
        let range = start..start + out.len() as u64;
        if is_packed && range.contains(&self.place) {
            out[(self.place - start) as usize] += 1;
        }
        Ok(())
    }
}

#[test]
fn a_table_that_is_read_back_as_another_is_not_written() {
    let id = TableId {
        rules: Ruleset::AWARI,
        seeds: 5,
        kind: Kind::Value,
    };
    let index = LayerIndex::new(id.rules, id.seeds);
    for codec in Codec::ALL {
        for check in [true, false] {
            let options = WriteOptions::new(codec).with_check(check);
            let folder = tempfile::tempdir().unwrap();
            let fickle = Fickle {
                entries: vec![2; index.len() as usize],
                packed: AtomicU64::new(0),
                place: 345,
            };
            let on_entries = |entries| {
                fickle.packed.fetch_add(entries, Ordering::Relaxed);
            };
            let written = write(folder.path(), id, &[&fickle], &options, &on_entries);
            if check {
                let error = written.unwrap_err();
                let fault = matches!(error.fault, Fault::ReadBackMismatch { index: 345 });
                assert!(fault, "{codec}: {error}");
                assert_eq!(error.to_string().lines().count(), 1);
                assert!(files(folder.path()).is_empty(), "{codec}");
            } else {
                let path = written.unwrap().publish().unwrap();
                Table::open(&path).unwrap().check().unwrap();
            }
        }
    }
}
