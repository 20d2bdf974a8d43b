//! Zstandard. Its contexts take longer to make than a block takes to decode, so each thread keeps
//! its own.

use std::cell::RefCell;

use zstd::bulk::{Compressor, Decompressor};

use crate::table::error::Fault;

/// Decompresses to exactly the length of `content`; `false` if the stored bytes decompress to
/// another length or not at all.
pub(crate) fn decompress(stored: &[u8], content: &mut [u8]) -> bool {
    thread_local! {
        static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
    }
    DECOMPRESSOR.with_borrow_mut(|slot| {
        let decompressor = match slot {
            Some(decompressor) => decompressor,
            none => match Decompressor::new() {
                Ok(new) => none.insert(new),
                Err(_) => return false,
            },
        };
        let length = decompressor.decompress_to_buffer(stored, content);
        length.is_ok_and(|length| length == content.len())
    })
}

/// The stored bytes of a content; `level` is the effort.
pub(crate) fn compress(level: i32, content: &[u8]) -> Result<Vec<u8>, Fault> {
    thread_local! {
        static COMPRESSOR: RefCell<Option<(i32, Compressor<'static>)>> = const { RefCell::new(None) };
    }
    COMPRESSOR.with_borrow_mut(|slot| {
        let (_, compressor) = match slot {
            Some(compressor) if compressor.0 == level => compressor,
            other => {
                let new = Compressor::new(level).map_err(|cause| Fault::Write { cause })?;
                other.insert((level, new))
            }
        };
        let compressed = compressor.compress(content);
        compressed.map_err(|cause| Fault::Write { cause })
    })
}
