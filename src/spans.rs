//! Spans of the work on whole layers, for subscribers of the crate `tracing`.
//!
//! - `phase`: one phase of the work on a layer, such as its values. A phase within another
//!   one is part of it.
//! - `parallel`: work that is divided among threads, from its beginning until all of them
//!   have done their part.
//! - `task`: what one thread does of it at a time.
//!
//! Whatever a phase does outside of tasks, it does on one thread while the others wait.
//! `krou-lab trace` records all spans. Without a subscriber a span costs a few
//! instructions.

use tracing::span::EnteredSpan;
use tracing::{debug_span, info_span, trace_span};

/// A phase of the work on the layer with `seeds` seeds, until the span is dropped.
pub(crate) fn phase(name: &'static str, seeds: u8) -> EnteredSpan {
    info_span!("phase", name, seeds).entered()
}

/// Work that is divided among threads, until the span is dropped.
pub(crate) fn parallel(name: &'static str) -> EnteredSpan {
    debug_span!("parallel", name).entered()
}

/// A part of it on one thread, until the span is dropped.
pub(crate) fn task(name: &'static str) -> EnteredSpan {
    trace_span!("task", name).entered()
}
