//! Where the writer takes entries from.

use std::io;

/// Where the writer takes the entries of a plane from. It asks for them in no
/// particular order, from several threads, and for some more than once.
pub trait EntrySource: Sync {
    /// Fills `out` with the entries from index `start` on, an `i8` as its two's
    /// complement.
    ///
    /// # Errors
    /// If the entries cannot be read.
    fn fill(&self, start: u64, out: &mut [u8]) -> io::Result<()>;

    /// Marks the *free* entries among those from index `start` on: a free entry is
    /// never needed, because a conversion gives the same result. A codec that is not
    /// [exact](crate::table::Codec::is_exact) may store any lower number instead (of a
    /// value or bound), or any number (of a distance).
    ///
    /// # Errors
    /// If the entries cannot be read.
    fn free(&self, start: u64, out: &mut [bool]) -> io::Result<()> {
        let _ = start;
        out.fill(false);
        Ok(())
    }
}

/// A plane in memory. Filling panics if it is too short.
impl EntrySource for &[u8] {
    fn fill(&self, start: u64, out: &mut [u8]) -> io::Result<()> {
        out.copy_from_slice(&self[offset(start)..][..out.len()]);
        Ok(())
    }
}

/// A plane in memory. Filling panics if it is too short.
impl EntrySource for Vec<u8> {
    fn fill(&self, start: u64, out: &mut [u8]) -> io::Result<()> {
        self.as_slice().fill(start, out)
    }
}

/// A plane in memory. Filling panics if it is too short.
impl EntrySource for &[i8] {
    fn fill(&self, start: u64, out: &mut [u8]) -> io::Result<()> {
        let from = &self[offset(start)..][..out.len()];
        for (byte, entry) in out.iter_mut().zip(from) {
            *byte = entry.cast_unsigned();
        }
        Ok(())
    }
}

/// A plane in memory. Filling panics if it is too short.
impl EntrySource for Vec<i8> {
    fn fill(&self, start: u64, out: &mut [u8]) -> io::Result<()> {
        self.as_slice().fill(start, out)
    }
}

fn offset(start: u64) -> usize {
    usize::try_from(start).expect("a plane in memory is shorter")
}
