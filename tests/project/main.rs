//! The rules of the code base itself.

mod layout;
mod modules;
