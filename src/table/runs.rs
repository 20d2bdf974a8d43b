//! Runs: blocks of entries one after another, stored as they are or with
//! Zstandard.
//!
//! A run's codec sees one block at a time and knows nothing of what is in it. The
//! contexts of Zstandard cost more to make than a block takes to decode, so
//! each thread keeps its own.

use std::cell::RefCell;
use std::io;
use std::ops::RangeInclusive;

use zstd::bulk::{Compressor, Decompressor};

use super::error::BlockFault;

/// How runs are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RunCodec {
    Raw,
    Zstd,
}

/// The stored bytes of a block; `level` is the effort of Zstandard.
pub(super) fn pack(codec: RunCodec, level: i32, raw: &[u8]) -> io::Result<Vec<u8>> {
    thread_local! {
        static COMPRESSOR: RefCell<Option<(i32, Compressor<'static>)>> = const { RefCell::new(None) };
    }
    match codec {
        RunCodec::Raw => Ok(raw.to_vec()),
        RunCodec::Zstd => COMPRESSOR.with_borrow_mut(|slot| {
            let (_, compressor) = match slot {
                Some(compressor) if compressor.0 == level => compressor,
                other => other.insert((level, Compressor::new(level)?)),
            };
            compressor.compress(raw)
        }),
    }
}

/// How many stored bytes a block of `raw` bytes may have.
pub(super) fn stored_lengths(codec: RunCodec, raw: usize) -> RangeInclusive<u64> {
    let raw = raw as u64;
    match codec {
        RunCodec::Raw => raw..=raw,
        // No less than ZSTD_COMPRESSBOUND.
        RunCodec::Zstd => 1..=raw + raw / 256 + 64,
    }
}

/// Decodes a block into exactly `raw`, whatever the stored bytes are.
pub(super) fn unpack(codec: RunCodec, stored: &[u8], raw: &mut [u8]) -> Result<(), BlockFault> {
    let expected = raw.len();
    let decoded = match codec {
        RunCodec::Raw if stored.len() == expected => {
            raw.copy_from_slice(stored);
            Some(expected)
        }
        RunCodec::Raw => None,
        RunCodec::Zstd => decompress(stored, raw).ok(),
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
            for codec in [RunCodec::Raw, RunCodec::Zstd] {
                assert!(
                    zstd::zstd_safe::compress_bound(length) as u64
                        <= *stored_lengths(RunCodec::Zstd, length).end()
                );
                let stored = pack(codec, 9, &noise).unwrap();
                assert!(stored_lengths(codec, length).contains(&(stored.len() as u64)));
                let mut back = vec![0; length];
                unpack(codec, &stored, &mut back).unwrap();
                assert!(back == noise);
            }
        }
    }

    #[test]
    fn other_lengths_are_refused() {
        for codec in [RunCodec::Raw, RunCodec::Zstd] {
            let stored = pack(codec, 9, &[5; 100]).unwrap();
            for expected in [0, 1, 99, 101, 4096] {
                assert_eq!(
                    unpack(codec, &stored, &mut vec![0; expected]),
                    Err(BlockFault::Content { expected })
                );
            }
        }
    }
}
