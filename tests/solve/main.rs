//! The solver from outside: against the reference solver, published results and its own
//! promises about memory, checkpoints and proofs.
#![cfg(feature = "cli")]

mod certificate;
mod checkpoint;
mod memory;
#[path = "../support/program.rs"]
mod program;
mod published;
mod reference;
