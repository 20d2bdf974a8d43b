//! The options that name folders of tables, here and on web hosts, and the folders used
//! without them.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use std::{env, fs, iter};

use anyhow::{Context, Error, Result};
use clap::Args;
use krou::internal::table::Fault;
use krou::rules::{MAX_SEEDS, Ruleset};
use krou::table::{Kind, Table, TableId};
use krou::tablebase::{Host, Tablebase, TablebaseBuilder};

use crate::errors::missing_table;
use crate::messages::{one_line, print_message};
use crate::system::check_threads;

/// The folder in the current directory that is used if it is there.
const LOCAL_FOLDER: &str = "tables";

/// How long a host may be silent, and how many probes may wait for it, while others wait, too.
const SHORT_SILENCE: Duration = Duration::from_secs(3);
pub const HOST_PLACES: usize = 32;

/// Folders of tables to read.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Tables")]
pub struct FolderArgs {
    /// Folder of tables to read; may be given several times.
    ///
    /// Without it, the environment variable `KROU_DIR` names the folder; otherwise
    /// it is `tables` if that is there, else the user's data folder. If several
    /// folders have a table, the first one counts. The small tables inside krou
    /// (awari and abapa, up to 9 seeds) answer where the folders have none.
    #[arg(long = "dir", short = 'd', value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// Folders on web hosts, which answer where those of this machine do not.
    #[arg(skip)]
    hosts: Vec<Host>,
}

/// Tables to read from web hosts.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Tables")]
pub struct HostArgs {
    /// Folder of tables on a web host, such as `https://example.org/tables/`; may be given
    /// several times.
    ///
    /// It answers where the folders of this machine have no table. Only the parts that a
    /// board needs are read; they are kept in the user's cache folder, at most 256 MiB.
    #[arg(long = "tables", value_name = "URL")]
    urls: Vec<String>,
    /// Allow plain http to other machines, by which anybody on the way can alter tables.
    #[arg(long)]
    insecure: bool,
}

impl HostArgs {
    /// Checks that hosts can be asked, which takes a thread.
    pub fn check(&self) -> Result<()> {
        match self.urls.is_empty() {
            true => Ok(()),
            false => can_ask_hosts(),
        }
    }

    /// The hosts, each with the cache.
    pub fn hosts(&self) -> impl ExactSizeIterator<Item = Host> {
        self.urls.iter().map(|url| host(url, self.insecure))
    }

    /// The hosts of a program for whose answers others wait.
    pub fn impatient_hosts(&self) -> impl Iterator<Item = Host> {
        let limited = |host: Host| host.timeout(SHORT_SILENCE).places(HOST_PLACES);
        self.hosts().map(limited)
    }
}

/// Checks that the thread can be started that asks a host.
pub fn can_ask_hosts() -> Result<()> {
    check_threads(1).context("cannot start a thread that asks the host")
}

