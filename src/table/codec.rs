//! Blocks to stored bytes and back.
//!
//! A codec sees one block at a time and knows nothing of what is in it. The
//! contexts of Zstandard cost more to make than a block takes to decode, so
//! each thread keeps its own.

use std::cell::RefCell;
use std::io;
use std::ops::RangeInclusive;

use zstd::bulk::{Compressor, Decompressor};

use super::error::BlockFault;
use super::id::Codec;

/// Compresses blocks, one after another.
pub(super) struct Packer {
    codec: Codec,
    level: i32,
    /// Made for the first block that needs it.
    zstd: Option<Compressor<'static>>,
}

impl Packer {
    pub fn new(codec: Codec, level: i32) -> Packer {
        Packer {
            codec,
            level,
            zstd: None,
        }
    }

    /// The stored bytes of a block.
    pub fn pack(&mut self, raw: &[u8]) -> io::Result<Vec<u8>> {
        match self.codec {
            Codec::Raw => Ok(raw.to_vec()),
            Codec::Zstd => {
                let compressor = match &mut self.zstd {
                    Some(compressor) => compressor,
                    none => none.insert(Compressor::new(self.level)?),
                };
                compressor.compress(raw)
            }
        }
    }
}

/// How many stored bytes a block of `raw` bytes may have.
pub(super) fn stored_lengths(codec: Codec, raw: usize) -> RangeInclusive<u64> {
    let raw = raw as u64;
    match codec {
        Codec::Raw => raw..=raw,
        // No less than ZSTD_COMPRESSBOUND.
        Codec::Zstd => 1..=raw + raw / 256 + 64,
    }
}

/// Decodes a block into exactly `raw`, whatever the stored bytes are.
pub(super) fn unpack(codec: Codec, stored: &[u8], raw: &mut [u8]) -> Result<(), BlockFault> {
    let expected = raw.len();
    let decoded = match codec {
        Codec::Raw if stored.len() == expected => {
            raw.copy_from_slice(stored);
            Some(expected)
        }
        Codec::Raw => None,
        Codec::Zstd => decompress(stored, raw).ok(),
    };
    match decoded {
        Some(length) if length == expected => Ok(()),
        _ => Err(BlockFault::Content { expected }),
    }
}

/// Decompresses into at most `raw.len()` bytes; says how many.
fn decompress(stored: &[u8], raw: &mut [u8]) -> io::Result<usize> {
    thread_local! {
        static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
    }
    DECOMPRESSOR.with_borrow_mut(|slot| {
        let decompressor = match slot {
            Some(decompressor) => decompressor,
            none => none.insert(Decompressor::new()?),
        };
        decompressor.decompress_to_buffer(stored, raw)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What cannot be compressed stays within the promised lengths.
    #[test]
    fn the_longest_blocks() {
        let mut state = 1_u64;
        for length in [1, 2, 255, 256, 16384, 1 << 17, 1 << 21] {
            let noise: Vec<u8> = (0..length)
                .map(|_| {
                    state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
                    state.to_le_bytes()[7]
                })
                .collect();
            for codec in Codec::ALL {
                assert!(
                    zstd::zstd_safe::compress_bound(length) as u64
                        <= *stored_lengths(Codec::Zstd, length).end()
                );
                let stored = Packer::new(codec, 9).pack(&noise).unwrap();
                assert!(stored_lengths(codec, length).contains(&(stored.len() as u64)));
                let mut back = vec![0; length];
                unpack(codec, &stored, &mut back).unwrap();
                assert!(back == noise);
            }
        }
    }

    #[test]
    fn other_lengths_are_refused() {
        for codec in Codec::ALL {
            let stored = Packer::new(codec, 9).pack(&[5; 100]).unwrap();
            for expected in [0, 1, 99, 101, 4096] {
                assert_eq!(
                    unpack(codec, &stored, &mut vec![0; expected]),
                    Err(BlockFault::Content { expected })
                );
            }
        }
    }
}
