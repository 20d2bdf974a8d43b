//! `krou engine` over its protocol, as another program uses it.

mod commands;
mod document;
mod games;
mod kgp;
mod options;
pub mod process;
mod searches;
