//! Checkpoints come back as they were saved, or not at all.

use std::sync::Mutex;

use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;

use super::super::entry::{Key, Score};
use super::*;
use crate::rules::Ruleset;

/// Where the header says whether the stage is done.
const SETTLED: usize = 20;

fn id(kind: Kind) -> TableId {
    let rules = Ruleset::AWALE;
    TableId {
        rules,
        seeds: 2,
        kind,
    }
}

/// A layer of entries that `entry` makes of their numbers.
fn store<E: Stored>(id: TableId, room: &mut Room, mut entry: impl FnMut(u64) -> E) -> Store<E> {
    let index = LayerIndex::new(id.rules, id.seeds);
    let made = Store::make(&index, room, |section| {
        let start = index.section_start(section);
        let end = start + index.section_entries(section) as u64;
        Ok::<_, SpillError>((start..end).map(&mut entry).collect())
    });
    made.unwrap()
}

fn score(number: u64) -> Score {
    Score::new((number % 5) as i8 - 2)
}

fn key(number: u64) -> Key {
    Key::new(score(number).value(), (number * 7 % 512) as u16)
}

fn entries<E: Stored>(store: &Store<E>) -> Vec<E> {
    store.to_plane().unwrap().iter().collect()
}

/// Notes which files are passed over, and what is taken up.
#[derive(Default)]
struct Told {
    resumed: Mutex<Vec<Phase>>,
    passed_over: Mutex<Vec<PathBuf>>,
}

impl Observer for Told {
    fn resumes(&self, seeds: u8, phase: Phase) {
        assert_eq!(seeds, 2);
        self.resumed.lock().unwrap().push(phase);
    }

    fn passes_over(&self, checkpoint: &Path) {
        let path = checkpoint.to_path_buf();
        self.passed_over.lock().unwrap().push(path);
    }
}

