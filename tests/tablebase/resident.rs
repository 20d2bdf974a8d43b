//! Layers in memory: the same answers as from tables, without reading these.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use krou::index::LayerIndex;
use krou::rules::{Board, Bounds, Leftovers, Ruleset};
use krou::table::{Codec, Kind, TableId};
use krou::tablebase::{
    OpenError, PrincipalVariation, ProbeError, ProbeResult, RankedMove, Tablebase,
};
use rayon::prelude::*;

use crate::files::damage;
use crate::support::{built, small_blocks};

/// All boards up to this number of seeds, those without an index too.
fn boards(seeds: u8) -> Vec<Board> {
    // Under `kalah` every board is indexed.
    let layers = (0..=seeds).map(|seeds| LayerIndex::new(Ruleset::KALAH, seeds));
    layers
        .flat_map(|layer| layer.boards().collect::<Vec<_>>())
        .collect()
}

/// Opens a folder with this much memory for layers.
fn open(rules: Ruleset, folder: &Path, table_memory: u64) -> Tablebase {
    let builder = Tablebase::builder(rules).without_embedded().folder(folder);
    builder.table_memory(table_memory).open().unwrap()
}

/// The bytes of the layers below one of at most 22 seeds.
fn bytes_below(rules: Ruleset, seeds: u8) -> u64 {
    let boards = (0..seeds).map(|n| LayerIndex::new(rules, n).len());
    let bytes_of_board = match rules {
        Ruleset::Oware(oware) if rules.has_bounds() && oware.leftovers == Leftovers::Nobody => 2,
        _ => 1,
    };
    boards.sum::<u64>() * bytes_of_board
}

/// The number of layers in memory, which are the lowest ones.
fn resident_layers(tables: &Tablebase) -> u8 {
    let layers = (0..=48).take_while(|&n| tables.is_resident(n)).count() as u8;
    assert!((layers..=48).all(|n| !tables.is_resident(n)));
    layers
}

/// What can be asked about a board.
#[derive(PartialEq, Debug)]
struct Answers {
    results: [ProbeResult; 2],
    value: i8,
    bounds: Bounds,
    moves: Vec<RankedMove>,
    line: PrincipalVariation,
}

fn answers(tables: &Tablebase, boards: &[Board]) -> Vec<Answers> {
    let batch = tables.probe_all(boards).into_iter();
    let mut values = vec![0; boards.len()];
    assert!(tables.probe_values(boards, &mut values).is_empty());
    let alone = boards.iter().map(|board| tables.value(board).unwrap());
    assert!(alone.eq(values));
    let answers = boards.iter().zip(batch).map(|(board, from_batch)| Answers {
        results: [tables.probe(board).unwrap(), from_batch.unwrap()],
        value: tables.value(board).unwrap(),
        bounds: tables.bounds(board).unwrap(),
        moves: tables.moves(board).unwrap(),
        line: tables.best_line(board, 2).unwrap(),
    });
    answers.collect()
}

/// Every board up to 6 seeds of every named ruleset, with and without distances.
#[test]
fn answers_do_not_depend_on_the_layers_in_memory() {
    const SEEDS: u8 = 6;
    let boards = boards(SEEDS);
    let cases = Ruleset::NAMED.iter().copied();
    let cases = cases.flat_map(|(_, rules)| [(rules, false), (rules, true)]);
    cases.par_bridge().for_each(|(rules, distance)| {
        let folder = built(rules, SEEDS, distance, small_blocks(Codec::Small));
        let none = open(rules, folder.path(), 0);
        assert_eq!((resident_layers(&none), none.resident_bytes()), (0, 0));
        let expected = answers(&none, &boards);
        // The budget ends with the layer of 4 seeds, a byte before, within the layer of 6
        // seeds, and beyond all layers.
        let end = bytes_below(rules, 5);
        let within = bytes_below(rules, 6) + 100;
        for (bytes, layers) in [(end, 5), (end - 1, 4), (within, 6), (u64::MAX, 7)] {
            let tables = open(rules, folder.path(), bytes);
            assert_eq!(resident_layers(&tables), layers, "{rules}");
            assert_eq!(tables.layers_within(bytes), layers, "{rules}");
            assert_eq!(
                tables.resident_bytes(),
                bytes_below(rules, layers),
                "{rules}"
            );
            for ((board, expected), found) in
                boards.iter().zip(&expected).zip(answers(&tables, &boards))
            {
                assert_eq!(&found, expected, "{rules}, {layers} layers: {board:?}");
            }
        }
    });
}

/// Makes the tables of a kind unreadable, up to this number of seeds.
fn damage_all(rules: Ruleset, seeds: u8, kind: Kind, folder: &Path) {
    for seeds in 0..=seeds {
        let path = folder.join(TableId { rules, seeds, kind }.file_name());
        let length = fs::read(&path).unwrap().len();
        // The same file, which is open already.
        fs::write(&path, vec![0x55; length]).unwrap();
    }
}

