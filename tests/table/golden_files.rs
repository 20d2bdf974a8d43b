//! A table of each format version and codec, which every later version must read. They
//! are in `data/golden/{version}/{codec}/`; `sums` there has checksums of their
//! content.
//!
//! If a later krou writes other bytes, these tables stay and others are added, under a
//! new version if old readers would not understand them. `scripts/golden-tables` writes
//! missing tables and overwrites nothing.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use krou::index::LayerIndex;
use krou::internal::solve::reference::{self, Truth};
use krou::rules::{Board, Bounds, Choices, Endless, Ruleset};
use krou::solve::Silent;
use krou::table::{Codec, Kind, Table, TableId, WriteOptions};
use krou::tablebase::{BuildOptions, Tablebase, build};
use xxhash_rust::xxh3::xxh3_64;

use crate::text_reader::stored_entries;

/// A golden table.
struct Golden {
    version: u16,
    codec: Codec,
    id: TableId,
}

fn golden(version: u16, codec: Codec, rules: Ruleset, kind: Kind) -> Golden {
    Golden {
        version,
        codec,
        id: TableId {
            rules,
            seeds: SEEDS,
            kind,
        },
    }
}

/// Large enough for several tiles in both directions.
const SEEDS: u8 = 5;

static GOLDEN: LazyLock<Vec<Golden>> = LazyLock::new(|| {
    // Earlier versions wrote these under the name of `awale`.
    let mut choices = Choices::default();
    choices.endless = Some(Endless::Open);
    let open = Ruleset::AWALE.with_choices(&choices).unwrap();
    let codecs = [
        (1, Codec::Raw),
        (1, Codec::Zstd),
        (2, Codec::Packed),
        (2, Codec::Small),
    ];
    let of_codecs = codecs.into_iter().flat_map(|(version, codec)| {
        let exact = [
            golden(version, codec, Ruleset::AWARI, Kind::Value),
            golden(version, codec, open, Kind::Bounds),
            golden(version, codec, Ruleset::AWALE, Kind::Bounds),
        ];
        let distance = golden(version, codec, Ruleset::AWARI, Kind::Distance);
        exact
            .into_iter()
            .chain((codec != Codec::Zstd).then_some(distance))
    });
    let kalah = golden(2, Codec::Small, Ruleset::KALAH, Kind::Value);
    of_codecs.chain([kalah]).collect()
});

impl Golden {
    fn folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("data/golden")
    }

    /// Its name in the folder.
    fn name(&self) -> String {
        format!("v{}/{}/{}", self.version, self.codec, self.id.file_name())
    }

    fn path(&self) -> PathBuf {
        Golden::folder().join(self.name())
    }

    fn bytes(&self) -> Vec<u8> {
        let path = self.path();
        fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// The table as this version writes it.
    fn written_now(&self) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        build_in(folder.path(), self.id.rules, self.codec);
        fs::read(folder.path().join(self.id.file_name())).unwrap()
    }

    /// The line of `sums`: checksums of the file and of the entries stored in it.
    fn sums(&self, file: &[u8]) -> String {
        let entries = stored_entries(file).concat();
        let sums = [xxh3_64(file), xxh3_64(&entries)].map(|sum| format!("{sum:016x}"));
        format!("{} {} {}", sums[0], sums[1], self.name())
    }
}

fn build_in(folder: &Path, rules: Ruleset, codec: Codec) {
    let options = BuildOptions {
        distance: true,
        write: WriteOptions {
            block_size: Some(if codec.is_exact() { 700 } else { 8 }),
            ..WriteOptions::from(codec)
        },
        ..BuildOptions::new(SEEDS)
    };
    build(rules, folder, &options, &Silent).unwrap();
}

fn sums() -> String {
    fs::read_to_string(Golden::folder().join("sums")).unwrap_or_default()
}

static TRUTH: LazyLock<HashMap<Ruleset, HashMap<Board, Truth>>> = LazyLock::new(|| {
    let rules: HashSet<Ruleset> = GOLDEN.iter().map(|golden| golden.id.rules).collect();
    let truths = rules
        .into_iter()
        .map(|rules| (rules, reference::solve(rules, SEEDS)));
    truths.collect()
});

