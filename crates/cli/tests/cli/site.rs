//! `krou site`: the folder that it writes, and the module that the program embeds.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{call, call_in};

/// Every file below a folder, by its path with `/`, with its bytes.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).unwrap().to_str().unwrap();
            let name = name.replace(std::path::MAIN_SEPARATOR, "/");
            found.push((name, fs::read(path).unwrap()));
        }
    }
    found.sort();
    found
}

fn written() -> (TempDir, Vec<(String, Vec<u8>)>) {
    let home = TempDir::new().unwrap();
    let outcome = call_in(home.path(), &["site", "--out", "new/site"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    let files = files(&home.path().join("new/site"));
    (home, files)
}

fn bytes<'f>(files: &'f [(String, Vec<u8>)], name: &str) -> &'f [u8] {
    let (_, bytes) = files.iter().find(|(file, _)| file == name).unwrap();
    bytes
}

fn text<'f>(files: &'f [(String, Vec<u8>)], name: &str) -> &'f str {
    str::from_utf8(bytes(files, name)).unwrap()
}

/// The name of a file of the page, in the folder that is named after the content of all.
fn of_page(files: &[(String, Vec<u8>)], name: &str) -> String {
    let mut folders = files.iter().filter_map(|(file, _)| file.split_once('/'));
    let (folder, _) = folders
        .find(|(folder, _)| folder.starts_with("web-"))
        .unwrap();
    format!("{folder}/{name}")
}

/// The parts of a text between double quotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('"').skip(1).step_by(2)
}

#[test]
fn site_has_every_file_that_it_names() {
    let (_home, files) = written();
    let names: BTreeSet<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    let page = text(&files, "index.html");
    assert!(page.starts_with("<!doctype html>\n<html lang=\"en\" data-answers=\"worker\" "));
    assert!(page.contains("Content-Security-Policy"));
    let linked = quoted(page).filter(|word| word.starts_with("web-"));
    let linked: BTreeSet<&str> = linked.chain(["manifest.webmanifest"]).collect();
    assert!(linked.len() > 25, "{linked:?}");
    assert!(linked.is_subset(&names), "{linked:?}");

    let manifest: Value = serde_json::from_str(text(&files, "manifest.webmanifest")).unwrap();
    for icon in manifest["icons"].as_array().unwrap() {
        let source = icon["src"].as_str().unwrap();
        assert!(names.contains(source), "{source}");
    }

    // The service worker keeps everything but itself.
    let worker = text(&files, "sw.js");
    let list = worker.lines().nth(1).unwrap();
    let kept: BTreeSet<&str> = quoted(list).filter(|file| *file != "./").collect();
    let mut rest = names.clone();
    assert!(rest.remove("sw.js"));
    assert_eq!(kept, rest);

    // Modules import files that are there.
    for (name, bytes) in &files {
        let Some(folder) = name
            .strip_suffix(".js")
            .and_then(|name| name.rsplit_once('/'))
        else {
            continue;
        };
        let code = str::from_utf8(bytes).unwrap();
        for line in code.lines().filter(|line| line.starts_with("import ")) {
            let target = quoted(line).last().unwrap();
            let path = match target.strip_prefix("../") {
                Some(above) => format!("{}/{above}", folder.0.rsplit_once('/').unwrap().0),
                None => format!("{}/{}", folder.0, target.strip_prefix("./").unwrap()),
            };
            assert!(names.contains(path.as_str()), "{name} imports {target}");
        }
    }
}

#[test]
fn the_same_program_writes_the_same_site() {
    let (_first, one) = written();
    let (_second, other) = written();
    assert!(one == other);
}

