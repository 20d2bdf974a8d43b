//! `krou serve` as programs and browsers use it: the real binary on a free port of the
//! loopback, over plain sockets.
#![cfg(feature = "server")]

mod answers;
mod games;
mod hostile;
mod page;
mod process;
#[path = "../support/program.rs"]
mod program;
#[path = "../support/random.rs"]
mod random;
mod refusals;
mod support;
