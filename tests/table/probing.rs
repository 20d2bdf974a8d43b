//! Probing forged tables: their checksums are right, but their blocks are not those of a
//! build. Every probe gives a result in range or an error that names a file; nothing panics
//! or loops forever.

use std::fs;
use std::path::Path;

use fastrand::Rng;
use krou::index::LayerIndex;
use krou::rules::{Bounds, Ruleset};
use krou::solve::Silent;
use krou::table::{Codec, Kind, TableId, WriteOptions};
use krou::tablebase::{BuildOptions, ProbeError, ProbeResult, Tablebase, build};

use crate::parts::{Parts, block_of, tile_counts, tiles_of};

const SEEDS: u8 = 5;

fn build_in(folder: &Path, rules: Ruleset, codec: Codec) {
    let options = BuildOptions {
        distance: true,
        write: WriteOptions {
            block_size: Some(if codec.is_exact() { 50 } else { 3 }),
            ..WriteOptions::from(codec)
        },
        ..BuildOptions::new(SEEDS)
    };
    build(rules, folder, &options, &Silent).unwrap();
}

/// Changes some entries to other possible ones, or some bits of tiles.
fn forge(file: &[u8], random: &mut Rng) -> Vec<u8> {
    let mut parts = Parts::of(file);
    if file[19] < 2 {
        for block in &mut parts.blocks {
            let half = block.len() / 2;
            for _ in 0..10 {
                let entry = match Kind::ALL[usize::from(file[17]) - 1] {
                    Kind::Value => random.u8(..=2 * file[16]),
                    Kind::Distance => random.u8(..),
                    // The same in both planes, so that the bounds are in order.
                    Kind::Bounds => random.u8(..2) + file[16],
                    other => panic!("tables of {other}"),
                };
                let entry = match file[17] {
                    2 => entry,
                    _ => entry.wrapping_sub(file[16]),
                };
                match file[17] {
                    3 if half > 0 => {
                        let at = random.usize(..half);
                        block[at] = entry;
                        block[half + at] = entry;
                    }
                    _ => {
                        let at = random.usize(..block.len());
                        block[at] = entry;
                    }
                }
            }
        }
        return parts.file();
    }
    for (block, count) in parts.blocks.iter_mut().zip(tile_counts(file)) {
        let mut tiles = tiles_of(block, count);
        let tile = &mut tiles[random.usize(..count)];
        let bit = random.usize(..8 * tile.len());
        tile[bit / 8] ^= 1 << (bit % 8);
        *block = block_of(&tiles);
    }
    parts.file()
}

fn assert_possible(result: ProbeResult, seeds: u8) {
    assert!(result.value.unsigned_abs() <= seeds);
    if let Some(Bounds { lower, upper }) = result.bounds {
        assert!(lower.unsigned_abs() <= seeds && upper.unsigned_abs() <= seeds);
    }
}

/// The result, unless it is an error that names a table.
fn result_of<T>(probed: Result<T, ProbeError>) -> Option<T> {
    match probed {
        Ok(result) => Some(result),
        Err(ProbeError::Table(error)) => {
            assert!(error.file().extension().is_some_and(|it| it == "krou"));
            None
        }
        Err(other) => panic!("{other}"),
    }
}

/// Probes all boards and returns how many probes succeeded.
fn probe_all(tables: &Tablebase) -> usize {
    let mut successes = 0;
    for seeds in 0..=SEEDS {
        let index = LayerIndex::new(tables.rules(), seeds);
        for i in 0..index.len() {
            let board = index.board(i);
            let result = result_of(tables.probe(&board));
            if let Some(result) = result {
                successes += 1;
                assert_possible(result, seeds);
            }
            if i % 7 == 0 {
                let _ = tables.moves(&board);
                let _ = tables.best_line(&board, 50);
            }
        }
    }
    let mut loader = tables.loader();
    for seeds in 0..=SEEDS {
        let _ = loader.load(seeds);
        let _ = loader.distances(seeds);
    }
    successes
}

#[test]
fn probes_of_forged_tables_do_not_panic() {
    let mut random = Rng::with_seed(5);
    let mut successes = 0;
    for rules in [Ruleset::AWALE, Ruleset::AWARI, Ruleset::KALAH] {
        for codec in [Codec::Raw, Codec::Packed, Codec::Small] {
            let folder = tempfile::tempdir().unwrap();
            build_in(folder.path(), rules, codec);
            for round in 0..9 {
                let kind = Kind::ALL[round % 3];
                let id = TableId {
                    rules,
                    seeds: SEEDS - u8::from(round % 2 == 1),
                    kind,
                };
                let path = folder.path().join(id.file_name());
                let Ok(good) = fs::read(&path) else {
                    continue;
                };
                fs::write(&path, forge(&good, &mut random)).unwrap();
                let tables = Tablebase::builder(rules)
                    .without_embedded()
                    .folder(folder.path())
                    .open()
                    .unwrap();
                successes += probe_all(&tables);
                fs::write(&path, good).unwrap();
            }
        }
    }
    assert!(successes > 0);
}
