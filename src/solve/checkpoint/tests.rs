//! A checkpoint is read back as it was saved, or rejected.

use std::sync::Mutex;

use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;

use super::super::entry::{DistanceKey, Value};
use super::*;
use crate::rules::Ruleset;
use crate::solve::ranks::Alone;

/// Where the header says whether the phase is finished.
const FINISHED: usize = 20;

fn id(kind: Kind) -> TableId {
    let rules = Ruleset::AWALE;
    TableId {
        rules,
        seeds: 2,
        kind,
    }
}

fn index(id: TableId) -> LayerIndex {
    LayerIndex::new(id.rules, id.seeds)
}

/// An array of entries that `entry` makes of their numbers.
fn array<E: ArrayEntry>(
    id: TableId,
    memory: &mut Memory,
    entry: impl Fn(u64) -> E,
) -> LayerArray<E> {
    let index = index(id);
    let mut array = memory.array(&index, E::ZERO).unwrap();
    let filled = array.change(|start, entries| {
        for (entry_of, number) in entries.iter_mut().zip(start as u64..) {
            *entry_of = entry(number);
        }
        Ok::<_, SpillError>(())
    });
    filled.unwrap();
    array
}

/// All entries of an array.
fn entries<E: ArrayEntry>(array: &LayerArray<E>) -> Vec<E> {
    let len = array.index().len() as usize;
    array.read(0..len, &mut Buffer::empty()).unwrap().to_vec()
}

fn value(number: u64) -> Value {
    Value::new((number % 5) as i8 - 2)
}

fn key(number: u64) -> DistanceKey {
    DistanceKey::new(value(number).get(), (number * 7 % 512) as u16)
}

/// Collects which files are rejected, and which phases resume.
#[derive(Default)]
struct Events {
    resumed: Mutex<Vec<Phase>>,
    rejected: Mutex<Vec<(PathBuf, String)>>,
}

impl Observer for Events {
    fn resumes(&self, seeds: u8, phase: Phase) {
        assert_eq!(seeds, 2);
        self.resumed.lock().unwrap().push(phase);
    }

    fn rejects_checkpoint(&self, checkpoint: &Path, reason: &str) {
        let rejected = (checkpoint.to_path_buf(), reason.to_owned());
        self.rejected.lock().unwrap().push(rejected);
    }
}

