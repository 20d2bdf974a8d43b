//! The rules of the code base, and the figures of documents that a script computes.

mod layout;
mod lists;
mod modules;
mod names;
mod scaling;
