//! The options of the protocol, and the engine that they configure.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use fastrand::Rng;
use krou::engine::{Engine, EngineOptions, Game, Level, Opponent, Style};
use krou::ogn::{Setup, SetupError};
use krou::rules::Ruleset;
use krou::tablebase::Tablebase;

use super::table_path;
use crate::args::{HASH_MIB, TABLE_MEMORY_MIB, THREADS, whole_number};
use crate::folder_args::FolderArgs;
use crate::lines::shown;
use crate::messages::one_line;
use crate::rules_args::ruleset_named;
use crate::small_layers::solve_small;
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
const SKILL_LEVELS: RangeInclusive<u8> = 1..=Level::MAX.get();
/// Programs may keep the value of an option in 32 bits.
const SKILL_SEEDS: RangeInclusive<u64> = 0..=i32::MAX as u64;

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
    /// Without effect: there is no book, but programs set the option.
    own_book: bool,
    /// Number of lines to report.
    pub lines: usize,
    /// Time of each move that is not spent.
    pub overhead: Duration,
    /// The occurrence of a board that ends the game.
    repetitions: u8,
    /// The level of the moves; the highest one is the engine itself.
    level: Level,
    /// The seed of random choices below the highest level; 0 is another one each time.
    seed: u64,
    /// The seeds of the games, which follow from it.
    seeds: Rng,
    engine: EngineOptions,
    folders: FolderArgs,
    /// The folders of the command line.
    initial_folders: FolderArgs,
    /// The tables of the ruleset in the folders.
    tables: Tablebase,
    /// Whether small layers that are missing are to be solved.
    solves: bool,
    /// Whether they have been.
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
            level: Level::MAX,
            seed: 0,
            seeds: Rng::new(),
            engine,
            tables,
            solves: true,
            is_solved: false,
            notes,
            initial_folders: folders.clone(),
            folders,
        })
    }

    /// Small layers that are missing are not solved.
    #[must_use]
    pub fn without_solving(self) -> Options {
        Options {
            solves: false,
            ..self
        }
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

    /// Makes the transposition table smaller, and notes that, if it does not fit into `free`
    /// bytes of memory: an engine that does not start is of no use to anyone.
    pub fn fit_hash(&mut self, free: Option<u64>) {
        if let Err(why) = self.check_hash(0, free) {
            self.engine.hash_mib = free.map_or(1, |bytes| (bytes >> 21) as usize).max(1);
            let note = format!("{why}, so it is {} MiB", self.engine.hash_mib);
            self.notes.push(note);
        }
    }

    /// Makes an engine with these options, except that it has no transposition table yet.
    pub fn new_engine(&self) -> Engine {
        let options = self.engine.with_hash_mib(0);
        Engine::new(self.rules, Some(self.tables.clone()), options)
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
        if !self.tables.is_clone_of(&before.tables) {
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
        (self.tables, self.notes) = (tables, notes);
        self.notes.push(self.tables_found());
        self.is_solved = false;
        Ok(())
    }

    /// Which tables there are, or that there are none.
    pub fn tables_found(&self) -> String {
        self.folders.summary(&self.tables)
    }

    /// Makes an engine ready to search, which may take seconds: solves small layers that are
    /// missing, and allocates the transposition table.
    pub fn prepare(&mut self, engine: &mut Engine) {
        if self.solves && !self.is_solved {
            self.is_solved = true;
            if let Ok((mut tables, _)) = open_tables(self.rules, &self.folders)
                && let Some(note) = solve_small(&self.folders, &mut tables, None)
            {
                self.notes.push(note);
                self.tables = tables;
                *engine = self.new_engine();
            }
        }
        if engine.options().hash_mib != self.engine.hash_mib {
            engine.set_options(self.engine);
        }
    }

    /// The tables of the ruleset.
    pub fn tables(&self) -> &Tablebase {
        &self.tables
    }

    /// Who chooses the moves in place of the engine, below the highest level.
    pub fn new_opponent(&mut self) -> Option<Opponent> {
        if self.level == Level::MAX {
            return None;
        }
        let (tables, seed) = (Some(self.tables.clone()), self.seeds.u64(..));
        Some(Opponent::new(
            Style::Engine,
            self.level,
            self.rules,
            tables,
            seed,
        ))
    }

    /// A new game with these options.
    pub fn new_game(&self) -> Game {
        Game::new(self.rules).with_repetitions(self.repetitions)
    }

    /// The game of a `position` command.
    pub fn game(&self, setup: &Setup) -> Result<Game, String> {
        let record = setup.record(self.rules, self.repetitions);
        let record = record.map_err(|error| {
            let SetupError {
                ply, written, why, ..
            } = error;
            format!("move {ply}, '{}', is wrong: {why}", shown(&written))
        })?;
        Ok(record.game().clone())
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
                let rules = ruleset_named(value.trim_matches(['"', '\'']))?;
                if rules != self.rules {
                    self.open(rules)?;
                    self.rules = rules;
                }
            }
            "ponder" => self.ponder = is_true("Ponder", value)?,
            "uci_showwdl" => self.shows_result = is_true("UCI_ShowWDL", value)?,
            "ownbook" => self.own_book = is_true("OwnBook", value)?,
            // No board has more moves than the largest number of lines.
            "multipv" => {
                let lines = number("MultiPV", value, *LINES.start()..=usize::MAX)?;
                self.lines = lines.min(*LINES.end());
            }
            "move overhead" => {
                let millis = number("Move Overhead", value, OVERHEAD_MS)?;
                self.overhead = Duration::from_millis(millis);
            }
            "skill level" => {
                let level = number("Skill Level", value, SKILL_LEVELS)?;
                self.level = Level::new(level).unwrap_or(Level::MAX);
            }
            "skill seed" => {
                self.seed = number("Skill Seed", value, SKILL_SEEDS)?;
                self.seeds = match self.seed {
                    0 => Rng::new(),
                    seed => Rng::with_seed(seed),
                };
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
            ("Skill Level", spin(self.level.get(), SKILL_LEVELS)),
            ("Skill Seed", spin(self.seed, SKILL_SEEDS)),
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
    // The search asks hosts; nobody else has the time.
    let tables = sources.open()?.without_waiting();
    let damaged = tables.damaged_tables();
    let damaged = damaged.map(|error| format!("{error}; the engine searches without it"));
    let missing = missing.iter().map(ToString::to_string);
    let old = tables.old_tables().take(1).map(ToString::to_string);
    let notes = missing.chain(damaged).chain(old).collect();
    Ok((tables, notes))
}

/// A number as the protocol declares it.
fn spin<T: Display>(value: T, range: RangeInclusive<T>) -> String {
    let (least, most) = (range.start(), range.end());
    format!("spin default {value} min {least} max {most}")
}

fn is_true(name: &str, value: &str) -> Result<bool> {
    let parsed = value.to_lowercase().parse();
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

    #[test]
    fn the_transposition_table_must_fit_into_released_or_free_memory() {
        let folders = FolderArgs::at([std::env::temp_dir()]);
        let options = Options::new(Ruleset::AWARI, folders, EngineOptions::default()).unwrap();
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
        let mut small = options.clone();
        small.fit_hash(Some(63 << 20));
        assert_eq!(small.engine.hash_mib, 31);
        assert_eq!(small.notes.len(), 1);
    }
}
