//! `Tablebase::verify` finds each single wrong entry of small tables. Each table
//! file of a folder is written anew, by the writer and so with right checksums,
//! with one entry changed: all entries in turn, all else as it was.

use std::fs;
use std::path::Path;

use krou::index::LayerIndex;
use krou::rules::{Board, Ruleset};
use krou::solve::Silent;
use krou::solve::certificate::Aspect;
use krou::table::{Codec, EntrySource, Kind, Table, TableId, write};
use krou::tablebase::{
    Assurance, BuildOptions, Tablebase, Verdict, VerifyOptions, WrongEntry, build,
};

fn build_in(rules: Ruleset, folder: &Path, seeds: u8, distance: bool, codec: Codec) {
    let options = BuildOptions::new(seeds)
        .with_distance(distance)
        .with_write(codec);
    build(rules, folder, &options, &Silent).unwrap();
}

fn verify(rules: Ruleset, folder: &Path, seeds: u8) -> Vec<Verdict> {
    let tables = Tablebase::open(rules, &[folder]).unwrap();
    let options = VerifyOptions::new(seeds);
    let mut verdicts = Vec::new();
    let verified = tables.verify(&options, &Silent, |verdict| verdicts.push(verdict));
    verified.unwrap();
    verdicts
}

/// The entries that a table stores; zeros where it stores none.
fn planes(path: &Path, id: TableId) -> Vec<Vec<u8>> {
    let table = Table::open(path).unwrap();
    let read = |plane| {
        let mut entries = vec![0; table.entries() as usize];
        let stored = &mut entries[..table.stored_entries() as usize];
        table.read(plane, 0, stored).unwrap();
        entries
    };
    (0..id.kind.planes()).map(read).collect()
}

/// Another entry that a table can hold in the place of one, if there is any.
fn another(id: TableId, planes: &[Vec<u8>], plane: usize, entry: usize) -> Option<u8> {
    let now = planes[plane][entry];
    if id.kind == Kind::Distance {
        return Some(now.wrapping_add(1));
    }
    let seeds = id.seeds.cast_signed();
    let number = |plane: usize| planes[plane][entry].cast_signed();
    let (least, most) = match (id.kind, plane) {
        (Kind::Bounds, 0) => (-seeds, number(1)),
        (Kind::Bounds, _) => (number(0), seeds),
        _ => (-seeds, seeds),
    };
    let now = now.cast_signed();
    let others = [now + 1, now - 1];
    let other = others.into_iter().find(|n| (least..=most).contains(n));
    other.map(i8::cast_unsigned)
}

/// The layers below are right; of this one the file and the board are named, and
/// no other board that does not follow from it; those above are told to rest on it.
/// Where tables leave something to the moves, a wrong number changes what these tell
/// of other boards, and boards lead that are made of those.
fn is_found(
    verdicts: &[Verdict],
    path: &Path,
    seeds: u8,
    board: Board,
    aspect: Aspect,
    codec: Codec,
) {
    for verdict in verdicts {
        let context = format!("{} {board:?} {verdict:?}", path.display());
        let boards = verdict.boards.as_ref().unwrap();
        assert!(verdict.damaged.is_empty() && boards.assurance == Assurance::Proof);
        let leading = boards.failures.iter().filter(|w| !w.failure.follows());
        if verdict.seeds == seeds {
            let leading: Vec<_> = leading.collect();
            let is_it = |wrong: &&&WrongEntry| {
                let found = (wrong.failure.board, wrong.failure.aspect);
                Path::new(&wrong.file) == path && found == (board, aspect)
            };
            let wrong = leading.iter().find(is_it).expect(&context);
            if codec.is_exact() {
                assert_eq!(leading.len(), 1, "{context}");
                assert_eq!(*wrong, &boards.failures[0]);
            }
        } else if codec.is_exact() {
            assert_eq!(leading.count(), 0, "{context}");
        }
        assert_eq!(verdict.rests_on, (verdict.seeds > seeds).then_some(seeds));
        assert!(verdict.seeds >= seeds || verdict.is_right(), "{context}");
    }
}

