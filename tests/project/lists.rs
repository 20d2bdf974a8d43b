//! Lists that must name everything there is.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn read(file: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap()
}

/// What stands between two texts.
fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    let (_, rest) = text.split_once(start).unwrap();
    rest.split_once(end).unwrap().0
}

#[test]
fn scripts_fuzz_runs_every_fuzz_target() {
    let script = read("scripts/fuzz");
    let run: BTreeSet<&str> = between(&script, "|| targets=(", ")").split(' ').collect();
    let manifest = read("fuzz/Cargo.toml");
    let named = manifest.split("[[bin]]").skip(1);
    let named: BTreeSet<&str> = named.map(|bin| between(bin, "name = \"", "\"")).collect();
    assert_eq!(run, named);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    let corpora = fs::read_dir(folder).unwrap();
    let corpora = corpora.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(corpora.collect::<Vec<_>>().len(), named.len());
}

#[test]
fn the_package_of_the_program_has_licences_and_readme() {
    let manifest = read("crates/cli/Cargo.toml");
    assert!(manifest.contains("readme = \"../../README.md\"\n"));
    assert!(between(&manifest, "include = [", "]").contains("\"LICENSE-*\""));
    for file in ["LICENSE-MIT", "LICENSE-APACHE"] {
        assert_eq!(read(&format!("crates/cli/{file}")), read(file));
    }
}
