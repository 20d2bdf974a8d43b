//! The options that name folders of tables, and the folders used without them.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use krou::rules::Ruleset;
use krou::tablebase::Tablebase;

use crate::messages::one_line;

/// The folder in the current directory that is used if it is there.
const LOCAL_FOLDER: &str = "tables";

/// Folders to read tables from.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Tables")]
pub struct FolderArgs {
    /// Folder of tables to read; may be given several times.
    ///
    /// Without it, the environment variable `KROU_DIR` names the folder; otherwise
    /// it is `tables` if that is there, else the user's data folder. If several
    /// folders have a table, the first one counts. The small tables inside krou
    /// (awari, up to 9 seeds) answer for layers that the folders do not have.
    #[arg(long = "dir", value_name = "DIR")]
    folders: Vec<PathBuf>,
}

/// The folder to write tables to.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Tables")]
pub struct OutputFolderArgs {
    /// Folder of the tables.
    ///
    /// Without it, the environment variable `KROU_DIR` names the folder; otherwise
    /// it is `tables` if that is there, else the user's data folder.
    #[arg(long = "dir", value_name = "DIR")]
    folder: Option<PathBuf>,
}

impl OutputFolderArgs {
    /// The folder, whether it is there or not.
    pub fn folder(&self) -> PathBuf {
        let named = self.folder.clone().or_else(from_environment);
        named.unwrap_or_else(default_folder)
    }
}

impl FolderArgs {
    /// As if this folder had been named.
    pub fn at(folder: PathBuf) -> FolderArgs {
        let folders = vec![folder];
        FolderArgs { folders }
    }

    /// The option that makes `krou build` write to the folder named here.
    pub fn option(&self) -> String {
        match self.folders.first() {
            Some(folder) => one_line(&format!(" --dir {}", folder.display())),
            None => String::new(),
        }
    }

    /// The folders as text, for a message.
    pub fn names(&self) -> String {
        let named = self.named_folders();
        named.unwrap_or_else(|| one_line(&default_folder().display().to_string()))
    }

    /// The named folders as text, if any are named.
    pub fn named_folders(&self) -> Option<String> {
        let named = self.named();
        let names: Vec<String> = named.iter().map(|f| f.display().to_string()).collect();
        (!names.is_empty()).then(|| one_line(&names.join(", ")))
    }

    /// Opens the tables of a ruleset. Folders that were named must be there.
    pub fn open(&self, rules: Ruleset) -> Result<Tablebase> {
        let built = Tablebase::open(rules, &self.readable())?;
        Ok(match built.highest_layer() {
            Some(_) => built,
            None => Tablebase::embedded(rules),
        })
    }

    /// As `open`, but damaged tables are kept for `verify` to report.
    pub fn open_sound(&self, rules: Ruleset) -> Result<Tablebase> {
        let built = Tablebase::open_sound(rules, &self.readable())?;
        Ok(match built.highest_layer() {
            Some(_) => built,
            None => Tablebase::embedded(rules),
        })
    }

    /// The folders to open: those named, or the default one if it is there.
    fn readable(&self) -> Vec<PathBuf> {
        let named = self.named();
        match named.is_empty() {
            true => Some(default_folder())
                .filter(|f| f.is_dir())
                .into_iter()
                .collect(),
            false => named,
        }
    }

    fn named(&self) -> Vec<PathBuf> {
        match self.folders.is_empty() {
            true => from_environment().into_iter().collect(),
            false => self.folders.clone(),
        }
    }
}

/// An empty variable counts as unset.
fn from_environment() -> Option<PathBuf> {
    folder_variable("KROU_DIR")
}

fn default_folder() -> PathBuf {
    let local = Path::new(LOCAL_FOLDER);
    match data_folder() {
        Some(folder) if !local.is_dir() => folder.join("krou"),
        _ => local.to_path_buf(),
    }
}

/// Where programs keep the user's data on this platform, if the environment says.
fn data_folder() -> Option<PathBuf> {
    if cfg!(windows) {
        return folder_variable("LOCALAPPDATA");
    }
    let home = || folder_variable("HOME");
    if cfg!(target_os = "macos") {
        return Some(home()?.join("Library/Application Support"));
    }
    let named = folder_variable("XDG_DATA_HOME").filter(|folder| folder.is_absolute());
    named.or_else(|| Some(home()?.join(".local/share")))
}

fn folder_variable(name: &str) -> Option<PathBuf> {
    let value = env::var_os(name).filter(|value| !value.is_empty());
    value.map(PathBuf::from)
}
