//! The compact form of neighbouring entries: about four and a half bits for each.
//!
//! Entries of neighbouring boards are close to one another. So 64 of them, a *block*, are
//! stored as their least one, the base, and their differences from it, all with the same
//! number of bits, the width. A *group* has up to 4 blocks: first two bytes for each, then
//! the differences.
//!
//! ```text
//! │ base, kind │ base, kind │ … │ differences of block 0 │ of block 1 │ … │
//! ```
//!
//! - *kind*: the width, 0 to 8; plus 16 if 0 stands for the entry 0 and not for the base. 0
//!   is the entry of a board that has none, far below all others.
//! - *differences*: a width is 8, or a sum of 4, 2 and 1. For each of these, a
//!   plane has that many bits of each difference, the lowest ones first. So byte `i` of a
//!   plane of 4 bits belongs to entries `i` and `i + 32`, and the same shifts unpack many
//!   bytes at a time.
//!
//! The last block of a group is filled up with its last entry.

use crate::cpu::{Permute, Vectorized, run_vectorized};

#[cfg(test)]
mod tests;

/// Entries of a group.
pub(super) const GROUP: usize = 4 * BLOCK;

/// Entries of a block.
const BLOCK: usize = 64;

/// Bytes before the differences, for each block.
const HEAD: usize = 2;

/// Bytes of a group at the most.
pub(super) const LARGEST: usize = GROUP + GROUP / BLOCK * HEAD;

/// Added to the width if 0 stands for the entry 0.
const WITH_ZERO: u8 = 16;

/// Appends the compact form of a group: of at most [`GROUP`] entries.
pub(super) fn pack(entries: &[u8], out: &mut Vec<u8>) {
    run_vectorized(Pack { entries, out });
}

struct Pack<'a> {
    entries: &'a [u8],
    out: &'a mut Vec<u8>,
}

impl Vectorized for Pack<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Permute>(self) {
        let Pack { entries, out } = self;
        debug_assert!(entries.len() <= GROUP);
        let head = out.len();
        out.resize(head + entries.len().div_ceil(BLOCK) * HEAD, 0);
        for (number, entries) in entries.chunks(BLOCK).enumerate() {
            let mut block = [entries[entries.len() - 1]; BLOCK];
            block[..entries.len()].copy_from_slice(entries);
            let shape = Shape::of(&block);
            out[head + number * HEAD..][..HEAD].copy_from_slice(&[shape.base, shape.kind]);
            let differences = block.map(|entry| entry.saturating_sub(shape.base));
            shape.pack(&differences, out);
        }
    }
}

/// Fills `out` with the entries of a group from number `from` on.
pub(super) fn unpack(group: &[u8], len: usize, from: usize, out: &mut [u8]) {
    run_vectorized(Unpack {
        group,
        len,
        from,
        out,
    });
}

struct Unpack<'a> {
    group: &'a [u8],
    len: usize,
    from: usize,
    out: &'a mut [u8],
}

impl Vectorized for Unpack<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Permute>(mut self) {
        let mut blocks = Blocks::new(self.group, self.len, self.from / BLOCK);
        let mut skipped = self.from % BLOCK;
        while !self.out.is_empty() {
            let (shape, differences) = blocks.next();
            let here = self.out.len().min(BLOCK - skipped);
            let (out, rest) = self.out.split_at_mut(here);
            match out.as_mut_array() {
                Some(out) => shape.unpack(differences, out),
                None => {
                    let mut block = [0; BLOCK];
                    shape.unpack(differences, &mut block);
                    out.copy_from_slice(&block[skipped..][..here]);
                }
            }
            (self.out, skipped) = (rest, 0);
        }
    }
}

/// Changes an entry of a group, if its block has a difference for the new one; otherwise the
/// group stays as it is, and the result is `false`.
pub(super) fn set(group: &mut [u8], len: usize, number: usize, entry: u8) -> bool {
    let blocks = Blocks::new(group, len, number / BLOCK);
    let (shape, start) = (blocks.shape(), blocks.differences);
    if !shape.has(entry) {
        return false;
    }
    let differences = &mut group[start..][..shape.bytes()];
    let mut block = [0; BLOCK];
    shape.unpack(differences, &mut block);
    block[number % BLOCK] = entry;
    // The last block is filled up with its last entry.
    if number + 1 == len {
        block[number % BLOCK..].fill(entry);
    }
    let mut bytes = Vec::with_capacity(BLOCK);
    shape.pack(
        &block.map(|entry| entry.saturating_sub(shape.base)),
        &mut bytes,
    );
    differences.copy_from_slice(&bytes);
    true
}

/// The blocks of a group from one of them on.
struct Blocks<'a> {
    group: &'a [u8],
    number: usize,
    /// Where the differences of block `number` begin.
    differences: usize,
}

impl<'a> Blocks<'a> {
    #[inline(always)]
    fn new(group: &'a [u8], len: usize, number: usize) -> Blocks<'a> {
        let heads = len.div_ceil(BLOCK) * HEAD;
        let (before, _) = group[..number * HEAD].as_chunks::<HEAD>();
        // Each bit of a width takes 8 bytes.
        let widths: usize = before
            .iter()
            .map(|[_, kind]| usize::from(kind & !WITH_ZERO))
            .sum();
        Blocks {
            group,
            number,
            differences: heads + 8 * widths,
        }
    }

    #[inline(always)]
    fn shape(&self) -> Shape {
        let head = &self.group[self.number * HEAD..][..HEAD];
        Shape {
            base: head[0],
            kind: head[1],
        }
    }

    #[inline(always)]
    fn next(&mut self) -> (Shape, &'a [u8]) {
        let shape = self.shape();
        let differences = &self.group[self.differences..][..shape.bytes()];
        self.number += 1;
        self.differences += shape.bytes();
        (shape, differences)
    }
}

/// How a block is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    base: u8,
    kind: u8,
}

