//! The functions of the header, by topic. Each reads its arguments, calls the library, and
//! writes the answer.

pub mod boards;
pub mod build;
pub mod engine;
pub mod library;
pub mod many;
pub mod rules;
pub mod stop;
pub mod tablebase;
#[cfg(test)]
mod tests;
