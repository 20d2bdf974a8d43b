//! The engine as a library.

mod ogn;
