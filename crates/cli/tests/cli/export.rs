//! `krou export`: the three formats, which outputs are rejected, and that a file is written
//! whole or not at all.

use std::fs;
use std::path::Path;

use krou::rules::Ruleset;
use tempfile::TempDir;

#[cfg(unix)]
use crate::files::make_pipe;
use crate::support::{built, call, call_in, names, open, words};

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
fn embedded_tables_can_be_exported() {
    let home = TempDir::new().unwrap();
    let (output, scores) = export(home.path(), "--format vu --seeds 6");
    assert_eq!(scores.len(), 12375);
    assert_eq!(
        output,
        "layer: 12,375 boards of awari with 6 seeds, 12.08 KiB\n"
    );
}

#[test]
fn csv_can_go_to_stdout() {
    let home = TempDir::new().unwrap();
    let (_, file) = export(home.path(), "--format csv --seeds 5");
    let out = call(&words("export --format csv --seeds 5 --out -")).success();
    assert!(out.as_bytes() == file);
    assert_eq!(out.lines().count(), 1 + 4368);
    for format in ["vu", "npy"] {
        let line = format!("export --format {format} --seeds 5 --out -");
        let message = call(&words(&line)).error();
        assert!(message.contains("only csv") && message.contains("--out"));
    }
}

#[test]
fn invalid_arguments_give_one_sentence() {
    let home = built("--seeds 3");
    for (options, part) in [
        ("--format vu --seeds 47 --out f", "no file of 47 seeds"),
        ("--format vu --seeds 3 --out f --rules kalah", "not kalah"),
        ("--format vu --seeds 11 --out f", "awari --seeds 11"),
        ("--format csv --seeds 11 --out -", "no value table for"),
        ("--format npy --seeds 47 --out f", "no value table for"),
        ("--format xls --seeds 3 --out f", "vu, npy, csv"),
        ("--seeds 3 --out f", "--format"),
        ("--format csv --out f", "--seeds"),
        ("--format csv --seeds 3", "--out"),
        ("--format csv --seeds 49 --out f", "0 to 48"),
        ("--format csv --seeds 3 --out f --dir nowhere", "nowhere"),
        ("--format csv --seeds 3 --out f --rules awri", "'awri'"),
    ] {
        let line = format!("export {options}");
        let message = call_in(home.path(), &words(&line)).error();
        assert!(message.contains(part), "krou {line}: {message}");
        assert_eq!(names(&home.path().join("tables")).len(), 4);
        assert!(!home.path().join("f").exists(), "krou {line}");
    }
}

/// Folders, devices, pipes and impossible names are rejected before the work.
#[test]
fn only_regular_files_are_written() {
    let home = TempDir::new().unwrap();
    fs::create_dir(home.path().join("folder")).unwrap();
    fs::write(home.path().join("file"), "not a table").unwrap();
    let mut outs = words("folder folder/ . .. new/ file/under no/f");
    outs.push("");
    #[cfg(unix)]
    {
        make_pipe(&home.path().join("pipe"));
        outs.extend(["pipe", "/dev/null", "/dev/full", "/dev/stdout"]);
    }
    for format in ["vu", "npy", "csv"] {
        for &out in &outs {
            let args = ["export", "--format", format, "--seeds", "4", "--out", out];
            let message = call_in(home.path(), &args).error();
            assert!(message.contains(out), "{args:?}: {message}");
        }
    }
    let content = fs::read(home.path().join("file")).unwrap();
    assert_eq!(content, b"not a table");
    assert_eq!(names(&home.path().join("folder")), [""; 0]);
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
