//! Repacking a folder to another codec: to the bytes that a build writes, or not at all.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use krou::index::LayerIndex;
use krou::internal::table::{EntrySource, Fault, FolderLock, write};
use krou::rules::Ruleset;
use krou::solve::Silent;
use krou::solve::memory_needed;
use krou::table::{Codec, Kind, Table, TableId, WriteOptions};
use krou::tablebase::{BuildError, LoadError, NotEnoughMemory, ProbeError, Tablebase};
use krou::tablebase::{RepackOptions, Repacked, repack};
use tempfile::TempDir;

use crate::files::files;
use crate::support::{StepCounter, built};

fn repack_to(rules: Ruleset, folder: &Path, codec: Codec) -> Result<Repacked, BuildError> {
    repack(rules, folder, &options(codec), &Silent)
}

/// The layer of a missing table.
fn missing_seeds(error: &BuildError) -> Option<u8> {
    match error {
        BuildError::Layer(LoadError::Probe(ProbeError::Missing(missing))) => Some(missing.seeds),
        _ => None,
    }
}

fn options(codec: Codec) -> RepackOptions {
    let write = WriteOptions {
        check: true,
        ..WriteOptions::from(codec)
    };
    let memory = None;
    RepackOptions { write, memory }
}

fn total_bytes(files: &BTreeMap<String, Vec<u8>>) -> u64 {
    files.values().map(|bytes| bytes.len() as u64).sum()
}

/// A folder with these files.
fn folder_of(files: &BTreeMap<String, Vec<u8>>) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

/// From every codec to every other, in both families and with bounds and distances.
#[test]
fn repacked_folders_equal_built_ones() {
    const SEEDS: u8 = 6;
    for rules in [Ruleset::AWARI, Ruleset::ABAPA, Ruleset::KALAH] {
        let codecs = Codec::ALL.iter().copied();
        let by_codec: Vec<_> = codecs
            .map(|codec| files(built(rules, SEEDS, true, codec).path()))
            .collect();
        for (from, before) in Codec::ALL.iter().copied().zip(&by_codec) {
            for (to, after) in Codec::ALL.iter().copied().zip(&by_codec) {
                let folder = folder_of(before);
                let done = repack_to(rules, folder.path(), to).unwrap();
                assert!(&files(folder.path()) == after, "{rules}: {from} to {to}");
                let all = before.len() as u64;
                let (tables, kept) = if from == to { (0, all) } else { (all, 0) };
                assert_eq!(
                    (done.tables, done.kept),
                    (tables, kept),
                    "{rules}: {from} to {to}"
                );
                let bytes = (total_bytes(before), total_bytes(after));
                assert_eq!(
                    (done.bytes_before, done.bytes),
                    bytes,
                    "{rules}: {from} to {to}"
                );
            }
        }
    }
}

fn modification_times(folder: &Path) -> Vec<SystemTime> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths.push(folder.to_path_buf());
    let written = paths.iter().map(|path| fs::metadata(path)?.modified());
    written.collect::<Result<_, _>>().unwrap()
}

/// Not even the lock is taken, so that the folder may be read-only.
#[test]
fn repacking_to_the_same_codec_writes_nothing() {
    let folder = built(Ruleset::AWARI, 5, true, Codec::Packed);
    let lock = FolderLock::new(folder.path()).unwrap();
    let before = modification_times(folder.path());
    let done = repack_to(Ruleset::AWARI, folder.path(), Codec::Packed).unwrap();
    assert_eq!((done.tables, done.kept), (0, 12));
    assert_eq!(modification_times(folder.path()), before);
    drop(lock);
}

#[test]
fn repacking_a_locked_folder_is_an_error() {
    let folder = built(Ruleset::AWARI, 5, false, Codec::Small);
    let _lock = FolderLock::new(folder.path()).unwrap();
    let before = files(folder.path());
    let error = repack_to(Ruleset::AWARI, folder.path(), Codec::Raw).unwrap_err();
    assert!(matches!(&error, BuildError::Busy { folder: busy } if busy == folder.path()));
    assert!(files(folder.path()) == before);
}

/// A repacking that cannot be completed does not start.
#[test]
fn missing_layers_and_memory_are_checked_first() {
    let rules = Ruleset::ABAPA;
    let folder = built(rules, 6, true, Codec::Small);
    let needed = memory_needed(rules, 6, Kind::ALL);
    let with = |memory| {
        let memory = Some(memory);
        let options = RepackOptions {
            memory,
            ..options(Codec::Raw)
        };
        repack(rules, folder.path(), &options, &Silent)
    };
    let before = files(folder.path());
    let error = with(needed - 1).unwrap_err();
    assert!(
        matches!(
            error,
            BuildError::Layer(LoadError::Memory(NotEnoughMemory { seeds: 6, .. }))
        ),
        "{error}"
    );
    assert!(
        error.to_string().ends_with(": allow more memory"),
        "{error}"
    );
    assert!(files(folder.path()) == before);

    for missing in ["abapa-03.value.krou", "abapa-04.bounds.krou"] {
        fs::remove_file(folder.path().join(missing)).unwrap();
        let before = files(folder.path());
        let error = with(needed).unwrap_err();
        assert!(missing_seeds(&error).is_some(), "{error}");
        assert!(error.to_string().contains("abapa"), "{error}");
        assert!(files(folder.path()) == before, "{missing}");
        fs::write(
            folder.path().join(missing),
            &files(built(rules, 4, true, Codec::Small).path())[missing],
        )
        .unwrap();
    }
    with(needed).unwrap();
    assert!(files(folder.path()) == files(built(rules, 6, true, Codec::Raw).path()));

    let empty = tempfile::tempdir().unwrap();
    for folder in [empty.path(), &empty.path().join("nowhere")] {
        let error = repack_to(rules, folder, Codec::Raw).unwrap_err();
        assert_eq!(missing_seeds(&error), Some(0), "{error}");
    }
    assert!(files(empty.path()).is_empty());
}

