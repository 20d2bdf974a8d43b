//! Games kept in files, as the library writes and reads them.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use krou::engine::{Record, SavedGame};
use krou::rules::Ruleset;

use crate::files::{folder_of, read_game, unnamed};
use crate::one_line;

/// Writes a game. The file gets its name when it is complete; one that is there goes
/// only if it may.
pub fn save(game: &SavedGame, path: &Path, over: bool) -> Result<()> {
    let name = one_line(&path.display().to_string());
    match fs::symlink_metadata(path) {
        Ok(_) if !over => bail!("{name} is there already: 's! {name}' writes over it"),
        Ok(there) if !there.is_file() => bail!("{name} is not a plain file"),
        _ => {}
    }
    let write = || -> io::Result<()> {
        let mut file = unnamed(folder_of(path))?;
        file.write_all(game.to_string().as_bytes())?;
        file.as_file().sync_all()?;
        let named = match over {
            true => file.persist(path),
            false => file.persist_noclobber(path),
        };
        named.map(|_| ()).map_err(|error| error.error)
    };
    write().with_context(|| format!("{name} cannot be written"))
}

/// Reads a game; where it does not tell its ruleset, it is `rules`.
pub fn load(path: &Path, rules: Ruleset) -> Result<Record> {
    let name = one_line(&path.display().to_string());
    let read = || -> Result<Record> {
        // A pipe might never end, or never begin.
        if !fs::metadata(path)?.is_file() {
            bail!("it is not a plain file");
        }
        Ok(read_game(File::open(path)?, rules)?.into_record())
    };
    read().with_context(|| format!("{name} cannot be read as a game"))
}
