//! Writing: from entries to a file under its final name.
//!
//! - [`atomic_file`]: files that appear whole or not at all;
//! - [`folder_lock`]: one writer in a folder;
//! - [`pack`]: the bytes of a whole table;
//! - [`writer`]: a table in a file.

mod atomic_file;
mod folder_lock;
mod pack;
mod writer;

pub(crate) use atomic_file::{Partial, create_folder_synced};
pub use folder_lock::FolderLock;
pub use pack::WriteOptions;
pub use writer::{PendingTable, write};
