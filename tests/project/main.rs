//! The rules of the code base.

mod layout;
mod lists;
mod modules;
mod names;
