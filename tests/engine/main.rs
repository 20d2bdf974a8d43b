//! The engine through the public API.

mod ogn;
mod signature;
