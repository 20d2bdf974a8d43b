//! The options of the protocol, and the engine that they configure.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Error, Result, bail};
use krou::engine::{Engine, EngineOptions, Game};
use krou::rules::Ruleset;
use krou::solve::default_memory_limit;
use krou::tablebase::Tablebase;

use super::command::Setup;
use crate::folder_args::FolderArgs;
use crate::lines::shown;
use crate::value_parsers::{
    MAX_HASH, MAX_TABLE_MEMORY, MAX_THREADS, parse_hash, parse_table_memory, parse_threads,
};

/// The current options.
#[derive(Clone, Debug)]
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
    /// The bytes of memory that a transposition table may take, if that is known.
    free_memory: fn() -> Option<u64>,
}

impl Options {
    /// The options from the command line; opens their tables.
    pub fn new(rules: Ruleset, folders: FolderArgs, engine: EngineOptions) -> Result<Options> {
        Ok(Options {
            rules,
            ponder: true,
            shows_result: false,
            own_book: true,
            lines: 1,
            overhead: DEFAULT_OVERHEAD,
            repetitions: 3,
            engine,
            tables: Arc::new(folders.open(rules)?),
            initial_folders: folders.clone(),
            folders,
            free_memory: default_memory_limit,
        })
    }

    /// Whether the transposition table fits into the free memory. One of at most
    /// `released` MiB always does: that much has just been released.
    pub fn check_hash(&self, released: usize) -> Result<()> {
        let wanted = self.engine.hash_mib;
        if wanted > released
            && let Some(bytes) = (self.free_memory)()
            && wanted as u64 > bytes >> 20
        {
            let free = bytes >> 20;
            bail!("Hash cannot be {wanted} MiB: only {free} MiB of memory are free");
        }
        Ok(())
    }

    /// Makes an engine with these options.
    pub fn engine(&self) -> Engine {
        Engine::new(self.rules, Some(Arc::clone(&self.tables)), self.engine)
    }

    /// Gives these options to an engine that has `before`, unless the transposition table
    /// does not fit into the memory; the engine keeps the old ones then. Tables are opened
    /// and loaded again only if they are other ones.
    pub fn configure(&self, engine: &mut Engine, before: &Options) -> Result<()> {
        // The memory of the old transposition table is free for the new one.
        engine.set_options(before.engine.with_hash_mib(0));
        let fits = self.check_hash(before.engine.hash_mib);
        let wanted = if fits.is_ok() { self } else { before };
        match Arc::ptr_eq(&wanted.tables, &before.tables) {
            true => engine.set_options(wanted.engine),
            false => *engine = wanted.engine(),
        }
        fits
    }

    /// A new game with these options.
    pub fn new_game(&self) -> Game {
        Game::new(self.rules).with_repetitions(self.repetitions)
    }

    /// The game of a `position` command.
    pub fn game(&self, setup: &Setup) -> Result<Game, String> {
        setup.game(self.rules, self.repetitions)
    }

    /// Sets an option, unless this fails; its name is case-insensitive. Returns whether the
    /// engine has to be configured.
    pub fn set(&mut self, name: &str, value: &str) -> Result<bool> {
        match name.to_lowercase().as_str() {
            "hash" => self.engine.hash_mib = parse_hash(value).map_err(Error::msg)?,
            "threads" => self.engine.threads = parse_threads(value).map_err(Error::msg)?,
            "tablememory" => {
                let mib = parse_table_memory(value).map_err(Error::msg)?;
                self.engine.table_memory = mib << 20;
            }
            "contempt" => {
                let most = i64::from(EngineOptions::MAX_CONTEMPT);
                let contempt = parse_number("Contempt", value, -most..=most)?;
                self.engine.contempt = i16::try_from(contempt)?;
            }
            "tablepath" => {
                let folders = match value {
                    "" | EMPTY => self.initial_folders.clone(),
                    folder => FolderArgs::at(PathBuf::from(folder)),
                };
                self.tables = Arc::new(folders.open(self.rules)?);
                self.folders = folders;
            }
            "rules" => {
                let rules = value.parse()?;
                if rules == self.rules {
                    return Ok(false);
                }
                self.tables = Arc::new(self.folders.open(rules)?);
                self.rules = rules;
            }
            "ponder" => {
                self.ponder = parse_bool("Ponder", value)?;
                return Ok(false);
            }
            "uci_showwdl" => {
                self.shows_result = parse_bool("UCI_ShowWDL", value)?;
                return Ok(false);
            }
            "ownbook" => {
                self.own_book = parse_bool("OwnBook", value)?;
                return Ok(false);
            }
            "multipv" => {
                let lines = parse_number("MultiPV", value, 1..=MAX_LINES)?;
                self.lines = usize::try_from(lines)?;
                return Ok(false);
            }
            "move overhead" => {
                let millis = parse_number("Move Overhead", value, 0..=MAX_OVERHEAD)?;
                self.overhead = Duration::from_millis(millis.unsigned_abs());
                return Ok(false);
            }
            "repetitions" => {
                self.repetitions = match value {
                    "2" => 2,
                    "3" => 3,
                    _ => bail!("Repetitions must be 2 or 3"),
                };
                return Ok(false);
            }
            _ => bail!("there is no option '{}'", shown(name)),
        }
        Ok(true)
    }

