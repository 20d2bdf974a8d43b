//! The options of the protocol, and the engine that they configure.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use krou::engine::{Engine, EngineOptions, Game};
use krou::ogn::Setup;
use krou::rules::Ruleset;
use krou::tablebase::Tablebase;

use super::command;
use super::table_path;
use crate::args::{HASH_MIB, TABLE_MEMORY_MIB, THREADS, whole_number};
use crate::folder_args::FolderArgs;
use crate::lines::shown;
use crate::messages::one_line;
use crate::system::free_memory;

/// Time of each move that is not spent, unless the option says otherwise.
const DEFAULT_OVERHEAD: Duration = Duration::from_millis(10);
/// Times of each move that are not spent, in milliseconds.
const OVERHEAD_MS: RangeInclusive<u64> = 0..=5000;
/// Numbers of lines: a board has no more moves.
const LINES: RangeInclusive<usize> = 1..=6;
const CONTEMPT: RangeInclusive<i16> = -EngineOptions::MAX_CONTEMPT..=EngineOptions::MAX_CONTEMPT;
/// Which occurrence of a board ends the game.
const REPETITIONS: RangeInclusive<u8> = 2..=3;

/// The protocol's notation for an empty string.
const EMPTY: &str = "<empty>";

/// The current options.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools)] // independent options
pub struct Options {
    pub rules: Ruleset,
    /// Whether `bestmove` includes the expected reply.
    pub ponder: bool,
    /// Whether reports show a result that is certain.
    pub shows_result: bool,
    /// Whether the engine plays from its opening book.
    pub own_book: bool,
    /// Number of lines to report.
    pub lines: usize,
    /// Time of each move that is not spent.
    pub overhead: Duration,
    /// The occurrence of a board that ends the game.
    repetitions: u8,
    engine: EngineOptions,
    folders: FolderArgs,
    /// The folders of the command line.
    initial_folders: FolderArgs,
    /// The tables of the ruleset in the folders.
    tables: Arc<Tablebase>,
    /// Whether missing small layers have been solved.
    is_solved: bool,
    /// Folders and tables that could not be opened, and the like: sentences not yet reported.
    pub notes: Vec<String>,
}

impl Options {
    /// The options from the command line; opens their tables.
    pub fn new(rules: Ruleset, folders: FolderArgs, engine: EngineOptions) -> Result<Options> {
        let (tables, notes) = open_tables(rules, &folders)?;
        Ok(Options {
            rules,
            ponder: true,
            shows_result: false,
            own_book: true,
            lines: 1,
            overhead: DEFAULT_OVERHEAD,
            repetitions: 3,
            engine,
            tables: Arc::new(tables),
            is_solved: false,
            notes,
            initial_folders: folders.clone(),
            folders,
        })
    }

    /// Checks that the transposition table fits into `free` bytes of memory, if that is known,
    /// together with the MiB of the `released` one that it replaces.
    pub fn check_hash(&self, released: usize, free: Option<u64>) -> Result<()> {
        let wanted = self.engine.hash_mib;
        let free = free.map_or(u64::MAX, |bytes| (bytes >> 20) + released as u64);
        if wanted > released && wanted as u64 > free {
            bail!("Hash cannot be {wanted} MiB: only {free} MiB of memory are free");
        }
        Ok(())
    }

    /// Makes an engine with these options, except that it has no transposition table yet.
    pub fn new_engine(&self) -> Engine {
        let options = self.engine.with_hash_mib(0);
        Engine::new(self.rules, Some(Arc::clone(&self.tables)), options)
    }

    /// Gives these options to an engine that has `before`, except that a transposition table
    /// of another size is released only. Tables are opened and loaded again only if they are
    /// other ones.
    ///
    /// # Errors
    /// If the transposition table would not fit into the memory; nothing changes then.
    pub fn configure(&self, engine: &mut Engine, before: &Options) -> Result<()> {
        let allocated = engine.options().hash_mib;
        if self.engine.hash_mib != before.engine.hash_mib {
            self.check_hash(allocated, free_memory())?;
        }
        if !Arc::ptr_eq(&self.tables, &before.tables) {
            *engine = self.new_engine();
        } else if self.engine != before.engine {
            let keeps_hash = self.engine.hash_mib == allocated;
            let hash_mib = if keeps_hash { allocated } else { 0 };
            engine.set_options(self.engine.with_hash_mib(hash_mib));
        }
        Ok(())
    }

    /// Opens the tables of a ruleset.
    fn open(&mut self, rules: Ruleset) -> Result<()> {
        let (tables, notes) = open_tables(rules, &self.folders)?;
        (self.tables, self.notes) = (Arc::new(tables), notes);
        self.is_solved = false;
        Ok(())
    }

