//! Tables of earlier versions: under the names of by-side rulesets they hold what `open` holds
//! now.

use std::fs;
use std::path::Path;

use krou::rules::{Board, Choices, Endless, Ruleset};
use krou::solve::Silent;
use krou::table::Codec;
use krou::tablebase::{BuildOptions, Tablebase, build};
use tempfile::TempDir;

use crate::files::files;
use crate::support::built;

const SEEDS: u8 = 4;

/// `abapa` with the bounds of earlier versions.
pub fn open() -> Ruleset {
    let mut choices = Choices::default();
    choices.endless = Some(Endless::Open);
    Ruleset::ABAPA.with_choices(&choices).unwrap()
}

/// A folder as earlier versions wrote it.
pub fn old_folder() -> TempDir {
    let folder = built(open(), SEEDS, true, Codec::Small);
    for name in files(folder.path()).into_keys() {
        let (_, rest) = name.split_once('-').unwrap();
        let old = folder.path().join(format!("abapa-{rest}"));
        fs::rename(folder.path().join(&name), old).unwrap();
    }
    folder
}

fn tables(rules: Ruleset, folder: &Path) -> Tablebase {
    let builder = Tablebase::builder(rules).without_embedded().folder(folder);
    builder.open().unwrap()
}

fn board() -> Board {
    "0 1 1 0 1 1 / 0 0 0 0 0 0".parse().unwrap()
}

#[test]
fn old_tables_are_those_of_open() {
    let folder = old_folder();
    let by_side = tables(Ruleset::ABAPA, folder.path());
    assert_eq!(by_side.highest_layer(), None);
    assert_eq!(by_side.damaged_tables().count(), 0);
    assert_eq!(by_side.old_tables().count(), 15);
    let note = by_side.old_tables().next().unwrap().to_string();
    assert!(note.contains("--endless open"), "{note}");
    let open = tables(open(), folder.path());
    assert_eq!(open.highest_layer(), Some(SEEDS));
    let result = open.probe(&board()).unwrap();
    assert_eq!(
        (result.bounds.unwrap().lower, result.bounds.unwrap().upper),
        (0, 4)
    );
    // Those inside the library answer where nothing else does.
    let completed = Tablebase::open(Ruleset::ABAPA, [folder.path()]).unwrap();
    assert_eq!(completed.probe(&board()).unwrap().bounds.unwrap().lower, 2);
}

#[test]
fn a_build_replaces_old_tables() {
    let folder = old_folder();
    let options = BuildOptions {
        distance: true,
        ..BuildOptions::new(SEEDS)
    };
    build(Ruleset::ABAPA, folder.path(), &options, &Silent).unwrap();
    let fresh = built(Ruleset::ABAPA, SEEDS, true, Codec::Small);
    assert_eq!(files(folder.path()), files(fresh.path()));
    assert_eq!(
        tables(Ruleset::ABAPA, folder.path()).old_tables().count(),
        0
    );
    // And what has the names now is not taken for tables of `open`.
    assert_eq!(tables(open(), folder.path()).highest_layer(), None);
}

/// A build of `open` takes them as they are.
#[test]
fn old_tables_need_not_be_built_again() {
    let folder = old_folder();
    let before = files(folder.path());
    let options = BuildOptions {
        distance: true,
        ..BuildOptions::new(SEEDS)
    };
    build(open(), folder.path(), &options, &Silent).unwrap();
    assert_eq!(files(folder.path()), before);
}
