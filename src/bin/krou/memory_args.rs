//! The option that says how much memory whole layers may take.

use std::path::Path;

use clap::Args;
use krou::tablebase::Tablebase;

use crate::value_parsers::parse_size;
use crate::system::memory_to_use;

/// How much memory may be used.
#[derive(Args, Clone, Debug)]
pub struct MemoryArgs {
    /// The most memory to use, such as 8G [default: most of what is free].
    ///
    /// The layer and those below it are held, a byte for each board, or three where
    /// there are bounds. What does not fit is kept in scratch files: beside the
    /// file that is written, else in the system's folder for such.
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_hyphen_values = true)]
    memory: Option<u64>,
}

impl MemoryArgs {
    /// The tables with this limit, and scratch files beside a file or, without one,
    /// in the system's temporary folder.
    pub fn limit(&self, tables: Tablebase, beside: Option<&Path>) -> Tablebase {
        let folder = beside.map(|file| match file.parent() {
            Some(folder) if folder != Path::new("") => folder.to_path_buf(),
            _ => ".".into(),
        });
        match self.memory.or_else(memory_to_use) {
            Some(bytes) => tables.with_memory(bytes, folder.unwrap_or_else(std::env::temp_dir)),
            None => tables,
        }
    }
}
