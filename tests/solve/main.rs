//! The solver through the public API: compared with the reference solver and with published
//! results, and tested for memory budgets, checkpoints and certificates.

mod certificate;
mod checkpoint;
mod loops;
mod memory;
mod occurrences;
mod published;
mod ranks;
mod reference;
#[path = "../support/threads.rs"]
mod threads;
