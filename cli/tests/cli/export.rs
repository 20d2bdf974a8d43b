//! `krou export`: the three formats, which outputs are rejected, and that a file is written
//! whole or not at all.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use krou::rules::Ruleset;
use tempfile::TempDir;

#[cfg(unix)]
use crate::files::make_pipe;
use crate::support::{built, call, call_in, kill_when, krou_in, names, open, words};

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

/// A folder that holds a single layer, whose lower layers are embedded.
#[test]
fn embedded_tables_are_read_for_layers_that_the_folder_lacks() {
    let home = built("--seeds 10");
    let (_, whole) = export(home.path(), "--format vu --seeds 10");
    for seeds in 0..=9 {
        let name = format!("tables/awari-{seeds:02}.value.krou");
        fs::remove_file(home.path().join(name)).unwrap();
    }
    let (_, alone) = export(home.path(), "--format vu --seeds 10");
    assert!(alone == whole);
    fs::write(home.path().join("scores.10"), whole).unwrap();
    let compared = call_in(home.path(), &words("compare scores.10 --seeds 10"));
    assert!(compared.success().contains("agrees for all"));
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
        (
            "--format vu --seeds 10 --out f",
            "krou build --rules awari --seeds 10",
        ),
        (
            "--format csv --seeds 10 --out -",
            "there is no value table for",
        ),
        (
            "--format npy --seeds 47 --out f",
            "there is no value table for",
        ),
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
    let mut outs = vec![
        "folder",
        "folder/",
        ".",
        "..",
        "new/",
        "file/under",
        "no/f",
        "",
    ];
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

/// A link in place of the partial file is not followed.
#[cfg(unix)]
#[test]
fn the_partial_file_must_be_a_regular_file() {
    let home = TempDir::new().unwrap();
    let partial = home.path().join("f.krou-partial");
    let line = "export --format vu --seeds 4 --out f";
    fs::write(home.path().join("other"), "not a table").unwrap();
    std::os::unix::fs::symlink("other", &partial).unwrap();
    let message = call_in(home.path(), &words(line)).error();
    assert!(message.contains("f.krou-partial"), "{message}");
    let target = fs::read(home.path().join("other")).unwrap();
    assert_eq!(target, b"not a table");
    fs::remove_file(&partial).unwrap();
    make_pipe(&partial);
    let message = call_in(home.path(), &words(line)).error();
    assert!(message.contains("f.krou-partial"), "{message}");
}

#[test]
fn an_existing_file_is_replaced() {
    let home = TempDir::new().unwrap();
    let (_, fresh) = export(home.path(), "--format vu --seeds 5");
    fs::write(home.path().join("layer"), vec![1; 100_000]).unwrap();
    let (_, replaced) = export(home.path(), "--format vu --seeds 5");
    assert!(replaced == fresh);
}

/// Control characters are escaped in the output and kept in the name.
#[test]
fn file_names_with_control_characters_are_printed_on_one_line() {
    let home = TempDir::new().unwrap();
    let args = [
        "export",
        "--format=csv",
        "--seeds=2",
        "--out=a\nb\u{1b}[31m",
    ];
    let output = call_in(home.path(), &args).success();
    assert_eq!(output.lines().count(), 1, "{output:?}");
    assert!(!output.trim_end().contains(char::is_control), "{output:?}");
    assert_eq!(names(home.path()), ["a\nb\u{1b}[31m"]);
}

/// An export that is killed before, while or after it writes leaves the older file or a
/// whole one, and the next export writes a whole one.
#[test]
fn killed_exports_leave_no_incomplete_file() {
    let home = TempDir::new().unwrap();
    let partial = home.path().join("layer.krou-partial");
    for format in ["vu", "npy", "csv"] {
        let options = format!("--format {format} --seeds 9");
        let (_, whole) = export(home.path(), &options);
        let length = whole.len() as u64;
        for written in [None, Some(0), Some(1), Some(length / 2), Some(length)] {
            fs::write(home.path().join("layer"), "older").unwrap();
            let krou = krou_in(home.path())
                .arg("export")
                .args(words(&options))
                .args(["--out", "layer"])
                .stdout(Stdio::null())
                .spawn()
                .unwrap();
            kill_when(krou, || {
                let length = fs::metadata(&partial).ok().map(|file| file.len());
                length >= written
            });
            let left = fs::read(home.path().join("layer")).unwrap();
            assert!(left == b"older" || left == whole, "{options}");
        }
        let (_, again) = export(home.path(), &options);
        assert!(again == whole, "{options}");
        assert_eq!(names(home.path()), [""; 0]);
    }
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
