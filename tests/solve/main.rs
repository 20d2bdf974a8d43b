//! The solver from outside: against the reference solver, published results and
//! its own promises about memory, checkpoints and proofs.

mod certificate;
mod checkpoint;
mod memory;
mod published;
mod reference;
