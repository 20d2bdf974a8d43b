//! The games of a match in a file, in the notation OGN.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use krou::ogn::SavedGame;

use super::game::{End, Played};

/// A file to which each game is added when it is over.
pub struct Archive {
    file: File,
    path: PathBuf,
    games: usize,
}

impl Archive {
    /// Creates the file, or empties one that is there.
    pub fn create(path: &Path) -> Result<Archive> {
        let file = File::create(path);
        Ok(Archive {
            file: file.with_context(|| format!("cannot create {}", path.display()))?,
            path: path.to_owned(),
            games: 0,
        })
    }

    /// Adds a game between South and North.
    pub fn add(&mut self, played: &Played, names: [&str; 2]) -> Result<()> {
        self.games += 1;
        let mut saved = SavedGame::new(played.record.clone());
        saved.set_tag("Event", "krou-lab match");
        saved.set_tag("Round", &self.games.to_string());
        saved.set_tag("South", names[0]);
        saved.set_tag("North", names[1]);
        saved.set_tag("Termination", &played.end.text());
        if let (End::Fault(..) | End::Length, Some(winner)) = (&played.end, played.winner) {
            saved.set_tag("Winner", &winner.to_string());
        }
        let separator = if self.games > 1 { "\n" } else { "" };
        write!(self.file, "{separator}{saved}")
            .and_then(|()| self.file.flush())
            .with_context(|| format!("cannot write {}", self.path.display()))
    }
}
