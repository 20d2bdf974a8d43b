//! `Tablebase::verify` finds every single wrong entry of small tables. Each entry in turn is
//! changed, and its table is written with correct checksums.

use std::fs;
use std::path::Path;

use krou::index::LayerIndex;
use krou::internal::solve::certificate::Aspect;
use krou::internal::table::{EntrySource, write};
use krou::rules::{Board, Ruleset};
use krou::solve::Silent;
use krou::table::{Codec, Kind, Table, TableId};
use krou::tablebase::Tablebase;
use krou::tablebase::{Assurance, Verdict, VerifyOptions, WrongEntry};

use crate::support::built;
use crate::threads::on_one_thread;

fn verify(rules: Ruleset, folder: &Path, seeds: u8) -> Vec<Verdict> {
    let tables = Tablebase::builder(rules)
        .without_embedded()
        .folder(folder)
        .open()
        .unwrap();
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

/// A wrong entry that a table can hold instead of the right one, if there is one.
fn wrong_entry(id: TableId, planes: &[Vec<u8>], plane: usize, entry: usize) -> Option<u8> {
    let right = planes[plane][entry];
    if id.kind == Kind::Distance {
        return Some(right.wrapping_add(1));
    }
    let seeds = id.seeds.cast_signed();
    let bound = |plane: usize| planes[plane][entry].cast_signed();
    let (least, most) = match (id.kind, plane) {
        (Kind::Bounds, 0) => (-seeds, bound(1)),
        (Kind::Bounds, _) => (bound(0), seeds),
        _ => (-seeds, seeds),
    };
    let right = right.cast_signed();
    let others = [right + 1, right - 1];
    let other = others.into_iter().find(|n| (least..=most).contains(n));
    other.map(i8::cast_unsigned)
}

/// Checks the verdicts of tables with a wrong entry: the layers below are right, the verdict
/// of this layer names the file and the board, and those of the layers above depend on it.
/// Without exact entries a wrong one changes the results of other boards too, and their
/// failures may come first.
fn assert_found(
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

/// Changes every stored entry of the tables with up to `seeds` seeds. In exact tables each
/// change must be found; in others, each that changes a probe result.
fn check_every_entry(rules: Ruleset, seeds: u8, distance: bool, codec: Codec) {
    on_one_thread(|| change_every_entry(rules, seeds, distance, codec));
}

fn change_every_entry(rules: Ruleset, seeds: u8, distance: bool, codec: Codec) {
    let folder = built(rules, seeds, distance, codec);
    assert!(
        verify(rules, folder.path(), seeds)
            .iter()
            .all(Verdict::is_right)
    );
    let before = Tablebase::builder(rules)
        .without_embedded()
        .folder(folder.path())
        .open()
        .unwrap();
    let (mut changes, mut free) = (0, 0);
    for layer in 0..=seeds {
        let index = LayerIndex::new(rules, layer);
        for &kind in Kind::ALL {
            let id = TableId {
                rules,
                seeds: layer,
                kind,
            };
            let path = folder.path().join(id.file_name());
            let Ok(intact) = fs::read(&path) else {
                continue;
            };
            let mut planes = planes(&path, id);
            let stored = Table::open(&path).unwrap().stored_entries() as usize;
            for plane in 0..planes.len() {
                for (entry, board) in index.boards_from(0).enumerate().take(stored) {
                    let Some(wrong) = wrong_entry(id, &planes, plane, entry) else {
                        continue;
                    };
                    let right = std::mem::replace(&mut planes[plane][entry], wrong);
                    let entries: Vec<_> = planes.iter().map(|p| p as &dyn EntrySource).collect();
                    let pending = write(folder.path(), id, &entries, &codec.into(), &|_| Ok(()));
                    pending.unwrap().publish().unwrap();
                    let aspect = match (kind, plane) {
                        (Kind::Value, _) => Aspect::Value,
                        (Kind::Distance, _) => Aspect::Distance,
                        (Kind::Bounds, 0) => Aspect::Lower,
                        (Kind::Bounds, _) => Aspect::Upper,
                        (other, _) => panic!("tables of {other}"),
                    };
                    let verdicts = verify(rules, folder.path(), seeds);
                    let now = Tablebase::builder(rules)
                        .without_embedded()
                        .folder(folder.path())
                        .open()
                        .unwrap();
                    let is_visible = now.probe(&board).unwrap() != before.probe(&board).unwrap();
                    if is_visible || !verdicts.iter().all(Verdict::is_right) {
                        assert_found(&verdicts, &path, layer, board, aspect, codec);
                    } else {
                        free += 1;
                    }
                    planes[plane][entry] = right;
                    changes += 1;
                }
            }
            fs::write(&path, intact).unwrap();
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
            "{free} of {changes} changes have no effect"
        );
    }
}

#[test]
fn wrong_values_and_distances_are_found() {
    check_every_entry(Ruleset::AWARI, 3, true, Codec::Raw);
    check_every_entry(Ruleset::AWARI, 3, false, Codec::Raw);
}

#[test]
fn wrong_bounds_are_found() {
    check_every_entry(Ruleset::ABAPA, 2, true, Codec::Raw);
    check_every_entry(Ruleset::ABAPA, 3, false, Codec::Raw);
}

#[test]
fn wrong_entries_are_found_in_the_store_family() {
    check_every_entry(Ruleset::KALAH, 2, true, Codec::Raw);
}

/// Boards that are not stored have the value of their best move.
#[test]
fn wrong_entries_are_found_in_tiled_tables() {
    check_every_entry(Ruleset::AWARI, 3, true, Codec::Packed);
    check_every_entry(Ruleset::AWARI, 3, true, Codec::Small);
    check_every_entry(Ruleset::ABAPA, 2, false, Codec::Small);
}

#[test]
#[ignore = "the same with larger layers: scripts/check-slow runs it"]
fn wrong_entries_are_found_in_larger_layers() {
    for (rules, seeds, distance, codec) in [
        (Ruleset::AWARI, 4, true, Codec::Raw),
        (Ruleset::AWARI, 4, false, Codec::Raw),
        (Ruleset::ABAPA, 3, true, Codec::Raw),
        (Ruleset::KALAH, 3, true, Codec::Raw),
        (Ruleset::AWARI, 4, false, Codec::Small),
        (Ruleset::ABAPA, 3, true, Codec::Small),
    ] {
        check_every_entry(rules, seeds, distance, codec);
    }
}
