//! The option that says where the tables are.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use krou::rules::Ruleset;
use krou::tablebase::Tablebase;

/// The folder of tables unless another is named.
pub const DEFAULT_FOLDER: &str = "tables";

/// Where the tables are.
#[derive(Args, Clone, Debug)]
pub struct FolderArgs {
    /// The folder of tables [default: `KROU_DIR` in the environment, else tables].
    ///
    /// Where nothing has been built for the ruleset yet, the small tables that
    /// come with the program answer: awari, up to 9 seeds.
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl FolderArgs {
    /// As if this folder had been named.
    pub fn at(folder: PathBuf) -> FolderArgs {
        FolderArgs { dir: Some(folder) }
    }

    /// The folder, whether it is there or not.
    pub fn folder(&self) -> PathBuf {
        self.named().unwrap_or_else(|| DEFAULT_FOLDER.into())
    }

    /// As `open`, but a folder that was named speaks for itself, also where it
    /// has no tables.
    pub fn open_strictly(&self, rules: Ruleset) -> Result<Tablebase> {
        match self.named() {
            Some(folder) => Ok(Tablebase::open(rules, &[folder])?),
            None => self.open(rules),
        }
    }

    /// As `open_strictly`, but tables that cannot be opened are left to be told of
    /// when they are verified.
    pub fn open_sound(&self, rules: Ruleset) -> Result<Tablebase> {
        let (folder, named) = (self.folder(), self.named().is_some());
        if named || folder.is_dir() {
            let tables = Tablebase::open_sound(rules, &[folder])?;
            if named || tables.highest_layer().is_some() {
                return Ok(tables);
            }
        }
        Ok(Tablebase::embedded(rules))
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

    /// The folder that was named; `KROU_DIR=` takes the variable back.
    fn named(&self) -> Option<PathBuf> {
        let variable = || std::env::var_os("KROU_DIR").filter(|dir| !dir.is_empty());
        self.dir.clone().or_else(|| variable().map(PathBuf::from))
    }
}
