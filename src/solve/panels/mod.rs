//! What a pass over a section computes at a time, and how it reads the children.
//!
//! A section is divided into *chunks* of neighbouring lines, one for a thread at a
//! time, and a chunk into *panels* of 64 mover's rows (`chunk`, `panel`). The lines
//! that a panel's moves lead to are read in place or, where they are spilled, gathered
//! beforehand (`children`).

mod children;
mod chunk;
mod panel;

pub(super) use children::{Children, LinePart, Reach, SectionReader};
pub(super) use chunk::{Chunk, ChunkRuns, PANEL_HEIGHT, panel_rows};
pub(super) use panel::Panel;
