//! Mapped tables give the results and entries of tables that are read by position.
#![allow(unsafe_code)]

use std::fs;
use std::path::Path;

use krou::index::LayerIndex;
use krou::internal::table::{BlockFault, Fault};
use krou::rules::Ruleset;
use krou::table::{Codec, Kind, Table, TableId};
use tempfile::TempDir;

use crate::support::{self, small_blocks};

fn built(rules: Ruleset, seeds: u8, codec: Codec) -> TempDir {
    support::built(rules, seeds, true, small_blocks(codec))
}

fn open_mapped(path: &Path) -> Table {
    // SAFETY: the file is in a temporary folder of this test, which does not change it while
    // the table is open.
    unsafe { Table::open_mapped(path) }.unwrap()
}

/// The tables of a layer with distances.
fn table_ids(rules: Ruleset, seeds: u8) -> impl Iterator<Item = TableId> {
    let kinds = Kind::ALL
        .iter()
        .copied()
        .filter(move |&kind| kind != Kind::Bounds || rules.has_bounds());
    kinds.map(move |kind| TableId { rules, seeds, kind })
}

/// Every location of every plane.
#[test]
fn single_entries_equal_those_of_decoded_units() {
    let rules = [Ruleset::AWARI, Ruleset::ABAPA, Ruleset::KALAH].into_iter();
    for (rules, codec) in
        rules.flat_map(|rules| Codec::ALL.iter().map(move |&codec| (rules, codec)))
    {
        let folder = built(rules, 5, codec);
        for id in (0..=5).flat_map(|seeds| table_ids(rules, seeds)) {
            let path = folder.path().join(id.file_name());
            let read = Table::open(&path).unwrap();
            let mapped = open_mapped(&path);
            let bytes = fs::read(&path).unwrap();
            let in_memory = Table::from_bytes("in memory", bytes).unwrap();
            let index = LayerIndex::new(rules, id.seeds);
            for i in 0..index.len() {
                let location = index.locate(&index.board(i)).unwrap();
                let place = read.locate(location);
                let tile = place.map(|(tile, _)| read.tile(tile).unwrap());
                for plane in 0..id.kind.planes() {
                    let entry = tile.as_ref().zip(place);
                    let entry = entry.map(|(tile, (_, offset))| tile.plane(plane)[offset]);
                    for table in [&mapped, &in_memory, &read] {
                        let read = table.entry(plane, location).unwrap();
                        assert_eq!(read, entry, "{id} {i} {plane}");
                    }
                }
            }
        }
    }
}

/// Each read of a damaged block fails, in every thread, and other blocks can be read.
#[test]
fn damaged_blocks_are_errors_in_every_thread() {
    let rules = Ruleset::ABAPA;
    let folder = built(rules, 6, Codec::Raw);
    for id in table_ids(rules, 6) {
        let path = folder.path().join(id.file_name());
        let sound = open_mapped(&path);
        let mut bytes = fs::read(&path).unwrap();
        // The blocks are at the end, with one byte for each entry.
        let planes = id.kind.planes() as u64;
        let first = bytes.len() as u64 - planes * sound.entries();
        let damaged = sound.block_count() / 2;
        bytes[(first + damaged * planes * 100 + 7) as usize] ^= 1;
        let copy = folder.path().join("damaged");
        fs::write(&copy, bytes).unwrap();
        let table = open_mapped(&copy);
        let index = LayerIndex::new(rules, id.seeds);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (table, sound, index) = (&table, &sound, &index);
                scope.spawn(move || {
                    // Each thread begins elsewhere.
                    let start = thread * index.len() / 4;
                    for i in (start..index.len()).chain(0..start) {
                        let location = index.locate(&index.board(i)).unwrap();
                        let plane = (i % planes) as usize;
                        match table.entry(plane, location) {
                            Ok(entry) => {
                                assert_ne!(i / 100, damaged);
                                let right = sound.entry(plane, location).unwrap();
                                assert_eq!(entry, right);
                            }
                            Err(error) => {
                                assert_eq!(i / 100, damaged);
                                let Fault::Block { block, fault } = error.into_fault() else {
                                    panic!("another fault");
                                };
                                assert_eq!((block, fault), (damaged, BlockFault::Checksum));
                            }
                        }
                    }
                });
            }
        });
        fs::remove_file(copy).unwrap();
    }
}
