//! The option that limits memory for commands that read whole layers.

use std::path::Path;

use clap::Args;
use krou::solve::{default_memory_limit, parse_memory};
use krou::tablebase::Tablebase;

use crate::files::folder_of;

/// How much memory to use.
#[derive(Args, Clone, Debug)]
pub struct MemoryArgs {
    /// Memory limit, such as 8G [default: most of the free memory].
    ///
    /// The layer and those below it take one byte for each board, or three where
    /// there are bounds. Beyond the limit, layers spill to disk: next to the output
    /// file, or in the system's temporary folder.
    #[arg(long, short, value_name = "SIZE", value_parser = parse_memory, allow_hyphen_values = true)]
    memory: Option<u64>,
}

impl MemoryArgs {
    /// The tables with this limit. Layers spill next to `output` or, without one, in
    /// the system's temporary folder.
    pub fn limit(&self, tables: Tablebase, output: Option<&Path>) -> Tablebase {
        let folder = output.map(|file| folder_of(file).to_path_buf());
        match self.memory.or_else(default_memory_limit) {
            Some(bytes) => tables.with_memory(bytes, folder.unwrap_or_else(std::env::temp_dir)),
            None => tables,
        }
    }
}
