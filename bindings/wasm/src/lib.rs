//! The answers of krou in a worker of a browser: `krou::answers`, as JSON text.
//!
//! - `endpoints`: answers by path and parameters, as the server's;
//! - `searches`: analyses and reviews, told while they go on;
//! - `build`: solving layers into tables in memory;
//! - `json`: text in both directions.
//!
//! A worker has one thread. A search or a layer occupies it until its end: the page stops
//! one by ending the worker. Errors are thrown as the JSON text of an error answer.

mod build;
mod endpoints;
mod json;
mod searches;

use wasm_bindgen::prelude::wasm_bindgen;

/// The program and its version. A test of the program looks for this text in the module
/// that it embeds.
#[wasm_bindgen]
pub fn version() -> String {
    concat!("krou-wasm ", env!("CARGO_PKG_VERSION")).to_owned()
}
