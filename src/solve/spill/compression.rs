//! Entries in few bits, compressed and decompressed at some gigabytes a second.
//!
//! Neighbouring entries differ little, and those of many layers are all even or all odd. So each
//! block of 64 entries has its least entry, and for each entry a code of as many bits as the block
//! needs. Entry 0 means that a board has no move yet. It is far below all others, and has a code of
//! its own.
//!
//! ```text
//! byte 0   the least entry that is not 0
//! byte 1   bits of a code (0 to 8), 16 if codes count in twos, 32 if code 0 stands for entry 0
//! then     the codes of eight entries after one another, in as many bytes as a code has bits
//! ```
//!
//! Of entries of two bytes, the first bytes make a block and the second ones another.

use crate::cpu::{Permute, Vectorized, run_vectorized};

/// Entries of a block.
const BLOCK: usize = 64;

/// Bytes before the codes of a block.
const HEAD: usize = 2;

const IN_TWOS: u8 = 16;
const WITH_ZERO: u8 = 32;

/// Bytes of a word, which has eight codes. A word is written and read whole, and so eight bytes
/// follow the last block.
const WORD: usize = size_of::<u64>();

type Words = [u64; BLOCK / WORD];

/// Compresses entries of `width` bytes into the beginning of `out`. Returns how many bytes they take;
/// `None` if `out` may be too short.
pub(super) fn compress(width: usize, entries: &[u8], out: &mut [u8]) -> Option<usize> {
    run_vectorized(Compress {
        width,
        entries,
        out,
    })
}

/// Decompresses entries of `width` bytes; `false` if they are not as many as `entries` has room for.
pub(super) fn decompress(width: usize, compressed: &[u8], entries: &mut [u8]) -> bool {
    run_vectorized(Decompress {
        width,
        compressed,
        entries,
    })
}

struct Compress<'a> {
    width: usize,
    entries: &'a [u8],
    out: &'a mut [u8],
}

impl Vectorized for Compress<'_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<P: Permute>(self) -> Option<usize> {
        match self.width {
            1 => compress_entries::<1>(self.entries, self.out),
            2 => compress_entries::<2>(self.entries, self.out),
            width => unreachable!("an entry of {width} bytes"),
        }
    }
}

struct Decompress<'a> {
    width: usize,
    compressed: &'a [u8],
    entries: &'a mut [u8],
}

impl Vectorized for Decompress<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<P: Permute>(self) -> bool {
        match self.width {
            1 => decompress_entries::<1>(self.compressed, self.entries),
            2 => decompress_entries::<2>(self.compressed, self.entries),
            width => unreachable!("an entry of {width} bytes"),
        }
    }
}

#[inline(always)]
fn compress_entries<const WIDTH: usize>(entries: &[u8], out: &mut [u8]) -> Option<usize> {
    let (entries, _) = entries.as_chunks::<WIDTH>();
    let (blocks, rest) = entries.as_chunks::<BLOCK>();
    let mut at = 0;
    let mut compress = |entries: &[[u8; WIDTH]; BLOCK]| {
        for byte in 0..WIDTH {
            let mut block = [0; BLOCK];
            for (to, entry) in block.iter_mut().zip(entries) {
                *to = entry[byte];
            }
            at += compress_block(&block, out.get_mut(at..)?.first_chunk_mut()?);
        }
        Some(())
    };
    for block in blocks {
        compress(block)?;
    }
    if !rest.is_empty() {
        let mut last = [[0; WIDTH]; BLOCK];
        last[..rest.len()].copy_from_slice(rest);
        compress(&last)?;
    }
    out.get_mut(at..at + WORD)?.fill(0);
    Some(at + WORD)
}

#[inline(always)]
fn decompress_entries<const WIDTH: usize>(compressed: &[u8], entries: &mut [u8]) -> bool {
    let (entries, _) = entries.as_chunks_mut::<WIDTH>();
    let (blocks, rest) = entries.as_chunks_mut::<BLOCK>();
    let mut at = 0;
    let mut decompress = |entries: &mut [[u8; WIDTH]; BLOCK]| {
        for byte in 0..WIDTH {
            let mut block = [0; BLOCK];
            at += decompress_block(compressed.get(at..)?, &mut block)?;
            for (entry, from) in entries.iter_mut().zip(block) {
                entry[byte] = from;
            }
        }
        Some(())
    };
    let decompress_all = || {
        for block in blocks {
            decompress(block)?;
        }
        if !rest.is_empty() {
            let mut last = [[0; WIDTH]; BLOCK];
            decompress(&mut last)?;
            rest.copy_from_slice(&last[..rest.len()]);
        }
        Some(())
    };
    decompress_all().is_some() && compressed.len() == at + WORD
}