    /// Makes an engine ready to search, which may take seconds: solves small layers that are
    /// missing, and allocates the transposition table.
    pub fn prepare(&mut self, engine: &mut Engine) {
        if !self.is_solved {
            self.is_solved = true;
            if let Ok((mut tables, _)) = open_tables(self.rules, &self.folders)
                && let Some(note) = self.folders.solve_small(&mut tables, None)
            {
                self.notes.push(note);
                self.tables = Arc::new(tables);
                *engine = self.new_engine();
            }
        }
        if engine.options().hash_mib != self.engine.hash_mib {
            engine.set_options(self.engine);
        }
    }

    /// A new game with these options.
    pub fn new_game(&self) -> Game {
        Game::new(self.rules).with_repetitions(self.repetitions)
    }

    /// The game of a `position` command.
    pub fn game(&self, setup: &Setup) -> Result<Game, String> {
        command::game(setup, self.rules, self.repetitions)
    }

    /// Sets an option, unless this fails; its name is case-insensitive.
    pub fn set(&mut self, name: &str, value: &str) -> Result<()> {
        match name.to_lowercase().as_str() {
            "hash" => self.engine.hash_mib = number("Hash", value, HASH_MIB)?,
            "threads" => self.engine.threads = number("Threads", value, THREADS)?,
            "tablememory" => {
                self.engine.table_memory = number("TableMemory", value, TABLE_MEMORY_MIB)? << 20;
            }
            "contempt" => self.engine.contempt = number("Contempt", value, CONTEMPT)?,
            "tablepath" => {
                let folders = match value {
                    "" | EMPTY => self.initial_folders.clone(),
                    value => FolderArgs::at(table_path::folders(value)),
                };
                let (_, mut missing) = folders.sources(self.rules).without_missing_folders();
                if !missing.is_empty() && missing.len() == folders.named().len() {
                    return Err(missing.remove(0).into());
                }
                self.folders = folders;
                self.open(self.rules)?;
            }
            "rules" => {
                let rules = value.parse()?;
                if rules != self.rules {
                    self.open(rules)?;
                    self.rules = rules;
                }
            }
            "ponder" => self.ponder = is_true("Ponder", value)?,
            "uci_showwdl" => self.shows_result = is_true("UCI_ShowWDL", value)?,
            "ownbook" => self.own_book = is_true("OwnBook", value)?,
            "multipv" => self.lines = number("MultiPV", value, LINES)?,
            "move overhead" => {
                let millis = number("Move Overhead", value, OVERHEAD_MS)?;
                self.overhead = Duration::from_millis(millis);
            }
            "repetitions" => self.repetitions = number("Repetitions", value, REPETITIONS)?,
            _ => bail!("there is no option '{}'", shown(name)),
        }
        Ok(())
    }

    /// The `option` lines, with the current settings as defaults.
    pub fn lines(&self) -> Vec<String> {
        let folders = match self.folders.named()[..] {
            [] => EMPTY.to_owned(),
            ref folders => one_line(&table_path::value(folders)),
        };
        let memory = self.engine.table_memory >> 20;
        let millis = self.overhead.as_millis() as u64;
        let options = [
            ("Hash", spin(self.engine.hash_mib, HASH_MIB)),
            ("Threads", spin(self.engine.threads, THREADS)),
            ("TableMemory", spin(memory, TABLE_MEMORY_MIB)),
            ("TablePath", format!("string default {folders}")),
            ("Rules", format!("string default {}", self.rules)),
            ("Ponder", format!("check default {}", self.ponder)),
            ("OwnBook", format!("check default {}", self.own_book)),
            ("MultiPV", spin(self.lines, LINES)),
            ("Move Overhead", spin(millis, OVERHEAD_MS)),
            ("Contempt", spin(self.engine.contempt, CONTEMPT)),
            ("Repetitions", spin(self.repetitions, REPETITIONS)),
            (
                "UCI_ShowWDL",
                format!("check default {}", self.shows_result),
            ),
            ("Clear Hash", "button".to_owned()),
        ];
        let lines = options.map(|(name, kind)| format!("option name {name} type {kind}"));
        lines.into()
    }
}

/// Opens the tables of a ruleset as far as they are there, and says what cannot be opened.
fn open_tables(rules: Ruleset, folders: &FolderArgs) -> Result<(Tablebase, Vec<String>)> {
    let (sources, missing) = folders.sources(rules).without_missing_folders();
    let tables = sources.embedded().open()?;
    let damaged = tables.damaged_tables();
    let damaged = damaged.map(|error| format!("{error}; the engine searches without it"));
    let missing = missing.iter().map(ToString::to_string);
    let notes = missing.chain(damaged).collect();
    Ok((tables, notes))
}

/// A number as the protocol declares it.
fn spin<T: Display>(value: T, range: RangeInclusive<T>) -> String {
    let (least, most) = (range.start(), range.end());
    format!("spin default {value} min {least} max {most}")
}

fn is_true(name: &str, value: &str) -> Result<bool> {
    let parsed = value.parse();
    parsed.map_err(|_| anyhow!("{name} cannot be '{}': give true or false", shown(value)))
}

