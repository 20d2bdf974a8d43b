//! `krou-lab checksums`: SHA-256 sums of the bounds of `abapa`, against those that the author
//! of another full solve published for the same layers.
//!
//! `crates/lab/data/abapa-bounds.sha256` has the sums of `oware/checksums/oware_6x2_48.SHA256SUMS` in
//! jh85/smallgames (commit ee1b720, 2026) for 15 to 24 seeds. Files of that solve have a
//! header and one number for each board, in the order of krou's index: which pair of scores
//! the mover and the opponent can make sure of.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use krou::rules::{Choices, Endless, Ruleset};
use krou::solve::{Layer, LayerBounds, Value};
use krou::tablebase::Tablebase;
use sha2::{Digest, Sha256};

/// The layers of the folder from 15 to 24 seeds are compared.
#[derive(Args)]
pub struct ChecksumsArgs {
    /// Folder with tables of `abapa`.
    #[arg(long, short, value_name = "DIR")]
    dir: PathBuf,
    /// File of sums, as `sha256sum` writes it [default: the published sums].
    #[arg(long, value_name = "FILE")]
    sums: Option<PathBuf>,
}

const PUBLISHED: &str = include_str!("../data/abapa-bounds.sha256");

/// Fewer seeds pack several boards into a byte. With more, only scores that can still decide
/// a game have numbers.
const LAYERS: std::ops::RangeInclusive<u8> = 15..=24;

/// The highest layer with one byte a board; others have two.
const MOST_SEEDS_IN_A_BYTE: u8 = 21;

/// Boards whose numbers are hashed at once.
const BOARDS_AT_ONCE: usize = 1 << 16;

/// Compares each layer, and ends with code 1 if one has another sum.
pub fn run(args: &ChecksumsArgs) -> Result<ExitCode> {
    let sums = match &args.sums {
        Some(path) => {
            fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?
        }
        None => PUBLISHED.to_owned(),
    };
    let sums = sums_by_file(&sums)?;
    let tables = open(&args.dir)?;
    let mut loader = tables.loader();
    let mut differ = false;
    let mut compared = 0;
    for seeds in LAYERS.filter(|seeds| sums.contains_key(&*file_name(*seeds))) {
        if tables.highest_layer() < Some(seeds) {
            break;
        }
        let sum = sum_of(loader.load(seeds)?)?;
        let is_equal = sum == sums[&*file_name(seeds)];
        let boards = loader.layers()[usize::from(seeds)].index().len();
        println!(
            "{seeds} seeds, {boards} boards: {}",
            if is_equal { "equal" } else { "DIFFERENT" }
        );
        differ |= !is_equal;
        compared += 1;
    }
    ensure!(
        compared > 0,
        "{} has no layer to compare: run 'krou build --rules abapa --endless open --seeds {} --dir {}'",
        args.dir.display(),
        LAYERS.start(),
        args.dir.display()
    );
    Ok(ExitCode::from(u8::from(differ)))
}

/// The tables of `abapa` whose bounds count endless play as all seeds, as the published ones do.
fn open(folder: &Path) -> Result<Tablebase> {
    let mut choices = Choices::default();
    choices.endless = Some(Endless::Open);
    let rules = Ruleset::ABAPA.with_choices(&choices)?;
    Ok(Tablebase::builder(rules)
        .without_embedded()
        .folder(folder)
        .open()?)
}

/// The name of a layer's file in the other solve.
fn file_name(seeds: u8) -> String {
    format!("oware_n{seeds:02}.lh")
}

/// The lines of `sha256sum`: a sum in hexadecimal, and a file.
fn sums_by_file(text: &str) -> Result<HashMap<&str, &str>> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines
        .map(|line| {
            let (sum, file) = line.split_once(char::is_whitespace).unwrap_or_default();
            if sum.len() != 64 {
                bail!("'{line}' is not a line of sha256sum");
            }
            Ok((file.trim_start_matches([' ', '*']), sum))
        })
        .collect()
}

/// The sum of the file that the other solve has for a layer.
fn sum_of(layer: &Layer) -> Result<String> {
    let LayerBounds { lower, upper } = layer.bounds().context("abapa has bounds")?;
    let seeds = layer.index().seeds();
    let scores = u32::from(seeds) + 1;
    let pairs = scores * (scores + 1) / 2;
    let bits = u32::BITS - (pairs - 1).leading_zeros();
    let width = if seeds > MOST_SEEDS_IN_A_BYTE { 2 } else { 1 };
    let mode = if width == 2 { 2 } else { 0 };
    let boards = layer.index().len();

    let mut hasher = Sha256::new();
    hasher.update(b"OWARELH1");
    // The lowest score that counts is 0, and a group has one board.
    for number in [u32::from(seeds), 0, scores, pairs, mode, 1, bits, 0] {
        hasher.update(number.to_le_bytes());
    }
    hasher.update(boards.to_le_bytes());
    hasher.update((boards * width).to_le_bytes());
    let chunks = lower.as_slice().chunks(BOARDS_AT_ONCE);
    for (lower, upper) in chunks.zip(upper.as_slice().chunks(BOARDS_AT_ONCE)) {
        let pairs = lower.iter().zip(upper).map(|(&l, &u)| pair(seeds, l, u));
        let bytes: Vec<u8> = match width {
            1 => pairs.map(|pair| pair as u8).collect(),
            _ => pairs.flat_map(u16::to_le_bytes).collect(),
        };
        hasher.update(bytes);
    }
    Ok(format!("{:x}", hasher.finalize()))
}

/// The number of a pair of scores: the seeds beyond none that the mover and the opponent are
/// sure of. Pairs with a smaller sum come first.
fn pair(seeds: u8, lower: Value, upper: Value) -> u16 {
    let seeds = i16::from(seeds);
    let mover = seeds.midpoint(lower.get().into());
    let opponent = seeds.midpoint(-i16::from(upper.get()));
    let sum = mover + opponent;
    (sum * (sum + 1) / 2 + mover).unsigned_abs()
}
