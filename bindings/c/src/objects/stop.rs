//! A request to stop, which one thread makes and another one looks for.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A request to stop a search or a build: see krou_stop_open.
#[derive(Clone, Debug, Default)]
pub struct krou_stop(Arc<AtomicBool>);

impl krou_stop {
    /// Makes the request.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Takes the request back.
    pub fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// What the library looks at.
    pub fn flag(&self) -> &AtomicBool {
        &self.0
    }
}
