//! Tables on disk: one file for one layer of one ruleset, read tile by tile.
//!
//! - [`TableId`]: which table: a [`Ruleset`](crate::rules::Ruleset), a layer,
//!   and a [`Kind`] of content.
//! - `write`: packs the entries of an `EntrySource` into a `PendingTable`, which
//!   `PendingTable::publish` gives its final name, whole or not at all; `pack` packs them in
//!   memory.
//! - [`Table`]: an open table. Opening checks everything but the blocks; each tile is checked
//!   when it is decoded.
//! - [`TableError`]: which file, and what is wrong with it.
//!
//! Entries follow [`LayerIndex`](crate::index::LayerIndex), one byte each in each
//! plane. The modules; each uses only those before it:
//!
//! 1. `id`, `entries`, `error`: what a table is, which entries are possible, and what can
//!    be wrong;
//! 2. `codec`: how entries are cut into blocks, and blocks decoded: flat or in tiles, which
//!    `docs/internals/codec.md` explains;
//! 3. `format`: where the parts of a file are, and its header;
//! 4. `read`: from a file's bytes to entries;
//! 5. `write`: from entries to a file. It takes the feature `solve`;
//! 6. `manifest`: which tables a build writes; `table_index`: which a web host has.
//!
//! `docs/format.md` describes the bytes and is normative for the code.
//!
//! ```
//! use krou::index::LayerIndex;
//! use krou::rules::Ruleset;
//! use krou::table::{Codec, Kind, Table, TableId};
//! use krou::internal::table::write;
//!
//! let folder = tempfile::tempdir()?;
//! let id = TableId { rules: Ruleset::AWARI, seeds: 2, kind: Kind::Distance };
//! let entries = vec![7_u8; usize::try_from(LayerIndex::new(id.rules, id.seeds).len())?];
//! let pending = write(folder.path(), id, &[&entries], &Codec::Raw.into(), &|_| Ok(()))?;
//! let path = pending.publish()?;
//! assert!(path.ends_with("awari-02.distance.krou"));
//!
//! let table = Table::open(&path)?.require(id)?;
//! assert_eq!(table.entries(), 78);
//! let mut entries = [0; 78];
//! table.read(0, 0, &mut entries)?;
//! assert_eq!(entries, [7; 78]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(clippy::cast_possible_truncation)]

pub(crate) mod codec;
mod entries;
pub(crate) mod error;
#[cfg(any(feature = "remote", feature = "solve"))]
pub(crate) mod folder;
mod format;
mod id;
#[cfg(any(feature = "remote", feature = "solve"))]
pub(crate) mod manifest;
mod read;
#[cfg(feature = "serde")]
mod table_index;
#[cfg(feature = "solve")]
pub(crate) mod write;

pub use codec::Codec;
pub(crate) use error::Fault;
pub use error::{Stopped, TableError, reason};
#[cfg(any(feature = "remote", feature = "solve"))]
pub use folder::table_files;
pub(crate) use format::{HEADER_LEN, id_to_bytes};
pub use id::{Kind, TableId};
pub use read::Table;
#[cfg(feature = "serde")]
pub use table_index::{INDEX_NAME, IndexedTable, TableIndex};
#[cfg(feature = "solve")]
pub use write::WriteOptions;
#[cfg(feature = "solve")]
pub(crate) use write::{EntrySource, PendingTable, pack, write};
