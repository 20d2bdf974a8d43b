//! Which modules may use which, which crates the library may not use, and which files may
//! have unsafe code.

use std::fs;
use std::path::Path;

use crate::modules::{code, cycles, sources, uses};

/// The modules of the library from the lowest to the highest: each may use those
/// before it.
const LAYERS: [&str; 8] = [
    "rules",
    "index",
    "table",
    "remote",
    "solve",
    "tablebase",
    "engine",
    "ogn",
];

/// Crates of the command line.
const BINARY_ONLY: [&str; 16] = [
    "clap",
    "signal-hook",
    "indicatif",
    "anyhow",
    "serde_json",
    "shlex",
    "axum",
    "hyper",
    "hyper_util",
    "tokio",
    "headers",
    "prometheus_client",
    "rlimit",
    "tower",
    "tower_http",
    "tracing",
];

/// The files that may have unsafe code; each block there says why it is sound.
const UNSAFE: [&str; 9] = [
    "crates/cli/src/process.rs",
    "src/cpu.rs",
    "src/cpu/permute.rs",
    "src/cpu/permute/neon.rs",
    "src/solve/entry.rs",
    "src/solve/spill/buffer.rs",
    "src/solve/spill/pages.rs",
    "src/table/read/mmap.rs",
    "src/tablebase/mapped.rs",
];

/// The folders of the repository that have folders for one thing each, as docs/architecture.md
/// lists them.
const PLACES: [(&str, &[&str]); 2] = [
    ("crates", &["answers", "api", "cli", "lab"]),
    ("bindings", &["c", "npm", "python", "wasm"]),
];

/// The folders at the top, with those of [`PLACES`].
const TOP: [&str; 10] = [
    "bindings",
    "crates",
    "data",
    "docs",
    "examples",
    "fuzz",
    "packaging",
    "scripts",
    "src",
    "tests",
];

#[test]
fn the_top_level_is_that_of_the_architecture() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = |path: &Path| {
        let entries = fs::read_dir(path).unwrap().map(Result::unwrap);
        let folders = entries.filter(|entry| entry.path().is_dir());
        let names = folders.map(|entry| entry.file_name().into_string().unwrap());
        // What git ignores is nobody's part of the repository.
        let ignored = ["target", "tables"];
        let mut names: Vec<String> = names
            .filter(|name| !name.starts_with('.') && !ignored.contains(&name.as_str()))
            .collect();
        names.sort();
        names
    };
    assert_eq!(folders(root), TOP);
    for (place, expected) in PLACES {
        assert_eq!(folders(&root.join(place)), expected, "{place}");
    }
    let text = fs::read_to_string(root.join("docs/architecture.md")).unwrap();
    for name in TOP {
        assert!(
            text.contains(name),
            "docs/architecture.md does not name {name}"
        );
    }
}

#[test]
fn lower_modules_never_use_higher_ones() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut uses = 0;
    for (height, layer) in LAYERS.iter().enumerate() {
        for path in sources(&src.join(layer)) {
            let code = code(&path);
            // Paths are spelled out, so that the search below finds them.
            assert!(!code.contains("crate::{"), "{}", path.display());
            for (other, name) in LAYERS.iter().enumerate() {
                let paths = [format!("crate::{name}"), format!("super::{name}::")];
                let found = paths.iter().any(|path| code.contains(path.as_str()));
                uses += usize::from(found);
                assert!(
                    !found || other <= height,
                    "{} uses {name}, which is above it",
                    path.display()
                );
            }
        }
    }
    assert!(uses > 20, "{uses} modules use others");
}

/// A module and the folder of its submodules count as one.
#[test]
fn modules_of_a_folder_have_no_cyclic_dependencies() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let mut modules = 0;
    for root in [
        "src/lib.rs",
        "crates/cli/src/lib.rs",
        "crates/lab/src/main.rs",
    ] {
        for (folder, uses) in uses(&repository.join(root)) {
            modules += uses.len();
            for mut cycle in cycles(&uses) {
                cycle.push(cycle[0].clone());
                let folder = [&["crate".to_owned()], &folder[..]].concat().join("::");
                found.push(format!("{root}, {folder}: {}", cycle.join(" -> ")));
            }
        }
    }
    assert!(modules > 100, "{modules} modules use others");
    assert!(found.is_empty(), "cycles:\n{}", found.join("\n"));
}

#[test]
fn every_module_of_the_library_has_a_layer() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for entry in fs::read_dir(src).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        // Single files serve several layers.
        let is_file = entry.path().is_file();
        let known = LAYERS.contains(&name.as_str()) || name == "cpu" || is_file;
        assert!(known, "src/{name} is not in the order of layers");
    }
}

#[test]
fn the_library_uses_no_command_line_crates() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for layer in LAYERS {
        for path in sources(&src.join(layer)) {
            let code = code(&path);
            for name in BINARY_ONLY {
                let uses = [format!("use {name}::"), format!("{name}::")];
                let found = uses.iter().any(|u| code.contains(u.as_str()));
                // The index of a host is JSON.
                let is_index = path.starts_with(src.join("remote"));
                let found = found && !(is_index && name == "serde_json");
                assert!(!found, "{} uses {name}", path.display());
            }
        }
    }
}

#[test]
fn only_listed_files_have_unsafe_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files =
        ["src", "crates/cli/src", "crates/lab/src"].map(|folder| sources(&root.join(folder)));
    for path in files.concat() {
        let file = path.strip_prefix(root).unwrap().to_str().unwrap();
        let file = file.replace(std::path::MAIN_SEPARATOR, "/");
        assert_eq!(
            code(&path).contains("unsafe "),
            UNSAFE.contains(&file.as_str()),
            "{file}"
        );
    }
}
