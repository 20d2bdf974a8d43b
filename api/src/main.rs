//! Writes the public API of the library to `api/krou.txt`, an item on each line, or
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

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

use anyhow::{Context, Result, bail, ensure};

/// Everything that adds to the library without a need for an MPI library.
const FEATURES: &str = "answers,engine,mmap,serde,solve,zstd";

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
    let file = folder.join("krou.txt");
    let api = public_api(&folder.join(".."))?;
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

/// The public items of the library, without implementations that every type has and
/// those that are derived.
fn public_api(root: &Path) -> Result<String> {
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
    rustdoc.args(["--no-default-features", "--features", FEATURES]);
    rustdoc.args(["--", "-Z", "unstable-options", "--output-format", "json"]);
    let status = rustdoc.status().context("cannot run cargo rustdoc")?;
    ensure!(status.success(), "cargo rustdoc ended with {status}");
    let json = target.join("doc/krou.json");
    let api = public_api::Builder::from_rustdoc_json(json)
        .omit_auto_derived_impls(true)
        .omit_auto_trait_impls(true)
        .omit_blanket_impls(true)
        .build()?;
    Ok(api.to_string())
}
