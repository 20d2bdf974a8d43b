//! The options that name folders of tables, and the folders used without them.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Error, Result, anyhow};
use clap::Args;
use krou::rules::Ruleset;
use krou::tablebase::{DamagedTables, Tablebase, TablebaseBuilder};

use crate::messages::one_line;

/// The error of a command that needs tables and finds none.
pub fn no_tables(rules: Ruleset, folders: &str) -> Error {
    anyhow!(
        "there are no tables for {rules} in {folders}: \
         build them with 'krou build --rules {rules} --seeds 12'"
    )
}

/// The folder in the current directory that is used if it is there.
const LOCAL_FOLDER: &str = "tables";

/// Folders of tables to read.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Tables")]
pub struct FolderArgs {
    /// Folder of tables to read; may be given several times.
    ///
    /// Without it, the environment variable `KROU_DIR` names the folder; otherwise
    /// it is `tables` if that is there, else the user's data folder. If several
    /// folders have a table, the first one counts. The small tables inside krou
    /// (awari and abapa, up to 9 seeds) answer for layers that the folders do not have.
    #[arg(long = "dir", short = 'd', value_name = "DIR")]
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
    #[arg(long = "dir", short = 'd', value_name = "DIR")]
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

    /// The named folders as text, if any are named.
    pub fn named(&self) -> Option<String> {
        let named = named(&self.folders);
        (!named.is_empty()).then(|| text(&named))
    }

    /// The folders as text, for a message.
    pub fn names(&self) -> String {
        self.named().unwrap_or_else(|| text(&[default_folder()]))
    }

    /// Opens the tables of a ruleset. Folders that were named must be there; the
    /// embedded tables answer for layers that they do not have.
    pub fn open(&self, rules: Ruleset) -> Result<Tablebase> {
        Ok(sources(rules, &self.folders).embedded().open()?)
    }

    /// Opens the tables that `verify` is to check, without the embedded ones unless no
    /// folder is named and there are no others. Damaged tables are kept for the report.
    pub fn open_to_verify(&self, rules: Ruleset) -> Result<Tablebase> {
        let sources = sources(rules, &self.folders);
        let tables = sources.damaged_tables(DamagedTables::Skip).open()?;
        Ok(match (tables.highest_layer(), self.named()) {
            (None, None) => Tablebase::embedded(rules),
            _ => tables,
        })
    }

    /// As [`FolderArgs::open`], but damaged tables count as missing and are kept for a
    /// report.
    pub fn open_despite_damage(&self, rules: Ruleset) -> Result<Tablebase> {
        let sources = sources(rules, &self.folders).embedded();
        Ok(sources.damaged_tables(DamagedTables::Skip).open()?)
    }
}

/// The folders to open: those named, or the default one if it is there.
fn sources(rules: Ruleset, given: &[PathBuf]) -> TablebaseBuilder {
    let mut folders = named(given);
    if folders.is_empty() {
        folders.extend(Some(default_folder()).filter(|folder| folder.is_dir()));
    }
    Tablebase::builder(rules).folders(folders)
}

/// The folders of the command line, or the one of the environment.
fn named(given: &[PathBuf]) -> Vec<PathBuf> {
    if given.is_empty() {
        from_environment().into_iter().collect()
    } else {
        given.to_vec()
    }
}

fn text(folders: &[PathBuf]) -> String {
    let names: Vec<String> = folders.iter().map(|f| f.display().to_string()).collect();
    one_line(&names.join(", "))
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
