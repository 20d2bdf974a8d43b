//! The option that holds layers of tables in memory for commands that probe many boards.

use std::sync::atomic::AtomicBool;

use anyhow::Result;
use clap::Args;
use krou::tablebase::Tablebase;

use crate::layer_bar::LayerBar;
use crate::value_parsers::parse_table_memory_size;

/// How much memory layers may take.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Tables")]
pub struct TableMemoryArgs {
    /// Memory for tables that are loaded whole, such as 200M or 2G; a number alone is in
    /// MiB.
    ///
    /// It pays with many boards: they are probed faster, but all layers that fit, from 0
    /// seeds on, are read first. A board takes one byte, or two where there are bounds
    /// with more than 21 seeds. While they are loaded, two to four times as much is in use.
    #[arg(
        long = "table-memory", value_name = "SIZE", default_value = "0",
        value_parser = parse_table_memory_size, allow_hyphen_values = true
    )]
    bytes: u64,
}

impl TableMemoryArgs {
    /// Bytes for layers in memory.
    #[cfg(feature = "server")]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Loads the layers that fit. Ctrl-C ends the program.
    pub fn load(&self, tables: &Tablebase) -> Result<()> {
        if let Some(highest) = tables.layers_within(self.bytes).checked_sub(1) {
            let bar = LayerBar::new("loading", highest, tables.boards_up_to(highest));
            tables.make_resident_observed(self.bytes, &AtomicBool::new(false), &bar)?;
        }
        Ok(())
    }
}
