//! `krou serve` as programs and browsers use it: the real binary on a free loopback port, over
//! plain sockets.
#![cfg(feature = "server")]

mod access;
mod analysis;
mod answers;
mod errors;
#[path = "../../../../tests/support/files.rs"]
mod files;
mod games;
#[path = "../../../../tests/support/host.rs"]
mod host;
mod hostile;
mod hosts;
mod openapi;
mod operations;
mod page;
mod process;
#[path = "../support/program.rs"]
mod program;
#[path = "../support/random.rs"]
mod random;
mod review;
mod rooms;
mod support;
mod table_memory;
mod uploads;
