//! The command line as a contract, tested with the real binary: transcripts of what is text in and
//! text out, and code for processes, signals, hostile input, full disks, and comparison with the
//! library.

#[cfg(unix)]
mod analyse;
mod batch;
mod bench;
mod build;
#[cfg(target_os = "linux")]
mod build_refused;
mod checkpoint;
mod dataset;
mod engine;
mod export;
#[path = "../../../../tests/support/files.rs"]
mod files;
#[cfg(feature = "server")]
#[path = "../../../../fuzz/src/program.rs"]
mod fuzz;
#[cfg(feature = "server")]
mod fuzz_corpus;
#[path = "../../../../tests/support/host.rs"]
mod host;
mod hosts;
#[cfg(unix)]
mod interrupted;
#[cfg(target_os = "linux")]
mod memory;
#[cfg(unix)]
mod pipes;
mod play;
mod probe;
#[path = "../support/program.rs"]
mod program;
mod puzzle_claim;
mod puzzle_finder;
mod puzzle_sets;
mod puzzles;
mod query;
#[path = "../support/random.rs"]
mod random;
mod repack;
mod review;
mod rules;
mod site;
mod stats;
mod support;
mod svg;
#[cfg(target_os = "linux")]
mod threads;
#[cfg(target_os = "linux")]
mod transcripts;
mod usage;
mod vectors;
mod verify;
mod verify_report;
