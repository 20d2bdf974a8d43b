//! What tests, fuzz targets and the developers' tools use beside the API: it may change in any
//! release.

#[cfg(any(feature = "engine", feature = "solve"))]
pub mod cpu {
    pub use crate::cpu::Registers;
}

pub mod index {
    pub use crate::index::layer::{Location, OpponentRows};
    pub mod lexicographic {
        pub use crate::index::lexicographic::*;
    }
    pub mod row {
        pub use crate::index::row::*;
    }
}

pub mod table {
    pub use crate::table::codec::DecodedTile;
    pub use crate::table::codec::flat::MAX_BLOCK_ENTRIES;
    pub use crate::table::codec::tiled::MAX_BLOCK_TILES;
    pub use crate::table::error::{BlockFault, Fault};
    #[cfg(any(feature = "remote", feature = "solve"))]
    pub mod manifest {
        pub use crate::table::manifest::{Manifest, ManifestMatch, hash_of, text};
    }
    #[cfg(feature = "solve")]
    pub use crate::table::{
        folder::FolderLock,
        write::{EntrySource, PendingTable, pack, write},
    };
}

#[cfg(feature = "solve")]
pub mod solve {
    pub use crate::solve::import::Coverage;
    pub use crate::solve::ranks::{Message, ThreadRanks};
    pub mod certificate {
        pub use crate::solve::certificate::*;
    }
    pub mod reference {
        pub use crate::solve::reference::*;
    }
}

#[cfg(feature = "engine")]
pub mod engine {
    pub use crate::engine::search::{evaluate, network};
}
