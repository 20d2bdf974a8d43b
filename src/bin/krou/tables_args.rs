//! The option that says where the tables are.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use krou::rules::Ruleset;
use krou::tablebase::Tablebase;

/// The folder of tables unless another is named.
pub const DEFAULT_FOLDER: &str = "tables";

/// Where the tables are.
#[derive(Args, Clone, Debug)]
pub struct TablesArgs {
    /// The folder of tables [default: tables].
    ///
    /// Where nothing has been built for the ruleset yet, the small tables that
    /// come with the program answer: awari, up to 9 seeds.
    #[arg(long, value_name = "DIR", env = "KROU_DIR", hide_env_values = true)]
    dir: Option<PathBuf>,
}

impl TablesArgs {
    /// The folder, whether it is there or not.
    pub fn folder(&self) -> &Path {
        self.named().unwrap_or(Path::new(DEFAULT_FOLDER))
    }

    /// Opens the tables of a ruleset; a folder that was named must be there.
    pub fn open(&self, rules: Ruleset) -> Result<Tablebase> {
        let folder = self.folder();
        let built = match self.named().is_some() || folder.is_dir() {
            true => Some(Tablebase::open(rules, &[folder])?),
            false => None,
        };
        let some = |tables: &Tablebase| tables.layers().next().is_some();
        Ok(built
            .filter(some)
            .unwrap_or_else(|| Tablebase::embedded(rules)))
    }

    /// An empty name is none: `KROU_DIR=` takes the variable back.
    fn named(&self) -> Option<&Path> {
        let dir = self.dir.as_deref();
        dir.filter(|dir| !dir.as_os_str().is_empty())
    }
}
