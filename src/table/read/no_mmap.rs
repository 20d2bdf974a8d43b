//! In place of `mmap` without that feature: nothing is mapped.

use std::ops::Deref;

#[derive(Debug)]
#[allow(dead_code)] // there is none
pub(super) enum Mmap {}

impl Deref for Mmap {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match *self {}
    }
}
