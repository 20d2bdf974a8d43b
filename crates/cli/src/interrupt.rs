//! Ctrl-C: long work ends in order, with what it has.

use std::fs;
use std::path::Path;
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};

/// The exit code after Ctrl-C, as shells count signals.
pub const INTERRUPTED: u8 = 130;

/// A flag that Ctrl-C sets, or another request to end. The second one ends the program at
/// once.
pub fn on_interrupt() -> Result<&'static AtomicBool> {
    static STOP: AtomicBool = AtomicBool::new(false);
    // What holds the terminal or a file is given back by the system.
    #[allow(clippy::exit)]
    let stop = || {
        if STOP.swap(true, Ordering::Relaxed) {
            exit(INTERRUPTED.into());
        }
    };
    ctrlc::set_handler(stop).context("cannot wait for signals")?;
    Ok(&STOP)
}

/// From now on Ctrl-C removes a temporary folder and ends the program.
#[allow(clippy::exit)]
pub fn remove_on_interrupt(folder: &Path) -> Result<()> {
    let folder = folder.to_owned();
    let end = move || {
        // What cannot be removed is in the system's temporary folder.
        let _ = fs::remove_dir_all(&folder);
        exit(INTERRUPTED.into());
    };
    ctrlc::set_handler(end).context("cannot wait for signals")
}
