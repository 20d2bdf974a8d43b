//! The functions of the header, by topic. Each reads its arguments, calls the library, and
//! writes the answer.

pub mod boards;
#[cfg(feature = "full")]
pub mod build;
#[cfg(feature = "full")]
pub mod engine;
pub mod library;
pub mod many;
pub mod rules;
#[cfg(feature = "full")]
pub mod stop;
pub mod tablebase;
#[cfg(all(test, feature = "full"))]
mod tests;
