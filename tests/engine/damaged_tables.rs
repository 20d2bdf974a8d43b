//! Damaged tables.

use std::fs;

use fastrand::Rng;
use krou::engine::{Engine, Limits};
use krou::rules::Ruleset;
use krou::solve::Silent;
use krou::table::Codec;
use krou::tablebase::{BuildOptions, Tablebase, build};

use crate::support::{game, random_board, search, small_hash};

/// The engine searches in place of damaged tables, and logs the errors.
#[test]
fn damaged_tables_are_logged_and_do_not_stop_the_engine() {
    const SEEDS: u8 = 5;
    let rules = Ruleset::AWARI;
    let folder = tempfile::tempdir().unwrap();
    let options = BuildOptions {
        write: (Codec::Raw).into(),
        ..BuildOptions::new(SEEDS)
    };
    build(rules, folder.path(), &options, &Silent).unwrap();
    for entry in fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        let mut bytes = fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&path, bytes).unwrap();
    }
    let tables = Tablebase::builder(rules)
        .without_embedded()
        .folder(folder.path())
        .open()
        .unwrap();
    for threads in [1, 2] {
        let options = small_hash().with_threads(threads);
        let mut engine = Engine::new(rules, Some(tables.clone()), options);
        assert!(engine.table_errors().first().is_none());
        let mut random = Rng::with_seed(2);
        let mut searched = 0;
        for _ in 0..100 {
            let game = game(rules, random_board(usize::from(SEEDS), &mut random));
            let limits = Limits::default().with_depth(4);
            let Some(report) = search(&mut engine, &game, &limits) else {
                continue;
            };
            assert!(game.moves().by_pit()[usize::from(report.pv[0])].is_ok());
            searched += usize::from(report.depth > 0);
        }
        assert!(searched > 0, "no table was damaged");
        let errors = engine.table_errors();
        assert!(errors.count() > 1);
        let first = errors.first().unwrap().to_string();
        let folder = folder.path().display().to_string();
        assert!(first.starts_with(&folder), "{first}");
    }
}