/// Saved and read back, in memory and on disk.
fn check_round_trip<E, const PLANES: usize>(kind: Kind, entry: impl Fn(u64) -> E)
where
    E: Stored + PartialEq + std::fmt::Debug,
{
    let folder = TempDir::new().unwrap();
    let id = id(kind);
    for mut room in [
        Room::unlimited(),
        Room::limited(0, folder.path().into()),
        Room::limited(50, folder.path().into()),
    ] {
        for is_settled in [false, true] {
            let planes: [Store<E>; PLANES] = std::array::from_fn(|plane| {
                store(id, &mut room, |number| entry(number + plane as u64))
            });
            let planes = planes.each_ref();
            save(folder.path(), id, &planes, is_settled).unwrap();
            let told = Told::default();
            let resumed = Checkpoints::new(folder.path(), None)
                .resume::<E, PLANES>(id, &mut room, &told, |_, _| Ok(true))
                .unwrap()
                .expect("a good checkpoint");
            assert_eq!(resumed.is_settled, is_settled);
            assert_eq!(
                resumed.stores.each_ref().map(entries),
                planes.map(|plane| entries(plane))
            );
            assert_eq!(*told.resumed.lock().unwrap(), [phase(kind)]);
        }
    }
    let files = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(files, 1, "one file, without a name that is not its own");
    remove_checkpoint(folder.path(), id);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn what_is_saved_comes_back() {
    check_round_trip::<Score, 1>(Kind::Value, score);
    check_round_trip::<Score, 2>(Kind::Bounds, score);
    check_round_trip::<Key, 1>(Kind::Distance, key);
}

/// A folder with the checkpoint of a small layer, the file and its bytes.
fn saved() -> (TempDir, PathBuf, Vec<u8>) {
    let folder = TempDir::new().unwrap();
    let id = id(Kind::Value);
    let scores = store(id, &mut Room::unlimited(), score);
    save(folder.path(), id, &[&scores], false).unwrap();
    let file = path(folder.path(), id);
    let bytes = fs::read(&file).unwrap();
    (folder, file, bytes)
}

/// Whether the checkpoint is used; if not, it is told which file was passed
/// over, and no memory is taken.
fn is_used(folder: &Path, id: TableId) -> bool {
    let told = Told::default();
    let mut room = Room::limited(1 << 20, folder.into());
    let fits = |_, scores: &[Score]| {
        let mut scores = scores.iter();
        Ok(scores.all(|score| score.value().unsigned_abs() <= 2))
    };
    let resumed = Checkpoints::new(folder, None).resume::<Score, 1>(id, &mut room, &told, fits);
    let is_used = resumed.unwrap().is_some();
    let passed_over = told.passed_over.into_inner().unwrap();
    match is_used {
        true => assert!(passed_over.is_empty()),
        false => {
            assert_eq!(passed_over, [path(folder, id)]);
            assert_eq!(room.left(), Some(1 << 20));
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
fn a_file_that_is_cut_or_altered_anywhere_is_passed_over() {
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
fn a_header_of_anything_else_is_passed_over() {
    let (folder, file, bytes) = saved();
    for place in 0..HEADER {
        for byte in 0..=u8::MAX {
            let mut altered = bytes.clone();
            altered[place] = byte;
            let is_good = altered == bytes || (place, byte) == (SETTLED, 1);
            fs::write(&file, with_checksum(altered)).unwrap();
            let is_used = is_used(folder.path(), id(Kind::Value));
            assert_eq!(is_used, is_good, "byte {place} is {byte}");
        }
    }
    fs::write(&file, &bytes).unwrap();
    // Under another name it is a good file of the wrong layer, kind or rules.
    let mut others = vec![id(Kind::Bounds), id(Kind::Distance)];
    for (_, rules) in Ruleset::NAMED {
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
fn entries_that_cannot_be_are_passed_over() {
    let (folder, file, bytes) = saved();
    for (byte, is_good) in [(0x82, true), (0x83, false), (0x7D, false), (0, false)] {
        let mut altered = bytes.clone();
        altered[HEADER + 40] = byte;
        fs::write(&file, with_checksum(altered)).unwrap();
        assert_eq!(is_used(folder.path(), id(Kind::Value)), is_good, "{byte}");
    }
}

/// Stages that are done are saved with the next one, and only when it is time.
#[test]
fn what_is_done_is_saved_with_what_is_at_work() {
    let folder = TempDir::new().unwrap();
    let layers: Vec<Solved> = (0..=2)
        .map(|seeds| {
            let id = TableId {
                seeds,
                ..id(Kind::Value)
            };
            Solved {
                value: store(id, &mut Room::unlimited(), |_| Score::new(0)),
                bounds: None,
            }
        })
        .collect();
    let keys = store(id(Kind::Distance), &mut Room::unlimited(), key);
    let there = || [Kind::Value, Kind::Distance].map(|kind| path(folder.path(), id(kind)).exists());
    for (every, wanted) in [
        (None, [false, false]),
        (Some(Duration::from_hours(1)), [false, false]),
        (Some(Duration::ZERO), [true, true]),
    ] {
        let mut checkpoints = Checkpoints::new(folder.path(), every);
        checkpoints.settled(id(Kind::Value));
        checkpoints
            .save_in_time(id(Kind::Distance), &[&keys], &layers)
            .unwrap();
        assert_eq!(there(), wanted);
    }
    let value = fs::read(path(folder.path(), id(Kind::Value))).unwrap();
    assert_eq!(value[SETTLED], 1);
}

#[test]
fn without_a_folder_nothing_is_told_or_written() {
    let mut checkpoints = Checkpoints::none();
    let scores = store(id(Kind::Value), &mut Room::unlimited(), score);
    checkpoints
        .save_in_time(id(Kind::Value), &[&scores], &[])
        .unwrap();
    let told = Told::default();
    let resumed =
        checkpoints.resume::<Score, 1>(id(Kind::Value), &mut Room::unlimited(), &told, |_, _| {
            Ok(true)
        });
    assert!(resumed.unwrap().is_none());
    assert!(told.passed_over.into_inner().unwrap().is_empty());
}
