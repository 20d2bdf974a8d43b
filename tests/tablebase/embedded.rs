//! A build writes the tables in `data/`, which are embedded in the library.

use std::fs;
use std::path::Path;

use krou::rules::Ruleset;
use krou::solve::Silent;
use krou::table::{Kind, TableId};
use krou::tablebase::{BuildOptions, EMBEDDED_SEEDS, build};

#[test]
fn a_build_writes_the_embedded_tables() {
    let folder = tempfile::tempdir().unwrap();
    let options = BuildOptions::new(EMBEDDED_SEEDS).with_distance(true);
    build(Ruleset::AWARI, folder.path(), &options, &Silent).unwrap();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    for seeds in 0..=EMBEDDED_SEEDS {
        for kind in [Kind::Value, Kind::Distance] {
            let rules = Ruleset::AWARI;
            let name = TableId { rules, seeds, kind }.file_name();
            let built = fs::read(folder.path().join(&name)).unwrap();
            let embedded = fs::read(data.join(&name)).unwrap();
            assert!(
                built == embedded,
                "{name} differs: run scripts/rebuild-data"
            );
        }
    }
}
