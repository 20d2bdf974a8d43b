//! Entries are read back as they were written, and the same entries make the same bytes.

use std::sync::atomic::{AtomicU64, Ordering};

use krou::index::LayerIndex;
use krou::internal::table::{EntrySource, MAX_BLOCK_ENTRIES, MAX_BLOCK_TILES, write};
use krou::rules::Ruleset;
use krou::table::{Codec, Kind, Table, TableId, WriteOptions};

use crate::support::{file_of, options, planes};

/// Every kind and codec, one block and many, with and without a shorter last block, from
/// the layer with a single board.
#[test]
fn entries_are_read_back() {
    for rules in [Ruleset::AWARI, Ruleset::AWALE, Ruleset::KALAH] {
        for (seeds, block_size) in [(0, 1), (0, 16384), (1, 6), (3, 13), (3, 5000), (6, 100)] {
            for &kind in Kind::ALL {
                let id = TableId { rules, seeds, kind };
                let planes = planes(id);
                for &codec in Codec::ALL {
                    let max = if codec.is_exact() {
                        MAX_BLOCK_ENTRIES
                    } else {
                        MAX_BLOCK_TILES
                    };
                    let file = file_of(id, &planes, &options(codec, block_size.min(max)));
                    let length = file.len() as u64;
                    let table = Table::from_bytes("made", file)
                        .unwrap()
                        .require(id)
                        .unwrap();
                    assert_eq!(table.id(), id);
                    assert_eq!(table.codec(), codec);
                    assert_eq!(table.entries(), planes[0].len() as u64);
                    assert_eq!(table.stored_bytes(), length);
                    assert_holds(&table, &planes);
                }
            }
        }
    }
}

fn assert_holds(table: &Table, planes: &[Vec<u8>]) {
    table.check().unwrap();
    let stored = usize::try_from(table.stored_entries()).unwrap();
    for (number, plane) in planes.iter().enumerate() {
        let mut read = vec![0; stored];
        table.read(number, 0, &mut read).unwrap();
        assert!(read == plane[..stored]);
        // Parts too.
        for part in [0..stored.min(1), stored / 3..stored / 2, stored / 2..stored] {
            let mut read = vec![0; part.len()];
            table.read(number, part.start as u64, &mut read).unwrap();
            assert!(read == plane[part]);
        }
    }
    let mut seen = vec![0; table.tile_count() as usize];
    let index = LayerIndex::new(table.id().rules, table.id().seeds);
    let mut last = (u64::MAX, None);
    for i in 0..index.len() {
        let location = index.locate(&index.board(i)).unwrap();
        let Some((tile, offset)) = table.locate(location) else {
            assert!(i >= table.stored_entries());
            continue;
        };
        if last.0 != tile {
            last = (tile, Some(table.tile(tile).unwrap()));
        }
        let decoded = last.1.as_ref().unwrap();
        for (number, plane) in planes.iter().enumerate() {
            assert_eq!(decoded.plane(number)[offset], plane[i as usize]);
        }
        assert_eq!(decoded.bytes().len(), decoded.entries() * planes.len());
        seen[tile as usize] += 1;
    }
    assert!(seen.iter().all(|&entries| entries > 0));
    assert_eq!(seen.iter().sum::<u64>(), table.stored_entries());
}

/// More blocks than the writer packs in one batch: 75,582 boards, 2 in each block.
#[test]
fn several_batches_are_read_back() {
    let id = TableId {
        rules: Ruleset::IFMG,
        seeds: 8,
        kind: Kind::Value,
    };
    let planes = planes(id);
    let file = file_of(id, &planes, &options(Codec::Raw, 2));
    let table = Table::from_bytes("made", file).unwrap();
    assert_eq!(table.block_count(), 37_791);
    assert_holds(&table, &planes);
}

#[test]
fn tables_of_all_rulesets_are_distinct() {
    let folder = tempfile::tempdir().unwrap();
    for rules in Ruleset::all() {
        let id = TableId {
            rules,
            seeds: 1,
            kind: Kind::Value,
        };
        let plane = planes(id).remove(0);
        let pending = write(
            folder.path(),
            id,
            &[&plane],
            &WriteOptions::default(),
            &|_| Ok(()),
        );
        pending.unwrap().publish().unwrap();
    }
    for rules in Ruleset::all() {
        let id = TableId {
            rules,
            seeds: 1,
            kind: Kind::Value,
        };
        let table = Table::open(folder.path().join(id.file_name())).unwrap();
        assert_eq!(table.id(), id);
    }
}

#[test]
fn signed_and_unsigned_planes_make_the_same_bytes() {
    let id = TableId {
        rules: Ruleset::AWARI,
        seeds: 3,
        kind: Kind::Value,
    };
    let bytes = planes(id).remove(0);
    let signed: Vec<i8> = bytes.iter().map(|byte| byte.cast_signed()).collect();
    let slice: &[i8] = &signed;
    let byte_slice: &[u8] = &bytes;
    let sources: [&dyn EntrySource; 4] = [&bytes, &byte_slice, &signed, &slice];
    let files = sources.map(|plane| {
        let folder = tempfile::tempdir().unwrap();
        let pending = write(
            folder.path(),
            id,
            &[plane],
            &options(Codec::Raw, 9),
            &|_| Ok(()),
        );
        std::fs::read(pending.unwrap().publish().unwrap()).unwrap()
    });
    assert!(files.iter().all(|file| *file == files[0]));
}

/// Compressors are reused for many blocks in an order that depends on the threads; the
/// bytes must not.
#[test]
fn the_number_of_threads_changes_no_byte() {
    let id = TableId {
        rules: Ruleset::AWALE,
        seeds: 8,
        kind: Kind::Bounds,
    };
    let planes = planes(id);
    let with_threads = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().unwrap();
        let file = |codec| file_of(id, &planes, &options(codec, 500));
        pool.install(|| Codec::ALL.iter().copied().map(file).collect::<Vec<_>>())
    };
    let one = with_threads(1);
    assert!((2..=5).all(|threads| with_threads(threads) == one));
}

#[test]
fn progress_adds_up_to_all_entries() {
    let id = TableId {
        rules: Ruleset::AWALE,
        seeds: 5,
        kind: Kind::Bounds,
    };
    let planes = planes(id);
    let folder = tempfile::tempdir().unwrap();
    let done = AtomicU64::new(0);
    let pending = write(
        folder.path(),
        id,
        &[&planes[0], &planes[1]],
        &options(Codec::Zstd, 100),
        &|entries| {
            done.fetch_add(entries, Ordering::Relaxed);
            Ok(())
        },
    );
    pending.unwrap().publish().unwrap();
    assert_eq!(done.into_inner(), planes[0].len() as u64);
}
