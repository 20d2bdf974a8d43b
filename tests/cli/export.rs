//! `krou export`: the three formats, where they may be written, and that a file is
//! written whole or not at all.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use krou::rules::Ruleset;
use tempfile::TempDir;

use crate::support::{built, call, call_in, ended, kill_once, krou_in, names, open, words};

/// Exports to `layer` in a folder; gives the output and the content of the file.
fn export(place: &Path, options: &str) -> (String, Vec<u8>) {
    let line = format!("export {options} --out layer");
    let said = call_in(place, &words(&line)).good();
    let content = fs::read(place.join("layer")).unwrap();
    fs::remove_file(place.join("layer")).unwrap();
    (said, content)
}

#[test]
fn files_equal_those_of_the_library() {
    use krou::tablebase::ExportFormat;

    let place = built("--seeds 6 --rules abapa --distance");
    let tables = open(place.path(), Ruleset::ABAPA);
    let file = place.path().join("ours");
    for (word, format) in [
        ("vu", ExportFormat::Vu),
        ("npy", ExportFormat::Npy),
        ("csv", ExportFormat::Csv),
    ] {
        for seeds in [0, 6] {
            let options = format!("--format {word} --seeds {seeds} --rules abapa");
            let (said, content) = export(place.path(), &options);
            tables
                .export(seeds, format, &file, &krou::solve::Silent)
                .unwrap();
            assert!(content == fs::read(&file).unwrap(), "{options}");
            let expected = format!("boards of abapa with {seeds} seeds");
            assert!(said.starts_with("layer: ") && said.contains(&expected));
            assert_eq!(said.lines().count(), 1, "{said}");
        }
    }
    assert!(!place.path().join("layer.krou-partial").exists());
}

#[test]
fn embedded_tables_can_be_exported() {
    let place = TempDir::new().unwrap();
    let (said, scores) = export(place.path(), "--format vu --seeds 6");
    assert_eq!(scores.len(), 12375);
    assert_eq!(
        said,
        "layer: 12,375 boards of awari with 6 seeds, 12.08 KiB\n"
    );
}

#[test]
fn csv_can_go_to_stdout() {
    let place = TempDir::new().unwrap();
    let (_, file) = export(place.path(), "--format csv --seeds 5");
    let out = call(&words("export --format csv --seeds 5 --out -")).good();
    assert!(out.as_bytes() == file);
    assert_eq!(out.lines().count(), 1 + 4368);
    for format in ["vu", "npy"] {
        let line = format!("export --format {format} --seeds 5 --out -");
        let said = call(&words(&line)).refused();
        assert!(said.contains("only csv") && said.contains("--out"));
    }
}

