//! Ctrl-C for commands that save what they have before they end.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};

/// Whether work is to stop, and whether Ctrl-C was the reason.
#[derive(Clone, Default)]
pub struct Interruption {
    stop: Arc<AtomicBool>,
    by_user: Arc<AtomicBool>,
}

impl Interruption {
    /// From now on Ctrl-C and SIGTERM stop the work instead of ending the program.
    pub fn handle() -> Result<Interruption> {
        let interruption = Interruption::default();
        let Interruption { stop, by_user } = interruption.clone();
        ctrlc::set_handler(move || {
            by_user.store(true, Ordering::Relaxed);
            stop.store(true, Ordering::Relaxed);
        })
        .context("cannot handle Ctrl-C")?;
        Ok(interruption)
    }

    /// Set by Ctrl-C; the work may set it for other reasons.
    pub fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    pub fn is_by_user(&self) -> bool {
        self.by_user.load(Ordering::Relaxed)
    }

    /// The exit code of the command: after Ctrl-C that of shells.
    pub fn exit_code(&self, otherwise: ExitCode) -> ExitCode {
        const INTERRUPTED: u8 = 130;
        match self.is_by_user() {
            true => ExitCode::from(INTERRUPTED),
            false => otherwise,
        }
    }
}
