//! The rules of the code base, and the figures of documents that a script computes.

mod layout;
mod modules;
mod names;
mod scaling;
