//! The tables of every ruleset, from the folders that the options name.

use std::sync::atomic::AtomicBool;

use anyhow::Result;
use krou::answers::TableSet;

use super::{Server, access_log};
use crate::folder_args::FolderArgs;
use crate::messages::{print_message, with_causes};

/// Opens the tables of all rulesets. Damaged ones are reported and count as missing.
pub fn open(folders: &FolderArgs) -> Result<TableSet> {
    TableSet::open(|rules| {
        let opened = folders.open_despite_damage(rules)?;
        for error in opened.damaged_tables() {
            print_message(&format!(
                "warning: {} is not served: check the folder with 'krou verify'",
                with_causes(error)
            ));
        }
        Ok(opened)
    })
}

/// A summary of the tables.
pub fn summary(tables: &TableSet) -> String {
    let listed = tables.listed().filter_map(|tables| {
        let seeds = tables.highest_layer()?;
        Some(format!("{} up to {seeds} seeds", tables.rules()))
    });
    let listed: Vec<String> = listed.collect();
    if listed.is_empty() {
        "without tables".to_owned()
    } else {
        format!("with tables of {}", listed.join(", "))
    }
}

/// Loads the layers of all rulesets that fit into `bytes`, one ruleset after the other, while
/// the server answers.
pub fn load(server: &Server, bytes: u64) {
    let mut left = bytes;
    for tables in server.tables.listed() {
        if let Err(error) = tables.make_resident(left, &AtomicBool::new(false)) {
            access_log::load_failure(&error);
        }
        left = left.saturating_sub(tables.resident_bytes());
        let used = (bytes - left).cast_signed();
        server.metrics.table_memory.set(used);
    }
}