/// Compresses a block. Returns how many bytes it takes.
#[inline(always)]
fn compress_block(block: &[u8; BLOCK], out: &mut [u8; HEAD + BLOCK + WORD]) -> usize {
    let (mut greatest, mut least_before, mut least_of_all) = (0, u8::MAX, u8::MAX);
    for &entry in block {
        greatest = greatest.max(entry);
        // So entry 0 comes after all others.
        least_before = least_before.min(entry.wrapping_sub(1));
        least_of_all = least_of_all.min(entry);
    }
    let least = least_before.wrapping_add(1);
    let has_zero = u8::from(least_of_all < least);
    let mut differ = 0;
    for &entry in block {
        differ |= if entry == 0 { 0 } else { entry ^ least };
    }
    let shift = u32::from(differ & 1 == 0);
    let bits = u8::BITS - (((greatest - least) >> shift) + has_zero).leading_zeros();
    out[0] = least;
    out[1] = bits as u8 + shift as u8 * IN_TWOS + has_zero * WITH_ZERO;

    let mut codes = [0; BLOCK];
    for (code, &entry) in codes.iter_mut().zip(block) {
        let above = entry.wrapping_sub(least);
        let above = if shift == 0 { above } else { above >> 1 };
        *code = if entry == 0 { 0 } else { above + has_zero };
    }
    let (codes, _) = codes.as_chunks();
    let mut words: Words = std::array::from_fn(|word| u64::from_le_bytes(codes[word]));
    for word in &mut words {
        *word = close(*word, bits);
    }
    for (number, word) in words.into_iter().enumerate() {
        let at = HEAD + number * bits as usize;
        out[at..at + WORD].copy_from_slice(&word.to_le_bytes());
    }
    HEAD + bits as usize * words.len()
}

/// Decompresses a block. Returns how many bytes it takes; `None` if there are fewer.
#[inline(always)]
fn decompress_block(compressed: &[u8], block: &mut [u8; BLOCK]) -> Option<usize> {
    let (&[least, form], compressed) = compressed.split_first_chunk::<HEAD>()?;
    let bits = usize::from(form % 16).min(8);
    let compressed = compressed.get(..bits * (BLOCK / WORD - 1) + WORD)?;
    let mut words = Words::default();
    for (number, word) in words.iter_mut().enumerate() {
        let (bytes, _) = compressed[number * bits..].split_first_chunk()?;
        *word = u64::from_le_bytes(*bytes);
    }
    for word in &mut words {
        *word = open(*word, bits as u32);
    }
    for (to, word) in block.as_chunks_mut().0.iter_mut().zip(words) {
        *to = word.to_le_bytes();
    }
    let has_zero = u8::from(form & WITH_ZERO != 0);
    let in_twos = form & IN_TWOS != 0;
    for entry in block {
        let above = entry.wrapping_sub(has_zero);
        let above = above.wrapping_add(if in_twos { above } else { 0 });
        *entry = if *entry < has_zero {
            0
        } else {
            above.wrapping_add(least)
        };
    }
    Some(HEAD + bits * words.len())
}

/// The lowest `bits` of every `lane` bits.
#[inline(always)]
fn lowest(bits: u32, lane: u32) -> u64 {
    let ones = u64::MAX / (u64::MAX >> (64 - lane));
    ones * ((1 << bits) - 1)
}

/// Moves eight codes, a byte each, together, so that each takes its bits alone.
#[inline(always)]
fn close(mut codes: u64, bits: u32) -> u64 {
    for (codes_before, lane) in [(1, 16), (2, 32), (4, 64)] {
        let low = lowest(lane / 2, lane);
        let gap = codes_before * (8 - bits);
        codes = codes & low | (codes & !low) >> gap;
    }
    codes
}