/// Both the library's reader and the plain one read the entries that were stored.
#[test]
fn golden_tables_are_read() {
    for golden in &*GOLDEN {
        let name = golden.name();
        let file = golden.bytes();
        let sums = sums();
        let line = golden.sums(&file);
        assert!(
            sums.lines().any(|known| known == line),
            "{name} has changed"
        );
        assert_eq!(u16::from(file[8]), golden.version);
        let entries = stored_entries(&file);

        let table = Table::open(golden.path()).unwrap();
        assert_eq!(table.codec(), golden.codec);
        let table = table.require(golden.id).unwrap();
        table.check().unwrap();
        for (number, plane) in entries.iter().enumerate() {
            assert_eq!(plane.len() as u64, table.stored_entries());
            let mut read = vec![0; plane.len()];
            table.read(number, 0, &mut read).unwrap();
            assert!(read == *plane, "{name}");
        }
    }
}

/// With tables of the lower layers beside it, a golden table gives the reference
/// solver's result for every board of its layer.
#[test]
fn golden_tables_match_the_reference_solver() {
    for &rules in TRUTH.keys() {
        let folder = tempfile::tempdir().unwrap();
        build_in(folder.path(), rules, Codec::Raw);
        for golden in GOLDEN.iter().filter(|golden| golden.id.rules == rules) {
            let name = golden.name();
            let path = folder.path().join(golden.id.file_name());
            let written_now = fs::read(&path).unwrap();
            fs::write(&path, golden.bytes()).unwrap();
            let tables = Tablebase::builder(rules)
                .without_embedded()
                .folder(folder.path())
                .open()
                .unwrap();
            let index = LayerIndex::new(rules, SEEDS);
            for board in (0..index.len()).map(|i| index.board(i)) {
                let truth = &TRUTH[&rules][&board];
                let result = tables.probe(&board).unwrap();
                assert_eq!(result.value, truth.value, "{name} {board:?}");
                let is_over = rules.moves(&board).terminal_value().is_some();
                let has_distance = truth.value != 0 && (truth.distance > 0 || is_over);
                let distance = has_distance.then_some(truth.distance);
                assert_eq!(result.distance.map(u16::from), distance, "{name} {board:?}");
                let bounds = rules.has_bounds().then_some(Bounds {
                    lower: truth.lower,
                    upper: truth.upper,
                });
                assert_eq!(result.bounds, bounds, "{name} {board:?}");
            }
            fs::write(&path, written_now).unwrap();
        }
    }
}

/// Another version of Zstandard may compress differently.
#[test]
fn golden_tables_are_written_with_the_same_bytes() {
    for golden in GOLDEN.iter().filter(|golden| golden.codec != Codec::Zstd) {
        let same = golden.written_now() == golden.bytes();
        assert!(same, "{} would be written differently", golden.name());
    }
}

/// Each table once, and no other.
#[test]
fn every_golden_table_is_listed() {
    let mut listed: Vec<String> = GOLDEN.iter().map(Golden::name).collect();
    let sums = sums();
    let mut summed: Vec<&str> = sums.lines().filter_map(|line| line.get(34..)).collect();
    listed.sort();
    summed.sort_unstable();
    assert_eq!(listed, summed);
}

#[test]
#[ignore = "writes into data/golden: scripts/golden-tables"]
fn write_missing_golden_tables() {
    let mut sums = sums();
    for golden in &*GOLDEN {
        let path = golden.path();
        if path.exists() {
            continue;
        }
        let file = golden.written_now();
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &file).unwrap();
        let is_other = |line: &&str| !line.ends_with(&format!(" {}", golden.name()));
        let mut lines: Vec<String> = sums.lines().filter(is_other).map(String::from).collect();
        lines.push(golden.sums(&file));
        sums = lines.join("\n") + "\n";
        println!("{}: {} bytes", golden.name(), file.len());
    }
    fs::write(Golden::folder().join("sums"), sums).unwrap();
}
