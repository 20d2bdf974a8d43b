//! Saving and loading games.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use krou::engine::{Record, SavedGame};
use krou::rules::Ruleset;

use crate::files::{folder_of, read_game, temporary};
use crate::messages::one_line;

/// Saves a game. The file appears when it is complete; an existing file is kept unless
/// `overwrite` is set.
pub fn save(game: &SavedGame, path: &Path, overwrite: bool) -> Result<()> {
    let name = one_line(&path.display().to_string());
    match fs::symlink_metadata(path) {
        Ok(_) if !overwrite => bail!("{name} exists: 's! {name}' overwrites it"),
        Ok(found) if !found.is_file() => bail!("{name} is not a regular file"),
        _ => {}
    }
    let write = || -> io::Result<()> {
        let mut file = temporary(folder_of(path)).map_err(without_path)?;
        file.write_all(game.to_string().as_bytes())?;
        file.as_file().sync_all()?;
        let named = match overwrite {
            true => file.persist(path),
            false => file.persist_noclobber(path),
        };
        named.map(|_| ()).map_err(|error| error.error)
    };
    write().with_context(|| format!("{name} cannot be written"))
}

/// The system's error without the name of the temporary file.
fn without_path(error: io::Error) -> io::Error {
    error
        .raw_os_error()
        .map_or(error, io::Error::from_raw_os_error)
}

/// Loads a game. Its rules are `rules` unless it names others.
pub fn load(path: &Path, rules: Ruleset) -> Result<Record> {
    let name = one_line(&path.display().to_string());
    let read = || -> Result<Record> {
        // A pipe might block.
        if !fs::metadata(path)?.is_file() {
            bail!("it is not a regular file");
        }
        Ok(read_game(File::open(path)?, rules)?.into_record())
    };
    read().with_context(|| format!("{name} cannot be read as a game"))
}
