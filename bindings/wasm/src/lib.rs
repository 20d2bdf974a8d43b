//! The answers of krou in a worker of a browser: `krou_answers`, as JSON text.
//!
//! - `endpoints`: answers by path and parameters, as the server's;
//! - `searches`: analyses and reviews, told while they go on;
//! - `many`: results of many boards in one call;
//! - `build`: solving layers into tables in memory;
//! - `remote`: tables on a web host, whose bytes JavaScript fetches;
//! - `json`: text in both directions.
//!
//! It is compiled twice: the page loads `krou-probe.wasm` first, which has no `searches`, no
//! `build` and no opponents, and `krou.wasm` with all of it later. Both get the same tables,
//! which are in a file of their own.
//!
//! A worker has one thread. A search or a layer occupies it until its end: the page stops
//! one by ending the worker. Errors are thrown as the JSON text of an error answer.

#[cfg(feature = "full")]
mod build;
mod endpoints;
mod json;
mod many;
mod remote;
#[cfg(feature = "full")]
mod searches;

use wasm_bindgen::prelude::wasm_bindgen;

/// The most seeds that the page offers to solve: more would take too long in one thread.
const MAX_BUILD_SEEDS: u8 = 14;

/// The most seeds that a `Build` solves.
#[wasm_bindgen]
pub fn max_build_seeds() -> u8 {
    MAX_BUILD_SEEDS
}

/// The program and its version. A test of the program looks for this text in the module
/// that it embeds.
#[wasm_bindgen]
pub fn version() -> String {
    concat!("krou-wasm ", env!("CARGO_PKG_VERSION")).to_owned()
}