/// A host with the cache.
pub fn host(url: &str, is_insecure: bool) -> Host {
    let mut host = Host::new(url);
    if let Some(folder) = cache_folder() {
        host = host.cache(folder, Host::CACHE_BYTES);
    }
    if is_insecure { host.insecure() } else { host }
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
    /// As if these folders had been named.
    pub fn at(folders: impl IntoIterator<Item = PathBuf>) -> FolderArgs {
        let folders = folders.into_iter().collect();
        FolderArgs {
            folders,
            hosts: Vec::new(),
        }
    }

    /// With tables on web hosts too.
    pub fn with_hosts(&self, hosts: impl Iterator<Item = Host>) -> FolderArgs {
        FolderArgs {
            folders: self.folders.clone(),
            hosts: hosts.collect(),
        }
    }

    /// The option that makes `krou build` write to the folder named here.
    pub fn option(&self) -> String {
        match self.folders.first() {
            Some(folder) => format!(" --dir {}", argument(folder)),
            None => String::new(),
        }
    }

    /// The named folders, or the one of the environment.
    pub fn named(&self) -> Vec<PathBuf> {
        if self.folders.is_empty() {
            from_environment().into_iter().collect()
        } else {
            self.folders.clone()
        }
    }

    /// The folders to search: those that are named, else the default one.
    fn searched(&self) -> Vec<PathBuf> {
        let mut folders = self.named();
        if folders.is_empty() {
            folders.push(default_folder());
        }
        folders
    }

    /// The sources of a ruleset's tables. A default folder need not be there.
    pub fn sources(&self, rules: Ruleset) -> TablebaseBuilder {
        let mut folders = self.searched();
        if self.named().is_empty() {
            folders.retain(|folder| folder.is_dir());
        }
        let sources = Tablebase::builder(rules).folders(folders);
        self.hosts
            .iter()
            .cloned()
            .fold(sources, TablebaseBuilder::url)
    }

    /// Opens the tables of a ruleset, and warns of those that cannot be opened. Folders that
    /// were named must be there; the embedded tables answer where they have none.
    pub fn open(&self, rules: Ruleset) -> Result<Tablebase> {
        let tables = self.sources(rules).open()?;
        warn_of_damaged(&tables, "");
        Ok(tables)
    }

    /// As [`FolderArgs::open`]; without hosts if all that a board of `seeds` seeds needs is here
    /// whole: a host may be silent.
    pub fn open_for(&self, rules: Ruleset, seeds: Option<u8>) -> Result<Tablebase> {
        if let (Some(seeds), false) = (seeds, self.hosts.is_empty()) {
            self.hosts.iter().try_for_each(Host::check_address)?;
            let here = FolderArgs::at(self.folders.clone());
            let tables = here.sources(rules).open()?;
            let kinds = Kind::of(rules, true);
            let is_whole = |seeds| {
                kinds
                    .iter()
                    .all(|&kind| tables.table(seeds, kind).is_some())
            };
            if (0..=seeds).all(is_whole) {
                return Ok(tables);
            }
        }
        self.open(rules)
    }

    /// Runs a command on tables; then warns of those that could not be opened, unless the
    /// command's error says so.
    pub fn run(
        &self,
        tables: &Tablebase,
        command: impl FnOnce(&Tablebase) -> Result<ExitCode>,
    ) -> Result<ExitCode> {
        let done = command(tables).map_err(|error| self.explain(error));
        let told = done
            .as_ref()
            .map_or_else(ToString::to_string, |_| String::new());
        warn_of_damaged(tables, &told);
        done
    }

    /// Opens the tables that `verify` is to check, without the embedded ones unless no
    /// folder is named and there are no others. Its report names the damaged ones.
    pub fn open_to_verify(&self, rules: Ruleset) -> Result<Tablebase> {
        let tables = self.sources(rules).without_embedded().open()?;
        Ok(match tables.highest_layer() {
            None if self.named().is_empty() => Tablebase::embedded(rules),
            _ => tables,
        })
    }

    /// Which tables of the folders and hosts were found, in one sentence.
    pub fn summary(&self, tables: &Tablebase) -> String {
        let (rules, searched) = (tables.rules(), self.searched());
        let file = |seeds| {
            let kind = Kind::Value;
            TableId { rules, seeds, kind }.file_name()
        };
        // The name of a built-in table has no folder.
        let is_built_in = |table: &Table| table.name().parent() == Some(Path::new(""));
        let is_found = |&seeds: &u8| {
            let table = tables.table(seeds, Kind::Value);
            table.is_some_and(|table| !is_built_in(table))
        };
        let hosts = match self.hosts.len() {
            0 => "",
            1 => " and on a host",
            _ => " and on hosts",
        };
        // The default folder need not be there.
        let places = match searched.iter().any(|folder| folder.is_dir()) {
            true => format!(" in {}{hosts}", names(&searched)),
            false => hosts.to_owned(),
        };
        if let Some(seeds) = (0..=MAX_SEEDS).rev().find(is_found) {
            return format!("tables of {rules} up to {seeds} seeds{places}");
        }
        let built_in = match tables.highest_layer() {
            Some(seeds) => format!(", so only the built-in ones up to {seeds} seeds"),
            None => String::new(),
        };
        // People name the folder above the right one.
        let entries = searched.iter().flat_map(fs::read_dir).flatten().flatten();
        let mut below = entries.map(|entry| entry.path());
        let has_some = |folder: &PathBuf| (0..=MAX_SEEDS).any(|n| folder.join(file(n)).is_file());
        let below = below.find(has_some);
        let below = below.map(|folder| format!(": there are some in {}", names(&[folder])));
        let below = below.unwrap_or_default();
        format!("no tables of {rules}{places}{built_in}{below}")
    }

    /// The error of a command that needs tables and finds none.
    pub fn no_tables(&self, rules: Ruleset) -> Error {
        let what = format!("there are no tables for {rules}");
        Error::msg(self.with_cure(&what, rules, 0, 12))
    }

    /// Says that no folder has a layer, and what to do.
    pub fn no_table(&self, rules: Ruleset, seeds: u8) -> String {
        let what = format!("no table for {rules} with {seeds} seeds");
        self.with_cure(&what, rules, seeds, seeds)
    }

    /// An error; if a table is missing, with the folders that were searched and what to do.
    pub fn explain(&self, error: Error) -> Error {
        let Some(&missing) = missing_table(&error) else {
            return error;
        };
        let (rules, seeds) = (missing.rules, missing.seeds);
        Error::msg(self.with_cure(&missing.to_string(), rules, seeds, seeds))
    }

    /// What is missing, in which folders, and how to get the values of a layer: from a default
    /// folder that has them, or by a build up to `build` seeds.
    fn with_cure(&self, what: &str, rules: Ruleset, seeds: u8, build: u8) -> String {
        let kind = Kind::Value;
        let name = TableId { rules, seeds, kind }.file_name();
        let searched = self.searched();
        let mut others = default_folders().filter(|folder| !searched.contains(folder));
        let other = others.find(|folder| folder.join(&name).is_file());
        let (folders, option) = (names(&searched), self.option());
        let cure = match other {
            Some(folder) => format!("'--dir {}' has it", argument(&folder)),
            None => {
                let paths = searched.iter().map(|folder| folder.join(&name));
                let mut there = paths.filter(|path| path.exists());
                let error = there.find_map(|path| Table::open(path).err());
                let build = format!("'krou build --rules {rules} --seeds {build}{option}'");
                match error {
                    None => format!("build it with {build}"),
                    // A damaged table must make way first.
                    Some(error) if error.fault().is_damage() => {
                        let file = argument(error.file());
                        format!("remove {file}, then build it with {build}")
                    }
                    Some(error) if matches!(error.fault(), Fault::NotATable | Fault::NotAFile) => {
                        let file = argument(error.file());
                        format!("move {file} away, then build it with {build}")
                    }
                    Some(error) => error.to_string(),
                }
            }
        };
        format!("{what} in {folders}: {cure}")
    }
}