impl Shape {
    #[inline(always)]
    fn of(block: &[u8; BLOCK]) -> Shape {
        let (mut least, mut least_but_zero, mut most) = (u8::MAX, u8::MAX, 0);
        for &entry in block {
            least = least.min(entry);
            // 0 becomes the largest number.
            least_but_zero = least_but_zero.min(entry.wrapping_sub(1));
            most = most.max(entry);
        }
        let width = |base: u8| (8 - (most - base).leading_zeros()) as u8;
        // A difference of 0 is left for the entry 0.
        if least == 0 && width(least_but_zero.min(most)) < width(0) {
            return Shape {
                base: least_but_zero,
                kind: width(least_but_zero) | WITH_ZERO,
            };
        }
        Shape {
            base: least,
            kind: width(least),
        }
    }

    #[inline(always)]
    fn width(self) -> u8 {
        self.kind & !WITH_ZERO
    }

    /// Bytes of the differences.
    #[inline(always)]
    fn bytes(self) -> usize {
        8 * usize::from(self.width())
    }

    /// Whether a difference stands for an entry.
    fn has(self, entry: u8) -> bool {
        let has_zero = self.kind & WITH_ZERO != 0;
        if has_zero && entry == 0 {
            return true;
        }
        let least = self.base + u8::from(has_zero);
        entry >= least && u16::from(entry - self.base) < 1 << self.width()
    }

    /// Appends the differences.
    #[inline(always)]
    fn pack(self, differences: &[u8; BLOCK], out: &mut Vec<u8>) {
        let width = self.width();
        if width == 8 {
            out.extend_from_slice(differences);
            return;
        }
        let words = words(differences);
        if width & 4 != 0 {
            out.extend_from_slice(pack_plane::<4>(&words, 0).as_flattened());
        }
        if width & 2 != 0 {
            out.extend_from_slice(pack_plane::<2>(&words, width & 4).as_flattened());
        }
        if width & 1 != 0 {
            out.extend_from_slice(pack_plane::<1>(&words, width & 6).as_flattened());
        }
    }

    /// Reads the entries. Without branches: widths vary too much for the processor to guess.
    #[inline(always)]
    fn unpack(self, differences: &[u8], out: &mut [u8; BLOCK]) {
        const NO_PLANE: &[u8] = &[0; BLOCK / 2];
        let width = self.width();
        if width == 8 {
            out.copy_from_slice(differences);
        } else {
            let mut words = [0; WORDS];
            let [has_4, has_2, has_1] = [2, 1, 0].map(|bit| usize::from(width >> bit & 1));
            let from_2 = &differences[has_4 * (4 * 8)..];
            let from_1 = &from_2[has_2 * (2 * 8)..];
            unpack_plane::<4>([NO_PLANE, differences][has_4], 0, &mut words);
            unpack_plane::<2>([NO_PLANE, from_2][has_2], width & 4, &mut words);
            unpack_plane::<1>([NO_PLANE, from_1][has_1], width & 6, &mut words);
            for (bytes, word) in out.as_chunks_mut().0.iter_mut().zip(words) {
                *bytes = u64::to_le_bytes(word);
            }
        }
        let base_of_zero = if self.kind & WITH_ZERO == 0 {
            self.base
        } else {
            0
        };
        for entry in out {
            let base = if *entry == 0 { base_of_zero } else { self.base };
            *entry = entry.wrapping_add(base);
        }
    }
}

/// A block as words, each of eight neighbouring differences.
const WORDS: usize = BLOCK / 8;

#[inline(always)]
fn words(bytes: &[u8]) -> [u64; WORDS] {
    let mut words = [0; WORDS];
    for (word, &bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = u64::from_le_bytes(bytes);
    }
    words
}

/// The lowest `BITS` bits of each byte.
const fn lowest<const BITS: usize>() -> u64 {
    u64::MAX / 255 * ((1 << BITS) - 1)
}

/// `BITS` bits of each difference, from bit `shift` on, in as many words.
#[inline(always)]
fn pack_plane<const BITS: usize>(words: &[u64; WORDS], shift: u8) -> [[u8; 8]; BITS] {
    let mut plane = [0; BITS];
    for (part, words) in words.as_chunks::<BITS>().0.iter().enumerate() {
        for (bits, word) in plane.iter_mut().zip(words) {
            *bits |= (word >> shift & lowest::<BITS>()) << (part * BITS);
        }
    }
    plane.map(u64::to_le_bytes)
}

/// Writes `BITS` bits of each difference, from bit `shift` on, of the plane with which `bytes`
/// begins.
#[inline(always)]
fn unpack_plane<const BITS: usize>(bytes: &[u8], shift: u8, words: &mut [u64; WORDS]) {
    let mut bits = [0; BITS];
    for (bits, &bytes) in bits.iter_mut().zip(bytes[..8 * BITS].as_chunks().0) {
        *bits = u64::from_le_bytes(bytes);
    }
    for (part, words) in words.as_chunks_mut::<BITS>().0.iter_mut().enumerate() {
        for (word, bits) in words.iter_mut().zip(bits) {
            *word |= (bits >> (part * BITS) & lowest::<BITS>()) << shift;
        }
    }
}
