//! Layers in the formats of other programs, held against what a plain reading of
//! the formats and of the tables says, board by board.

mod boards;
mod files;
mod scores;
mod support;
