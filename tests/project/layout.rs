//! The house rules: which module may use which, and what the library never
//! sees.

use std::fs;
use std::path::{Path, PathBuf};

/// From the ground up: each may use those before it.
const LAYERS: [&str; 6] = ["rules", "index", "table", "solve", "tablebase", "engine"];

/// Crates that belong to the command line.
const BINARY_ONLY: [&str; 11] = [
    "clap",
    "indicatif",
    "anyhow",
    "serde",
    "serde_json",
    "libc",
    "plotters",
    "axum",
    "hyper",
    "hyper_util",
    "tokio",
];

/// Where unsafe code may be; each block there says why it is sound.
const UNSAFE: [&str; 5] = [
    "src/bin/krou/allocator.rs",
    "src/solve/prefetch.rs",
    "src/solve/wide.rs",
    "src/table/read/mmap.rs",
    "src/tablebase/mapped.rs",
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// Code without its comments, so that prose may speak of anything.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let lines = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or(""));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn lower_modules_never_use_higher_ones() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut uses = 0;
    for (height, layer) in LAYERS.iter().enumerate() {
        for path in sources(&src.join(layer)) {
            let code = code(&path);
            // Spelled out, so that the search sees what is used.
            assert!(!code.contains("crate::{"), "{}", path.display());
            for (other, name) in LAYERS.iter().enumerate() {
                let paths = [format!("crate::{name}"), format!("super::{name}::")];
                let found = paths.iter().any(|path| code.contains(path.as_str()));
                uses += usize::from(found);
                assert!(
                    !found || other <= height,
                    "{} uses {name}, which stands above it",
                    path.display()
                );
            }
        }
    }
    assert!(uses > 20, "the search finds what it looks for");
}

#[test]
fn every_module_of_the_library_has_its_layer() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for entry in fs::read_dir(src).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let known = LAYERS.contains(&name.as_str()) || ["lib.rs", "bin"].contains(&name.as_str());
        assert!(known, "src/{name} has no place in the order of layers");
    }
}

#[test]
fn the_library_never_sees_the_command_line() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for layer in LAYERS {
        for path in sources(&src.join(layer)) {
            let code = code(&path);
            for name in BINARY_ONLY {
                let uses = [format!("use {name}::"), format!("{name}::")];
                let found = uses.iter().any(|u| code.contains(u.as_str()));
                assert!(!found, "{} uses {name}", path.display());
            }
        }
    }
}

#[test]
fn unsafe_code_stays_in_its_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for path in sources(&root.join("src")) {
        let file = path.strip_prefix(root).unwrap().to_str().unwrap();
        let file = file.replace(std::path::MAIN_SEPARATOR, "/");
        assert_eq!(
            code(&path).contains("unsafe "),
            UNSAFE.contains(&file.as_str()),
            "{file}"
        );
    }
}
