//! What the solver keeps: entries, arrays of them in memory or in spill files, and
//! the memory that they may take.

mod array;
mod budget;
mod entry;
mod spill;

pub use array::LayerArray;
pub(super) use budget::{
    CHANGES_PER_BATCH, MemoryBudget, PREDECESSOR_BYTES, ROW_MOVES_BYTES, gather_bytes,
    program_bytes, working_set_bytes, worklist_bytes, worklist_capacity,
};
pub use budget::{memory_needed, memory_to_import, memory_wanted};
pub use entry::Value;
pub(super) use entry::{DistanceKey, Entry};
pub use spill::{SpillEntry, SpillError};
