//! The tables of every ruleset, from the folders that the options name.

use anyhow::Result;
use krou::answers::TableSet;

use crate::folder_args::FolderArgs;
use crate::messages::{print_message, with_causes};

/// Opens the tables of all rulesets. Damaged ones are reported and count as missing.
pub fn open(tables: &FolderArgs) -> Result<TableSet> {
    TableSet::open(|rules| {
        let opened = tables.open_despite_damage(rules)?;
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
    match listed.is_empty() {
        true => "without tables".to_owned(),
        false => format!("with tables of {}", listed.join(", ")),
    }
}
