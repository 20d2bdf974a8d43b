//! Tablebases of several sources: folders, single tables and the embedded tables.

use std::fs;

use krou::index::LayerIndex;
use krou::rules::{Board, Ruleset};
use krou::solve::Silent;
use krou::table::{Codec, Kind, Table, TableId};
use krou::tablebase::{Assurance, CountedBoards, VerifyOptions};
use krou::tablebase::{
    BuildError, BuildOptions, LoadError, OpenError, ProbeError, Tablebase, TablebaseBuilder, build,
};

use crate::files::files;
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

/// The other tables are those of a whole build, and nothing that reads them needs the layer.
#[test]
fn a_layer_that_no_move_leads_to_can_be_left_out() {
    let whole = built(Ruleset::ABAPA, 6, true, Codec::Small);
    let folder = tempfile::tempdir().unwrap();
    let options = BuildOptions {
        distance: true,
        ..BuildOptions::new(6)
    };
    for (skipped, rules) in [(4, Ruleset::ABAPA), (5, Ruleset::KALAH)] {
        let refused = build(
            rules,
            &folder,
            &BuildOptions {
                skip: Some(skipped),
                ..options
            },
            &Silent,
        );
        let is_needed = |error: &BuildError| matches!(error, BuildError::Needed { above: 6, .. });
        assert!(refused.as_ref().is_err_and(is_needed), "{refused:?}");
    }
    build(
        Ruleset::ABAPA,
        &folder,
        &BuildOptions {
            skip: Some(5),
            ..options
        },
        &Silent,
    )
    .unwrap();
    let mut expected = files(whole.path());
    expected.retain(|name, _| !name.contains("-05."));
    assert_eq!(files(folder.path()), expected);
    let tables = Tablebase::builder(Ruleset::ABAPA)
        .without_embedded()
        .folder(&folder);
    let tables = tables.open().unwrap();
    let mut right = Vec::new();
    let verified = tables.verify(&VerifyOptions::new(6), &Silent, |verdict| {
        right.extend(verdict.is_right().then_some(verdict.seeds));
    });
    verified.unwrap();
    assert_eq!(right, [0, 1, 2, 3, 4, 6]);
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

    let tables = Tablebase::builder(RULES)
        .without_embedded()
        .folders([raw.path(), low.path(), high.path()])
        .open()
        .unwrap();
    assert_eq!(
        tables.layers().iter().collect::<Vec<_>>(),
        [0, 1, 2, 3, 4, 5, 6]
    );
    let codecs = [2, 3].map(|seeds| codec(&tables, seeds, Kind::Value));
    assert_eq!(codecs, [Codec::Raw, Codec::Small]);
    let embedded = Tablebase::embedded(RULES);
    for board in LayerIndex::new(RULES, 6).boards_from(0) {
        let [one, other] = [&tables, &embedded].map(|t| t.probe(&board).unwrap().value);
        assert_eq!(one, other, "{board:?}");
    }

    let nowhere = low.path().join("nowhere");
    let error = Tablebase::builder(RULES)
        .without_embedded()
        .folders([low.path(), &nowhere])
        .open()
        .err()
        .unwrap();
    assert!(matches!(error, OpenError::NoFolder { path } if path == nowhere));
}

#[test]
fn embedded_tables_answer_where_no_folder_has_a_table() {
    let folder = built(RULES, 6, false, Codec::Raw);
    // The embedded tables come last, regardless of the order of the calls.
    let tables = Tablebase::builder(RULES).folder(folder.path());
    let tables = tables.open().unwrap();
    assert_eq!(tables.layers().highest(), Some(9));
    assert_eq!(codec(&tables, 6, Kind::Value), Codec::Raw);
    // Values come from the folder, and distances, which it lacks, from the library.
    assert!(tables.table(6, Kind::Distance).is_some());
    let embedded = Tablebase::embedded(RULES);
    assert_same_layer(&tables, &embedded, 6);
    assert_same_layer(&tables, &embedded, 7);
    // A program that counts what is there takes whole layers only.
    let counted = Tablebase::builder(RULES).folder(folder.path());
    let counted = counted.embedded_layers().open().unwrap();
    assert!(counted.table(6, Kind::Distance).is_none());
    assert!(counted.table(7, Kind::Distance).is_some());
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
    let kalah = Tablebase::builder(Ruleset::KALAH).open().unwrap();
    assert_eq!(kalah.layers().highest(), None);
}

