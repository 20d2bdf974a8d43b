//! The commands of `krou-lab`, with the real programs. Matches are played by `krou`, which
//! `cargo build` builds.

mod certainty;
mod checksums;
mod matches;
mod support;
