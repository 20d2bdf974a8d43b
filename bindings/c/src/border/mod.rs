//! What separates C from the library.
//!
//! - [`codes`]: the numbers that functions return, and failures: a number with its
//!   sentence.
//! - [`guard`]: runs a function so that no panic leaves it.
//! - [`last_error`]: the sentence of the last failure of each thread.
//! - [`pointers`]: reads and writes what the caller points to.
//! - [`text`]: the same for texts.

pub mod codes;
pub mod guard;
pub mod last_error;
pub mod pointers;
pub mod text;
