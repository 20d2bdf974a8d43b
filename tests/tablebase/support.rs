//! Small folders of tables, and the steps that long work reports.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

use krou::rules::Ruleset;
use krou::solve::{Observer, Phase, Silent, Stopped};
use krou::table::{Codec, TableId, WriteOptions};
use krou::tablebase::{BuildOptions, build};
use tempfile::TempDir;

use crate::files::files;

/// The files of a folder, by name.
type Files = BTreeMap<String, Vec<u8>>;

/// The layers up to `seeds` seeds in a temporary folder of the test's own. Tests share the
/// work of solving and packing them.
pub fn built(rules: Ruleset, seeds: u8, distance: bool, write: impl Into<WriteOptions>) -> TempDir {
    static BUILT: LazyLock<Mutex<HashMap<String, Arc<OnceLock<Files>>>>> =
        LazyLock::new(Mutex::default);
    let options = BuildOptions {
        distance,
        write: (write).into(),
        ..BuildOptions::new(seeds)
    };
    let key = format!("{rules} {options:?}");
    let shared = BUILT.lock().unwrap().entry(key).or_default().clone();
    let folder = tempfile::tempdir().unwrap();
    let built = shared.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        build(rules, folder.path(), &options, &Silent).unwrap();
        files(folder.path())
    });
    for (name, bytes) in built {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

/// Options for tables with many blocks.
pub fn small_blocks(codec: Codec) -> WriteOptions {
    WriteOptions {
        block_size: Some(if codec.is_exact() { 100 } else { 3 }),
        ..WriteOptions::from(codec)
    }
}

/// Counts the boards reported for each layer.
#[derive(Default)]
pub struct StepCounter(Mutex<Steps>);

#[derive(Default)]
struct Steps {
    seeds: u8,
    by_layer: Vec<u64>,
}

impl StepCounter {
    /// The boards reported for each layer.
    pub fn by_layer(&self) -> Vec<u64> {
        self.0.lock().unwrap().by_layer.clone()
    }

    fn begin_layer(&self, seeds: u8) {
        let mut steps = self.0.lock().unwrap();
        steps.seeds = seeds;
        steps.by_layer.resize(usize::from(seeds) + 1, 0);
    }
}

impl Observer for StepCounter {
    fn begins(&self, seeds: u8, _: Phase, _: u64) {
        self.begin_layer(seeds);
    }

    fn advance(&self, boards: u64) -> Result<(), Stopped> {
        let mut steps = self.0.lock().unwrap();
        let seeds = usize::from(steps.seeds);
        steps.by_layer[seeds] += boards;
        Ok(())
    }

    fn packs(&self, id: TableId, _: u64) {
        self.begin_layer(id.seeds);
    }
}