/// Saved and read back, in memory and on disk.
fn check_round_trip<E, const N: usize>(kind: Kind, entry: impl Fn(u64) -> E)
where
    E: ArrayEntry + PartialEq + std::fmt::Debug,
{
    let folder = TempDir::new().unwrap();
    let id = id(kind);
    for mut memory in [
        Memory::unlimited(),
        Memory::limited(0, folder.path().into()),
        Memory::limited(50, folder.path().into()),
    ] {
        for is_finished in [false, true] {
            let arrays: [LayerArray<E>; N] =
                std::array::from_fn(|i| array(id, &mut memory, |number| entry(number + i as u64)));
            let arrays = arrays.each_ref();
            save(folder.path(), id, &arrays, is_finished).unwrap();
            let events = Events::default();
            let resumed = Checkpoints::new(folder.path(), None)
                .resume::<E, N>(id, &index(id), &mut memory, &events, |_, _| Ok(true))
                .unwrap()
                .expect("a sound checkpoint");
            assert_eq!(resumed.is_finished, is_finished);
            assert_eq!(resumed.arrays.each_ref().map(entries), arrays.map(entries));
            assert_eq!(*events.resumed.lock().unwrap(), [phase(kind)]);
        }
    }
    let files = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(files, 1, "one file, under its own name");
    remove_checkpoint(folder.path(), id);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_checkpoint_is_read_back_as_saved() {
    check_round_trip::<Value, 1>(Kind::Value, value);
    check_round_trip::<Value, 2>(Kind::Bounds, value);
    check_round_trip::<DistanceKey, 1>(Kind::Distance, key);
}

/// A folder with the checkpoint of a small layer, the file and its bytes.
fn saved() -> (TempDir, PathBuf, Vec<u8>) {
    let folder = TempDir::new().unwrap();
    let id = id(Kind::Value);
    let values = array(id, &mut Memory::unlimited(), value);
    save(folder.path(), id, &[&values], false).unwrap();
    let file = path(folder.path(), id);
    let bytes = fs::read(&file).unwrap();
    (folder, file, bytes)
}

/// Whether the checkpoint is used. If not, the observer hears which file is rejected
/// and why, and no memory is taken.
fn is_used(folder: &Path, id: TableId) -> bool {
    let events = Events::default();
    let mut memory = Memory::limited(1 << 20, folder.into());
    let fits = |_, values: &[Value]| {
        let mut values = values.iter();
        Ok(values.all(|value| value.get().unsigned_abs() <= 2))
    };
    let resumed = Checkpoints::new(folder, None).resume::<Value, 1>(
        id,
        &index(id),
        &mut memory,
        &events,
        fits,
    );
    let is_used = resumed.unwrap().is_some();
    let rejected = events.rejected.into_inner().unwrap();
    match is_used {
        true => assert!(rejected.is_empty()),
        false => {
            assert_eq!(rejected.len(), 1);
            assert_eq!(rejected[0].0, path(folder, id));
            assert!(rejected[0].1.starts_with("it"));
            assert!(memory.take(1 << 20));
        }
    }
    is_used
}

fn with_checksum(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - CHECKSUM;
    let sum = xxh3_64(&bytes[..end]);
    bytes[end..].copy_from_slice(&sum.to_le_bytes());
    bytes
}

#[test]
fn a_truncated_or_altered_file_is_rejected() {
    let (folder, file, bytes) = saved();
    let id = id(Kind::Value);
    assert!(is_used(folder.path(), id));
    for length in 0..bytes.len() {
        fs::write(&file, &bytes[..length]).unwrap();
        assert!(!is_used(folder.path(), id), "{length} bytes");
    }
    fs::write(&file, [&bytes[..], &[0]].concat()).unwrap();
    assert!(!is_used(folder.path(), id), "a byte too many");
    for place in 0..bytes.len() {
        for bit in 0..8 {
            let mut bytes = bytes.clone();
            bytes[place] ^= 1 << bit;
            fs::write(&file, bytes).unwrap();
            assert!(!is_used(folder.path(), id), "byte {place}, bit {bit}");
        }
    }
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    assert!(!is_used(folder.path(), id), "a folder");
}

#[test]
fn a_checkpoint_of_another_table_is_rejected() {
    let (folder, file, bytes) = saved();
    for place in 0..HEADER {
        for bit in 0..8 {
            let mut altered = bytes.clone();
            altered[place] ^= 1 << bit;
            let byte = altered[place];
            let is_good = (place, byte) == (FINISHED, 1);
            fs::write(&file, with_checksum(altered)).unwrap();
            let is_used = is_used(folder.path(), id(Kind::Value));
            assert_eq!(is_used, is_good, "byte {place} is {byte}");
        }
    }
    fs::write(&file, &bytes).unwrap();
    // Under another name it is a sound file of the wrong layer, kind or ruleset.
    let mut others = vec![id(Kind::Bounds), id(Kind::Distance)];
    for &(_, rules) in Ruleset::NAMED {
        for seeds in 0..=3 {
            let kind = Kind::Value;
            others.push(TableId { rules, seeds, kind });
        }
    }
    others.retain(|&other| other != id(Kind::Value));
    for other in others {
        fs::copy(&file, path(folder.path(), other)).unwrap();
        assert!(!is_used(folder.path(), other), "{other}");
    }
}

#[test]
fn impossible_entries_are_rejected() {
    let (folder, file, bytes) = saved();
    for (byte, is_good) in [(0x82, true), (0x83, false), (0x7D, false), (0, false)] {
        let mut altered = bytes.clone();
        altered[HEADER + 40] = byte;
        fs::write(&file, with_checksum(altered)).unwrap();
        assert_eq!(is_used(folder.path(), id(Kind::Value)), is_good, "{byte}");
    }
}

/// Finished phases are saved with the next one, and only when it is due.
#[test]
fn finished_phases_are_saved_with_the_current_one() {
    let folder = TempDir::new().unwrap();
    let values = array(id(Kind::Value), &mut Memory::unlimited(), |_| Value::new(0));
    let layer = Layer::new(values, None);
    let keys = array(id(Kind::Distance), &mut Memory::unlimited(), key);
    let there = || [Kind::Value, Kind::Distance].map(|kind| path(folder.path(), id(kind)).exists());
    for (every, wanted) in [
        (None, [false, false]),
        (Some(Duration::from_secs(3600)), [false, false]),
        (Some(Duration::ZERO), [true, true]),
    ] {
        let mut checkpoints = Checkpoints::new(folder.path(), every);
        checkpoints.finish(id(Kind::Value));
        let mut saver = Saver {
            checkpoints: &mut checkpoints,
            id: id(Kind::Distance),
            ranks: &Alone,
            finished: Finished::layer(&layer),
        };
        saver.save_if_due(&[&keys], || Ok(())).unwrap();
        assert_eq!(there(), wanted);
    }
    let value = fs::read(path(folder.path(), id(Kind::Value))).unwrap();
    assert_eq!(value[FINISHED], 1);
}

#[test]
fn without_a_folder_there_are_no_checkpoints() {
    let mut checkpoints = Checkpoints::none();
    let values = array(id(Kind::Value), &mut Memory::unlimited(), value);
    let mut saver = Saver {
        checkpoints: &mut checkpoints,
        id: id(Kind::Value),
        ranks: &Alone,
        finished: Finished::none(),
    };
    saver.save_if_due(&[&values], || Ok(())).unwrap();
    let events = Events::default();
    let resumed = checkpoints.resume::<Value, 1>(
        id(Kind::Value),
        &index(id(Kind::Value)),
        &mut Memory::unlimited(),
        &events,
        |_, _| Ok(true),
    );
    assert!(resumed.unwrap().is_none());
    assert!(events.rejected.into_inner().unwrap().is_empty());
}
