//! The options of the protocol, and the engine that they configure.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Error, Result, anyhow, bail};
use krou::engine::{Engine, EngineOptions};
use krou::rules::Ruleset;

use crate::folder_args::ProbeFolderArgs;
use crate::lines::shown;
use crate::system::default_memory_limit;
use crate::value_parsers::{MAX_HASH, MAX_THREADS, parse_hash, parse_threads};

/// The current options.
#[derive(Clone, Debug)]
pub struct Options {
    pub rules: Ruleset,
    /// Whether `bestmove` includes the expected reply.
    pub ponder: bool,
    engine: EngineOptions,
    tables: ProbeFolderArgs,
    /// The tables of the command line.
    initial_tables: ProbeFolderArgs,
}

impl Options {
    /// The options from the command line.
    pub fn new(rules: Ruleset, tables: ProbeFolderArgs, engine: EngineOptions) -> Options {
        Options {
            rules,
            ponder: true,
            engine,
            initial_tables: tables.clone(),
            tables,
        }
    }

    /// Makes an engine with these options and opens its tables.
    pub fn engine(&self) -> Result<Engine> {
        let wanted = self.engine.hash_mib as u64;
        if let Some(bytes) = default_memory_limit()
            && wanted > bytes >> 20
        {
            let free = bytes >> 20;
            bail!("Hash cannot be {wanted} MiB: only {free} MiB of memory are free");
        }
        let tables = self.tables.open(self.rules)?;
        Ok(Engine::new(self.rules, Some(Arc::new(tables)), self.engine))
    }

    /// Sets an option; its name is case-insensitive. Returns whether a new engine is
    /// needed.
    pub fn set(&mut self, name: &str, value: &str) -> Result<bool> {
        match name.to_lowercase().as_str() {
            "hash" => self.engine.hash_mib = parse_hash(value).map_err(Error::msg)?,
            "threads" => self.engine.threads = parse_threads(value).map_err(Error::msg)?,
            "tablememory" => {
                let mib: u32 = value.parse().map_err(|_| {
                    anyhow!("TableMemory must be a whole number of MiB from 0 to {MAX_TABLE_MEMORY}")
                })?;
                if mib > MAX_TABLE_MEMORY {
                    bail!("TableMemory must be at most {MAX_TABLE_MEMORY} MiB");
                }
                self.engine.table_memory = u64::from(mib) << 20;
            }
            "tablepath" => {
                self.tables = match value {
                    "" | EMPTY => self.initial_tables.clone(),
                    folder => ProbeFolderArgs::at(PathBuf::from(folder)),
                }
            }
            "rules" => self.rules = value.parse()?,
            "ponder" => {
                self.ponder = match value {
                    "true" => true,
                    "false" => false,
                    _ => bail!("Ponder must be true or false"),
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
        let folders = self.tables.names();
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
        ]
    }
}

/// The most memory for tables, in MiB.
const MAX_TABLE_MEMORY: u32 = 1 << 20;

/// The protocol's notation for an empty string.
const EMPTY: &str = "<empty>";

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> Options {
        let tables = ProbeFolderArgs::at("/no/such/folder".into());
        Options::new(Ruleset::AWARI, tables, EngineOptions::default())
    }

    #[test]
    fn option_lines_show_the_settings() {
        let mut options = options();
        for (name, value) in [
            ("Hash", "16"),
            ("threads", "2"),
            ("TABLEPATH", "some folder"),
            ("Rules", "oware+illegal+required+owner+even"),
            ("Ponder", "false"),
        ] {
            options.set(name, value).unwrap();
        }
        assert_eq!(
            options.lines(),
            [
                "option name Hash type spin default 16 min 1 max 65536",
                "option name Threads type spin default 2 min 1 max 1024",
                "option name TablePath type string default some folder",
                "option name Rules type string default oware+illegal+required+owner+even",
                "option name Ponder type check default false",
            ]
        );
        options.set("TablePath", "<empty>").unwrap();
        assert!(options.lines()[2].ends_with("default /no/such/folder"));
    }

    #[test]
    fn bad_settings_are_rejected() {
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
            ("Rules", "awri", "there is no ruleset 'awri'"),
            ("Ponder", "maybe", "Ponder must be true or false"),
            ("OwnBook", "true", "there is no option 'OwnBook'"),
        ] {
            let why = options().set(name, value).unwrap_err().to_string();
            assert!(why.starts_with(part), "{why}");
        }
        let why = options().engine().err().unwrap().to_string();
        assert!(why.contains("/no/such/folder"), "{why}");
    }
}