fn is_damaged(probed: &Result<ProbeResult, ProbeError>) -> bool {
    matches!(probed, Err(ProbeError::Table(_)))
}

/// The tables of the layers in memory have become unreadable. The layer above them reads
/// only its own.
#[test]
fn layers_in_memory_are_probed_without_their_tables() {
    for rules in [Ruleset::AWARI, Ruleset::KALAH] {
        let folder = built(rules, 6, false, small_blocks(Codec::Small));
        let boards = boards(6);
        let expected = answers(&open(rules, folder.path(), 0), &boards);
        let tables = open(rules, folder.path(), bytes_below(rules, 6));
        let on_disk = open(rules, folder.path(), 0);
        damage_all(rules, 5, Kind::Value, folder.path());
        assert_eq!(answers(&tables, &boards), expected);
        assert!(boards.iter().any(|board| is_damaged(&on_disk.probe(board))));
    }
}

/// Distances come from their tables, and so do values that the bounds do not tell.
#[test]
fn only_what_is_not_in_memory_is_read() {
    let rules = Ruleset::ABAPA;
    let folder = built(rules, 6, true, small_blocks(Codec::Small));
    let boards = boards(6);
    let expected = open(rules, folder.path(), 0).probe_all(&boards);
    let tables = open(rules, folder.path(), u64::MAX).with_cache_bytes(0);
    damage_all(rules, 6, Kind::Bounds, folder.path());
    for (board, expected) in boards.iter().zip(&expected) {
        let found = tables.probe(board).unwrap();
        assert_eq!(&found, expected.as_ref().unwrap(), "{board:?}");
    }
    damage_all(rules, 6, Kind::Value, folder.path());
    for (board, expected) in boards.iter().zip(&expected) {
        let expected = expected.as_ref().unwrap();
        let bounds = expected.bounds.unwrap();
        assert_eq!(tables.bounds(board).unwrap(), bounds, "{board:?}");
        let is_indexed = LayerIndex::new(rules, board.seeds()).index(board).is_some();
        if bounds.lower == bounds.upper && is_indexed {
            assert_eq!(tables.value(board).unwrap(), expected.value, "{board:?}");
        }
    }
}

#[test]
fn threads_that_load_layers_at_once_have_all_of_them() {
    let tables = Tablebase::embedded(Ruleset::AWARI);
    let never = AtomicBool::new(false);
    // One of them may load what another one has left out.
    for bytes in [[1 << 10, u64::MAX], [u64::MAX, 1 << 20]] {
        std::thread::scope(|scope| {
            let load = |bytes| {
                let (tables, never) = (&tables, &never);
                scope.spawn(move || tables.make_resident(bytes, never, &|_| ()).unwrap())
            };
            let [few, all] = bytes.map(load).map(|thread| thread.join().unwrap());
            assert_eq!(few.max(all), 10);
        });
        assert!((0..10).all(|seeds| tables.is_resident(seeds)));
    }
    // Nothing is loaded after a stop.
    let tables = Tablebase::embedded(Ruleset::AWARI);
    let loaded = tables.make_resident(u64::MAX, &AtomicBool::new(true), &|_| ());
    assert_eq!(loaded.unwrap(), 0);
}

/// So that a progress bar ends where it should, and a stop does not wait for a layer.
#[test]
fn loading_is_observed_and_stopped() {
    for rules in [Ruleset::AWARI, Ruleset::ABAPA] {
        for highest in [3, 9] {
            let tables = Tablebase::embedded(rules);
            let stop = AtomicBool::new(false);
            let (boards, most) = (AtomicU64::new(0), tables.boards_up_to(highest));
            let on_boards = |more| {
                let before = boards.fetch_add(more, Ordering::Relaxed);
                if before + more > most {
                    stop.store(true, Ordering::Relaxed);
                }
            };
            // It stops within the next layer, if there is one.
            let loaded = tables.make_resident(u64::MAX, &stop, &on_boards);
            assert_eq!(loaded.unwrap(), highest + 1, "{rules}");
            assert_eq!(resident_layers(&tables), highest + 1, "{rules}");
            if highest == 9 {
                assert_eq!(boards.into_inner(), most, "{rules}");
            }
        }
    }
}

#[test]
fn damaged_tables_fail_to_load() {
    let rules = Ruleset::AWARI;
    let folder = built(rules, 5, false, Codec::Raw);
    damage(folder.path().join("awari-04.value.krou"));
    let open = |table_memory| {
        let builder = Tablebase::builder(rules)
            .without_embedded()
            .folder(folder.path());
        builder.table_memory(table_memory).open()
    };
    // The header is sound.
    assert!(open(0).is_ok() && open(bytes_below(rules, 4)).is_ok());
    let error = open(u64::MAX).err().unwrap();
    assert!(error.to_string().contains("awari-04.value.krou"), "{error}");
    let OpenError::Load(ProbeError::Table(_)) = error else {
        panic!("{error:?}");
    };
}
