//! The rules of the code base.

mod layout;
mod modules;
