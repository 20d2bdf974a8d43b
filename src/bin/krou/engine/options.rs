//! What a program at the other end can set, and the engine that comes of it.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Error, Result, bail};
use krou::engine::{Engine, EngineOptions};
use krou::rules::Ruleset;

use crate::lines::shown;
use crate::one_line;
use crate::seeds::{MOST_HASH, MOST_THREADS, parse_hash, parse_threads};
use crate::system::memory_to_use;
use crate::tables_args::TablesArgs;

/// The options as they are set.
#[derive(Clone, Debug)]
pub struct Options {
    pub rules: Ruleset,
    /// Whether an answer names the reply that is expected.
    pub ponder: bool,
    engine: EngineOptions,
    tables: TablesArgs,
    /// Where the tables are unless another folder is set.
    first_tables: TablesArgs,
}

impl Options {
    /// The options as the command line has them.
    pub fn new(rules: Ruleset, tables: TablesArgs, engine: EngineOptions) -> Options {
        Options {
            rules,
            ponder: true,
            engine,
            first_tables: tables.clone(),
            tables,
        }
    }

    /// An engine with these options, and its tables.
    pub fn engine(&self) -> Result<Engine> {
        let wanted = self.engine.hash_mib as u64;
        if let Some(bytes) = memory_to_use()
            && wanted > bytes >> 20
        {
            let free = bytes >> 20;
            bail!("Hash cannot be {wanted} MiB: only {free} MiB of memory are free");
        }
        let tables = self.tables.open(self.rules)?;
        Ok(Engine::new(self.rules, Some(Arc::new(tables)), self.engine))
    }

    /// Sets an option; case does not matter in its name. Says whether that takes another
    /// engine.
    pub fn set(&mut self, name: &str, value: &str) -> Result<bool> {
        match name.to_lowercase().as_str() {
            "hash" => self.engine.hash_mib = parse_hash(value).map_err(Error::msg)?,
            "threads" => self.engine.threads = parse_threads(value).map_err(Error::msg)?,
            "tablepath" => {
                self.tables = match value {
                    "" | EMPTY => self.first_tables.clone(),
                    folder => TablesArgs::at(PathBuf::from(folder)),
                }
            }
            "rules" => self.rules = value.parse()?,
            "ponder" => {
                self.ponder = match value {
                    "true" => true,
                    "false" => false,
                    _ => bail!("Ponder is either true or false"),
                };
                return Ok(false);
            }
            _ => bail!("there is no option '{}'", shown(name)),
        }
        Ok(true)
    }

    /// The lines that tell of the options, with how they are set.
    pub fn lines(&self) -> Vec<String> {
        let spin = |name, value: usize, max: usize| {
            format!("option name {name} type spin default {value} min 1 max {max}")
        };
        let folder = one_line(&self.tables.folder().display().to_string());
        vec![
            spin("Hash", self.engine.hash_mib, MOST_HASH),
            spin("Threads", self.engine.threads, MOST_THREADS),
            format!("option name TablePath type string default {folder}"),
            format!("option name Rules type string default {}", self.rules),
            format!("option name Ponder type check default {}", self.ponder),
        ]
    }
}

/// How the protocol writes an empty text.
const EMPTY: &str = "<empty>";

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> Options {
        let tables = TablesArgs::at("/no/such/folder".into());
        Options::new(Ruleset::AWARI, tables, EngineOptions::default())
    }

    #[test]
    fn what_is_set_is_told() {
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
    fn what_cannot_be_set_is_told() {
        for (name, value, part) in [
            (
                "Hash",
                "0",
                "the memory of an engine is a whole number of MiB from 1 to 65536",
            ),
            ("Hash", "", "the memory of an engine"),
            ("Hash", "65537", "the memory of an engine"),
            (
                "Threads",
                "-1",
                "a number of threads is a whole number from 1 to 1024",
            ),
            ("Rules", "awri", "there is no ruleset 'awri'"),
            ("Ponder", "maybe", "Ponder is either true or false"),
            ("OwnBook", "true", "there is no option 'OwnBook'"),
        ] {
            let why = options().set(name, value).unwrap_err().to_string();
            assert!(why.starts_with(part), "{why}");
        }
        let why = options().engine().err().unwrap().to_string();
        assert!(why.contains("/no/such/folder"), "{why}");
    }
}
