//! Writes the public API of the library to `crates/api/api.txt`, an item on each line, or
//! checks that the file has it:
//!
//! ```text
//! cargo run --locked -p krou-api
//! cargo run --locked -p krou-api -- --check
//! ```
//!
//! rustdoc writes the API as JSON only with unstable options, which the stable one accepts with
//! `RUSTC_BOOTSTRAP`. If cargo saw that variable, it would compile everything again. So cargo runs
//! this program in place of rustdoc, and it runs rustdoc with the variable.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

use anyhow::{Context, Result, bail, ensure};

/// The features in the order of the sections of the file, each with those before it. Only
/// `mpi` is left out, which needs an MPI library.
const SECTIONS: [(&str, &str); 3] = [
    ("default features", "mmap,zstd"),
    ("more with engine", "mmap,zstd,engine"),
    (
        "more with remote, serde and solve",
        "mmap,zstd,engine,remote,serde,solve",
    ),
];

/// Set for the runs in place of rustdoc.
const IN_PLACE_OF_RUSTDOC: &str = "KROU_API_RUSTDOC";

fn main() -> Result<ExitCode> {
    if env::var_os(IN_PLACE_OF_RUSTDOC).is_some() {
        let mut rustdoc = Command::new("rustdoc");
        rustdoc
            .args(env::args_os().skip(1))
            .env("RUSTC_BOOTSTRAP", "1");
        let status = rustdoc.status().context("cannot run rustdoc")?;
        return Ok(ExitCode::from(u8::from(!status.success())));
    }
    let is_check = match &env::args().skip(1).collect::<Vec<_>>()[..] {
        [] => false,
        [option] if option == "--check" => true,
        _ => bail!("the only option is --check"),
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = folder.join("api.txt");
    let api = sections(&folder.join("../.."))?;
    if !is_check {
        fs::write(&file, api).with_context(|| format!("cannot write {}", file.display()))?;
        return Ok(ExitCode::SUCCESS);
    }
    let recorded =
        fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let (api, recorded): (Vec<_>, Vec<_>) = (api.lines().collect(), recorded.lines().collect());
    let mut is_same = true;
    for (sign, lines, others) in [('-', &recorded, &api), ('+', &api, &recorded)] {
        for line in lines.iter().filter(|line| !others.contains(line)) {
            is_same = false;
            println!("{sign}{line}");
        }
    }
    if is_same {
        return Ok(ExitCode::SUCCESS);
    }
    eprintln!("the public API has changed: run 'cargo run --locked -p krou-api'");
    Ok(ExitCode::FAILURE)
}

/// What each set of features adds, under a heading with the number of lines.
fn sections(root: &Path) -> Result<String> {
    let mut text = String::new();
    let mut seen = HashSet::new();
    for (name, features) in SECTIONS {
        let api = public_api(root, features)?;
        let mut lines = Vec::new();
        for line in api.lines() {
            if seen.insert(line.to_owned()) {
                lines.push(line);
            }
        }
        text += &format!("# {name}: {} lines\n{}\n", lines.len(), lines.join("\n"));
    }
    Ok(text)
}

/// The public items of the library with these features, without implementations that every
/// type has, those that are derived, and what follows from implementing a trait of another
/// crate.
fn public_api(root: &Path, features: &str) -> Result<String> {
    let target = match env::var_os("CARGO_TARGET_DIR") {
        Some(target) => PathBuf::from(target),
        None => root.join("target"),
    };
    let mut rustdoc = Command::new(env!("CARGO"));
    rustdoc
        .current_dir(root)
        .env("RUSTDOC", env::current_exe()?);
    rustdoc.env(IN_PLACE_OF_RUSTDOC, "1");
    rustdoc.args(["rustdoc", "--locked", "--quiet", "-p", "krou", "--lib"]);
    rustdoc.args(["--no-default-features", "--features", features]);
    rustdoc.args(["--", "-Z", "unstable-options", "--output-format", "json"]);
    let status = rustdoc.status().context("cannot run cargo rustdoc")?;
    ensure!(status.success(), "cargo rustdoc ended with {status}");
    let json = target.join("doc/krou.json");
    let api = public_api::Builder::from_rustdoc_json(json)
        .omit_auto_derived_impls(true)
        .omit_auto_trait_impls(true)
        .omit_blanket_impls(true)
        .build()?;
    let items: Vec<String> = api.items().map(ToString::to_string).collect();
    let mut is_foreign = false;
    let kept = items.iter().filter(|item| {
        let is_impl = item.starts_with("impl");
        if is_impl {
            let of_trait = item.split_once(" for ").map(|(of_trait, _)| of_trait);
            is_foreign = of_trait.is_some_and(|of_trait| !of_trait.contains("krou::"));
        }
        is_impl || !is_foreign || !is_member(item)
    });
    Ok(kept.map(String::as_str).collect::<Vec<_>>().join("\n"))
}

/// Whether an item is one that traits of other crates have.
fn is_member(item: &str) -> bool {
    const MEMBERS: [&str; 9] = [
        "::fmt(",
        "::from(",
        "::from_str(",
        "::try_from(",
        "::default(",
        "::serialize<",
        "::deserialize<",
        "::Err =",
        "::Error =",
    ];
    MEMBERS.iter().any(|member| item.contains(member))
}
