//! Layers in the formats of other programs, compared board by board with probe results and
//! with simple readers of the formats.

mod boards;
mod files;
mod scores;
mod support;
