//! The tablebase as a library: probing, building, verifying, repacking and
//! exchanging tables.

mod downloads;
mod embedded;
mod exchange;
#[path = "../support/files.rs"]
mod files;
mod first_move;
#[path = "../support/host.rs"]
mod host;
mod mapped;
mod old_tables;
mod probing;
mod remote;
mod repack;
mod resident;
mod slow_hosts;
mod sources;
mod support;
#[path = "../support/threads.rs"]
mod threads;
mod wrong_entries;