fn number<T: FromStr + PartialOrd + Display + Clone>(
    name: &str,
    value: &str,
    range: RangeInclusive<T>,
) -> Result<T> {
    let parsed = whole_number(range)(value);
    parsed.map_err(|advice| anyhow!("{name} cannot be '{}': {advice}", shown(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(folder: &std::path::Path) -> Options {
        let folders = FolderArgs::at([folder.to_owned()]);
        Options::new(Ruleset::AWARI, folders, EngineOptions::default()).unwrap()
    }

    #[test]
    fn option_lines_show_the_settings() {
        let initial = tempfile::tempdir().unwrap();
        let other = tempfile::tempdir().unwrap();
        let [initial, other] = [&initial, &other].map(|folder| folder.path().to_str().unwrap());
        let mut options = options(initial.as_ref());
        for (name, value) in [
            ("Hash", "16"),
            ("threads", "2"),
            ("TABLEPATH", other),
            ("Rules", "oware+illegal+required+owner+even"),
            ("Ponder", "false"),
            ("OwnBook", "false"),
            ("TableMemory", "100"),
            ("repetitions", "2"),
            ("UCI_ShowWDL", "true"),
            ("multipv", "3"),
            ("Move Overhead", "100"),
            ("Contempt", "-50"),
        ] {
            options.set(name, value).unwrap();
        }
        assert_eq!(
            options.lines(),
            [
                "option name Hash type spin default 16 min 1 max 65536".to_owned(),
                "option name Threads type spin default 2 min 1 max 1024".to_owned(),
                "option name TableMemory type spin default 100 min 0 max 1048576".to_owned(),
                format!("option name TablePath type string default {other}"),
                "option name Rules type string default oware+illegal+required+owner+even"
                    .to_owned(),
                "option name Ponder type check default false".to_owned(),
                "option name OwnBook type check default false".to_owned(),
                "option name MultiPV type spin default 3 min 1 max 6".to_owned(),
                "option name Move Overhead type spin default 100 min 0 max 5000".to_owned(),
                "option name Contempt type spin default -50 min -1000 max 1000".to_owned(),
                "option name Repetitions type spin default 2 min 2 max 3".to_owned(),
                "option name UCI_ShowWDL type check default true".to_owned(),
                "option name Clear Hash type button".to_owned(),
            ]
        );
        options.set("TablePath", "<empty>").unwrap();
        assert!(options.lines()[3].ends_with(&format!("default {initial}")));
    }

    #[test]
    fn invalid_settings_are_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let mut options = options(folder.path());
        let before = options.lines();
        for (name, value, part) in [
            (
                "Hash",
                "0",
                "Hash cannot be '0': give a whole number from 1 to 65536",
            ),
            ("Hash", "", "Hash cannot be ''"),
            ("Hash", "65537", "Hash cannot be '65537'"),
            (
                "Threads",
                "-1",
                "Threads cannot be '-1': give a whole number from 1 to 1024",
            ),
            (
                "TablePath",
                "/no/such/folder",
                "/no/such/folder is not a folder",
            ),
            ("Rules", "awri", "there is no ruleset 'awri'"),
            (
                "Ponder",
                "maybe",
                "Ponder cannot be 'maybe': give true or false",
            ),
            ("OwnBook", "yes", "OwnBook cannot be 'yes'"),
            (
                "Repetitions",
                "4",
                "Repetitions cannot be '4': give a whole number from 2 to 3",
            ),
            ("TableMemory", "-1", "TableMemory cannot be '-1'"),
            ("TableMemory", "1048577", "TableMemory cannot be '1048577'"),
            (
                "MultiPV",
                "7",
                "MultiPV cannot be '7': give a whole number from 1 to 6",
            ),
            ("Move Overhead", "-1", "Move Overhead cannot be '-1'"),
            ("Contempt", "1001", "Contempt cannot be '1001'"),
            ("Contempt", "much", "Contempt cannot be 'much'"),
            ("DrawSearch", "true", "there is no option 'DrawSearch'"),
        ] {
            let message = options.set(name, value).unwrap_err().to_string();
            assert!(message.starts_with(part), "{message}");
            assert_eq!(options.lines(), before);
        }
    }

    #[test]
    fn the_transposition_table_must_fit_into_released_or_free_memory() {
        let folder = tempfile::tempdir().unwrap();
        let options = options(folder.path());
        assert_eq!(options.engine.hash_mib, 64);
        options.check_hash(64, Some(0)).unwrap();
        let message = options
            .check_hash(32, Some(31 << 20))
            .unwrap_err()
            .to_string();
        let expected = "Hash cannot be 64 MiB: only 63 MiB of memory are free";
        assert_eq!(message, expected);
        options.check_hash(32, Some(32 << 20)).unwrap();
        options.check_hash(0, Some(64 << 20)).unwrap();
        options.check_hash(0, None).unwrap();
    }
}