fn flip_bit(folder: &Path, name: &str, at: usize) {
    let path = folder.join(name);
    let mut bytes = fs::read(&path).unwrap();
    bytes[at] ^= 0x10;
    fs::write(path, bytes).unwrap();
}

/// A damaged header is found before any work. A damaged block is found when it is read: the
/// layers below are repacked by then, and all other tables stay as they were.
#[test]
fn damaged_tables_stop_the_repacking_and_are_named() {
    const NAME: &str = "awari-05.value.krou";
    let rules = Ruleset::AWARI;
    let small = files(built(rules, 7, true, Codec::Small).path());
    let raw = files(built(rules, 7, true, Codec::Raw).path());
    let last = small[NAME].len() - 1;
    for at in [20, last] {
        let folder = folder_of(&small);
        flip_bit(folder.path(), NAME, at);
        let damaged = files(folder.path());
        let error = repack_to(rules, folder.path(), Codec::Raw).unwrap_err();
        let BuildError::Layer(LoadError::Probe(ProbeError::Table(table))) = &error else {
            panic!("{error}");
        };
        assert!(table.file().ends_with(NAME), "{error}");
        let after = files(folder.path());
        assert_eq!(after.len(), small.len());
        for (name, bytes) in &after {
            let is_done = at == last && name.as_str() < "awari-05";
            let expected = if is_done { &raw } else { &damaged };
            assert!(bytes == &expected[name], "{name}, byte {at}");
        }
        // With an intact copy of the table the next run completes.
        fs::write(folder.path().join(NAME), &small[NAME]).unwrap();
        repack_to(rules, folder.path(), Codec::Raw).unwrap();
        assert!(files(folder.path()) == raw);
    }
}

/// Including those of tables that already have the codec.
#[test]
fn temporary_files_of_killed_runs_are_removed() {
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

/// So that a progress bar ends where it should.
#[test]
fn repacking_reports_as_many_steps_as_announced() {
    for rules in [Ruleset::AWARI, Ruleset::ABAPA] {
        for (from, to) in [(Codec::Small, Codec::Raw), (Codec::Zstd, Codec::Small)] {
            for check in [true, false] {
                let folder = built(rules, 6, true, from);
                let tables = Tablebase::builder(rules)
                    .without_embedded()
                    .folder(folder.path())
                    .open()
                    .unwrap();
                let mut options = options(to);
                options.write.check = check;
                let steps = StepCounter::default();
                repack(rules, folder.path(), &options, &steps).unwrap();
                let expected = tables.repack_steps(&options.write);
                assert_eq!(steps.by_layer(), expected, "{rules} {from} {to}");
                let tables = Tablebase::builder(rules)
                    .without_embedded()
                    .folder(folder.path())
                    .open()
                    .unwrap();
                assert!(tables.repack_steps(&options.write).is_empty());
            }
        }
    }
}

/// Entries; one of them changes as soon as the table is packed, as if the disk had changed
/// it.
struct ChangingEntries {
    entries: Vec<u8>,
    packed: AtomicU64,
    index: u64,
}

impl EntrySource for ChangingEntries {
    fn fill(&self, start: u64, out: &mut [u8]) -> std::io::Result<()> {
        self.entries.fill(start, out)?;
        let is_packed = self.packed.load(Ordering::Relaxed) >= self.entries.len() as u64;
        let range = start..start + out.len() as u64;
        if is_packed && range.contains(&self.index) {
            out[(self.index - start) as usize] += 1;
        }
        Ok(())
    }
}

#[test]
fn tables_that_differ_when_read_back_are_not_written() {
    let id = TableId {
        rules: Ruleset::AWARI,
        seeds: 5,
        kind: Kind::Value,
    };
    let index = LayerIndex::new(id.rules, id.seeds);
    for &codec in Codec::ALL {
        for check in [true, false] {
            let options = WriteOptions {
                check,
                ..WriteOptions::from(codec)
            };
            let folder = tempfile::tempdir().unwrap();
            let source = ChangingEntries {
                entries: vec![2; index.len() as usize],
                packed: AtomicU64::new(0),
                index: 345,
            };
            let on_entries = |entries| {
                source.packed.fetch_add(entries, Ordering::Relaxed);
                Ok(())
            };
            let written = write(folder.path(), id, &[&source], &options, &on_entries);
            if check {
                let error = written.unwrap_err();
                let fault = matches!(error.fault(), Fault::ReadBackMismatch { index: 345 });
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
