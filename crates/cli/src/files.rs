//! Saved games, and files that appear when they are complete.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use krou::ogn::{GameDefaults, ReadGameError, SavedGame, decode};
use tempfile::{Builder, TempDir};

use crate::messages::{one_line, print_message};

/// The folder that a file is in.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A folder that is removed when it is dropped, in the system's temporary folder.
pub fn temporary_folder() -> Result<TempDir> {
    Builder::new().prefix("krou-").tempdir().with_context(|| {
        let place = std::env::temp_dir();
        format!(
            "{} cannot be written to (set TMPDIR to use another folder)",
            place.display()
        )
    })
}

/// Writes a file, which appears when it is complete, with the usual permissions. A file that
/// is there is kept, as an error, unless `overwrite` is set.
pub fn write_whole(path: &Path, bytes: &[u8], overwrite: bool) -> io::Result<()> {
    let mut builder = Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    write_with(&mut builder, path, bytes, overwrite)
}

/// The same for a file that no other user may read or write.
pub fn write_private(path: &Path, bytes: &[u8], overwrite: bool) -> io::Result<()> {
    write_with(&mut Builder::new(), path, bytes, overwrite)
}

fn write_with(builder: &mut Builder, path: &Path, bytes: &[u8], overwrite: bool) -> io::Result<()> {
    let mut file = builder.prefix(".krou-").tempfile_in(folder_of(path))?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    let named = if overwrite {
        file.persist(path)
    } else {
        file.persist_noclobber(path)
    };
    named.map(|_| ()).map_err(|error| error.error)
}

/// Checks that an SVG file can be written, before the work begins.
pub fn check_picture(path: &Path) -> Result<()> {
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        let path = path.display();
        bail!("cannot write {path}: it is not a file, so name another one");
    }
    check_writable(path)
}

/// Checks that something can be written beside a path.
pub fn check_writable(path: &Path) -> Result<()> {
    // A file without a name: nothing is left if the program is interrupted.
    let written = tempfile::tempfile_in(folder_of(path)).map(|_| ());
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// Whether a folder is there and has files, which must not be overwritten by mistake.
pub fn has_entries(folder: &Path) -> Result<bool> {
    let shown = folder.display();
    match fs::read_dir(folder) {
        Ok(mut entries) => Ok(entries.next().is_some()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            bail!("{shown} is not a folder: name another one")
        }
        Err(error) => Err(error).with_context(|| format!("cannot read {shown}")),
    }
}

/// Writes a folder of files, which appears when it is complete. An empty folder is replaced.
pub fn write_folder(path: &Path, files: &[(String, Vec<u8>)]) -> io::Result<()> {
    let mut builder = Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
    let folder = builder.prefix(".krou-").tempdir_in(folder_of(path))?;
    for (name, bytes) in files {
        let mut file = File::create_new(folder.path().join(name))?;
        file.write_all(bytes)?;
        file.sync_all()?;
    }
    // Some systems rename to a free name only; whatever else is there fails below.
    let _ = fs::remove_dir(path);
    fs::rename(folder.path(), path)?;
    // Nothing is left to remove.
    let _ = folder.keep();
    Ok(())
}

/// Writes an SVG file, which appears when it is complete, or is overwritten.
pub fn write_picture(path: &Path, svg: &str) -> Result<()> {
    let written = write_whole(path, svg.as_bytes(), true);
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// The games of a text, each with its error if it has one.
pub type Games = Vec<Result<SavedGame, ReadGameError>>;

/// Reads the games of a text of limited size.
pub fn read_games(text: impl Read, defaults: GameDefaults) -> Result<Games> {
    let mut bytes = Vec::new();
    let limit = SavedGame::MAX_BYTES as u64 + 1;
    text.take(limit).read_to_end(&mut bytes)?;
    if bytes.len() > SavedGame::MAX_BYTES {
        bail!("it has more than {} bytes", SavedGame::MAX_BYTES);
    }
    Ok(SavedGame::parse_all(&decode(&bytes), defaults)?)
}

/// The game of this number, counted from 1; without a number, the only one.
pub fn pick_game(mut games: Games, number: Option<usize>) -> Result<SavedGame> {
    let count = games.len();
    let number = match number {
        None if count > 1 => bail!("it has {count} games: choose one with --game N"),
        None => 1,
        Some(number) if (1..=count).contains(&number) => number,
        Some(number) => bail!("it has no game {number}: there are {count}"),
    };
    Ok(games.swap_remove(number - 1)?)
}

/// Today's date in UTC as games have it, such as `2026.11.21`.
pub fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let days = since.map_or(0, |time| time.as_secs() / 86_400);
    // A year that begins in March has its leap day at the end; 400 years have 146,097 days.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    format!("{}.{month:02}.{day:02}", 400 * era + year + next)
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

/// Loads a game of a file.
pub fn load_game(path: &Path, defaults: GameDefaults, number: Option<usize>) -> Result<SavedGame> {
    let name = one_line(&path.display().to_string());
    let read = || -> Result<SavedGame> {
        // A pipe might block.
        if !fs::metadata(path)?.is_file() {
            bail!("it is not a regular file");
        }
        pick_game(read_games(File::open(path)?, defaults)?, number)
    };
    let game = read().with_context(|| format!("{name} cannot be read as a game"))?;
    for note in game.notes() {
        print_message(&format!("{name}: {note}"));
    }
    Ok(game)
}
