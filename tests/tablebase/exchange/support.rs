//! Tables to export, and what becomes of them.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use krou::index::LayerIndex;
use krou::rules::Ruleset;
use krou::solve::Silent;
use krou::table::WriteOptions;
use krou::tablebase::{BuildOptions, ExportFormat, Tablebase, build};
use tempfile::TempDir;

/// Tables up to `seeds` seeds.
pub fn built(rules: Ruleset, seeds: u8, distance: bool) -> (TempDir, Tablebase) {
    let folder = tempfile::tempdir().unwrap();
    let options = BuildOptions::new(seeds)
        .with_distance(distance)
        // Small blocks, so that stretches begin and end in the midst of some.
        .with_write(WriteOptions::default().with_block_size(3));
    build(rules, folder.path(), &options, &Silent).unwrap();
    let tables = Tablebase::open(rules, &[folder.path()]).unwrap();
    (folder, tables)
}

/// Exports a layer, and gives the file's bytes.
pub fn export(tables: &Tablebase, seeds: u8, format: ExportFormat) -> Vec<u8> {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("layer");
    let boards = AtomicU64::new(0);
    let count = |more: u64| {
        boards.fetch_add(more, Ordering::Relaxed);
    };
    let bytes = tables.export(seeds, format, &file, &count).unwrap();
    // Read, with those below, and written.
    let written = LayerIndex::new(tables.rules(), seeds).len();
    assert_eq!(boards.into_inner(), tables.boards_up_to(seeds) + written);
    let content = fs::read(&file).unwrap();
    assert_eq!(content.len() as u64, bytes);
    assert_eq!(names(place.path()), ["layer"], "nothing else is left");
    content
}

/// The names in a folder.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect()
}