#[test]
fn open_tables_are_a_source() {
    let folder = built(RULES, 4, false, Codec::Raw);
    let table = Table::open(folder.path().join(value_table(4))).unwrap();
    let tables = Tablebase::from_tables(RULES, [table]).unwrap();
    assert_eq!(codec(&tables, 4, Kind::Value), Codec::Raw);
    let embedded = Tablebase::embedded(RULES);
    for board in LayerIndex::new(RULES, 4).boards_from(0) {
        let value = |tables: &Tablebase| tables.probe(&board).unwrap().value;
        assert_eq!(value(&tables), value(&embedded), "{board:?}");
    }

    let table = Table::open(folder.path().join(value_table(4))).unwrap();
    let other = Tablebase::from_tables(Ruleset::AWALE, [table]);
    assert!(matches!(other.err(), Some(OpenError::Table(_))));
}

/// A file that is empty, cut, of another kind or not a file at all closes no other table.
#[test]
fn a_damaged_table_leaves_its_place_to_the_next_source_and_is_reported() {
    let folder = built(RULES, 4, false, Codec::Raw);
    let path = folder.path().join(value_table(3));
    let whole = fs::read(&path).unwrap();
    let open = |builder: TablebaseBuilder| builder.folder(folder.path()).open().unwrap();
    let board = |text: &str| text.parse::<Board>().unwrap();
    for damaged in [&b""[..], b"not a table", &whole[..whole.len() - 1]] {
        fs::write(&path, damaged).unwrap();
        let alone = open(Tablebase::builder(RULES).without_embedded());
        assert_eq!(alone.layers().iter().collect::<Vec<_>>(), [0, 1, 2, 4]);
        let files: Vec<_> = alone
            .damaged_tables()
            .map(krou::table::TableError::file)
            .collect();
        assert_eq!(files, [&path]);
        // Its own boards are refused with the reason.
        let error = alone
            .probe(&board("1 0 0 0 0 1 / 0 0 0 0 0 1"))
            .unwrap_err();
        assert!(
            matches!(error, ProbeError::Damaged { seeds: 3, .. }),
            "{error}"
        );
        assert!(error.to_string().contains(&value_table(3)), "{error}");
        let four = board("1 0 0 0 0 1 / 0 1 0 0 0 1");
        assert!(alone.probe(&four).is_ok() && alone.moves(&four).is_ok());

        let completed = open(Tablebase::builder(RULES));
        assert_eq!(completed.layers().highest(), Some(9));
        assert_ne!(codec(&completed, 3, Kind::Value), Codec::Raw);
        assert_eq!(codec(&completed, 4, Kind::Value), Codec::Raw);
        assert_eq!(completed.damaged_tables().count(), 1);
    }
}

#[test]
fn folders_that_are_not_there_can_be_left_out() {
    let folder = built(RULES, 4, false, Codec::Raw);
    let nowhere = folder.path().join("nowhere");
    let builder = Tablebase::builder(RULES)
        .without_embedded()
        .folders([folder.path(), &nowhere]);
    let (builder, missing) = builder.without_missing_folders();
    assert!(matches!(&missing[..], [OpenError::NoFolder { path }] if *path == nowhere));
    assert_eq!(builder.open().unwrap().layers().highest(), Some(4));
}

#[test]
fn layers_that_exceed_the_memory_limit_are_not_loaded() {
    let scratch = tempfile::tempdir().unwrap();
    let tables = Tablebase::embedded(RULES).with_memory(1 << 20, scratch.path());
    let Some(LoadError::Memory(error)) = tables.loader().load(9).err() else {
        panic!("loaded");
    };
    assert_eq!((error.seeds, error.allowed), (9, 1 << 20));
    let tables = tables.with_memory(error.needed, scratch.path());
    assert!(tables.loader().load(9).is_ok());
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
