//! Tables to export, and exported files.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

use krou::index::LayerIndex;
use krou::rules::Ruleset;
use krou::table::Codec;
use krou::tablebase::ExportFormat;
use krou::tablebase::Tablebase;
use tempfile::TempDir;

use crate::files::names;
use crate::support::{self, small_blocks};

/// Builds and opens tables up to `seeds` seeds.
pub fn built(rules: Ruleset, seeds: u8, distance: bool) -> (TempDir, Tablebase) {
    // With small blocks, stretches begin and end inside them.
    let folder = support::built(rules, seeds, distance, small_blocks(Codec::Small));
    let tables = Tablebase::builder(rules)
        .without_embedded()
        .folder(folder.path())
        .open()
        .unwrap();
    (folder, tables)
}

/// Exports a layer and returns the bytes of the file.
pub fn export(tables: &Tablebase, seeds: u8, format: ExportFormat) -> Vec<u8> {
    let output = tempfile::tempdir().unwrap();
    let file = output.path().join("layer");
    let boards = AtomicU64::new(0);
    let count = |more: u64| {
        boards.fetch_add(more, Ordering::Relaxed);
    };
    let bytes = tables.export(seeds, format, &file, &count).unwrap();
    // The layer and those below it are read, and the layer is written.
    let written = LayerIndex::new(tables.rules(), seeds).len();
    assert_eq!(boards.into_inner(), tables.boards_up_to(seeds) + written);
    let content = fs::read(&file).unwrap();
    assert_eq!(content.len() as u64, bytes);
    assert_eq!(names(output.path()), ["layer"], "another file is left");
    content
}