#[test]
fn bad_exports_give_one_sentence() {
    let place = built("--seeds 3");
    for (options, part) in [
        ("--format vu --seeds 47 --out f", "no file of 47 seeds"),
        ("--format vu --seeds 3 --out f --rules kalah", "not kalah"),
        (
            "--format vu --seeds 4 --out f",
            "krou build --rules awari --seeds 4",
        ),
        (
            "--format csv --seeds 4 --out -",
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
        let said = call_in(place.path(), &words(&line)).refused();
        assert!(said.contains(part), "krou {line}: {said}");
        assert_eq!(names(&place.path().join("tables")).len(), 4);
        assert!(!place.path().join("f").exists(), "krou {line}");
    }
}

/// Folders, devices, pipes and bad names are refused before the work.
#[test]
fn only_plain_files_are_written() {
    let place = TempDir::new().unwrap();
    fs::create_dir(place.path().join("folder")).unwrap();
    fs::write(place.path().join("file"), "Dear diary").unwrap();
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
    if cfg!(unix) {
        let pipe = place.path().join("pipe");
        let made = Command::new("mkfifo").arg(pipe).status().unwrap();
        assert!(made.success());
        outs.extend(["pipe", "/dev/null", "/dev/full", "/dev/stdout"]);
    }
    for format in ["vu", "npy", "csv"] {
        for &out in &outs {
            let args = ["export", "--format", format, "--seeds", "4", "--out", out];
            let said = call_in(place.path(), &args).refused();
            assert!(said.contains(out), "{args:?}: {said}");
        }
    }
    let content = fs::read(place.path().join("file")).unwrap();
    assert_eq!(content, b"Dear diary");
    assert!(
        fs::read_dir(place.path().join("folder"))
            .unwrap()
            .next()
            .is_none()
    );
}

/// The file that a killed export leaves is not followed to another one.
#[cfg(unix)]
#[test]
fn the_partial_file_must_be_a_plain_file() {
    let place = TempDir::new().unwrap();
    let partial = place.path().join("f.krou-partial");
    let line = "export --format vu --seeds 4 --out f";
    fs::write(place.path().join("diary"), "Dear diary").unwrap();
    std::os::unix::fs::symlink("diary", &partial).unwrap();
    let said = call_in(place.path(), &words(line)).refused();
    assert!(said.contains("f.krou-partial"), "{said}");
    let diary = fs::read(place.path().join("diary")).unwrap();
    assert_eq!(diary, b"Dear diary");
    fs::remove_file(&partial).unwrap();
    let made = Command::new("mkfifo").arg(&partial).status().unwrap();
    assert!(made.success());
    let said = call_in(place.path(), &words(line)).refused();
    assert!(said.contains("f.krou-partial"), "{said}");
}

#[test]
fn an_older_file_is_replaced() {
    let place = TempDir::new().unwrap();
    let (_, fresh) = export(place.path(), "--format vu --seeds 5");
    fs::write(place.path().join("layer"), vec![1; 100_000]).unwrap();
    let (_, replaced) = export(place.path(), "--format vu --seeds 5");
    assert!(replaced == fresh);
}

/// Control characters are escaped in the output and kept in the name.
#[test]
fn a_name_with_control_characters_is_printed_on_one_line() {
    let place = TempDir::new().unwrap();
    let args = [
        "export",
        "--format=csv",
        "--seeds=2",
        "--out=a\nb\u{1b}[31m",
    ];
    let said = call_in(place.path(), &args).good();
    assert_eq!(said.lines().count(), 1, "{said:?}");
    assert!(!said.trim_end().contains(char::is_control), "{said:?}");
    assert_eq!(names(place.path()), ["a\nb\u{1b}[31m"]);
}

/// Killed before, while and after it writes: the file is the older one or whole, and
/// the next export writes it whole.
#[test]
fn a_killed_export_leaves_no_half_file() {
    let place = TempDir::new().unwrap();
    let partial = place.path().join("layer.krou-partial");
    for format in ["vu", "npy", "csv"] {
        let options = format!("--format {format} --seeds 9");
        let (_, whole) = export(place.path(), &options);
        let length = whole.len() as u64;
        for written in [None, Some(0), Some(1), Some(length / 2), Some(length)] {
            fs::write(place.path().join("layer"), "older").unwrap();
            let krou = krou_in(place.path())
                .arg("export")
                .args(words(&options))
                .args(["--out", "layer"])
                .stdout(Stdio::null())
                .spawn()
                .unwrap();
            kill_once(krou, || {
                let now = fs::metadata(&partial).ok().map(|file| file.len());
                now >= written
            });
            let left = fs::read(place.path().join("layer")).unwrap();
            assert!(left == b"older" || left == whole, "{options}");
        }
        let (_, again) = export(place.path(), &options);
        assert!(again == whole, "{options}");
        assert_eq!(names(place.path()), [""; 0]);
    }
}

/// While another process exports to the same file, an export is refused.
#[test]
fn a_locked_export_is_not_disturbed() {
    let place = TempDir::new().unwrap();
    let held = fs::File::create(place.path().join("f.krou-partial")).unwrap();
    held.lock().unwrap();
    let line = "export --format vu --seeds 4 --out f";
    let said = call_in(place.path(), &words(line)).refused();
    assert!(
        said.contains('f') && said.contains("another krou"),
        "{said}"
    );
    drop(held);
    ended(krou_in(place.path()).args(words(line))).good();
    assert_eq!(names(place.path()), ["f"]);
}
