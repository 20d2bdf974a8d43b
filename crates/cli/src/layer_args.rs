//! The options of commands that read whole layers: their tables, and the memory for them.

use std::env;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use krou::tablebase::Tablebase;

use crate::args::MemoryArgs;
use crate::files::folder_of;
use crate::folder_args::FolderArgs;
use crate::messages::print_message;
use crate::rules_args::RulesArgs;
use crate::small_layers::solve_small;

/// The tables whose whole layers a command reads, and the memory for them.
#[derive(Args)]
pub struct LayerArgs {
    #[command(flatten)]
    pub memory: MemoryArgs,
    #[command(flatten)]
    pub folders: FolderArgs,
    #[command(flatten)]
    pub rules: RulesArgs,
}

impl LayerArgs {
    /// Runs a command on the layers up to `seeds` or, without a number, up to the highest that is
    /// there; small ones that are missing or damaged are solved. Layers spill next to `output` or,
    /// without one, in the system's temporary folder.
    pub fn run(
        &self,
        seeds: Option<u8>,
        output: Option<&Path>,
        command: impl FnOnce(&Tablebase) -> Result<ExitCode>,
    ) -> Result<ExitCode> {
        let sources = self.folders.sources(self.rules.ruleset()?);
        let mut tables = match seeds {
            Some(_) => sources.open()?,
            None => sources.embedded_layers().open()?,
        };
        let highest = seeds.or_else(|| tables.highest_layer());
        let note = highest.and_then(|_| solve_small(&self.folders, &mut tables, highest));
        let folder = output.map_or_else(env::temp_dir, |file| folder_of(file).to_path_buf());
        let tables = match self.memory.limit() {
            Some(bytes) => tables.with_memory(bytes, folder),
            None => tables,
        };
        let done = self.folders.run(&tables, command)?;
        if let Some(note) = note {
            print_message(&note);
        }
        Ok(done)
    }
}
