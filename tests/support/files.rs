//! Files of a folder, damage to them, and pipes. Each test program uses a part of it.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Every file of a folder, by name; its subfolders are left out.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries
        .filter(|entry| !entry.path().is_dir())
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, fs::read(entry.path()).unwrap())
        })
        .collect()
}

/// The names in a folder, sorted.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let names = entries.map(|entry| entry.file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// Flips a bit of the last byte of a file, which in a table belongs to its last block.
pub fn damage(path: impl AsRef<Path>) {
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 4;
    fs::write(path, bytes).unwrap();
}

/// Makes a named pipe.
#[cfg(unix)]
pub fn make_pipe(path: &Path) {
    let made = std::process::Command::new("mkfifo").arg(path).status();
    let made = made.expect("mkfifo cannot be run: install coreutils");
    assert!(made.success());
}
