//! A checkpoint is read back as it was saved, or rejected.

use std::sync::Mutex;

use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;

use super::super::entry::{DistanceKey, Value};
use super::*;
use crate::rules::Ruleset;
use crate::solve::ranks::Alone;

/// Where the head has the checksum of all checksums, if the phase is finished.
const SUMS: std::ops::Range<usize> = 32..40;
/// Where the pieces begin.
const PIECES: usize = 4096;

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
    let mut array = memory.written_once(&index(id), E::ZERO).unwrap();
    fill(&mut array, entry);
    array
}

fn fill<E: ArrayEntry>(array: &mut LayerArray<E>, entry: impl Fn(u64) -> E) {
    let filled = array.change(|start, entries| {
        for (entry_of, number) in entries.iter_mut().zip(start as u64..) {
            *entry_of = entry(number);
        }
        Ok::<_, SpillError>(())
    });
    filled.unwrap();
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

/// Saved and read back, in memory, in nameless files and in the checkpoint itself.
fn check_round_trip<E, const N: usize>(kind: Kind, entry: impl Fn(u64) -> E)
where
    E: ArrayEntry + PartialEq + std::fmt::Debug,
{
    let folder = TempDir::new().unwrap();
    let (id, index) = (id(kind), index(id(kind)));
    let limited = |bytes| Memory::limited(bytes, folder.path().into());
    let checkpoints = Checkpoints::new(folder.path(), Some(Duration::ZERO));
    for (mut memory, is_itself) in [
        (Memory::unlimited(), false),
        (limited(0), false),
        (limited(0), true),
        (limited(50), false),
    ] {
        for is_finished in [false, true] {
            let mut arrays: [LayerArray<E>; N] = match is_itself {
                true => checkpoints.arrays(id, &index, [E::ZERO; N], &mut memory, &Alone),
                false => Ok(memory.arrays(&index, [E::ZERO; N]).unwrap()),
            }
            .unwrap();
            for (array, i) in arrays.iter_mut().zip(0..) {
                fill(array, |number| entry(number + i));
            }
            let arrays = arrays.each_ref();
            save(folder.path(), id, &index, &arrays, is_finished).unwrap();
            let events = Events::default();
            let resumed = checkpoints
                .resume::<E, N>(id, &index, [E::ZERO; N], &mut memory, &events, |_, _| {
                    Ok(true)
                })
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
fn saved(is_finished: bool) -> (TempDir, PathBuf, Vec<u8>) {
    let folder = TempDir::new().unwrap();
    let id = id(Kind::Value);
    let values = array(id, &mut Memory::unlimited(), value);
    save(folder.path(), id, &index(id), &[&values], is_finished).unwrap();
    let file = path(folder.path(), id);
    let bytes = fs::read(&file).unwrap();
    (folder, file, bytes)
}

/// An entry that none has in the checkpoint.
const NEW: i8 = 1 + 2;

/// The values that are read from the checkpoint, with `NEW` where it is not whole. `None` if it is
/// rejected; then the observer hears which file it is and why, and no memory is taken.
fn resumed(folder: &Path, id: TableId) -> Option<Vec<Value>> {
    let events = Events::default();
    let mut memory = Memory::limited(1 << 20, folder.into());
    let fits = |_, values: &[Value]| {
        let mut values = values.iter();
        Ok(values.all(|value| value.get().abs() <= 2 || value.get() == NEW))
    };
    let new = [Value::new(NEW)];
    let checkpoints = Checkpoints::new(folder, None);
    let resumed = checkpoints.resume(id, &index(id), new, &mut memory, &events, fits);
    let resumed = resumed.unwrap();
    let rejected = events.rejected.into_inner().unwrap();
    if resumed.is_some() {
        assert!(rejected.is_empty());
    } else {
        assert_eq!(rejected.len(), 1);
        assert_eq!(rejected[0].0, path(folder, id));
        assert!(rejected[0].1.starts_with("it"));
        assert!(memory.take(1 << 20));
    }
    resumed.map(|resumed| entries(&resumed.arrays[0]))
}

/// A file with another head that has a right checksum.
fn with_checksum(mut bytes: Vec<u8>) -> Vec<u8> {
    let sum = xxh3_64(&bytes[..HEAD - 8]);
    bytes[HEAD - 8..HEAD].copy_from_slice(&sum.to_le_bytes());
    bytes
}

#[test]
fn a_file_of_another_length_or_with_another_head_is_rejected() {
    let (folder, file, bytes) = saved(false);
    let id = id(Kind::Value);
    assert!(resumed(folder.path(), id).is_some());
    for length in (0..bytes.len()).step_by(61) {
        fs::write(&file, &bytes[..length]).unwrap();
        assert!(resumed(folder.path(), id).is_none(), "{length} bytes");
    }
    fs::write(&file, [&bytes[..], &[0]].concat()).unwrap();
    assert!(resumed(folder.path(), id).is_none(), "a byte too many");
    for place in 0..HEAD {
        for bit in 0..8 {
            let mut bytes = bytes.clone();
            bytes[place] ^= 1 << bit;
            fs::write(&file, bytes).unwrap();
            assert!(
                resumed(folder.path(), id).is_none(),
                "byte {place}, bit {bit}"
            );
        }
    }
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    assert!(resumed(folder.path(), id).is_none(), "a folder");
}

/// What a kill has torn begins again, and nothing else; a finished phase must be whole.
#[test]
fn pieces_that_are_not_whole_begin_again() {
    let id = id(Kind::Value);
    let right: Vec<Value> = (0..index(id).len()).map(value).collect();
    let pieces = Pieces::new(&index(id));
    for is_finished in [false, true] {
        let (folder, file, bytes) = saved(is_finished);
        assert_eq!(bytes.len(), PIECES * (1 + pieces.count()));
        for piece in 0..pieces.count() {
            let start = PIECES * (1 + piece);
            let (length, _) = bytes[start + 8..].split_first_chunk().unwrap();
            let end = start + 16 + u64::from_le_bytes(*length) as usize;
            for place in start..end {
                let mut bytes = bytes.clone();
                bytes[place] ^= 1 << (place % 8);
                fs::write(&file, bytes).unwrap();
                let mut expected = right.clone();
                expected[pieces.range(piece)].fill(Value::new(NEW));
                let expected = (!is_finished).then_some(expected);
                assert_eq!(resumed(folder.path(), id), expected, "byte {place}");
            }
        }
        // A piece in the place of another one, or one that was never written.
        let mut moved = bytes.clone();
        moved.copy_within(2 * PIECES..3 * PIECES, PIECES);
        moved[2 * PIECES..3 * PIECES].fill(0);
        fs::write(&file, moved).unwrap();
        let mut expected = right.clone();
        expected[pieces.range(0)].fill(Value::new(NEW));
        expected[pieces.range(1)].fill(Value::new(NEW));
        let expected = (!is_finished).then_some(expected);
        assert_eq!(resumed(folder.path(), id), expected);
    }
}

#[test]
fn a_checkpoint_of_another_table_is_rejected() {
    let (folder, file, bytes) = saved(false);
    for place in 0..HEAD - 8 {
        for bit in 0..8 {
            let mut altered = bytes.clone();
            altered[place] ^= 1 << bit;
            fs::write(&file, with_checksum(altered)).unwrap();
            let is_used = resumed(folder.path(), id(Kind::Value)).is_some();
            assert!(!is_used, "byte {place}, bit {bit}");
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
        assert!(resumed(folder.path(), other).is_none(), "{other}");
    }
}

#[test]
fn impossible_entries_are_rejected() {
    let id = id(Kind::Value);
    for (entry, is_good) in [(2, true), (4, false), (-3, false), (-48, false)] {
        let folder = TempDir::new().unwrap();
        let values = array(id, &mut Memory::unlimited(), |number| match number {
            40 => Value::new(entry),
            _ => value(number),
        });
        save(folder.path(), id, &index(id), &[&values], false).unwrap();
        assert_eq!(resumed(folder.path(), id).is_some(), is_good, "{entry}");
    }
}

/// Finished phases are saved with the next one, and only when it is due.
#[test]
fn finished_phases_are_saved_with_the_current_one() {
    let folder = TempDir::new().unwrap();
    let values = array(id(Kind::Value), &mut Memory::unlimited(), |_| Value::new(0));
    let layer = Layer::new(values, None);
    let keys = [array(id(Kind::Distance), &mut Memory::unlimited(), key)];
    let there = || [Kind::Value, Kind::Distance].map(|kind| path(folder.path(), id(kind)).exists());
    for (every, wanted) in [
        (None, [false, false]),
        (Some(Duration::from_secs(3600)), [false, false]),
        (Some(Duration::ZERO), [true, true]),
    ] {
        let mut checkpoints = Checkpoints::new(folder.path(), every);
        checkpoints.finish(id(Kind::Value));
        let saver = Saver {
            checkpoints: &mut checkpoints,
            id: id(Kind::Distance),
            ranks: &Alone,
            finished: Finished::layer(&layer),
        };
        Saver::save_if_due(&mut Some(saver), &keys, || Ok(())).unwrap();
        assert_eq!(there(), wanted);
    }
    for (kind, is_finished) in [(Kind::Value, true), (Kind::Distance, false)] {
        let bytes = fs::read(path(folder.path(), id(kind))).unwrap();
        assert_eq!(bytes[SUMS] != [0; 8], is_finished);
    }
}

#[test]
fn without_a_folder_there_are_no_checkpoints() {
    let mut checkpoints = Checkpoints::none();
    let values = [array(id(Kind::Value), &mut Memory::unlimited(), value)];
    let saver = Saver {
        checkpoints: &mut checkpoints,
        id: id(Kind::Value),
        ranks: &Alone,
        finished: Finished::none(),
    };
    Saver::save_if_due(&mut Some(saver), &values, || Ok(())).unwrap();
    let events = Events::default();
    let resumed = checkpoints.resume(
        id(Kind::Value),
        &index(id(Kind::Value)),
        [Value::new(0)],
        &mut Memory::unlimited(),
        &events,
        |_, _| Ok(true),
    );
    assert!(resumed.unwrap().is_none());
    assert!(events.rejected.into_inner().unwrap().is_empty());
}
