//! Tables on disk: one file for one layer of one ruleset, read piece by piece.
//!
//! - [`TableId`]: which table: a [`Ruleset`](crate::rules::Ruleset), a layer,
//!   and a [`Kind`] of content.
//! - [`write()`]: packs [`Entries`] into a [`PendingTable`], which
//!   [`PendingTable::publish`] puts in its place, whole or not at all.
//! - [`Table`]: an open table. Opening checks everything but the blocks;
//!   each [`Piece`] is checked whenever it is decoded.
//! - [`TableError`]: which file, and the [`Fault`] in it.
//!
//! Entries follow [`LayerIndex`](crate::index::LayerIndex), one byte each in
//! each plane. In this folder one sees the life of a byte:
//!
//! 1. layout: where entries lie in a file (`shape`, `format`, `numbers`,
//!    `directory`);
//! 2. codec: how they are packed, one after another (`runs`) or in tiles
//!    (`packed`, which `docs/codec.md` explains);
//! 3. writer: from [`Entries`] to a file in its place (`entries`, `pack`,
//!    `writer`, `partial`, `lock`);
//! 4. reader: from a file to entries again (`reader`, `bulk`, `in_place`);
//! 5. source: where a file's bytes come from (`source`, `positioned`, `mmap`).
//!
//! `docs/format.md` is the description of the bytes; the code follows it.
//!
//! ```
//! use krou::index::LayerIndex;
//! use krou::rules::Ruleset;
//! use krou::table::{Codec, Kind, Table, TableId, write};
//!
//! let folder = tempfile::tempdir()?;
//! let id = TableId { rules: Ruleset::AWARI, seeds: 2, kind: Kind::Distance };
//! let entries = vec![7_u8; usize::try_from(LayerIndex::new(id.rules, id.seeds).len())?];
//! let pending = write(folder.path(), id, &[&entries], &Codec::Raw.into(), &|_| ())?;
//! let path = pending.publish()?;
//! assert!(path.ends_with("awari-02.distance.krou"));
//!
//! let table = Table::open(&path)?.expect(id)?;
//! assert_eq!(table.entries(), 78);
//! let mut entries = [0; 78];
//! table.read(0, 0, &mut entries)?;
//! assert_eq!(entries, [7; 78]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(clippy::cast_possible_truncation)]

mod bulk;
mod directory;
mod entries;
mod error;
mod format;
mod id;
mod in_place;
mod lock;
mod mmap;
mod numbers;
mod pack;
mod packed;
mod partial;
mod positioned;
mod reader;
mod runs;
mod shape;
mod source;
mod writer;

pub use entries::Entries;
pub use error::{BlockFault, Fault, TableError};
pub use id::{Codec, Kind, TableId};
pub use lock::FolderLock;
pub(crate) use numbers::id_to_bytes;
pub use pack::WriteOptions;
pub(crate) use partial::Partial;
pub(crate) use positioned::{read_at, write_at};
pub use reader::{Piece, Table};
pub use shape::{MAX_BLOCK_ENTRIES, MAX_BLOCK_TILES};
pub use writer::{PendingTable, write};
