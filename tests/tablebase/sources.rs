//! Tablebases of several sources: folders, single tables and the embedded tables.

use std::fs;

use krou::index::LayerIndex;
use krou::rules::{Board, Ruleset};
use krou::solve::Silent;
use krou::table::{Codec, Kind, Table, TableId};
use krou::tablebase::{
    Assurance, CountedBoards, DamagedTables, LoadError, OpenError, Tablebase, VerifyOptions,
};

use crate::support::built;

const RULES: Ruleset = Ruleset::AWARI;

fn value_table(seeds: u8) -> String {
    let kind = Kind::Value;
    TableId {
        rules: RULES,
        seeds,
        kind,
    }
    .file_name()
}

fn codec(tables: &Tablebase, seeds: u8, kind: Kind) -> Codec {
    tables.table(seeds, kind).unwrap().codec()
}

/// Checks that every board of a layer has the same probe result in both tablebases.
fn assert_same_layer(one: &Tablebase, other: &Tablebase, seeds: u8) {
    let layer = LayerIndex::new(RULES, seeds);
    for board in layer.boards_from(0) {
        let [one, other] = [one, other].map(|tables| tables.probe(&board).unwrap());
        assert_eq!(one, other, "{board:?}");
    }
}

#[test]
fn the_first_folder_with_a_table_counts() {
    let low = tempfile::tempdir().unwrap();
    let high = built(RULES, 6, false, Codec::Small);
    for seeds in 0..=3 {
        let name = value_table(seeds);
        fs::rename(high.path().join(&name), low.path().join(&name)).unwrap();
    }
    let raw = built(RULES, 2, true, Codec::Raw);

    let tables = Tablebase::open(RULES, [raw.path(), low.path(), high.path()]).unwrap();
    assert_eq!(tables.layers().collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5, 6]);
    let codecs = [2, 3].map(|seeds| codec(&tables, seeds, Kind::Value));
    assert_eq!(codecs, [Codec::Raw, Codec::Small]);
    let embedded = Tablebase::embedded(RULES);
    for board in LayerIndex::new(RULES, 6).boards_from(0) {
        let [one, other] = [&tables, &embedded].map(|t| t.probe(&board).unwrap().value);
        assert_eq!(one, other, "{board:?}");
    }

    let nowhere = low.path().join("nowhere");
    let error = Tablebase::open(RULES, [low.path(), &nowhere])
        .err()
        .unwrap();
    assert!(matches!(error, OpenError::NoFolder { path } if path == nowhere));
}

#[test]
fn embedded_tables_answer_for_layers_that_no_folder_has() {
    let folder = built(RULES, 6, false, Codec::Raw);
    // The embedded tables come last, regardless of the order of the calls.
    let tables = Tablebase::builder(RULES).embedded().folder(folder.path());
    let tables = tables.open().unwrap();
    assert_eq!(tables.layers().last(), Some(9));
    assert_eq!(codec(&tables, 6, Kind::Value), Codec::Raw);
    // The folder has only values of this layer, and nothing is added to them.
    assert!(tables.table(6, Kind::Distance).is_none());
    assert!(tables.table(7, Kind::Distance).is_some());
    let embedded = Tablebase::embedded(RULES);
    for board in LayerIndex::new(RULES, 6).boards() {
        let [one, other] = [&tables, &embedded].map(|t| t.probe(&board).unwrap());
        assert_eq!((one.value, one.distance), (other.value, None), "{board:?}");
    }
    assert_same_layer(&tables, &embedded, 7);
    let nine: Board = "0 1 1 0 2 2 / 0 1 0 1 1 0".parse().unwrap();
    assert_eq!(tables.probe(&nine).unwrap(), embedded.probe(&nine).unwrap());
    // Whole layers are merged too.
    let mut counter = tables.counter();
    let mut expected = embedded.counter();
    assert_eq!(
        counter.count_values(8, CountedBoards::Indexed).unwrap(),
        expected.count_values(8, CountedBoards::Indexed).unwrap()
    );

    // A ruleset without embedded tables.
    let kalah = Tablebase::builder(Ruleset::KALAH)
        .embedded()
        .open()
        .unwrap();
    assert_eq!(kalah.layers().next(), None);
}

#[test]
fn single_tables_are_a_source() {
    let folder = built(RULES, 4, false, Codec::Raw);
    let table = Table::open(folder.path().join(value_table(4))).unwrap();
    let tables = Tablebase::builder(RULES).table(table).embedded();
    let tables = tables.open().unwrap();
    assert_eq!(codec(&tables, 4, Kind::Value), Codec::Raw);
    let embedded = Tablebase::embedded(RULES);
    assert_same_layer(&tables, &embedded, 3);
    for board in LayerIndex::new(RULES, 4).boards() {
        let [one, other] = [&tables, &embedded].map(|t| t.probe(&board).unwrap());
        assert_eq!(one.value, other.value, "{board:?}");
    }

    let table = Table::open(folder.path().join(value_table(4))).unwrap();
    let other = Tablebase::builder(Ruleset::AWALE).table(table).open();
    assert!(matches!(other.err(), Some(OpenError::Table(_))));
}

#[test]
fn skipped_damaged_tables_leave_the_layer_to_the_next_source() {
    let folder = built(RULES, 4, false, Codec::Raw);
    fs::write(folder.path().join(value_table(3)), b"not a table").unwrap();
    let builder = || Tablebase::builder(RULES).folder(folder.path()).embedded();
    assert!(matches!(builder().open().err(), Some(OpenError::Table(_))));
    let tables = builder().damaged_tables(DamagedTables::Skip).open();
    let tables = tables.unwrap();
    assert_ne!(codec(&tables, 3, Kind::Value), Codec::Raw);
    assert_eq!(codec(&tables, 4, Kind::Value), Codec::Raw);
}

#[test]
fn layers_that_exceed_the_memory_limit_are_not_loaded() {
    let scratch = tempfile::tempdir().unwrap();
    let builder = || Tablebase::builder(RULES).embedded();
    for tables in [
        builder().memory(1 << 20, scratch.path()).open().unwrap(),
        Tablebase::embedded(RULES).with_memory(1 << 20, scratch.path()),
    ] {
        let Some(LoadError::Memory(error)) = tables.loader().load(9).err() else {
            panic!("loaded");
        };
        assert_eq!((error.seeds, error.allowed), (9, 1 << 20));
        let tables = tables.with_memory(error.needed, scratch.path());
        assert!(tables.loader().load(9).is_ok());
    }
}

/// [`VerifyOptions`] has a limit of its own.
#[test]
fn verify_ignores_the_memory_limit_for_loading() {
    let scratch = tempfile::tempdir().unwrap();
    let tables = Tablebase::embedded(RULES).with_memory(1, scratch.path());
    assert!(tables.loader().load(3).is_err());
    let mut proven = 0;
    let verified = tables.verify(&VerifyOptions::new(4), &Silent, |verdict| {
        let boards = verdict.boards.as_ref().unwrap();
        assert_eq!(boards.assurance, Assurance::Proof);
        assert!(verdict.is_right(), "{verdict:?}");
        proven += 1;
    });
    verified.unwrap();
    assert_eq!(proven, 5);
}
