//! The tables of every ruleset, from the folders that the options name.

use std::sync::atomic::AtomicBool;

use krou::table::Kind;
use krou::tablebase::TableSet;

use tracing::error;

use super::Server;
use crate::messages::with_causes;

/// A summary of the tables.
pub fn summary(tables: &TableSet) -> String {
    let listed = tables.listed().filter_map(|tables| {
        let seeds = tables.layers().highest()?;
        let is_missing = |layer: &u8| tables.table(*layer, Kind::Value).is_none();
        let missing: Vec<String> = (0..seeds)
            .filter(is_missing)
            .map(|layer| layer.to_string())
            .collect();
        let except = if missing.is_empty() {
            String::new()
        } else {
            format!(" except {}", missing.join(" and "))
        };
        Some(format!("{} up to {seeds} seeds{except}", tables.rules()))
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
        if let Err(error) = tables.make_resident(left, &AtomicBool::new(false), &|_| ()) {
            // Probes read the tables of these layers.
            error!("{}", with_causes(&error));
        }
        left = left.saturating_sub(tables.resident_bytes());
        let used = (bytes - left).cast_signed();
        server.metrics.table_memory.set(used);
    }
}
