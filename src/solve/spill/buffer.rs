//! Buffers of whole pages, which hold entries: disks read and write them without a copy.

#![allow(unsafe_code)] // bytes as entries, with the reason beside it

use std::io;
use std::sync::atomic::AtomicU8;

use memmap2::MmapMut;

/// Bytes of a page: what direct input and output is aligned to.
pub(super) const PAGE: usize = 4096;

/// An entry that any bytes represent.
///
/// # Safety
/// Every sequence of `size_of::<Self>()` bytes must be a value of the type, which must have
/// no padding, be aligned to at most a page, and not change while it is shared.
pub unsafe trait Plain: Send + Sync + 'static {}

/// Bytes that several threads may read and change, as long as they are borrowed.
pub(in crate::solve) fn atomic_bytes(bytes: &mut [u8]) -> &[AtomicU8] {
    let (start, len) = (bytes.as_mut_ptr(), bytes.len());
    // SAFETY: an atomic byte is laid out as a byte. Nobody else has these: they are borrowed
    // mutably as long as the atomic ones.
    unsafe { std::slice::from_raw_parts(start.cast(), len) }
}

/// Whole pages of their own, which go back to the system when they are no longer needed.
#[derive(Debug)]
pub(crate) struct Buffer(Option<MmapMut>);

impl Buffer {
    /// A buffer without bytes.
    pub fn empty() -> Buffer {
        Buffer(None)
    }

    /// Pages for this many bytes, all 0.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn new(bytes: usize) -> io::Result<Buffer> {
        let pages = MmapMut::map_anon(bytes.next_multiple_of(PAGE).max(PAGE));
        pages.map(|pages| Buffer(Some(pages)))
    }

    /// Bytes of all pages.
    pub fn len(&self) -> usize {
        self.bytes().len()
    }

    /// All bytes.
    pub fn bytes(&self) -> &[u8] {
        self.0.as_deref().unwrap_or_default()
    }

    /// All bytes, to be changed.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        self.0.as_deref_mut().unwrap_or_default()
    }

    /// The first `len` entries.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn entries<E: Plain>(&self, len: usize) -> &[E] {
        let bytes = &self.bytes()[..len * size_of::<E>()];
        if bytes.is_empty() {
            return &[];
        }
        // SAFETY: `bytes` has the bytes of `len` entries and starts at a page, any bytes are entries,
        // and no entry is aligned to more than a page (`Plain`). They are borrowed as long as
        // the entries.
        unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), len) }
    }

    /// The first `len` entries, to be changed.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn entries_mut<E: Plain>(&mut self, len: usize) -> &mut [E] {
        let bytes = &mut self.bytes_mut()[..len * size_of::<E>()];
        if bytes.is_empty() {
            return &mut [];
        }
        // SAFETY: as above, borrowed mutably; the bytes of any entry are bytes of a page.
        unsafe { std::slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), len) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_those_of_the_bytes() {
        let mut buffer = Buffer::new(PAGE + 1).unwrap();
        assert_eq!(buffer.len(), 2 * PAGE);
        assert_eq!(buffer.bytes().as_ptr().addr() % PAGE, 0);
        for (i, entry) in buffer.entries_mut::<u8>(PAGE + 1).iter_mut().enumerate() {
            *entry = i as u8;
        }
        assert!((0..=PAGE).all(|i| buffer.bytes()[i] == i as u8));
        assert!(buffer.bytes()[PAGE + 1..].iter().all(|&byte| byte == 0));
        assert!(Buffer::empty().entries::<u8>(0).is_empty());
    }

    #[test]
    fn atomic_bytes_are_those_of_the_slice() {
        use std::sync::atomic::Ordering::Relaxed;
        let mut bytes = [1, 2, 3];
        let atomic = atomic_bytes(&mut bytes);
        assert_eq!(atomic[1].swap(7, Relaxed), 2);
        assert_eq!(bytes, [1, 7, 3]);
        assert!(atomic_bytes(&mut []).is_empty());
    }

    #[test]
    #[should_panic(expected = "out of range")]
    fn there_are_no_entries_beyond_the_pages() {
        Buffer::new(PAGE).unwrap().entries::<u8>(PAGE + 1);
    }
}