#[test]
fn folders_with_files_are_overwritten_only_by_force() {
    let (home, files_before) = written();
    let folder = home.path().join("new/site");
    let refused = call_in(home.path(), &["site", "--out", "new/site"]);
    assert_eq!(refused.code, Some(2));
    assert_eq!(
        refused.stderr,
        "krou: new/site is not empty: name another folder, or overwrite with --force\n"
    );
    fs::remove_file(folder.join("index.html")).unwrap();
    let target = home.path().join("target");
    fs::write(&target, "mine").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(&target, folder.join("index.html")).unwrap();
    fs::write(folder.join("sw.js"), "old").unwrap();
    fs::write(folder.join("other.txt"), "kept").unwrap();
    let forced = call_in(home.path(), &["site", "--out", "new/site", "--force"]);
    assert_eq!(forced.code, Some(0));
    assert_eq!(fs::read(folder.join("other.txt")).unwrap(), b"kept");
    assert_eq!(fs::read(&target).unwrap(), b"mine");
    fs::remove_file(folder.join("other.txt")).unwrap();
    assert!(files(&folder) == files_before);

    fs::write(home.path().join("file"), "").unwrap();
    for out in ["file", "file/below"] {
        let refused = call_in(home.path(), &["site", "--out", out]);
        assert_eq!(refused.code, Some(2), "{out}");
        assert_eq!(refused.stderr.lines().count(), 1, "{}", refused.stderr);
        assert!(refused.stderr.contains("file"), "{}", refused.stderr);
    }
    assert_eq!(call(&["site"]).code, Some(2));
}

/// The modules are built by `scripts/build-wasm`, which not every machine can run: this is
/// what can be checked without it.
#[test]
fn the_modules_belong_to_this_version_and_their_glue() {
    let (_home, files) = written();
    let size = |name: &str| bytes(&files, &of_page(&files, name)).len();
    // A first visit waits for these.
    assert!(size("library/krou-probe.wasm.gz") < 250 * 1024);
    assert!(size("library/tables-abapa.bin") < 200 * 1024);
    let users = [("worker-probe", "krou-probe"), ("worker-full", "krou")];
    for (worker, module) in users {
        let worker = text(&files, &of_page(&files, &format!("site/{worker}.js")));
        assert!(worker.contains(&format!("\"../library/{module}.js\"")));
        let packed = bytes(
            &files,
            &of_page(&files, &format!("library/{module}.wasm.gz")),
        );
        let mut unpacked = Vec::new();
        GzDecoder::new(packed).read_to_end(&mut unpacked).unwrap();
        let glue = text(&files, &of_page(&files, &format!("library/{module}.js")));
        check_module(&unpacked, glue);
    }
    // The library calls what the glue exports.
    let library = text(&files, &of_page(&files, "library/library.js"));
    let called = library.match_indices("glue.");
    let called: BTreeSet<&str> = called.map(|(at, _)| word(&library[at + 5..])).collect();
    assert!(called.len() > 4, "{called:?}");
    let glue = text(&files, &of_page(&files, "library/krou.js"));
    for name in called {
        let forms = ["class ", "function ", "", " as "].map(|form| format!("{form}{name}"));
        assert!(forms.iter().any(|form| glue.contains(form)), "{name}");
    }
}

/// Checks a module against this version, and that it exports what its glue calls.
fn check_module(module: &[u8], glue: &str) {
    assert!(module.starts_with(b"\0asm\x01\0\0\0"));
    let has = |part: &str| module.windows(part.len()).any(|at| at == part.as_bytes());
    let version = concat!("krou-wasm ", env!("CARGO_PKG_VERSION"));
    assert!(
        has(version),
        "build it anew with scripts/build-wasm: {version}"
    );
    let calls = glue.match_indices("wasm.");
    let calls: BTreeSet<&str> = calls.map(|(at, _)| word(&glue[at + 5..])).collect();
    assert!(calls.len() > 8, "{calls:?}");
    for name in calls.into_iter().filter(|name| !name.is_empty()) {
        assert!(has(name), "the module does not export {name}");
    }
}

/// The name at the beginning of a text.
fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    &text[..end.unwrap()]
}