/// Moves eight codes apart, to a byte each.
#[inline(always)]
fn open(mut codes: u64, bits: u32) -> u64 {
    for (codes_apart, lane) in [(4, 64), (2, 32), (1, 16)] {
        let low = lowest(codes_apart * bits, lane);
        let gap = codes_apart * (8 - bits);
        codes = codes & low | (codes & (low << (codes_apart * bits))) << gap;
    }
    codes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compresses entries and decompresses them again. Returns how many bytes they took.
    fn assert_same(width: usize, entries: &[u8]) -> usize {
        let mut out = vec![0xAA; 2 * entries.len() + 2 * BLOCK + WORD];
        let len = compress(width, entries, &mut out).unwrap();
        let mut again = vec![0x55; entries.len()];
        assert!(decompress(width, &out[..len], &mut again));
        assert!(again == entries, "{entries:?}");
        len
    }

    /// Blocks with each least and each greatest entry, some with entry 0, in ones and in twos.
    #[test]
    fn blocks_are_the_same_again() {
        for (least, greatest) in
            (0..=u8::MAX).flat_map(|least| (least..=u8::MAX).map(move |g| (least, g)))
        {
            for (step, zeros) in [(1, 0), (1, 5), (2, 0), (2, 64)] {
                let span = usize::from(greatest - least) / step + 1;
                let entry = |number: usize| match number < zeros {
                    true if number.is_multiple_of(7) => 0,
                    _ => least + (number * 37 % span * step) as u8,
                };
                let mut block: [u8; BLOCK] = std::array::from_fn(entry);
                block[BLOCK - 1] = least + ((span - 1) * step) as u8;
                block[BLOCK - 2] = least;
                let codes = block
                    .iter()
                    .filter(|&&entry| entry != 0)
                    .max()
                    .map_or(0, |most| {
                        let least = block.iter().filter(|&&entry| entry != 0).min().unwrap();
                        (usize::from(most - least) / step) + 1
                    })
                    + usize::from(block.contains(&0));
                let bits = codes.next_power_of_two().trailing_zeros() as usize;
                assert!(assert_same(1, &block) <= HEAD + 8 * bits + WORD);
            }
        }
    }

    #[test]
    fn entries_of_any_number_and_width_are_the_same_again() {
        let mut random = fastrand::Rng::with_seed(3);
        for number in (0..200).chain([1000, 4096]) {
            for width in [1, 2] {
                let bits = random.u32(0..=8);
                let mut entries = vec![0; number * width];
                entries.fill_with(|| (random.u32(..1 << bits)) as u8);
                assert_same(width, &entries);
            }
        }
    }

    /// Where there is too little room nothing is written behind it.
    #[test]
    fn too_little_room_is_said() {
        let entries = [3; 100];
        let mut out = [0; 2 * (HEAD + BLOCK) + WORD];
        for room in 0..HEAD + BLOCK + WORD {
            assert_eq!(compress(1, &entries, &mut out[..room]), None);
        }
        assert_eq!(
            compress(1, &entries, &mut out),
            Some(HEAD + HEAD + BLOCK / 8 + WORD)
        );
    }

    /// Bytes that nothing was compressed to give other entries or none.
    #[test]
    fn any_bytes_are_read_without_a_panic() {
        let mut random = fastrand::Rng::with_seed(5);
        let mut entries = [0; 300];
        for _ in 0..20_000 {
            let mut bytes = vec![0; random.usize(..400)];
            bytes.fill_with(|| random.u8(..));
            decompress(1 + random.usize(..2), &bytes, &mut entries);
        }
        let mut out = [0; 400];
        let len = compress(1, &[9; 300], &mut out).unwrap();
        for wrong in [0, len - 1, len + 1] {
            assert!(!decompress(1, &out[..wrong], &mut entries));
        }
    }

    /// The codes of a word, bit by bit.
    #[test]
    fn codes_move_together_and_apart() {
        let mut random = fastrand::Rng::with_seed(4);
        for bits in 0..=8 {
            for _ in 0..1000 {
                let codes: [u8; WORD] = std::array::from_fn(|_| random.u32(..1 << bits) as u8);
                let together = (0..).zip(codes);
                let together = together.fold(0, |word, (number, code)| {
                    word | u64::from(code).unbounded_shl(number * bits)
                });
                let apart = u64::from_le_bytes(codes);
                assert_eq!(close(apart, bits), together);
                assert_eq!(open(together, bits), apart);
            }
        }
    }
}
