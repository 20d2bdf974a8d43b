//! What only the program `krou`, the bindings and the tools of this workspace use: it may
//! change in any release.
//!
//! Its modules have the names of those in which the items are defined.

/// The tables of `awari` and `abapa`, with the default codec, that every build must
/// equal.
pub const MANIFEST: &str = include_str!("../data/manifest.csv");

#[cfg(feature = "engine")]
pub use crate::engine::search::{evaluate, network};
pub use crate::table::error::reason;
#[cfg(feature = "solve")]
pub use {
    crate::solve::checkpoint::remove_checkpoint,
    crate::solve::memory::{less_in_control_group, memory_wanted, system_bytes},
    crate::tablebase::whole::{exchange::npy_header, write::write_tables},
};

pub mod index {
    pub use crate::index::layer::{Location, OpponentRows};
    pub mod lexicographic {
        pub use crate::index::lexicographic::*;
    }
    pub mod row {
        pub use crate::index::row::*;
    }
}

pub mod ranges {
    pub use crate::ranges::{FileRange, InsertedRanges, Ranges, joined};
}

#[cfg(feature = "serde")]
pub mod remote {
    pub use crate::remote::{INDEX_NAME, IndexedTable, TableIndex};
}

pub mod rules {
    pub use crate::rules::board::row_seeds;
    pub use crate::rules::value::Quantity;
    pub use crate::sowing::SeedEvent;
}

pub mod table {
    pub use crate::table::codec::Unit;
    pub use crate::table::codec::flat::MAX_BLOCK_ENTRIES;
    pub use crate::table::codec::tiled::MAX_BLOCK_TILES;
    pub use crate::table::error::{BlockFault, Fault};
    #[cfg(feature = "solve")]
    pub use crate::table::write::{EntrySource, FolderLock, PendingTable, pack, write};
}

pub mod tablebase {
    pub use crate::tablebase::result::distance_of;
    pub use crate::tablebase::set::TableSet;
    #[cfg(feature = "solve")]
    pub use crate::tablebase::whole::{
        build::build_on,
        error::ExchangeError,
        exchange::{Difference, ExportFormat, ScoreComparison},
        loader::Loader,
        repack::{RepackOptions, Repacked, repack},
        stats::{BoundsCounts, CountedBoards, Counter, Counts, RecordBoard},
        verify::{Assurance, BoardCheck, Verdict, VerifyOptions, WrongEntry},
    };
}

#[cfg(feature = "solve")]
pub mod solve {
    pub use crate::solve::array::LayerArray;
    pub use crate::solve::entry::{ArrayEntry, Value};
    pub use crate::solve::import::Coverage;
    pub use crate::solve::layer::{Layer, LayerBounds};
    pub use crate::solve::memory::{ParseMemoryError, memory_needed, parse_memory};
    pub use crate::solve::observer::Meter;
    pub use crate::solve::ranks::{Alone, Message, Ranks, ThreadRanks};
    #[cfg(feature = "mpi")]
    pub use crate::solve::ranks::{Mpi, MpiError};
    pub use crate::solve::solver::Solver;
    pub mod certificate {
        pub use crate::solve::certificate::*;
    }
    pub mod reference {
        pub use crate::solve::reference::*;
    }
}

#[cfg(feature = "engine")]
pub mod engine {
    pub use crate::engine::level::{Level, ParseLevelError};
    pub use crate::engine::opponent::{Opponent, Style};
    pub use crate::engine::record::Record;
    pub use crate::engine::review::{
        Forecast, PlayerReview, PlayerReviews, ReviewedMove, ReviewedPosition, Reviewer,
        key_moments,
    };
    pub use crate::engine::search::SlicedSearch;
    pub use crate::engine::sentences::{ending_sentence, result_sentence};
}

#[cfg(feature = "engine")]
pub mod ogn {
    pub use crate::ogn::*;
}