/// Changes every stored entry of the tables with up to `seeds` seeds. With exact
/// tables each change is found; with others, each that shows in a probe.
fn every_wrong_entry_is_found(rules: Ruleset, seeds: u8, distance: bool, codec: Codec) {
    let folder = tempfile::tempdir().unwrap();
    build_in(rules, folder.path(), seeds, distance, codec);
    assert!(
        verify(rules, folder.path(), seeds)
            .iter()
            .all(Verdict::is_right)
    );
    let before = Tablebase::open(rules, &[folder.path()]).unwrap();
    let (mut changes, mut free) = (0, 0);
    for layer in 0..=seeds {
        let index = LayerIndex::new(rules, layer);
        for kind in Kind::ALL {
            let id = TableId {
                rules,
                seeds: layer,
                kind,
            };
            let path = folder.path().join(id.file_name());
            let Ok(right) = fs::read(&path) else {
                continue;
            };
            let mut planes = planes(&path, id);
            let stored = Table::open(&path).unwrap().stored_entries() as usize;
            for plane in 0..planes.len() {
                for (entry, board) in index.boards_from(0).enumerate().take(stored) {
                    let Some(wrong) = another(id, &planes, plane, entry) else {
                        continue;
                    };
                    let was = std::mem::replace(&mut planes[plane][entry], wrong);
                    let entries: Vec<_> = planes.iter().map(|p| p as &dyn EntrySource).collect();
                    let pending = write(folder.path(), id, &entries, &codec.into(), &|_| ());
                    pending.unwrap().publish().unwrap();
                    let aspect = match (kind, plane) {
                        (Kind::Value, _) => Aspect::Value,
                        (Kind::Distance, _) => Aspect::Distance,
                        (Kind::Bounds, 0) => Aspect::Lower,
                        (Kind::Bounds, _) => Aspect::Upper,
                        (other, _) => panic!("tables of {other}"),
                    };
                    let verdicts = verify(rules, folder.path(), seeds);
                    let now = Tablebase::open(rules, &[folder.path()]).unwrap();
                    let is_told = now.probe(&board).unwrap() != before.probe(&board).unwrap();
                    if is_told || !verdicts.iter().all(Verdict::is_right) {
                        is_found(&verdicts, &path, layer, board, aspect, codec);
                    } else {
                        free += 1;
                    }
                    planes[plane][entry] = was;
                    changes += 1;
                }
            }
            fs::write(&path, right).unwrap();
        }
    }
    let found = changes - free;
    if codec.is_exact() {
        let boards: u64 = (1..=seeds).map(|n| LayerIndex::new(rules, n).len()).sum();
        assert!(found >= boards, "{found} changes of {boards} boards");
        assert_eq!(free, 0);
    } else {
        assert!(
            0 < free && free < found,
            "{free} of {changes} changes tell nothing"
        );
    }
}

#[test]
fn in_values_and_distances() {
    every_wrong_entry_is_found(Ruleset::AWARI, 4, true, Codec::Raw);
}

#[test]
fn in_values_without_distances() {
    every_wrong_entry_is_found(Ruleset::AWARI, 4, false, Codec::Raw);
}

#[test]
fn in_bounds_with_distances() {
    every_wrong_entry_is_found(Ruleset::ABAPA, 3, true, Codec::Raw);
}

#[test]
fn in_bounds_without_distances() {
    every_wrong_entry_is_found(Ruleset::ABAPA, 3, false, Codec::Raw);
}

#[test]
fn where_players_move_again() {
    every_wrong_entry_is_found(Ruleset::KALAH, 3, true, Codec::Raw);
}

/// What is not stored is worth what the stored boards make it: a wrong entry leads
/// all the same.
#[test]
fn in_what_moves_complete() {
    every_wrong_entry_is_found(Ruleset::AWARI, 3, true, Codec::Packed);
    every_wrong_entry_is_found(Ruleset::AWARI, 4, false, Codec::Small);
    every_wrong_entry_is_found(Ruleset::AWARI, 3, true, Codec::Small);
    every_wrong_entry_is_found(Ruleset::ABAPA, 3, false, Codec::Small);
}
