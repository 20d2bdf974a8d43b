//! `krou export`: files as the library writes them, and not beside another krou.

use std::fs;
use std::path::Path;

use krou::rules::Ruleset;
use tempfile::TempDir;

use crate::support::{built, call_in, names, open, words};

/// Exports to the file `layer`; returns the output and the content of the file.
fn export(home: &Path, options: &str) -> (String, Vec<u8>) {
    let line = format!("export {options} --out layer");
    let output = call_in(home, &words(&line)).success();
    let content = fs::read(home.join("layer")).unwrap();
    fs::remove_file(home.join("layer")).unwrap();
    (output, content)
}

#[test]
fn files_equal_those_of_the_library() {
    use krou::tablebase::ExportFormat;

    let home = built("--seeds 6 --rules abapa --distance");
    let tables = open(home.path(), Ruleset::ABAPA);
    let file = home.path().join("ours");
    for (word, format) in [
        ("vu", ExportFormat::Vu),
        ("npy", ExportFormat::Npy),
        ("csv", ExportFormat::Csv),
    ] {
        for seeds in [0, 6] {
            let options = format!("--format {word} --seeds {seeds} --rules abapa");
            let (output, content) = export(home.path(), &options);
            tables
                .export(seeds, format, &file, &krou::solve::Silent)
                .unwrap();
            assert!(content == fs::read(&file).unwrap(), "{options}");
            let expected = format!("boards of abapa with {seeds} seeds");
            assert!(output.starts_with("layer: ") && output.contains(&expected));
            assert_eq!(output.lines().count(), 1, "{output}");
        }
    }
    assert!(!home.path().join("layer.krou-partial").exists());
}

#[test]
fn an_export_to_a_file_that_is_being_written_is_refused() {
    let home = TempDir::new().unwrap();
    let lock = fs::File::create(home.path().join("f.krou-partial")).unwrap();
    lock.lock().unwrap();
    let line = "export --format vu --seeds 4 --out f";
    let message = call_in(home.path(), &words(line)).error();
    assert!(
        message.contains('f') && message.contains("another krou"),
        "{message}"
    );
    drop(lock);
    call_in(home.path(), &words(line)).success();
    assert_eq!(names(home.path()), ["f"]);
}
