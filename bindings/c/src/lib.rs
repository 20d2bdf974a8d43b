//! krou for C, C++ and every language that calls C.
//!
//! `include/krou.h` is written from this crate: its comments are the documentation of
//! the functions. The modules, from the ground up:
//!
//! - [`border`]: pointers and texts that come from C, panics that must not reach it,
//!   and the message of the last error.
//! - [`objects`]: what the handles of the header stand for.
//! - [`types`]: the structs of the header, made from those of the library.
//! - [`exports`]: the functions of the header. Each reads its arguments, calls the
//!   library, and writes the answer.
//!
//! Nothing here knows a rule of the game or the layout of a table: that is the
//! library's.

// Programs in Rust use the library itself: comments are for readers of the header.
#![allow(clippy::doc_markdown)]
#![allow(
    clippy::missing_errors_doc,
    clippy::missing_panics_doc,
    clippy::missing_safety_doc
)]
// The library for probing alone has no user of some of it.
#![cfg_attr(
    not(feature = "full"),
    allow(dead_code, unused_imports, unused_variables)
)]

pub mod border;
pub mod exports;
pub mod objects;
pub mod types;
