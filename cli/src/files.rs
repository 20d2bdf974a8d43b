//! Reading saved games with a size limit, and writing files atomically.

use std::io::{self, Read};
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use krou::engine::SavedGame;
use krou::rules::Ruleset;
use tempfile::{Builder, NamedTempFile};

/// The folder that a file is in.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A new temporary file with the usual permissions. It is removed unless it is
/// persisted under another name.
pub fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.prefix(".krou-").tempfile_in(folder)
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
