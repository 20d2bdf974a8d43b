//! The tablebase as a library: probing, building, verifying, repacking and
//! exchanging tables.

mod embedded;
mod exchange;
mod mapped;
mod probing;
mod repack;
mod sources;
mod wrong_entries;
