//! `krou engine` over its protocol, as another program uses it.

mod analysis;
mod commands;
mod document;
mod games;
mod limits;
mod options;
mod process;
mod searches;
