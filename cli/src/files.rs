//! Saved games, and files that appear when they are complete.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use krou::engine::{Record, SavedGame};
use krou::rules::Ruleset;
use tempfile::Builder;

use crate::messages::one_line;

/// The folder that a file is in.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Writes a file, which appears when it is complete, with the usual permissions. A file that
/// is there is kept, as an error, unless `overwrite` is set.
pub fn write_whole(path: &Path, bytes: &[u8], overwrite: bool) -> io::Result<()> {
    let mut builder = Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let file = builder.prefix(".krou-").tempfile_in(folder_of(path));
    let mut file = file.map_err(without_path)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    let named = if overwrite {
        file.persist(path)
    } else {
        file.persist_noclobber(path)
    };
    named.map(|_| ()).map_err(|error| error.error)
}

/// The system's error without the name of the temporary file.
fn without_path(error: io::Error) -> io::Error {
    error
        .raw_os_error()
        .map_or(error, io::Error::from_raw_os_error)
}

/// Reads a saved game of limited size. Its rules are `rules` unless it names others.
pub fn read_game(text: impl Read, rules: Ruleset) -> Result<SavedGame> {
    let mut bytes = Vec::new();
    let limit = SavedGame::MAX_BYTES as u64 + 1;
    text.take(limit).read_to_end(&mut bytes)?;
    if bytes.len() > SavedGame::MAX_BYTES {
        bail!("it has more than {} bytes", SavedGame::MAX_BYTES);
    }
    let text = String::from_utf8(bytes).map_err(|_| anyhow!("it is not UTF-8 text"))?;
    Ok(SavedGame::parse(&text, rules)?)
}

/// Saves a game. The file appears when it is complete; an existing file is kept unless
/// `overwrite` is set.
pub fn save_game(game: &SavedGame, path: &Path, overwrite: bool) -> Result<()> {
    let name = one_line(&path.display().to_string());
    match fs::symlink_metadata(path) {
        Ok(_) if !overwrite => bail!("{name} exists: 's! {name}' overwrites it"),
        Ok(found) if !found.is_file() => bail!("{name} is not a regular file"),
        _ => {}
    }
    let written = write_whole(path, game.to_string().as_bytes(), overwrite);
    written.with_context(|| format!("{name} cannot be written"))
}

/// Loads a game. Its rules are `rules` unless it names others.
pub fn load_game(path: &Path, rules: Ruleset) -> Result<Record> {
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
