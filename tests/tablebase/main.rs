//! The tablebase as a library: probing, building, verifying, repacking and
//! exchanging tables.

mod embedded;
mod exchange;
#[path = "../support/files.rs"]
mod files;
mod mapped;
mod probing;
mod repack;
mod resident;
mod sources;
mod support;
mod wrong_entries;