/// Says once that files are of an earlier version.
pub fn note_old(tables: &Tablebase) {
    let mut old = tables.old_tables();
    if let Some(first) = old.next() {
        let others = match old.count() {
            0 => String::new(),
            count => format!(" ({count} more are, too)"),
        };
        print_message(&format!("note: {first}{others}"));
    }
}

/// Warns of the tables that could not be opened, except those that `told` names, and of those of
/// earlier versions.
fn warn_of_damaged(tables: &Tablebase, told: &str) {
    note_old(tables);
    for damaged in tables.damaged_tables() {
        if !told.contains(&damaged.to_string()) {
            print_message(&format!("warning: {damaged}"));
        }
    }
}

/// Folders as text, for a message.
fn names(folders: &[PathBuf]) -> String {
    let names: Vec<String> = folders.iter().map(|f| f.display().to_string()).collect();
    one_line(&names.join(", "))
}

/// A folder as an argument of a command in a message.
fn argument(folder: &Path) -> String {
    let name = one_line(&folder.display().to_string());
    if name.contains(char::is_whitespace) {
        format!("\"{name}\"")
    } else {
        name
    }
}

/// An empty variable counts as unset.
fn from_environment() -> Option<PathBuf> {
    folder_variable("KROU_DIR")
}

fn default_folder() -> PathBuf {
    let mut folders = default_folders();
    let first = folders.next().filter(|local| local.is_dir());
    let folder = first.or_else(|| folders.next());
    folder.unwrap_or_else(|| PathBuf::from(LOCAL_FOLDER))
}

/// The folders that are used without options, the first one if it is there.
fn default_folders() -> impl Iterator<Item = PathBuf> {
    let in_data_folder = data_folder().map(|folder| folder.join("krou"));
    iter::once(PathBuf::from(LOCAL_FOLDER)).chain(in_data_folder)
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

/// Where programs keep what they can fetch again, if the environment says.
pub fn cache_folder() -> Option<PathBuf> {
    let home = || folder_variable("HOME");
    let folder = if cfg!(windows) {
        folder_variable("LOCALAPPDATA")?.join("cache")
    } else if cfg!(target_os = "macos") {
        home()?.join("Library/Caches")
    } else {
        let named = folder_variable("XDG_CACHE_HOME").filter(|folder| folder.is_absolute());
        named.or_else(|| Some(home()?.join(".cache")))?
    };
    Some(folder.join("krou"))
}

fn folder_variable(name: &str) -> Option<PathBuf> {
    let value = env::var_os(name).filter(|value| !value.is_empty());
    value.map(PathBuf::from)
}
