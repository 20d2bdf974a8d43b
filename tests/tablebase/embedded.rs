//! A build writes the tables in `data/`, which are embedded in the library.

use std::fs;
use std::path::Path;

use krou::rules::Ruleset;
use krou::solve::Silent;
use krou::tablebase::{BuildOptions, EMBEDDED_SEEDS, build};

#[test]
fn a_build_writes_the_embedded_tables() {
    let folder = tempfile::tempdir().unwrap();
    for rules in [Ruleset::AWARI, Ruleset::ABAPA] {
        let options = BuildOptions {
            distance: true,
            ..BuildOptions::new(EMBEDDED_SEEDS)
        };
        build(rules, folder.path(), &options, &Silent).unwrap();
    }
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let tables_in = |folder: &Path| {
        let files = fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().path());
        let mut tables: Vec<_> = files
            .filter(|path| path.extension().is_some_and(|end| end == "krou"))
            .map(|path| path.file_name().unwrap().to_owned())
            .collect();
        tables.sort();
        tables
    };
    let names = tables_in(folder.path());
    assert_eq!(names, tables_in(&data));
    for name in names {
        assert!(
            fs::read(folder.path().join(&name)).unwrap() == fs::read(data.join(&name)).unwrap(),
            "{} differs: run scripts/golden-tables --data",
            name.display()
        );
    }
}
