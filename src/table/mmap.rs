//! Mapping a file into memory: unsafe, since the file must not change meanwhile.
//!
//! **Contract** (`docs/format.md`, 'Files that change'): a table is only ever
//! replaced by renaming another file over it, never written in place. The
//! mapping then keeps showing the old file, whole, as long as it is open. To
//! write into a mapped file, or to cut it, is outside the promise: reading
//! what was cut off may end the process with SIGBUS.

#![allow(unsafe_code)]

use std::fs::File;
use std::io;

use memmap2::Mmap;

/// A file's bytes, mapped read-only.
#[derive(Debug)]
pub(super) struct Mapped(Mmap);

impl Mapped {
    /// Maps the whole of an open file.
    pub fn new(file: &File) -> io::Result<Mapped> {
        // SAFETY: what a mapping asks for is that the bytes behind the slices
        // which it hands out stay where they are and do not change while it
        // lives.
        // - They stay: the mapping owns its pages independently of `file`,
        //   `Mapped` owns the mapping, and `bytes` borrows from `Mapped`, so
        //   no slice outlives it. Renaming or removing the file leaves the
        //   pages as they are.
        // - They do not change through this process: the mapping is read-only
        //   and krou writes tables only under another name, in `partial.rs`,
        //   and no more once they are renamed.
        // - That no other process changes them is the contract above, which
        //   no program can enforce. The reader bounds-checks every access to
        //   a directory and a block at the time of reading, so that bytes
        //   which changed after opening lead it nowhere outside the mapping.
        let map = unsafe { Mmap::map(file) }?;
        Ok(Mapped(map))
    }

    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}
