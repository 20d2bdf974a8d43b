//! Building tables layer after layer.
//!
//! - `options`: what to build, and what can go wrong;
//! - `layer`: one layer, solved or imported, and the planes of its tables;
//! - `folder`: a folder of tables, each written whole;
//! - `memory`: tables in memory.

mod folder;
mod layer;
mod memory;
mod options;

pub use folder::{build, build_on, write_tables};
pub(super) use folder::{lock, survey};
pub use memory::LayerBuilder;
pub use options::{BuildError, BuildObserver, BuildOptions};