    /// The `option` lines, with the current settings as defaults.
    pub fn lines(&self) -> Vec<String> {
        let spin = |name, value: usize, max: usize| {
            format!("option name {name} type spin default {value} min 1 max {max}")
        };
        let contempt = EngineOptions::MAX_CONTEMPT;
        let folders = self.folders.named();
        let folders = folders.unwrap_or_else(|| EMPTY.to_owned());
        vec![
            spin("Hash", self.engine.hash_mib, MAX_HASH),
            spin("Threads", self.engine.threads, MAX_THREADS),
            format!(
                "option name TableMemory type spin default {} min 0 max {MAX_TABLE_MEMORY}",
                self.engine.table_memory >> 20
            ),
            format!("option name TablePath type string default {folders}"),
            format!("option name Rules type string default {}", self.rules),
            format!("option name Ponder type check default {}", self.ponder),
            format!("option name OwnBook type check default {}", self.own_book),
            format!(
                "option name MultiPV type spin default {} min 1 max {MAX_LINES}",
                self.lines
            ),
            format!(
                "option name Move Overhead type spin default {} min 0 max {MAX_OVERHEAD}",
                self.overhead.as_millis()
            ),
            format!(
                "option name Contempt type spin default {} min -{contempt} max {contempt}",
                self.engine.contempt
            ),
            format!(
                "option name Repetitions type spin default {} min 2 max 3",
                self.repetitions
            ),
            format!(
                "option name UCI_ShowWDL type check default {}",
                self.shows_result
            ),
            "option name Clear Hash type button".to_owned(),
        ]
    }
}

fn parse_bool(name: &str, value: &str) -> Result<bool> {
    match value {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => bail!("{name} must be true or false"),
    }
}

fn parse_number(name: &str, value: &str, range: RangeInclusive<i64>) -> Result<i64> {
    match value.parse() {
        Ok(number) if range.contains(&number) => Ok(number),
        _ => bail!(
            "{name} must be a whole number from {} to {}",
            range.start(),
            range.end()
        ),
    }
}

/// Time of each move that is not spent, unless the option says otherwise.
const DEFAULT_OVERHEAD: Duration = Duration::from_millis(10);
/// The largest overhead of a move, in milliseconds.
const MAX_OVERHEAD: i64 = 5000;

/// The most lines: a board has no more moves.
const MAX_LINES: i64 = 6;

/// The protocol's notation for an empty string.
const EMPTY: &str = "<empty>";

#[cfg(test)]
impl Options {
    /// These options on a machine with this much free memory.
    pub fn with_free_memory(mut self, free_memory: fn() -> Option<u64>) -> Options {
        self.free_memory = free_memory;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(folder: &std::path::Path) -> Options {
        let folders = FolderArgs::at(folder.to_owned());
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
                "the size must be a whole number of MiB from 1 to 65536",
            ),
            ("Hash", "", "the size must be"),
            ("Hash", "65537", "the size must be"),
            (
                "Threads",
                "-1",
                "the number of threads must be a whole number from 1 to 1024",
            ),
            (
                "TablePath",
                "/no/such/folder",
                "/no/such/folder is not a folder",
            ),
            ("Rules", "awri", "there is no ruleset 'awri'"),
            ("Ponder", "maybe", "Ponder must be true or false"),
            ("Repetitions", "4", "Repetitions must be 2 or 3"),
            (
                "TableMemory",
                "-1",
                "the size must be a whole number of MiB from 0 to 1048576",
            ),
            ("TableMemory", "1048577", "the size must be a whole number"),
            ("MultiPV", "7", "MultiPV must be a whole number from 1 to 6"),
            ("MultiPV", "0", "MultiPV must be"),
            (
                "Move Overhead",
                "-1",
                "Move Overhead must be a whole number from 0 to 5000",
            ),
            (
                "Contempt",
                "1001",
                "Contempt must be a whole number from -1000 to 1000",
            ),
            ("Contempt", "much", "Contempt must be"),
            ("OwnBook", "yes", "OwnBook must be true or false"),
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
        let options = options(folder.path()).with_free_memory(|| Some(63 << 20));
        options.check_hash(64).unwrap();
        let message = options.check_hash(63).unwrap_err().to_string();
        let expected = "Hash cannot be 64 MiB: only 63 MiB of memory are free";
        assert_eq!(message, expected);
        for free_memory in [|| Some(64 << 20), || None] {
            let options = options.clone().with_free_memory(free_memory);
            options.check_hash(0).unwrap();
        }
    }
}
